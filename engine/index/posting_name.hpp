#pragma once
// The name of a posting within an index key, and as text for people.

#include "engine/catalog/catalog.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::engine {

inline constexpr std::size_t chunk_bytes = 6;
/// kind, path, entry and chunk, without value bytes.
inline constexpr std::size_t min_index_key_bytes = 12;

/// The index key without its chunk; the key must have at least min_index_key_bytes.
[[nodiscard]] inline std::string_view posting_of_key(std::string_view key) noexcept {
  return key.substr(0, key.size() - chunk_bytes);
}

/// Bytes as hexadecimal digits.
[[nodiscard]] std::string hex_text(std::string_view bytes);
/// `age scalar 603f...`: the path, what the entry says of it, and the value's bytes.
[[nodiscard]] std::string posting_text(std::string_view posting, const Catalog& catalog);

}  // namespace cairn::engine
