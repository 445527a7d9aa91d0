// remove_all() and purge_all(): the ids of a selection once, then piece by piece.
//
// A step takes the writer's turn and asks the selection again, of its own ids alone: what somebody has changed
// since, so that it passes no more, stays.
#include "query/memory/memory_impl.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::memory {
namespace {

constexpr std::size_t records_per_step = 1'000;
// A record with many of them takes more of a transaction than its share.
constexpr std::size_t relationships_per_step = 10'000;

/// Removes one record of a transaction; gives what went.
using Remove = std::function<Result<Removed>(Transaction&, NodeId)>;

Status check_selection(const SearchRequest& selection, const BulkRemoval& removal) {
  if (!selection.query.empty())
    return Error{ErrorCode::invalid_argument,
                 "a query ranks records and chooses none; select what is to be removed by kinds, "
                 "filter, where or session",
                 {}};
  if (removal.every_record || !selects_everything(selection)) return {};
  return Error{ErrorCode::invalid_argument,
               "a selection without conditions is every record; set every_record if that is meant",
               {}};
}

query::Conditions among(std::span<const NodeId> ids) {
  List numbers;
  for (const NodeId id : ids) numbers.emplace_back(static_cast<std::int64_t>(id.value));
  query::Conditions conditions;
  conditions.add("id(m) IN " + conditions.parameter(std::move(numbers)));
  return conditions;
}

class Removal {
 public:
  Removal(const Memory::Impl& impl, const SearchRequest& selection, Remove remove)
      : impl_(impl), selection_(selection), remove_(std::move(remove)) {}

  Result<std::uint64_t> run() {
    CAIRN_ASSIGN(const Snapshot snapshot, impl_.snapshot(selection_.include_deleted));
    CAIRN_ASSIGN(ids_, selected_ids(impl_, snapshot, selection_));
    while (next_ < ids_.size())
      if (const Status done = step(); !done) return told_what_went(done.error());
    return count_;
  }

 private:
  /// The snapshot is of the turn: nobody else can write between the two.
  Status step() {
    const std::span rest = std::span<const NodeId>(ids_).subspan(next_);
    const auto piece = rest.first(std::min(rest.size(), records_per_step));
    CAIRN_ASSIGN(Writing writing, Writing::begin(impl_));
    CAIRN_ASSIGN(const Snapshot snapshot, impl_.snapshot(selection_.include_deleted));
    CAIRN_ASSIGN(const auto passing,
                 selected_ids(impl_, snapshot, selection_, nullptr, among(piece)));
    std::size_t next = next_ + piece.size();
    std::uint64_t count = 0;
    std::size_t relationships = 0;
    for (const NodeId id : passing) {
      CAIRN_ASSIGN(const Removed gone, remove_(writing.transaction(), id));
      count += count_selected(gone.nodes);
      relationships += gone.relationships;
      if (relationships < relationships_per_step) continue;
      next = place_behind(id);
      break;
    }
    CAIRN_TRY(writing.commit());
    next_ = next;
    count_ += count;
    return {};
  }

  [[nodiscard]] std::size_t place_behind(NodeId id) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ids_, id) - ids_.begin());
  }

  /// A chunk of a text counts where it was selected itself, whichever of the two came first.
  [[nodiscard]] std::uint64_t count_selected(const std::vector<NodeId>& gone) const {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        gone, [&](NodeId id) { return std::ranges::binary_search(ids_, id); }));
  }

  [[nodiscard]] Error told_what_went(Error error) const {
    if (count_ > 0)
      error.message += "; " + std::to_string(count_) + " records were removed before, and stay so";
    return error;
  }

  const Memory::Impl& impl_;
  const SearchRequest& selection_;
  Remove remove_;
  std::vector<NodeId> ids_;  // ascending
  std::size_t next_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

// Those that are hidden already are not asked for.
Result<std::uint64_t> Memory::remove_all(const SearchRequest& selection,
                                         const BulkRemoval& removal) {
  CAIRN_TRY(check_selection(selection, removal));
  SearchRequest visible = selection;
  visible.include_deleted = false;
  const auto hide = [this](Transaction& transaction, NodeId id) {
    return hide_record(transaction, id, impl_->now());
  };
  return Removal(*impl_, visible, hide).run();
}

Result<std::uint64_t> Memory::purge_all(const SearchRequest& selection,
                                        const BulkRemoval& removal) {
  CAIRN_TRY(check_selection(selection, removal));
  return Removal(*impl_, selection, purge_record).run();
}

}  // namespace cairn::memory
