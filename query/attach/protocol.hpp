#pragma once
// What a host and its attached processes have in common beyond Bolt.

#include <cstddef>
#include <cstdint>

namespace cairn::query::attach {

/// A process attaches only to a host of the same protocol version; the library's version may differ.
inline constexpr std::int64_t protocol_version = 1;
/// The limit of one request.
inline constexpr std::size_t most_message_bytes = std::size_t{256} << 20;
/// What the values of one request may take in memory.
inline constexpr std::size_t most_value_bytes = std::size_t{2} << 30;
/// Lists, maps and entities inside of each other: those of a value, within a node, a path and a list.
inline constexpr std::size_t most_levels = 144;

}  // namespace cairn::query::attach
