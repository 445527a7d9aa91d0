#pragma once
// The previous texts of a record, for its history.

#include <cairn/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::query {

/// The property that holds them: [{at, content}], oldest first; `at` is the time when the text was replaced.
inline constexpr std::string_view earlier_texts_name = "earlier_texts";

/// Appends a text to the list. The newest texts are preserved: at most 50, and 256 KiB together.
[[nodiscard]] Value with_earlier_text(const Value& known, std::string content, std::string at);

}  // namespace cairn::query
