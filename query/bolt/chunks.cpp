// Splits the bytes of a connection into messages, and messages into chunks.
#include "query/bolt/chunks.hpp"

namespace cairn::query::bolt {

// A chunk of length 0 ends the message; between messages it is a keep-alive and means nothing.
ChunkReader::Outcome ChunkReader::take(std::string_view& bytes, std::size_t limit) {
  while (true) {
    if (!is_in_chunk_) {
      if (!take_length(bytes)) return Outcome::more;
      if (left_ > 0 && message_.size() + left_ > limit) return Outcome::too_large;
      length_bytes_ = 0;
      is_in_chunk_ = left_ > 0;
      if (!is_in_chunk_ && !message_.empty()) return Outcome::message;
    } else if (!take_piece(bytes)) {
      return Outcome::more;
    }
  }
}

std::string_view ChunkReader::take_whole(std::string_view& bytes) const noexcept {
  constexpr std::size_t length_size = 2;
  const bool is_between_messages = !is_in_chunk_ && length_bytes_ == 0 && message_.empty();
  if (!is_between_messages || bytes.size() < 2 * length_size) return {};
  const auto byte_at = [&](std::size_t place) {
    return std::size_t{static_cast<std::uint8_t>(bytes[place])};
  };
  const std::size_t size = byte_at(0) << 8U | byte_at(1);
  const std::size_t end = length_size + size;
  if (bytes.size() < end + length_size || byte_at(end) != 0 || byte_at(end + 1) != 0) return {};
  const std::string_view message = bytes.substr(length_size, size);
  if (!message.empty()) bytes.remove_prefix(end + length_size);
  return message;
}

/// Appends the available bytes of the current chunk. Returns true if the chunk is complete.
bool ChunkReader::take_piece(std::string_view& bytes) {
  const std::string_view piece = bytes.substr(0, left_);
  message_ += piece;
  bytes.remove_prefix(piece.size());
  left_ -= piece.size();
  is_in_chunk_ = left_ > 0;
  return !is_in_chunk_;
}

/// Reads the length of the next chunk. Returns true if both bytes have arrived.
bool ChunkReader::take_length(std::string_view& bytes) {
  while (length_bytes_ < 2) {
    if (bytes.empty()) return false;
    left_ = (left_ << 8U) | static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    ++length_bytes_;
  }
  return true;
}

// A message longer than one chunk is copied.
void put_into_chunks(std::string& bytes, std::size_t begin) {
  const std::size_t size = bytes.size() - begin - room_for_length;
  if (size > largest_chunk) {
    const std::string message = bytes.substr(begin + room_for_length);
    bytes.resize(begin);
    bytes.reserve(begin + size + 2 * (size / largest_chunk + 2));
    static_cast<void>(write_chunks(message, [&](std::string_view piece) {
      bytes += piece;
      return true;
    }));
    return;
  }
  bytes[begin] = static_cast<char>(size >> 8U);
  bytes[begin + 1] = static_cast<char>(size & 0xFFU);
  bytes.append(2, '\0');
}

}  // namespace cairn::query::bolt
