// Reading the commits of a home as they appear, without owning it.
//
// An owner acknowledges a commit after it has fenced the earlier epochs and created the slot of the commit. So if a
// slot is absent, no commit in a later slot was acknowledged. But a collected slot is absent too. The late fence of a
// slow node may then be created in it, and this fence is not the end of the epoch. The head, which is read afterwards,
// shows whether the first slot may have been collected. If not, no later slot was collected.
#include "codec/byte_io.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace cairn::engine {

namespace {

/// A call of read_on() ends after this many commits, or bytes of commits.
constexpr std::size_t most_read = 4 * most_new_records;
constexpr std::size_t most_read_bytes = std::size_t{64} << 20;

}  // namespace

codec::HomePlace Home::next_slot() const { return LogWalk(reached_, reached_).slot(); }

Result<std::optional<Home::NewCommits>> Home::read_on(codec::HomePlace next) const {
  NewCommits found;
  LogWalk walk = LogWalk::from_slot(next);
  std::size_t bytes = 0;
  while (found.is_newest) {
    CAIRN_ASSIGN(auto record, read_record(walk.slot()));
    if (!record) break;
    walk.pass(record->kind);
    if (record->kind == codec::RecordKind::fence) continue;
    bytes += record->changes.size();
    found.records.push_back(*std::move(record));
    const bool are_many = found.records.size() >= most_read || bytes >= most_read_bytes;
    // Never ends between the pieces of a commit.
    if (are_many && found.records.back().commit != 0) found.is_newest = false;
  }
  found.next = walk.slot();
  CAIRN_ASSIGN(const auto head, read_head());
  if (!head || head->database_id != database_id_)
    return codec::corruption(
        "the home " + address() + " contained the database " + database_id_ + ", and now " +
        (head ? "contains the database " + head->database_id : std::string("has no head")));
  // A reader whose state is older than the last two checkpoints fetches the newest one, even if the home keeps the log of a longer time.
  const auto& kept = head->checkpoints;
  const bool is_far_behind = !kept.empty() && next <= kept[kept.size() < 2 ? 0 : kept.size() - 2];
  if (is_far_behind) return std::optional<NewCommits>();
  return std::optional(std::move(found));
}

}  // namespace cairn::engine
