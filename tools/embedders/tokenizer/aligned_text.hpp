#pragma once
// AlignedText: a text as code points. Each knows the bytes of the original text that it was made
// of, also after normalisation.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// The bytes of the given text that a code point or a token stands for.
struct Origin {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Origin&, const Origin&) = default;
};

struct AlignedText {
  std::u32string points;
  std::vector<Origin> origins;  ///< of each point

  [[nodiscard]] std::size_t size() const noexcept { return points.size(); }
  [[nodiscard]] bool empty() const noexcept { return points.empty(); }
  void reserve(std::size_t count);
  void append(char32_t point, Origin origin);
  void append(std::u32string_view added, Origin origin);
  /// Appends the points [begin, end) of another text.
  void append(const AlignedText& other, std::size_t begin, std::size_t end);
  /// The bytes for which the points [begin, end) stand. Precondition: begin < end <= size().
  [[nodiscard]] Origin origin_of(std::size_t begin, std::size_t end) const noexcept;
};

/// Reads UTF-8. Each invalid sequence becomes U+FFFD, as in browsers and Node. Precondition: the
/// text is shorter than 4 GiB.
[[nodiscard]] AlignedText aligned_text(std::string_view text);

[[nodiscard]] std::u32string to_points(std::string_view text);
void append_utf8(std::string& text, char32_t point);
[[nodiscard]] std::string to_utf8(std::u32string_view points);

/// Points as UTF-8, with the place of each.
struct EncodedPoints {
  std::string bytes;
  std::vector<std::uint32_t> starts;  ///< of each point in the bytes, and their end
};
[[nodiscard]] EncodedPoints encode_points(std::u32string_view points);

}  // namespace cairn::tools
