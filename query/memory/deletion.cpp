// Hiding, showing again and erasing a record with its relationships.
//
// A relationship is hidden with the time of the end that was hidden first, and moves on to the other
// end's time where that one is still hidden: so each restore() knows which relationships are its own.

#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/system_fields.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::memory {
namespace {

using DeletionTime = std::optional<std::int64_t>;

template <class Id>
Result<DeletionTime> deletion_of(const Transaction& transaction, Id id) {
  CAIRN_ASSIGN(const auto fields, system_fields(transaction, id));
  return fields ? fields->deleted_at : std::nullopt;
}

// The flags among the properties are for filters over hidden records; the header's time hides.
Status mark(Transaction& transaction, NodeId id, DeletionTime time) {
  const Value flag = time ? Value(true) : Value();
  const Value text = time ? Value(time_text(*time)) : Value();
  CAIRN_TRY(transaction.set_properties(id, {{"is_deleted", flag}, {"deletion_time", text}}));
  return set_deleted(transaction, id, time);
}

/// One that is hidden already stays with its first time. Gives how many there are.
Result<std::size_t> hide_relationships(Transaction& transaction, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(const auto adjacent, adjacent_relationships(transaction, id));
  for (const AdjacentRelationship& step : adjacent) {
    CAIRN_ASSIGN(const auto deleted, deletion_of(transaction, step.relationship));
    if (!deleted) CAIRN_TRY(set_deleted(transaction, step.relationship, time));
  }
  return adjacent.size();
}

/// Shown where the other end is seen; else it takes the other end's time and waits for that one.
Status show_relationships(Transaction& transaction, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(const auto adjacent, adjacent_relationships(transaction, id));
  for (const AdjacentRelationship& step : adjacent) {
    CAIRN_ASSIGN(const auto deleted, deletion_of(transaction, step.relationship));
    if (deleted != time) continue;
    CAIRN_ASSIGN(const auto other, deletion_of(transaction, step.other));
    CAIRN_TRY(set_deleted(transaction, step.relationship, other));
  }
  return {};
}

/// The record and the chunks of its text, which are nothing without it.
Result<std::vector<NodeId>> with_chunks(const Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(std::vector<NodeId> nodes, chunks_of(transaction, id));
  nodes.insert(nodes.begin(), id);
  return nodes;
}

Status show(Transaction& transaction, NodeId id, std::int64_t time) {
  CAIRN_TRY(mark(transaction, id, {}));
  return show_relationships(transaction, id, time);
}

}  // namespace

// The parts that Memory::remember made of one text go with it.
Result<std::vector<NodeId>> chunks_of(const Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(const auto steps,
               adjacent_relationships(transaction, id, query::chunk_relationship));
  std::vector<NodeId> nodes;
  for (const AdjacentRelationship& step : steps)
    if (step.is_outgoing) nodes.push_back(step.other);
  return nodes;
}

// At one time: restore() takes that for the sign of what belongs together.
Result<Removed> hide_record(Transaction& transaction, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(const auto nodes, with_chunks(transaction, id));
  Removed newly_hidden;
  for (const NodeId one : nodes) {
    CAIRN_ASSIGN(const auto hidden, deletion_of(transaction, one));
    if (hidden) continue;
    CAIRN_ASSIGN(const std::size_t relationships, hide_relationships(transaction, one, time));
    CAIRN_TRY(mark(transaction, one, time));
    newly_hidden.nodes.push_back(one);
    newly_hidden.relationships += relationships;
  }
  return newly_hidden;
}

// For good: relationships of any type go with it, whatever their other end. Of several records one may be a chunk of
// another, and gone with it.
Result<Removed> purge_record(Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(const auto nodes, with_chunks(transaction, id));
  Removed erased;
  for (const NodeId one : nodes) {
    CAIRN_ASSIGN(const auto fields, system_fields(transaction, one));
    if (!fields) continue;
    CAIRN_ASSIGN(const auto adjacent, adjacent_relationships(transaction, one));
    CAIRN_TRY(transaction.erase_node_and_relationships(one));
    erased.nodes.push_back(one);
    erased.relationships += adjacent.size();
  }
  return erased;
}

Result<bool> Memory::remove(NodeId id) {
  return again([&]() -> Result<bool> {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    Transaction& transaction = writing.transaction();
    CAIRN_ASSIGN(const auto node, impl_->load_own(transaction, id, false));
    if (!node) return false;
    CAIRN_TRY(hide_record(transaction, id, impl_->now()));
    CAIRN_TRY(writing.commit());
    return true;
  });
}

// A chunk that was hidden alone at another time stays hidden.
Result<bool> Memory::restore(NodeId id) {
  return again([&]() -> Result<bool> {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    Transaction& transaction = writing.transaction();
    CAIRN_ASSIGN(const auto node, impl_->load_own(transaction, id, true));
    if (!node) return false;
    CAIRN_ASSIGN(const auto time, deletion_of(transaction, id));
    if (!time) return false;
    CAIRN_ASSIGN(const auto nodes, with_chunks(transaction, id));
    for (const NodeId one : nodes) {
      CAIRN_ASSIGN(const auto hidden, deletion_of(transaction, one));
      if (hidden == time) CAIRN_TRY(show(transaction, one, *time));
    }
    CAIRN_TRY(writing.commit());
    return true;
  });
}

// Hidden records too. What is left of them is in older snapshots only.
Result<bool> Memory::purge(NodeId id) {
  return again([&]() -> Result<bool> {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    Transaction& transaction = writing.transaction();
    CAIRN_ASSIGN(const auto node, impl_->load_own(transaction, id, true));
    if (!node) return false;
    CAIRN_TRY(purge_record(transaction, id));
    CAIRN_TRY(writing.commit());
    return true;
  });
}

// remove_all() and purge_all(): the ids of a selection once, then piece by piece.
//
// A step takes the writer's turn and asks the selection again, of its own ids alone: what somebody has changed
// since, so that it passes no more, stays.

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
    CAIRN_ASSIGN(ids_, again([this]() -> Result<std::vector<NodeId>> {
                   CAIRN_ASSIGN(const Snapshot snapshot,
                                impl_.snapshot(selection_.include_deleted));
                   return selected_ids(impl_, snapshot, selection_);
                 }));
    while (next_ < ids_.size())
      if (const Status done = again([this] { return step(); }); !done)
        return told_what_went(done.error());
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
