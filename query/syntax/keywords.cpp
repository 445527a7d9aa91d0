#include "query/syntax/keywords.hpp"

#include <cairn/keywords.hpp>

#include <algorithm>

namespace cairn {
namespace {

constexpr auto all_words() {
  using namespace query::lexical;
  std::array<std::string_view, reserved_words.size() + other_words.size()> words;
  const auto rest = std::ranges::copy(reserved_words, words.begin()).out;
  std::ranges::copy(other_words, rest);
  std::ranges::sort(words);
  return words;
}

}  // namespace

std::span<const std::string_view> keywords() noexcept {
  static constexpr auto words = all_words();
  return words;
}

}  // namespace cairn
