// The normalizer Precompiled: replaces texts by the map of sentencepiece.
//
// The bytes are: size of the double array in bytes:u32, the array of u32, the values.
//
// A unit of the array has in bits 0 to 7 the byte that leads to it, in bit 8 whether a unit of a
// value follows, and in bits 10 to 30 the distance to its children, times 256 if bit 9 is set. A
// unit of a value has the offset of the value in bits 0 to 30.
#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/normalizer.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::size_t most_cluster_bytes = 5;

bool has_value(std::uint32_t unit) { return ((unit >> 8U) & 1U) == 1U; }
std::uint32_t value_of(std::uint32_t unit) { return unit & 0x7FFF'FFFFU; }
std::uint32_t label_of(std::uint32_t unit) { return unit & 0x8000'00FFU; }
std::uint32_t distance_of(std::uint32_t unit) {
  return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U);
}

std::optional<std::uint32_t> digit_of(char c) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t digit = digits.find(c);
  if (digit == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(digit);
}

// Decodes base64. Padding may be left out. Bits after the last complete byte are ignored. Returns
// nullopt for characters outside of the alphabet.
std::optional<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned count = 0;  // of bits that are not yet a byte
  for (const char c : text) {
    const auto digit = digit_of(c);
    if (!digit) return std::nullopt;
    bits = (bits << 6U) | *digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 0xFFU);
  }
  return bytes;
}

/// The ends of the grapheme clusters, in points.
std::vector<std::size_t> cluster_ends(std::u32string_view points) {
  icu::UnicodeString units;
  for (const char32_t point : points) units.append(static_cast<UChar32>(point));
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (U_FAILURE(status) != 0 || breaks == nullptr) return {};
  breaks->setText(units);
  std::vector<std::size_t> ends;
  std::size_t point = 0;
  std::int32_t unit = 0;
  for (std::int32_t end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
    for (; unit < end; ++point) unit += U16_LENGTH(static_cast<UChar32>(points[point]));
    ends.push_back(point);
  }
  return ends;
}

/// The map of texts with which sentencepiece normalises. Threads: any number at once.
class Charsmap {
 public:
  /// Reads the text of "precompiled_charsmap", in base64. Errors: corruption.
  [[nodiscard]] static Result<Charsmap> read(std::string_view base64);

  /// Replaces each grapheme cluster of up to 5 bytes that begins with a key. In other clusters,
  /// replaces each point that begins with a key. The Rust library does the same.
  [[nodiscard]] Status apply(AlignedText& text) const;

 private:
  /// Returns what replaces a text: the value of the shortest key with which the text begins.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view text) const;
  void append(const AlignedText& text, std::size_t begin, std::size_t end,
              AlignedText& mapped) const;
  /// Returns false if the points [begin, end) together have no replacement.
  bool append_mapped(const AlignedText& text, std::size_t begin, std::size_t end,
                     AlignedText& mapped) const;

  std::vector<std::uint32_t> units_;  // a double array of Darts
  std::string values_;                // each ends with NUL
};

Result<Charsmap> Charsmap::read(std::string_view base64) {
  const Error damaged = wrong_model("the precompiled_charsmap is damaged");
  const auto bytes = from_base64(base64);
  std::uint32_t size = 0;
  if (!bytes || bytes->size() < sizeof size) return damaged;
  std::memcpy(&size, bytes->data(), sizeof size);
  if (size == 0 || size % sizeof(std::uint32_t) != 0 || size > bytes->size() - sizeof size)
    return damaged;
  Charsmap map;
  map.units_.resize(size / sizeof(std::uint32_t));
  std::memcpy(map.units_.data(), bytes->data() + sizeof size, size);
  map.values_ = bytes->substr(sizeof size + size);
  return map;
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const {
  std::uint32_t place = distance_of(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    place ^= byte;
    if (byte == 0 || place >= units_.size() || label_of(units_[place]) != byte) return std::nullopt;
    const std::uint32_t unit = units_[place];
    place ^= distance_of(unit);
    if (!has_value(unit)) continue;
    if (place >= units_.size() || value_of(units_[place]) >= values_.size()) return std::nullopt;
    return std::string_view(values_.c_str() + value_of(units_[place]));
  }
  return std::nullopt;
}

bool Charsmap::append_mapped(const AlignedText& text, std::size_t begin, std::size_t end,
                             AlignedText& mapped) const {
  const auto points = std::u32string_view(text.points).substr(begin, end - begin);
  const auto value = find(to_utf8(points));
  if (value) mapped.append(to_points(*value), text.origin_of(begin, end));
  return value.has_value();
}

void Charsmap::append(const AlignedText& text, std::size_t begin, std::size_t end,
                      AlignedText& mapped) const {
  const auto points = std::u32string_view(text.points).substr(begin, end - begin);
  const bool is_short =
      points.size() <= most_cluster_bytes && to_utf8(points).size() <= most_cluster_bytes;
  if (is_short && append_mapped(text, begin, end, mapped)) return;
  for (std::size_t i = begin; i < end; ++i)
    if (!append_mapped(text, i, i + 1, mapped)) mapped.append(text, i, i + 1);
}

Status Charsmap::apply(AlignedText& text) const {
  if (text.empty()) return {};
  const std::vector<std::size_t> ends = cluster_ends(text.points);
  if (ends.empty() || ends.back() != text.size())
    return Error{ErrorCode::io_error, "ICU has no data to divide texts into characters", {}};
  AlignedText mapped;
  mapped.reserve(text.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    append(text, begin, end, mapped);
    begin = end;
  }
  text = std::move(mapped);
  return {};
}

}  // namespace

Result<Normalizer> read_precompiled(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"precompiled_charsmap"}));
  CAIRN_ASSIGN(const std::string base64, settings.text("precompiled_charsmap"));
  CAIRN_ASSIGN(auto map, Charsmap::read(base64));
  return Normalizer([map = std::move(map)](AlignedText& text) { return map.apply(text); });
}

}  // namespace cairn::tools
