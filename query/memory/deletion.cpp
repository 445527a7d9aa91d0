// Hiding, showing again and erasing a record with its relationships.
//
// A relationship is hidden with the time of the end that was hidden first, and moves on to the other
// end's time where that one is still hidden: so each restore() knows which relationships are its own.

#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/view.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <array>
#include <optional>
#include <vector>

namespace cairn::memory {
namespace {

using codec::EntityKind;
using DeletionTime = std::optional<std::int64_t>;

Result<std::vector<engine::Adjacent>> relationships_of(const engine::View& view, NodeId id) {
  std::vector<engine::Adjacent> adjacent;
  CAIRN_TRY(view.expand(id.value, engine::Direction::both, {}, adjacent));
  return adjacent;
}

Result<DeletionTime> node_deletion(const engine::View& view, std::uint64_t id) {
  CAIRN_ASSIGN(const auto node, view.find_node(id));
  return node ? node->header.deleted_at : std::nullopt;
}

Result<DeletionTime> relationship_deletion(const engine::View& view, std::uint64_t id) {
  CAIRN_ASSIGN(const auto relationship, view.find_relationship(id));
  return relationship ? relationship->header.deleted_at : std::nullopt;
}

// The flags among the properties are for filters over hidden records; the header's time hides.
Status set_deleted(engine::Writer& writer, NodeId id, DeletionTime time) {
  const Value flag = time ? Value(true) : Value();
  const Value text = time ? Value(query::time_text(*time)) : Value();
  CAIRN_TRY(writer.set_property(EntityKind::node, id.value, "is_deleted", flag));
  CAIRN_TRY(writer.set_property(EntityKind::node, id.value, "deletion_time", text));
  return writer.set_deleted(EntityKind::node, id.value, time);
}

/// One that is hidden already stays with its first time.
Status hide_relationships(engine::Writer& writer, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(const auto adjacent, relationships_of(writer.view(), id));
  for (const engine::Adjacent& step : adjacent) {
    CAIRN_ASSIGN(const auto deleted, relationship_deletion(writer.view(), step.relationship));
    if (deleted) continue;
    CAIRN_TRY(writer.set_deleted(EntityKind::relationship, step.relationship, time));
  }
  return {};
}

/// Shown where the other end is seen; else it takes the other end's time and waits for that one.
Status show_relationships(engine::Writer& writer, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(const auto adjacent, relationships_of(writer.view(), id));
  for (const engine::Adjacent& step : adjacent) {
    CAIRN_ASSIGN(const auto deleted, relationship_deletion(writer.view(), step.relationship));
    if (deleted != time) continue;
    CAIRN_ASSIGN(const auto other, node_deletion(writer.view(), step.other));
    CAIRN_TRY(writer.set_deleted(EntityKind::relationship, step.relationship, other));
  }
  return {};
}

/// The record and the chunks of its text, which are nothing without it.
Result<std::vector<NodeId>> with_chunks(const engine::View& view, NodeId id) {
  CAIRN_ASSIGN(std::vector<NodeId> nodes, chunks_of(view, id));
  nodes.insert(nodes.begin(), id);
  return nodes;
}

Status hide(engine::Writer& writer, NodeId id, std::int64_t time) {
  CAIRN_TRY(hide_relationships(writer, id, time));
  return set_deleted(writer, id, time);
}

Status show(engine::Writer& writer, NodeId id, std::int64_t time) {
  CAIRN_TRY(set_deleted(writer, id, {}));
  return show_relationships(writer, id, time);
}

}  // namespace

// The parts that Memory::remember made of one text go with it. A type that is not in the catalog
// has no relationships.
Result<std::vector<NodeId>> chunks_of(const engine::View& view, NodeId id) {
  std::vector<NodeId> nodes;
  const auto type = view.catalog().find_type(query::chunk_relationship);
  if (!type) return nodes;
  std::vector<engine::Adjacent> chunks;
  CAIRN_TRY(view.expand(id.value, engine::Direction::outgoing, std::array{*type}, chunks));
  for (const engine::Adjacent& chunk : chunks) nodes.push_back(NodeId{chunk.other});
  return nodes;
}

// For good: relationships of any type go with it, whatever their other end.
Status erase_record(engine::Writer& writer, NodeId id) {
  CAIRN_ASSIGN(const auto adjacent, relationships_of(writer.view(), id));
  for (const engine::Adjacent& step : adjacent)
    CAIRN_TRY(writer.erase_relationship(step.relationship));
  return writer.erase_node(id.value);
}

// At one time: restore() takes that for the sign of what belongs together.
Result<std::vector<NodeId>> hide_record(engine::Writer& writer, NodeId id, std::int64_t time) {
  CAIRN_ASSIGN(auto nodes, with_chunks(writer.view(), id));
  std::vector<NodeId> newly_hidden;
  for (const NodeId one : nodes) {
    CAIRN_ASSIGN(const auto hidden, node_deletion(writer.view(), one.value));
    if (hidden) continue;
    CAIRN_TRY(hide(writer, one, time));
    newly_hidden.push_back(one);
  }
  return newly_hidden;
}

// Of several records one may be a chunk of another, and gone with it.
Result<std::vector<NodeId>> purge_record(engine::Writer& writer, NodeId id) {
  CAIRN_ASSIGN(const auto nodes, with_chunks(writer.view(), id));
  std::vector<NodeId> erased;
  for (const NodeId one : nodes) {
    CAIRN_ASSIGN(const auto node, writer.view().find_node(one.value));
    if (!node) continue;
    CAIRN_TRY(erase_record(writer, one));
    erased.push_back(one);
  }
  return erased;
}

Result<bool> Memory::remove(NodeId id) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto node, impl_->load(writer.view(), id, false));
  if (!node) return false;
  CAIRN_TRY(hide_record(writer, id, impl_->now()));
  CAIRN_TRY(writing.commit());
  return true;
}

// A chunk that was hidden alone at another time stays hidden.
Result<bool> Memory::restore(NodeId id) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto node, impl_->load(writer.view(), id, true));
  if (!node) return false;
  CAIRN_ASSIGN(const auto time, node_deletion(writer.view(), id.value));
  if (!time) return false;
  CAIRN_ASSIGN(const auto nodes, with_chunks(writer.view(), id));
  for (const NodeId one : nodes) {
    CAIRN_ASSIGN(const auto hidden, node_deletion(writer.view(), one.value));
    if (hidden == time) CAIRN_TRY(show(writer, one, *time));
  }
  CAIRN_TRY(writing.commit());
  return true;
}

// Hidden records too. What is left of them is in older snapshots only.
Result<bool> Memory::purge(NodeId id) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto node, impl_->load(writer.view(), id, true));
  if (!node) return false;
  CAIRN_TRY(purge_record(writer, id));
  CAIRN_TRY(writing.commit());
  return true;
}

}  // namespace cairn::memory
