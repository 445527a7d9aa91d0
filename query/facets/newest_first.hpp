#pragma once
// One page of a set of nodes by date, newest first.

#include <cairn/result.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

/// A place in the order of pages: by the newest instant, then by id, both descending. Records without
/// an instant have the lowest number there is, and so come last.
struct DatedId {
  std::int64_t time = 0;
  std::uint64_t id = 0;
  friend auto operator<=>(const DatedId&, const DatedId&) = default;
};

/// Which part of the order is wanted: at most `limit` from `offset` on, or, where `after` is set, of
/// those that come behind it, whether it is still there or not.
struct PageRequest {
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
  std::optional<DatedId> after = std::nullopt;
};

/// The records of a page by the newest instant at `keys`. Reads the dates of few records more than
/// those up to the page's end: the index of instants says which can stand there.
[[nodiscard]] Result<std::vector<DatedId>> newest_first(ExecutionContext& context,
                                                        const codec::Bitmap& ids,
                                                        const std::vector<std::string>& keys,
                                                        const PageRequest& request);

}  // namespace cairn::query
