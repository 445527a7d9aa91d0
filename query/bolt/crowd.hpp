#pragma once
// Which process may not connect to the socket of a database, because there are too many connections.

#include <cairn/result.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::bolt {

/// `peers` has the process of each connection, and at most `most` connections are served. Returns the error if another
/// connection of process `peer` must be refused; otherwise nullopt.
///
/// A process may have a third of the connections, so that one program cannot keep all others out. A third of the host's
/// 1,024 suffices for a Bolt server in an attached process, which uses one connection for each of its 256 clients
/// (BoltLimits::connections). Processes of other containers all have the number 0, so their shares are unknown and not
/// limited.
[[nodiscard]] inline std::optional<Error> refused_in_crowd(const std::vector<std::string>& peers,
                                                           const std::string& peer,
                                                           std::size_t most) {
  const std::size_t share = std::max<std::size_t>(most / 3, 1);
  std::map<std::string, std::size_t> counts;
  for (const std::string& one : peers) ++counts[one];
  const std::string host =
      "process " + std::to_string(::getpid()) + ", which has the database open,";
  if (peer != "0" && counts[peer] >= share)
    return Error{ErrorCode::resource_limit,
                 host + " serves " + std::to_string(share) + " connections of process " + peer +
                     " and no more: each open transaction, snapshot and unread result uses one; "
                     "end some of these",
                 {}};
  if (peers.size() < most) return std::nullopt;
  const auto largest =
      std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  return Error{ErrorCode::resource_limit,
               host + " serves " + std::to_string(most) + " connections and no more; " +
                   std::to_string(largest->second) + " of them belong to process " +
                   largest->first +
                   ": end that process, or its transactions, snapshots and unread results",
               {}};
}

}  // namespace cairn::query::bolt
