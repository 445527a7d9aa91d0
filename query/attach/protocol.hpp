#pragma once
// Constants that the host and its attached processes must agree on, in addition to Bolt.

#include <cstddef>
#include <cstdint>

namespace cairn::query::attach {

/// A process attaches only to a host with the same protocol version; their library versions may differ.
inline constexpr std::int64_t protocol_version = 2;
/// Maximum size of one request.
inline constexpr std::size_t most_message_bytes = std::size_t{256} << 20;
/// Maximum memory for the values of one request.
inline constexpr std::size_t most_value_bytes = std::size_t{2} << 30;
/// Maximum nesting of lists, maps and records: the levels of a value plus those of the node, path and list that contain
/// it.
inline constexpr std::size_t most_levels = 144;

}  // namespace cairn::query::attach
