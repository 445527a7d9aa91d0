#pragma once
// The texts that a record had before, for its history.

#include <cairn/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::query {

/// The property that has them: [{at, content}], oldest first; `at` is when the text was replaced.
inline constexpr std::string_view earlier_texts_name = "earlier_texts";

/// Those that are known and one more. The newest stay: at most 50, and 256 KiB together.
[[nodiscard]] Value with_earlier_text(const Value& known, std::string content, std::string at);

}  // namespace cairn::query
