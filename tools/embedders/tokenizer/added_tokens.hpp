#pragma once
// AddedTokens: texts that are tokens before any other rule applies.

#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::tools {

struct AddedToken {
  std::u32string content;
  std::uint32_t id = 0;
  bool is_single_word = false;  ///< not within a word
  bool takes_left = false;      ///< with the blanks before it
  bool takes_right = false;     ///< with the blanks behind it
};

/// A part of a text, which is an added token or is not.
struct Section {
  PointRange range;
  std::optional<std::uint32_t> token;
};

/// Threads: any number at once.
class AddedTokens {
 public:
  /// Of two tokens with one content the last counts.
  void add(AddedToken token);

  /// Divides a text at the added tokens, the longest at the first place that has one. Cost: linear
  /// for plain tokens; the length of the longest for each place where one begins.
  [[nodiscard]] std::vector<Section> sections_of(const AlignedText& text) const;

 private:
  [[nodiscard]] const AddedToken* find(const AlignedText& text, std::size_t at) const;

  std::unordered_map<char32_t, std::vector<AddedToken>> by_first_;  // the longest first
};

}  // namespace cairn::tools
