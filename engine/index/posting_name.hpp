#pragma once
// The name of a posting, which is an index key without its chunk; and its form in messages.

#include "engine/catalog/catalog.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Bytes of the chunk at the end of an index key.
inline constexpr std::size_t chunk_bytes = 6;
/// Bytes of kind, path, entry and chunk: an index key without a value.
inline constexpr std::size_t min_index_key_bytes = 12;

/// The name of a key's posting. The key must have at least min_index_key_bytes.
[[nodiscard]] inline std::string_view posting_of_key(std::string_view key) noexcept {
  return key.substr(0, key.size() - chunk_bytes);
}

/// A readable name like `age scalar 603f...`: path, kind of entry, and the bytes of the value.
[[nodiscard]] std::string posting_text(std::string_view posting, const Catalog& catalog);

}  // namespace cairn::engine
