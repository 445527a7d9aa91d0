// format.markdown(nodes), format.toon(nodes), ...: what a statement found, as text.

#include "engine/view.hpp"
#include "query/functions/call.hpp"
#include "query/functions/families.hpp"
#include "query/functions/number_order.hpp"
#include "query/memory/statements.hpp"

#include <cairn/memory/output.hpp>

#include <array>
#include <utility>

namespace cairn::query {
namespace {

using memory::Output;
using memory::OutputFormat;
using memory::OutputItem;

// Within a statement a node may be no more than its id.
Result<OutputItem> item_of(const Call& call, const Value& value) {
  const Node* node = value.get_if<Node>();
  if (node == nullptr) return call.wrong_type(0, "a list of nodes");
  if (call.context.view == nullptr) return OutputItem{record_of(*node), std::nullopt, {}};
  CAIRN_ASSIGN(const auto loaded, call.context.view->load_node(node->id().value));
  return OutputItem{record_of(loaded ? *loaded : *node), std::nullopt, {}};
}

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

// One page with all of it.
template <OutputFormat format>
Result<Value> write(const Call& call) {
  const List* nodes = call[0].list();
  if (nodes == nullptr) return call.wrong_type(0, "a list of nodes");
  Output output;
  for (const Value& node : *nodes) {
    CAIRN_ASSIGN(OutputItem item, item_of(call, node));
    output.items.push_back(std::move(item));
  }
  CAIRN_TRY(add_scores(call, output));
  output.page = {1, nodes->size(), nodes->size(), nodes->empty() ? 0U : 1U, false};
  return Value(memory::to_text(format, output));
}

constexpr std::array entries{
    entry<"format.json(nodes, scores?)", write<OutputFormat::json>>(),
    entry<"format.markdown(nodes, scores?)", write<OutputFormat::markdown>>(),
    entry<"format.rag(nodes, scores?)", write<OutputFormat::rag>>(),
    entry<"format.rag_markdown(nodes, scores?)", write<OutputFormat::rag_markdown>>(),
    entry<"format.toon(nodes, scores?)", write<OutputFormat::toon>>()};

}  // namespace

FunctionFamily format_functions() { return entries; }

}  // namespace cairn::query
