#pragma once
// The built-in embedders: the name of the model without frequencies and its vectors, which the
// function embed() of the query language uses too, and the weight of the general component.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <string_view>

namespace cairn::engine {

inline constexpr std::string_view built_in_model = "cairn-hashing-1";

/// Returns the vector that make_hashing_embedder(dimension) makes of a text, within limits; nullptr:
/// no limits. Errors: those of Limits::step(), check_room() and charge().
[[nodiscard]] Result<Vector> embed_built_in(std::string_view text, std::size_t dimension,
                                            Limits* limits);

/// Weight of the general component of stored texts, in words.
///
/// The vector of a short text depends on few words, so it is near a query by chance more often than
/// the vector of a long text. To compensate, embed_documents() makes the vector of a stored text
/// from two orthogonal parts. The first part has the direction of the text's words and the length
/// m, the number of its words, each counted by its weight (0 to 1). The second part is a component
/// of length `general_words` that queries do not have. So the cosine with a query is multiplied by
/// m / sqrt(m^2 + general_words^2).
///
/// Source: let r be the mean cosine of two words of one text. The squared length of the sum of m
/// words consists of m^2 r for what the words share and m (1 - r) for what each has alone. The two
/// terms are equal at m = (1 - r) / r words, which is 9 and 7 for the measured r: r was 0.10 and
/// 0.13 in two very different collections of texts.
inline constexpr double general_words = 8;

}  // namespace cairn::engine
