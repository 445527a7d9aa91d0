#pragma once
// The name of the built-in embedder without frequencies, which embed() of the language is too.

#include <string_view>

namespace cairn::engine {

inline constexpr std::string_view built_in_model = "cairn-hashing-1";

// How far the vector of a text can be trusted: what the embedders do to stored texts.

/// The vector of a text of few words is what these few happen to be, and near to a question by chance
/// sooner than that of a long text. So a stored text has, beside the direction of its own words,
/// one that no question has: m of the former and this many of the latter, where m counts its words,
/// each as much as it weighs (0 to 1). Its cosine with a question becomes the one without, times
/// m / sqrt(m^2 + general_words^2).
///
/// Source: words of one text have a mean cosine r with each other, so that of the square of their sum
/// m^2 r is what they share, and m (1 - r) what each has for itself; these are equal at (1 - r) / r
/// words. r was 0.10 and 0.13 in two collections of texts of very different kinds.
inline constexpr double general_words = 8;

}  // namespace cairn::engine
