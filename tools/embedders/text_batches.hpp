#pragma once
// Splits texts into requests.

#include <cstddef>
#include <span>
#include <string_view>

namespace cairn::tools {

struct BatchLimits {
  std::size_t texts = 1;
  std::size_t bytes = 0;  ///< of all texts together; a longer text is alone in its batch
};

/// Returns the first texts that fit into a batch: at least one. Precondition: there is a text.
[[nodiscard]] inline std::span<const std::string_view> next_batch(
    std::span<const std::string_view> texts, const BatchLimits& limits) {
  std::size_t count = 0;
  std::size_t bytes = 0;
  while (count < texts.size() && count < limits.texts) {
    bytes += texts[count].size();
    if (count > 0 && bytes > limits.bytes) break;
    ++count;
  }
  return texts.first(count);
}

}  // namespace cairn::tools
