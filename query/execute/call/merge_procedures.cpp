// Procedures of APOC that match or create records: apoc.merge.node, apoc.merge.relationship and
// apoc.create.addLabels.
#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/write/limits.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/charged_rows.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/write/graph_editor.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/filter.hpp>

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

const Value null_value;

// Returns null for an omitted argument.
const Value& argument(Arguments arguments, std::size_t i) {
  return i < arguments.size() ? arguments[i] : null_value;
}

/// The properties by which a merge matches, and the properties that it sets.
struct MergedProperties {
  Map identifying;
  Map on_create;
  Map on_match;
};

// Null equals nothing, so a merge by null would create a new record each time.
Status check_identifying(const Map& properties) {
  for (const auto& [name, value] : properties)
    if (value.is_null())
      return Error{ErrorCode::invalid_argument,
                   "a merge cannot match the property `" + name +
                       "` by null; omit the property, or give it a value",
                   std::nullopt};
  return {};
}

// Converts the values to their stored forms, because equality compares with stored values.
Status use_stored_forms(GraphEditor& editor, codec::EntityKind kind,
                        std::span<const std::string> labels_or_type, Map& properties) {
  for (auto& [name, value] : properties) {
    CAIRN_ASSIGN(value, editor.stored_form(kind, labels_or_type, name, value));
  }
  return {};
}

// Properties of `on_create` override identifying properties of the same name.
MadeRecord new_record(const MergedProperties& properties) {
  MadeRecord record{properties.identifying, {}};
  for (const auto& [name, value] : properties.on_create)
    record.properties.insert_or_assign(name, value);
  return record;
}

// Matches nodes that have all labels and all properties.
Filter node_filter(const std::set<std::string>& labels, const Map& properties) {
  std::vector<Filter> filters;
  for (const std::string& label : labels) filters.push_back(Filter::has_label(label));
  for (const auto& [name, value] : properties)
    filters.push_back(Filter::where(path_of_keys({&name, 1}), FilterOperator::equals, value));
  return Filter::all_of(std::move(filters));
}

// Compares as = does: a property that is missing or null does not match.
Result<bool> has_properties(ExecutionContext& context, const Value& relationship,
                            const Map& properties) {
  CAIRN_ASSIGN(const Value loaded, context.graph.load(relationship));
  for (const auto& [name, value] : properties)
    if (!equals(loaded.as_relationship().property(name), value).value_or(false)) return false;
  return true;
}

struct RelationshipEnds {
  NodeId source;
  NodeId target;
};

// `what` names the end in the error.
Result<NodeId> node_of(const char* what, const Value& value) {
  if (const Node* node = value.get_if<Node>()) return node->id();
  return wrong_argument(std::string(what) + " of a relationship must be a node", value);
}

/// Returns the visible relationships of the type between the two nodes that have the given
/// properties.
Result<Rows> find_relationships(ExecutionContext& context, RelationshipEnds ends,
                                const std::string& type, const Map& properties) {
  Rows rows;
  const auto number = context.graph.catalog().find_type(type);
  if (!number) return rows;
  CAIRN_ASSIGN(const codec::Bitmap* visible,
               context.graph.restriction(codec::EntityKind::relationship));
  std::vector<engine::Adjacent> between;
  const std::uint32_t types[] = {*number};
  CAIRN_TRY(context.graph.expand_into(ends.source.value, ends.target.value,
                                      engine::Direction::outgoing, types, between));
  for (const engine::Adjacent& one : between) {
    if (visible != nullptr && !visible->contains(one.relationship)) continue;
    const Value found = entity_value(codec::EntityKind::relationship, one.relationship);
    CAIRN_ASSIGN(const bool is_it, has_properties(context, found, properties));
    if (is_it) rows.push_back({found});
  }
  return rows;
}

// Sets the properties of all records that match, not only of the first one.
Status set_on_match(GraphEditor& editor, const Rows& found, const Map& properties) {
  for (const std::vector<Value>& row : found)
    CAIRN_TRY(editor.merge_properties(row.front(), properties));
  return {};
}

}  // namespace

// apoc.merge.node. Finds the nodes by a filter, which uses indexes. Planning a filter cannot be interrupted, so labels that
// no node can have are refused before.
Result<Rows> merge_node(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto labels, texts_of("labels", arguments[0]));
  MergedProperties properties;
  CAIRN_ASSIGN(properties.identifying, properties_of("identifying properties", arguments[1]));
  CAIRN_ASSIGN(properties.on_create,
               properties_of("properties of a new node", argument(arguments, 2)));
  CAIRN_ASSIGN(properties.on_match,
               properties_of("properties of a node that is there", argument(arguments, 3)));
  CAIRN_TRY(check_identifying(properties.identifying));
  const std::set<std::string> distinct(labels.begin(), labels.end());
  CAIRN_TRY(engine::check_label_count(distinct.size()));
  GraphEditor editor(context);
  CAIRN_TRY(use_stored_forms(editor, codec::EntityKind::node, labels, properties.identifying));
  CAIRN_ASSIGN(const codec::Bitmap ids,
               filter_ids(context, node_filter(distinct, properties.identifying)));
  ChargedRows rows(context.budget);
  for (const std::uint64_t id : ids.to_vector())
    CAIRN_TRY(rows.add({entity_value(codec::EntityKind::node, id)}));
  CAIRN_TRY(set_on_match(editor, rows.rows(), properties.on_match));
  if (rows.empty()) {
    CAIRN_ASSIGN(Value made, editor.create_node(labels, new_record(properties)));
    CAIRN_TRY(rows.add({std::move(made)}));
  }
  return rows.take();
}

// apoc.merge.relationship. Reads only the relationships between the two nodes.
Result<Rows> merge_relationship(ExecutionContext& context, Arguments arguments) {
  RelationshipEnds ends;
  CAIRN_ASSIGN(ends.source, node_of("the start", arguments[0]));
  CAIRN_ASSIGN(const std::string type, text_of("the type", arguments[1]));
  CAIRN_ASSIGN(ends.target, node_of("the end", arguments[4]));
  MergedProperties properties;
  CAIRN_ASSIGN(properties.identifying, properties_of("identifying properties", arguments[2]));
  CAIRN_ASSIGN(properties.on_create,
               properties_of("properties of a new relationship", arguments[3]));
  CAIRN_ASSIGN(properties.on_match,
               properties_of("properties of a relationship that is there", argument(arguments, 5)));
  CAIRN_TRY(check_identifying(properties.identifying));
  GraphEditor editor(context);
  CAIRN_TRY(use_stored_forms(editor, codec::EntityKind::relationship, {&type, 1},
                             properties.identifying));
  CAIRN_ASSIGN(Rows rows, find_relationships(context, ends, type, properties.identifying));
  CAIRN_TRY(set_on_match(editor, rows, properties.on_match));
  if (rows.empty()) {
    CAIRN_ASSIGN(Value made, editor.create_relationship(arguments[0], type, arguments[4],
                                                        new_record(properties)));
    rows.push_back({std::move(made)});
  }
  return rows;
}

// apoc.create.addLabels
Result<Rows> add_labels(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto labels, texts_of("labels", arguments[1]));
  const List single{arguments[0]};
  const List& nodes = arguments[0].list() != nullptr ? arguments[0].as_list() : single;
  GraphEditor editor(context);
  ChargedRows rows(context.budget);
  for (const Value& node : nodes) {
    CAIRN_TRY(editor.add_labels(node, labels));
    CAIRN_TRY(rows.add({node}));
  }
  return rows.take();
}

}  // namespace cairn::query
