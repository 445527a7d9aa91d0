// Long texts are processed in chunks, with a check of the limits after each. Most texts are short and need one chunk
// and no check.
#include "query/functions/paced_text.hpp"

#include "codec/utf8.hpp"

#include <cstring>
#include <string>

namespace cairn::query {
namespace {

constexpr std::size_t chunk_bytes = 65'536;

/// Searches by memmem() of the C library, which takes linear time (two-way search). std::string_view::find() takes time
/// in proportion to the product of both lengths for a part such as "aaaab" in a text of many "a".
std::size_t find_linear(std::string_view text, std::string_view part) noexcept {
  const void* found = ::memmem(text.data(), text.size(), part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace

Result<std::int64_t> paced_length(engine::Limits* limits, std::string_view text) {
  if (text.size() <= chunk_bytes) return codec::utf8_length(text);
  engine::Pace pace(limits);
  std::int64_t length = 0;
  for (std::size_t at = 0; at < text.size(); at += chunk_bytes) {
    length += codec::utf8_length(text.substr(at, chunk_bytes));
    CAIRN_TRY(pace.add(chunk_bytes));
  }
  return length;
}

// Skips a chunk if it has at most `count` code points: the code point after the last of them may begin in the next
// chunk.
Result<std::size_t> paced_offset(engine::Limits* limits, std::string_view text,
                                 std::int64_t count) {
  engine::Pace pace(limits);
  std::size_t at = 0;
  while (text.size() - at > chunk_bytes) {
    const std::int64_t points = codec::utf8_length(text.substr(at, chunk_bytes));
    if (points > count) break;
    count -= points;
    at += chunk_bytes;
    CAIRN_TRY(pace.add(chunk_bytes));
  }
  return at + codec::utf8_offset(text.substr(at), count);
}

// Chunks overlap by the length of the part, so that a part across two chunks is found. Chunks are at least as long as
// the part, so no byte is read more than twice.
Result<std::size_t> paced_find(engine::Limits* limits, std::string_view text, std::string_view part,
                               std::size_t from) {
  if (part.empty()) return from;
  engine::Pace pace(limits);
  const std::size_t advance = part.size() > chunk_bytes ? part.size() : chunk_bytes;
  for (std::size_t at = from; at < text.size() && text.size() - at >= part.size(); at += advance) {
    const std::size_t found = find_linear(text.substr(at, advance + part.size() - 1), part);
    if (found != std::string_view::npos) return at + found;
    CAIRN_TRY(pace.add(advance));
  }
  return std::string_view::npos;
}

// Bounds the time between two checks of the limits.
Status check_readable_whole(std::string_view function, std::string_view text) {
  constexpr std::size_t most_bytes = std::size_t{4} << 20;
  if (text.size() <= most_bytes) return {};
  return Error{ErrorCode::resource_limit,
               std::string(function) + "() reads at most 4 MiB of text at once, got " +
                   std::to_string(text.size()) + " bytes; call it with a part of the text",
               {}};
}

bool is_ascii(std::string_view text) noexcept {
  for (char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}

}  // namespace cairn::query
