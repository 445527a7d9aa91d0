// Hiding, showing again and erasing a record with its relationships.
//
// A relationship is hidden with the time of the end that was hidden first, and moves on to the other
// end's time where that one is still hidden: so each restore() knows which relationships are its own.

#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/system_fields.hpp>

#include <optional>
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
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  Transaction& transaction = writing.transaction();
  CAIRN_ASSIGN(const auto node, impl_->load(transaction, id, false));
  if (!node) return false;
  CAIRN_TRY(hide_record(transaction, id, impl_->now()));
  CAIRN_TRY(writing.commit());
  return true;
}

// A chunk that was hidden alone at another time stays hidden.
Result<bool> Memory::restore(NodeId id) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  Transaction& transaction = writing.transaction();
  CAIRN_ASSIGN(const auto node, impl_->load(transaction, id, true));
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
}

// Hidden records too. What is left of them is in older snapshots only.
Result<bool> Memory::purge(NodeId id) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  Transaction& transaction = writing.transaction();
  CAIRN_ASSIGN(const auto node, impl_->load(transaction, id, true));
  if (!node) return false;
  CAIRN_TRY(purge_record(transaction, id));
  CAIRN_TRY(writing.commit());
  return true;
}

}  // namespace cairn::memory
