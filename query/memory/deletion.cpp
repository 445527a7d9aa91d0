// Soft-deleting, restoring and erasing records with their relationships, one by one or for a whole selection.
//
// A soft-deleted relationship stores the deletion time of the end that was deleted first. If that end is restored while
// the other one is still deleted, the relationship takes the other end's time. So restore() finds by the time which
// relationships belong to a record.

#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/graph.hpp>
#include <cairn/system_fields.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::memory {
namespace {

using DeletionTime = std::optional<std::int64_t>;

/// The deletion time of a node or relationship; nullopt if it is visible.
template <class Id>
Result<DeletionTime> deletion_of(const Transaction& transaction, Id id) {
  CAIRN_ASSIGN(const auto fields, system_fields(transaction, id));
  return fields ? fields->deleted_at : std::nullopt;
}

// Sets or clears a deletion. The time in the system fields hides the node; the properties exist only for filters over
// deleted records.
Status mark(Transaction& transaction, NodeId id, DeletionTime time) {
  const Value flag = time ? Value(true) : Value();
  const Value text = time ? Value(time_text(*time)) : Value();
  CAIRN_TRY(transaction.set_properties(id, {{"is_deleted", flag}, {"deletion_time", text}}));
  return set_deleted(transaction, id, time);
}

/// Hides the relationships of a node; one that is hidden already keeps its time. Returns the number of relationships.
Result<std::size_t> hide_relationships(Transaction& transaction, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(const auto adjacent, adjacent_relationships(transaction, id));
  for (const AdjacentRelationship& step : adjacent) {
    CAIRN_ASSIGN(const auto deleted, deletion_of(transaction, step.relationship));
    if (!deleted) CAIRN_TRY(set_deleted(transaction, step.relationship, time));
  }
  return adjacent.size();
}

/// Restores the relationships that were deleted at `time`. A relationship whose other end is still deleted takes that
/// end's time instead.
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

/// A record and the chunks of its text.
Result<std::vector<NodeId>> with_chunks(const Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(std::vector<NodeId> nodes, chunks_of(transaction, id));
  nodes.insert(nodes.begin(), id);
  return nodes;
}

/// Restores one node and its relationships.
Status show(Transaction& transaction, NodeId id, std::int64_t time) {
  CAIRN_TRY(mark(transaction, id, {}));
  return show_relationships(transaction, id, time);
}

}  // namespace

Status add_sessions(const Transaction& transaction, NodeId id, const std::string& name_space,
                    std::vector<NodeId>& sessions) {
  CAIRN_ASSIGN(const auto memberships,
               adjacent_relationships(transaction, id, session_relationship));
  for (const AdjacentRelationship& step : memberships) {
    CAIRN_ASSIGN(const auto fields, system_fields(transaction, step.other));
    if (step.is_outgoing && fields && fields->name_space == name_space)
      sessions.push_back(step.other);
  }
  return {};
}

// One relationship is enough to know, as a session may have very many.
Status erase_empty_sessions(Transaction& transaction, const std::vector<NodeId>& sessions) {
  std::set<std::uint64_t> ids;
  for (const NodeId session : sessions) ids.insert(session.value);
  for (const std::uint64_t id : ids) {
    CAIRN_ASSIGN(const auto node, transaction.find_node(NodeId{id}));
    if (!node || !is_name_alone(*node)) continue;
    CAIRN_ASSIGN(const auto left, adjacent_relationships(transaction, NodeId{id}, {}, 1));
    if (left.empty()) CAIRN_TRY(transaction.erase_node(NodeId{id}));
  }
  return {};
}

// The chunks that Memory::remember created for a text.
Result<std::vector<NodeId>> chunks_of(const Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(const auto steps,
               adjacent_relationships(transaction, id, query::chunk_relationship));
  std::vector<NodeId> nodes;
  for (const AdjacentRelationship& step : steps)
    if (step.is_outgoing) nodes.push_back(step.other);
  return nodes;
}

// Record and chunks get the same time, by which restore() recognises them.
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

// Erases for good, with relationships of any type. When several records are purged, one may be a chunk of another and
// already gone.
Result<Removed> purge_record(Transaction& transaction, NodeId id) {
  CAIRN_ASSIGN(const auto nodes, with_chunks(transaction, id));
  Removed erased;
  for (const NodeId one : nodes) {
    CAIRN_ASSIGN(const auto fields, system_fields(transaction, one));
    if (!fields) continue;
    CAIRN_ASSIGN(const auto adjacent, adjacent_relationships(transaction, one));
    CAIRN_TRY(add_sessions(transaction, one, fields->name_space, erased.sessions));
    CAIRN_TRY(transaction.erase_node_and_relationships(one));
    erased.nodes.push_back(one);
    erased.relationships += adjacent.size();
  }
  return erased;
}

// Returns false if the record does not exist or is deleted already.
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

// A chunk that was deleted separately has another time and stays deleted.
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

// Erases deleted records too. Older snapshots still show the record.
Result<bool> Memory::purge(NodeId id) {
  return again([&]() -> Result<bool> {
    CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
    Transaction& transaction = writing.transaction();
    CAIRN_ASSIGN(const auto node, impl_->load_own(transaction, id, true));
    if (!node) return false;
    CAIRN_ASSIGN(const Removed gone, purge_record(transaction, id));
    CAIRN_TRY(erase_empty_sessions(transaction, gone.sessions));
    CAIRN_TRY(writing.commit());
    return true;
  });
}

// remove_all() and purge_all(): select all ids once, then remove them step by step, with a commit for each step.
//
// Each step takes the writer lock and evaluates the selection again for its own ids. So records that were changed
// meanwhile and no longer match stay.

namespace {

constexpr std::size_t records_per_step = 1'000;
// A step ends early after this many relationships, because one record may have very many.
constexpr std::size_t relationships_per_step = 10'000;

/// Removes one record in a transaction and returns what was removed.
using Remove = std::function<Result<Removed>(Transaction&, NodeId)>;

// A selection without any condition needs every_record, which prevents removing all records by mistake.
Status check_selection(const SearchRequest& selection, const BulkRemoval& removal) {
  if (!selection.query.empty())
    return Error{ErrorCode::invalid_argument,
                 "a query ranks records and does not select any; select the records to remove by "
                 "kinds, filter, where or session",
                 {}};
  if (removal.every_record || !selects_everything(selection)) return {};
  return Error{
      ErrorCode::invalid_argument,
      "a selection without conditions means every record; set every_record to confirm that",
      {}};
}

// The condition that a record has one of the ids.
query::Conditions among(std::span<const NodeId> ids) {
  List numbers;
  for (const NodeId id : ids) numbers.emplace_back(static_cast<std::int64_t>(id.value));
  query::Conditions conditions;
  conditions.add("id(m) IN " + conditions.parameter(std::move(numbers)));
  return conditions;
}

// One run of remove_all() or purge_all().
class Removal {
 public:
  Removal(const Memory::Impl& impl, const SearchRequest& selection, Remove remove)
      : impl_(impl), selection_(selection), remove_(std::move(remove)) {}

  Result<std::uint64_t> run() {
    // The ids are selected once. Each step evaluates the selection again for its own ids.
    CAIRN_ASSIGN(ids_, again([this]() -> Result<std::vector<NodeId>> {
                   CAIRN_ASSIGN(const Snapshot snapshot,
                                impl_.snapshot(selection_.include_deleted));
                   return selected_ids(impl_, snapshot, selection_);
                 }));
    while (next_ < ids_.size())
      if (const Status done = again([this] { return step(); }); !done)
        return with_removed_count(done.error());
    return count_;
  }

 private:
  /// Removes the next records. The snapshot is taken while holding the writer lock, so no other writer can commit in
  /// between.
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
    std::vector<NodeId> sessions;
    for (const NodeId id : passing) {
      CAIRN_ASSIGN(const Removed gone, remove_(writing.transaction(), id));
      sessions.insert(sessions.end(), gone.sessions.begin(), gone.sessions.end());
      count += count_selected(gone.nodes);
      relationships += gone.relationships;
      if (relationships < relationships_per_step) continue;
      next = place_behind(id);
      break;
    }
    CAIRN_TRY(erase_empty_sessions(writing.transaction(), sessions));
    CAIRN_TRY(writing.commit());
    next_ = next;
    count_ += count;
    return {};
  }

  /// The position after an id.
  [[nodiscard]] std::size_t place_behind(NodeId id) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ids_, id) - ids_.begin());
  }

  /// Counts the removed nodes that were selected themselves, which a chunk may have been too.
  [[nodiscard]] std::uint64_t count_selected(const std::vector<NodeId>& gone) const {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        gone, [&](NodeId id) { return std::ranges::binary_search(ids_, id); }));
  }

  /// Adds to an error how many records the earlier steps removed.
  [[nodiscard]] Error with_removed_count(Error error) const {
    if (count_ > 0)
      error.message +=
          "; " + std::to_string(count_) + " records were removed before that and stay removed";
    return error;
  }

  const Memory::Impl& impl_;
  const SearchRequest& selection_;
  Remove remove_;
  std::vector<NodeId> ids_;  // ascending
  std::size_t next_ = 0;     // index in ids_ of the next step
  std::uint64_t count_ = 0;  // selected records that were removed
};

}  // namespace

// Records that are deleted already are not selected.
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
