#pragma once
// Chunks: how messages lie in the bytes of a connection. A message is one or more chunks, each with its length in two
// bytes before it, and the chunk of length 0 ends it. Between messages such an empty one means nothing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query::bolt {

/// Puts messages together from bytes that come in pieces of any size.
class ChunkReader {
 public:
  enum class Outcome : std::uint8_t { more, message, too_large };

  /// Take bytes from the front up to the end of a message. `too_large` leaves `bytes` before the chunk with which the
  /// message would have more than `limit` bytes: no byte of that chunk is stored, and a later call with a higher limit goes on.
  [[nodiscard]] Outcome take(std::string_view& bytes, std::size_t limit);
  /// The message that was there at last.
  [[nodiscard]] std::string take_message() { return std::exchange(message_, {}); }

 private:
  [[nodiscard]] bool take_length(std::string_view& bytes);
  [[nodiscard]] bool take_piece(std::string_view& bytes);

  std::string message_;
  std::uint8_t length_bytes_ = 0;  // those of the length that have come, until the chunk is begun
  std::size_t left_ = 0;           // of the length, or of the chunk that is under way
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

/// Of what stands before a message that put_into_chunks() is given.
inline constexpr std::size_t room_for_length = 2;
/// Make chunks of a message in its own memory. Precondition: `room_for_length` bytes stand before it.
void put_into_chunks(std::string& message);

}  // namespace cairn::query::bolt
