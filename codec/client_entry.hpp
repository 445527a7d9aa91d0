#pragma once
// What the store keeps of the newest commit of a client: a process that is attached to the one which has the database
// open. It is written with that commit, so that a client whose answer was lost can ask whether it was made.

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

/// In family `meta`: 'client/' name -> layout:u8=1 count:u64 committed-at:u64 result:byte*
struct ClientEntry {
  std::uint64_t count = 0;        ///< of the client's commits
  std::int64_t committed_at = 0;  ///< microseconds since 1970 UTC
  std::string result;             ///< what the statement gave, in the form of the protocol
  friend bool operator==(const ClientEntry&, const ClientEntry&) = default;
};

/// All keys of clients start with these bytes.
inline constexpr std::string_view client_entries = "client/";
[[nodiscard]] std::string client_entry_key(std::string_view name);
[[nodiscard]] std::string encode(const ClientEntry& entry);
/// Errors: corruption, for what encode() does not give.
[[nodiscard]] Result<ClientEntry> decode_client_entry(std::string_view value);

}  // namespace cairn::codec
