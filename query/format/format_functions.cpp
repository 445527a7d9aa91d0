// The functions format.markdown(nodes), format.toon(nodes), ...: nodes as text, in the formats of format/output.cpp. The
// nodes are loaded all at once, and the text is one value within the memory limit.
#include "query/format/format_functions.hpp"

#include "codec/instant.hpp"
#include "codec/record.hpp"
#include "codec/value_extent.hpp"
#include "engine/view/view.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/unicode_form.hpp"
#include "query/ranking/score.hpp"

#include <cairn/memory/output.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/memory/records.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using memory::Output;
using memory::OutputFormat;
using memory::OutputItem;

// Within a statement a node may have only its id, so its content is loaded.
Result<OutputItem> item_of(const Call& call, const Value& value) {
  const Node* node = value.get_if<Node>();
  if (node == nullptr) return call.wrong_type(0, "a list of nodes");
  if (call.context.view == nullptr) return OutputItem{memory::record_of(*node), std::nullopt, {}};
  CAIRN_ASSIGN(const auto loaded, call.context.view->load_node(node->id().value));
  return OutputItem{memory::record_of(loaded ? *loaded : *node), std::nullopt, {}};
}

/// Charges the memory of the nodes and the text. A list may contain the same node many times.
class Size {
 public:
  explicit Size(const Call& call) : call_(call), pace_(call.context.limits) {}

  /// Adds a record. Errors: resource_limit if the text would not fit.
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

/// Reads one number for each node, in their order.
Status add_scores(const Call& call, Output& output) {
  if (!call.has(1)) return {};
  const List* scores = call[1].list();
  if (scores == nullptr || scores->size() != output.items.size())
    return call.wrong_value("the scores must be a list with one for each of the " +
                            std::to_string(output.items.size()) + " nodes, got " + shown(call[1]));
  for (std::size_t i = 0; i < scores->size(); ++i) {
    const Value& score = (*scores)[i];
    if (!score.is_number()) return call.wrong_type(1, "a list of numbers");
    output.items[i].score = float_of(score);
  }
  return {};
}

// A relationship between visible nodes may itself be deleted or expired.
Result<bool> is_hidden(const Call& call, std::uint64_t relationship) {
  CAIRN_ASSIGN(const auto record, call.context.view->find_relationship(relationship));
  if (!record || record->header.deleted_at) return true;
  return record->header.expires_at && *record->header.expires_at <= call.context.now;
}

// Adds the relationships between the nodes; each is added to its source.
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

// Writes all nodes as one page.
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

namespace cairn::memory {

// Memory records as nodes store them: times, tags and conversion.

namespace {

std::string record_text(const Properties& properties, const char* name) {
  const auto found = properties.find(name);
  return found == properties.end() || found->second.string() == nullptr ? std::string()
                                                                        : *found->second.string();
}

bool is_tag(const Value& value) { return value.string() != nullptr; }

// Converts to Unicode form NFC, so that a letter with its accent is one tag however it was typed. Invalid UTF-8 is
// unchanged.
Value normal_form(const Value& text) {
  auto normal = query::nfc_of(nullptr, text);
  return normal && !normal->is_null() ? *std::move(normal) : text;
}

}  // namespace

// ISO 8601 in UTC with six decimals, so that the order of texts is the order of times.
std::string time_text(std::int64_t microseconds) {
  std::string text = codec::instant_text(microseconds);
  text.pop_back();  // the Z
  const auto point = text.find('.');
  if (point == std::string::npos) return text + ".000000Z";
  text.append(point + 7 - text.size(), '0');
  return text + 'Z';
}

// Returns each tag once, in the given order. Keeps values that are not texts, so that the schema check refuses them.
List tag_set(const Value& value) {
  const List given = value.list() == nullptr ? List{value} : value.as_list();
  List tags;
  std::set<std::string, std::less<>> seen;
  for (const Value& item : given) {
    const Value tag = is_tag(item) ? normal_form(item) : item;
    if (!is_tag(tag) || seen.insert(tag.as_string()).second) tags.push_back(tag);
  }
  return tags;
}

// The embedding and the previous texts are left out, because they are as large as the rest of the record.
Record record_of(const Node& node) {
  Record record;
  record.id = node.id();
  record.external_id = node.external_id();
  record.kind = record_text(node.properties(), "kind");
  record.content = record_text(node.properties(), "content");
  for (const auto& [name, value] : node.properties())
    if (name != "kind" && name != "content" && name != "embedding" && name != pending_name &&
        name != "earlier_texts")
      record.metadata.emplace(name, value);
  const auto deleted = node.properties().find("is_deleted");
  record.is_deleted = deleted != node.properties().end() && deleted->second == Value(true);
  return record;
}

Record record_of(const Hit& hit) { return hit.node ? record_of(*hit.node) : Record(); }

const Value& Record::field(std::string_view path) const { return query::field_at(metadata, path); }

}  // namespace cairn::memory
