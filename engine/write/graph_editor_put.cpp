// GraphEditor's nodes by external id: whose id it is, and putting a node in the place of another.
//
// A node that has expired is gone for a caller that wants its external id: it is erased with its relationships
// where its id is given to another, whether or not the background has come to it.

#include "codec/byte_io.hpp"
#include "engine/system/clock.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/limits.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::SystemPath;

}  // namespace

Result<std::optional<std::uint64_t>> GraphEditor::owner_of(std::uint32_t name_space,
                                                           std::string_view external_id) const {
  CAIRN_ASSIGN(const auto bytes,
               records_.get(Family::external_ids, codec::external_id_key(name_space, external_id)));
  if (!bytes) return std::optional<std::uint64_t>();
  codec::ByteCursor cursor(*bytes);
  const auto id = cursor.read_big<std::uint64_t>();
  if (cursor.finished()) return std::optional(id);
  return codec::corruption("external id \"" + std::string(external_id) + "\" is damaged");
}

bool GraphEditor::has_expired(const codec::RecordHeader& header) const {
  return header.expires_at && *header.expires_at <= now();
}

Status GraphEditor::free_external_id(std::uint32_t name_space, std::string_view external_id) {
  CAIRN_ASSIGN(const auto owner, owner_of(name_space, external_id));
  if (!owner) return {};
  CAIRN_ASSIGN(const auto record, node(*owner));
  if (has_expired(record.header)) return erase_node_and_relationships(*owner);
  return Error{ErrorCode::already_exists,
               "external id \"" + std::string(external_id) + "\" is used by another node",
               {}};
}

Result<PutNode> GraphEditor::put_node(const NewNode& wanted) {
  if (wanted.external_id.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "put_node() finds a node by its external id, and none is given; set "
                 "NewNode::external_id, or call create_node()",
                 {}};
  }
  CAIRN_ASSIGN(const auto owner, owner_of(name_space_, wanted.external_id));
  if (owner) {
    CAIRN_ASSIGN(auto record, node(*owner));
    if (!has_expired(record.header)) {
      CAIRN_TRY(replace_node(*owner, record, wanted));
      return PutNode{NodeId{*owner}, false};
    }
  }
  CAIRN_ASSIGN(const std::uint64_t id, create_node(wanted.labels, wanted.properties,
                                                   wanted.external_id, wanted.expires_at));
  return PutNode{NodeId{id}, true};
}

// Everything that can be refused first, as with a new node.
Status GraphEditor::replace_node(std::uint64_t id, codec::NodeRecord& record,
                                 const NewNode& wanted) {
  CAIRN_TRY(check_node(wanted.labels, wanted.properties, wanted.external_id));
  Properties changed;
  CAIRN_ASSIGN(const Properties* values, normalized(EntityKind::node, known_labels(wanted.labels),
                                                    wanted.properties, changed));
  replace_labels(id, record, wanted.labels);
  CAIRN_TRY(replace_all({EntityKind::node, id, record.labels}, *values, record.properties));
  change_deletion(EntityKind::node, id, record.header, std::nullopt);
  change_expiry(EntityKind::node, id, record.header, wanted.expires_at);
  touch_if_constrained(EntityKind::node, id, record.labels);
  put(id, record);
  return {};
}

// Indexes of texts and vectors learn of the labels that go here, of those that stay or come by put().
void GraphEditor::replace_labels(std::uint64_t id, codec::NodeRecord& record,
                                 std::span<const std::string> labels) {
  const std::vector<std::uint32_t> after = intern_labels(labels);
  const std::vector<std::uint32_t> before = record.labels;
  if (after == before) return;
  touch_if_text(EntityKind::node, id, before);
  touch_if_vector(EntityKind::node, id, record.properties);
  const auto set = [&](std::uint32_t label, bool added) {
    change_posting(system_posting(EntityKind::node, SystemPath::label, label), id, added);
  };
  for (const std::uint32_t label : before)
    if (!std::binary_search(after.begin(), after.end(), label)) set(label, false);
  for (const std::uint32_t label : after)
    if (!std::binary_search(before.begin(), before.end(), label)) set(label, true);
  record.labels = after;
}

}  // namespace cairn::engine
