#pragma once
// Chunks: the framing of messages in the byte stream. A message is a sequence of chunks, each preceded by its length in
// two bytes (big-endian). A chunk of length 0 ends the message.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query::bolt {

/// Assembles messages from bytes that arrive in pieces of any size.
class ChunkReader {
 public:
  enum class Outcome : std::uint8_t { more, message, too_large };

  /// Consumes bytes from the front, up to the end of a message. `too_large` means that the next chunk would make the
  /// message longer than `limit` bytes. In this case no byte of the next chunk is consumed, and a later call with a
  /// higher limit continues.
  [[nodiscard]] Outcome take(std::string_view& bytes, std::size_t limit);
  /// Consumes the message at the front of `bytes` without a copy if it is complete and has one chunk. Otherwise
  /// consumes nothing and returns an empty text. The returned message is a part of `bytes`.
  [[nodiscard]] std::string_view take_whole(std::string_view& bytes) const noexcept;
  /// The message that take() completed.
  [[nodiscard]] std::string take_message() { return std::exchange(message_, {}); }

 private:
  [[nodiscard]] bool take_length(std::string_view& bytes);
  [[nodiscard]] bool take_piece(std::string_view& bytes);

  std::string message_;
  std::uint8_t length_bytes_ = 0;  // bytes of the chunk's length that have arrived: 0 to 2
  std::size_t left_ = 0;  // the length read so far, or the missing bytes of the current chunk
  bool is_in_chunk_ = false;
};

inline constexpr std::size_t largest_chunk = 0xFFFF;

/// Calls `write(piece)` with the chunks of a message in order until it returns false; returns the last result.
template <class Write>
[[nodiscard]] bool write_chunks(std::string_view message, const Write& write) {
  while (!message.empty()) {
    const std::string_view chunk = message.substr(0, largest_chunk);
    const char length[2] = {static_cast<char>(chunk.size() >> 8U),
                            static_cast<char>(chunk.size() & 0xFFU)};
    if (!write(std::string_view(length, 2)) || !write(chunk)) return false;
    message.remove_prefix(chunk.size());
  }
  return write(std::string_view("\0\0", 2));
}

/// The space that put_into_chunks() needs in front of a message.
inline constexpr std::size_t room_for_length = 2;
/// Converts the message from `begin` to the end of `bytes` to chunks, in place. Precondition: its first
/// `room_for_length` bytes are reserved for the length.
void put_into_chunks(std::string& bytes, std::size_t begin = 0);

}  // namespace cairn::query::bolt
