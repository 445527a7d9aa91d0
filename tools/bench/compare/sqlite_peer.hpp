#pragma once
// SQLite as its extensions for vectors use it: vectors are blobs, a function compares them, the filter
// is an indexed column of the same table, and the nearest are those that sort first.

#include "tools/bench/compare/peer.hpp"

#include <cairn/result.hpp>

#include <optional>

namespace cairn::compare {

/// Exact. Its efforts are its two ways, by the index of p and by a scan; its filter is a bound on `p`, not the
/// bits of `use()`.
class SqlitePeer : public Peer {
 public:
  /// Only rows with p < top from now on; nothing: all.
  virtual void bound(std::optional<std::int64_t> top) = 0;
};

/// In `file`, which an earlier run may have made; `p` by row. Null where SQLite was not there when this
/// was built. Errors: io_error.
[[nodiscard]] Result<std::unique_ptr<SqlitePeer>> make_sqlite_peer(const VectorRows& rows,
                                                                   std::span<const std::int64_t> p,
                                                                   const std::string& file);

}  // namespace cairn::compare
