#include "tools/embedders/tokenizer/aligned_text.hpp"

#include <unicode/utf8.h>

#include <algorithm>

namespace cairn::tools {

void AlignedText::reserve(std::size_t count) {
  points.reserve(count);
  origins.reserve(count);
}

void AlignedText::append(char32_t point, Origin origin) {
  points.push_back(point);
  origins.push_back(origin);
}

void AlignedText::append(std::u32string_view added, Origin origin) {
  points.append(added);
  origins.insert(origins.end(), added.size(), origin);
}

void AlignedText::append(const AlignedText& other, std::size_t begin, std::size_t end) {
  points.append(other.points, begin, end - begin);
  const auto first = other.origins.begin();
  origins.insert(origins.end(), first + static_cast<std::ptrdiff_t>(begin),
                 first + static_cast<std::ptrdiff_t>(end));
}

Origin AlignedText::origin_of(std::size_t begin, std::size_t end) const noexcept {
  return {origins[begin].begin, std::max(origins[begin].end, origins[end - 1].end)};
}

AlignedText aligned_text(std::string_view text) {
  AlignedText aligned;
  aligned.reserve(text.size());
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int64_t>(text.size());
  for (std::int64_t at = 0; at < size;) {
    const std::int64_t begin = at;
    UChar32 point = 0;
    U8_NEXT_OR_FFFD(bytes, at, size, point);
    aligned.append(static_cast<char32_t>(point),
                   {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
  }
  return aligned;
}

std::u32string to_points(std::string_view text) { return aligned_text(text).points; }

void append_utf8(std::string& text, char32_t point) {
  char bytes[U8_MAX_LENGTH];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(point));
  text.append(bytes, length);
}

std::string to_utf8(std::u32string_view points) {
  std::string text;
  text.reserve(points.size());
  for (const char32_t point : points) append_utf8(text, point);
  return text;
}

EncodedPoints encode_points(std::u32string_view points) {
  EncodedPoints encoded;
  encoded.starts.reserve(points.size() + 1);
  for (const char32_t point : points) {
    encoded.starts.push_back(static_cast<std::uint32_t>(encoded.bytes.size()));
    append_utf8(encoded.bytes, point);
  }
  encoded.starts.push_back(static_cast<std::uint32_t>(encoded.bytes.size()));
  return encoded;
}

}  // namespace cairn::tools
