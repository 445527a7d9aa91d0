#include "tools/mcp/protocol/base64.hpp"

#include "tools/mcp/protocol/answer.hpp"

#include <openssl/evp.h>

#include <cstddef>
#include <limits>
#include <stdexcept>

namespace cairn::tools::mcp {
namespace {

// OpenSSL takes an int as the length; contents of messages are far smaller.
constexpr std::size_t most_base64_bytes = std::numeric_limits<int>::max() / 4;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  if (bytes.size() > most_base64_bytes) throw std::length_error("content of more than 512 MiB");
  // Four characters for each three bytes, and a zero byte that OpenSSL appends.
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes_of(bytes),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > most_base64_bytes) return std::nullopt;
  if (text.empty()) return std::string();
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), bytes_of(text),
                                     static_cast<int>(text.size()));
  if (length < 0) return std::nullopt;
  // OpenSSL counts padding as bytes, and ignores blanks at either end, which the comparison below
  // detects.
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(length) - padding);
  if (encode_base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace cairn::tools::mcp
