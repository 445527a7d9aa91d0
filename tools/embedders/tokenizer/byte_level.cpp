// The pre-tokenizer ByteLevel.
#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/pieces.hpp"
#include "tools/embedders/tokenizer/pre_tokenizer.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

/// The words of GPT-2, with the blanks of JavaScript.
constexpr std::string_view words_expression =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+"
    "| ?[^\\u0009-\\u000D\\p{Z}\\uFEFF\\p{L}\\p{N}]+"
    "|[\\u0009-\\u000D\\p{Z}\\uFEFF]+(?![^\\u0009-\\u000D\\p{Z}\\uFEFF])"
    "|[\\u0009-\\u000D\\p{Z}\\uFEFF]+";

bool is_visible(std::size_t byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

/// Visible bytes of Latin-1 become the same characters, the others become characters from U+0100
/// on.
constexpr char32_t first_other = 0x100;
std::array<char32_t, 256> characters_of_bytes() {
  std::array<char32_t, 256> characters{};
  char32_t next = first_other;
  for (std::size_t byte = 0; byte < characters.size(); ++byte)
    characters[byte] = is_visible(byte) ? static_cast<char32_t>(byte) : next++;
  return characters;
}

/// Puts a blank in front of each piece that has none.
Pieces with_blanks(const Pieces& pieces) {
  Pieces made;
  for (const PointRange& range : pieces.ranges) {
    const std::size_t begin = made.text.size();
    const std::uint32_t start = pieces.text.origins[range.begin].begin;
    if (pieces.text.points[range.begin] != U' ') made.text.append(U' ', {start, start});
    made.text.append(pieces.text, range.begin, range.end);
    made.ranges.push_back({begin, made.text.size()});
  }
  return made;
}

// Each byte of the UTF-8 becomes a visible character, which has the origin of its code point.
Pieces as_bytes(const Pieces& pieces) {
  static const auto characters = characters_of_bytes();
  Pieces made;
  made.text.reserve(pieces.text.size());
  std::string bytes;
  for (const PointRange& range : pieces.ranges) {
    const std::size_t begin = made.text.size();
    for (std::size_t i = range.begin; i < range.end; ++i) {
      bytes.clear();
      append_utf8(bytes, pieces.text.points[i]);
      for (const char c : bytes)
        made.text.append(characters[static_cast<std::uint8_t>(c)], pieces.text.origins[i]);
    }
    made.ranges.push_back({begin, made.text.size()});
  }
  return made;
}

}  // namespace

Result<PreTokenizer> read_byte_level(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"add_prefix_space", "trim_offsets", "use_regex"}));
  CAIRN_ASSIGN(const bool has_blank, settings.flag("add_prefix_space", false));
  CAIRN_ASSIGN(const bool has_words, settings.flag("use_regex", true));
  CAIRN_ASSIGN(const Pattern words, Pattern::of_expression(words_expression));
  return PreTokenizer([has_blank, has_words, words](Pieces& pieces) -> Status {
    if (has_blank) pieces = with_blanks(pieces);
    if (has_words) CAIRN_TRY(split_at_pattern(pieces, words, {SplitBehavior::isolated, false}));
    pieces = as_bytes(pieces);
    return {};
  });
}

}  // namespace cairn::tools
