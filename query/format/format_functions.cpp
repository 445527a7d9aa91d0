// format.markdown(nodes), format.toon(nodes), ...: what a statement found, as text.
// The same formats as memory/output.cpp, for nodes that any statement has: nodes are loaded here,
// all at once, and the text is one value within the memory limit.

#include "query/format/format_functions.hpp"

#include "codec/record.hpp"
#include "codec/value_extent.hpp"
#include "engine/view/view.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"

#include <cairn/memory/output.hpp>

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::Output;
using memory::OutputFormat;
using memory::OutputItem;

// Within a statement a node may be no more than its id.
Result<OutputItem> item_of(const Call& call, const Value& value) {
  const Node* node = value.get_if<Node>();
  if (node == nullptr) return call.wrong_type(0, "a list of nodes");
  if (call.context.view == nullptr) return OutputItem{memory::record_of(*node), std::nullopt, {}};
  CAIRN_ASSIGN(const auto loaded, call.context.view->load_node(node->id().value));
  return OutputItem{memory::record_of(loaded ? *loaded : *node), std::nullopt, {}};
}

/// What the nodes take while they are gathered and written: a list may name one of them any number of
/// times.
class Size {
 public:
  explicit Size(const Call& call) : call_(call), pace_(call.context.limits) {}

  Status add(const memory::Record& record) {
    std::size_t bytes = sizeof(OutputItem) + record.content.size();
    for (const auto& [name, value] : record.metadata)
      bytes += name.size() + codec::extent_of(value).bytes;
    bytes_ += bytes;
    CAIRN_TRY(pace_.add(bytes));
    return call_.room(written_times * bytes_);
  }

 private:
  static constexpr std::size_t written_times = 3;  // the records, and the text while it grows

  const Call& call_;
  engine::Pace pace_;
  std::size_t bytes_ = 0;
};

/// One number for each node, in their order; integers are taken.
Status add_scores(const Call& call, Output& output) {
  if (!call.has(1)) return {};
  const List* scores = call[1].list();
  if (scores == nullptr || scores->size() != output.items.size())
    return call.wrong_value("the scores must be a list with one for each node");
  for (std::size_t i = 0; i < scores->size(); ++i) {
    const Value& score = (*scores)[i];
    if (!score.is_number()) return call.wrong_type(1, "a list of numbers");
    output.items[i].score = float_of(score);
  }
  return {};
}

// Between nodes that a statement sees lie few that it does not: deleted or expired by themselves.
Result<bool> is_hidden(const Call& call, std::uint64_t relationship) {
  CAIRN_ASSIGN(const auto record, call.context.view->find_relationship(relationship));
  if (!record || record->header.deleted_at) return true;
  return record->header.expires_at && *record->header.expires_at <= call.context.now;
}

// The relationships between the nodes; each stands with its source.
Status add_relationships(const Call& call, Output& output) {
  const engine::View* view = call.context.view;
  if (view == nullptr) return {};
  std::set<std::uint64_t> ids;
  for (const OutputItem& item : output.items) ids.insert(item.record.id.value);
  for (OutputItem& item : output.items) {
    std::vector<engine::Adjacent> steps;
    CAIRN_TRY(view->expand(item.record.id.value, engine::Direction::outgoing, {}, steps));
    for (const engine::Adjacent& step : steps) {
      if (!ids.contains(step.other)) continue;
      CAIRN_ASSIGN(const bool hidden, is_hidden(call, step.relationship));
      if (hidden) continue;
      CAIRN_ASSIGN(const auto relationship, view->load_relationship(step.relationship));
      if (relationship) item.relationships.push_back(*relationship);
    }
  }
  return {};
}

// One page with all of it.
template <OutputFormat format>
Result<Value> write(const Call& call) {
  const List* nodes = call[0].list();
  if (nodes == nullptr) return call.wrong_type(0, "a list of nodes");
  Output output;
  Size size(call);
  for (const Value& node : *nodes) {
    CAIRN_ASSIGN(OutputItem item, item_of(call, node));
    CAIRN_TRY(size.add(item.record));
    output.items.push_back(std::move(item));
  }
  CAIRN_TRY(add_scores(call, output));
  if (format == OutputFormat::triplets) CAIRN_TRY(add_relationships(call, output));
  output.page = {1, nodes->size(), nodes->size(), nodes->empty() ? 0U : 1U, false};
  return Value(memory::to_text(format, output));
}

constexpr std::array entries{
    entry<"format.context(nodes, scores?)", write<OutputFormat::context>>(),
    entry<"format.json(nodes, scores?)", write<OutputFormat::json>>(),
    entry<"format.markdown(nodes, scores?)", write<OutputFormat::markdown>>(),
    entry<"format.rag(nodes, scores?)", write<OutputFormat::rag>>(),
    entry<"format.rag_markdown(nodes, scores?)", write<OutputFormat::rag_markdown>>(),
    entry<"format.toon(nodes, scores?)", write<OutputFormat::toon>>(),
    entry<"format.triplets(nodes)", write<OutputFormat::triplets>>()};

}  // namespace

FunctionFamily format_functions() { return entries; }

}  // namespace cairn::query
