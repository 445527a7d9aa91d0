#include "tests/engine/crash_history.hpp"

#include <array>
#include <iterator>
#include <utility>

namespace cairn::test {
namespace {

constexpr std::size_t most_nodes = 60;
constexpr auto index_kinds = std::to_array({"range", "vector", "text"});
constexpr auto words = std::to_array({"green", "tea", "cup", "morning", "coffee", "milk", "black",
                                      "note", "river", "stone", "light", "evening"});

using Kind = CrashChange::Kind;

}  // namespace

CrashHistory::CrashHistory(std::uint64_t seed, std::size_t writer)
    : random_(seed * crash_writers + writer), writer_(writer) {}

std::string CrashHistory::counter_of(std::size_t writer) {
  return "writer-" + std::to_string(writer);
}

std::string CrashHistory::label_of(std::size_t writer) { return "W" + std::to_string(writer); }

CrashOperation CrashHistory::next() {
  CrashOperation operation;
  if (count_ == 0) put(operation, {Kind::create_node, counter_of(writer_)});
  const std::size_t draw = random_.below(100);
  if (nodes_.size() < 4) {
    load(operation, 6);
  } else if (nodes_.size() > most_nodes) {
    forget(operation, most_nodes / 2);
  } else if (draw < 25) {
    load(operation, 2 + random_.below(10));
  } else if (draw < 45) {
    load(operation, 1);
  } else if (draw < 70) {
    for (std::size_t i = 0; i < 1 + random_.below(3); ++i) update(operation);
  } else if (draw < 80) {
    forget(operation, 1);
  } else if (draw < 86) {
    change_label(operation);
  } else if (draw < 94) {
    change_relationship(operation);
  } else {
    change_index(operation);
  }
  ++count_;
  put(operation, {Kind::set_property, counter_of(writer_), "", "done", 0,
                  Value(static_cast<std::int64_t>(count_))});
  put(operation, {Kind::set_property, counter_of(writer_), "", "nodes", 0,
                  Value(static_cast<std::int64_t>(nodes_.size() - 1))});
  return operation;
}

/// Creates `count` nodes in a chain.
void CrashHistory::load(CrashOperation& operation, std::size_t count) {
  std::string before;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = label_of(writer_) + "-" + std::to_string(++last_key_);
    Properties properties{{"number", static_cast<std::int64_t>(random_.below(20))},
                          {"text", draw_text()},
                          {"v", draw_vector()}};
    if (random_.one_in(4)) properties["list"] = list_of({1, "two", last_key_});
    put(operation,
        {Kind::create_node, name, "", "", 0, {}, {"N", label_of(writer_)}, std::move(properties)});
    if (!before.empty()) put(operation, {Kind::relate, before, name, "", ++last_key_});
    before = name;
  }
}

void CrashHistory::forget(CrashOperation& operation, std::size_t count) {
  for (std::size_t i = 0; i < count && nodes_.size() > 2; ++i)
    put(operation, {Kind::erase_node, pick_node()});
}

void CrashHistory::update(CrashOperation& operation) {
  CrashChange change{Kind::set_property, pick_node()};
  const std::size_t draw = random_.below(4);
  constexpr const char* names[] = {"text", "v", "number", "list"};
  change.name = names[draw];
  if (draw == 0) change.value = draw_text();
  if (draw == 1) change.value = draw_vector();
  if (draw == 2) change.value = static_cast<std::int64_t>(random_.below(20));
  if (random_.one_in(8)) change.value = Value();  // takes it away
  put(operation, std::move(change));
}

void CrashHistory::change_label(CrashOperation& operation) {
  const std::string node = pick_node();
  const bool has = nodes_.at(node).labels.contains("Flag");
  put(operation, {has ? Kind::remove_label : Kind::add_label, node, "", "Flag"});
}

void CrashHistory::change_relationship(CrashOperation& operation) {
  if (!relationships_.empty() && random_.one_in(2)) {
    const auto& [key, relationship] = *std::next(
        relationships_.begin(), static_cast<std::ptrdiff_t>(random_.below(relationships_.size())));
    put(operation, {Kind::unrelate, relationship.source, "", "", key});
    return;
  }
  const std::string source = pick_node();
  put(operation, {Kind::relate, source, pick_node(), "", ++last_key_});
}

void CrashHistory::change_index(CrashOperation& operation) {
  std::string name = random_.pick(index_kinds);
  name += std::to_string(writer_);
  const bool has = indexes_.contains(name);
  put(operation, {has ? Kind::drop_index : Kind::create_index, "", "", name});
}

void CrashHistory::put(CrashOperation& operation, CrashChange change) {
  apply(change);
  operation.push_back(std::move(change));
}

void CrashHistory::apply(const CrashChange& change) {
  switch (change.kind) {
    case Kind::create_node:
      nodes_[change.node] = {{change.labels.begin(), change.labels.end()}, change.properties};
      break;
    case Kind::erase_node:
      nodes_.erase(change.node);
      std::erase_if(relationships_, [&](const auto& one) {
        return one.second.source == change.node || one.second.target == change.node;
      });
      break;
    case Kind::set_property:
      nodes_.at(change.node).properties[change.name] = change.value;
      if (change.value.is_null()) nodes_.at(change.node).properties.erase(change.name);
      break;
    case Kind::add_label:
      nodes_.at(change.node).labels.insert(change.name);
      break;
    case Kind::remove_label:
      nodes_.at(change.node).labels.erase(change.name);
      break;
    case Kind::relate:
      relationships_[change.key] = {change.node, change.other};
      break;
    case Kind::unrelate:
      relationships_.erase(change.key);
      break;
    case Kind::create_index:
      indexes_.insert(change.name);
      break;
    case Kind::drop_index:
      indexes_.erase(change.name);
      break;
  }
}

/// Any but the counter, which is the last by name.
const std::string& CrashHistory::pick_node() {
  return std::next(nodes_.begin(), static_cast<std::ptrdiff_t>(random_.below(nodes_.size() - 1)))
      ->first;
}

/// Sometimes returns a long text, which is stored outside of its record.
Value CrashHistory::draw_text() {
  std::string text;
  const std::size_t count = random_.one_in(12) ? 120 : 1 + random_.below(8);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ' ';
    text += random_.pick(words);
  }
  return Value(std::move(text));
}

Value CrashHistory::draw_vector() {
  std::vector<float> components{1};
  for (int i = 0; i < 7; ++i) components.push_back(static_cast<float>(random_.below(16)) / 8);
  return Value(Vector(std::move(components)));
}

std::string CrashHistory::describe_node(const std::string& external_id,
                                        const std::vector<std::string>& labels,
                                        const Properties& properties) {
  std::string text = "node " + external_id;
  for (const std::string& label : labels) text.append(" :").append(label);
  for (const auto& [name, value] : properties)
    text.append(" ").append(name).append("=").append(value.to_text());
  return text;
}

std::string CrashHistory::describe_relationship(const std::string& source,
                                                const std::string& target, std::int64_t key) {
  return "relationship " + std::to_string(key) + " from " + source + " to " + target;
}

void CrashHistory::describe(std::set<std::string>& lines) const {
  for (const auto& [name, node] : nodes_)
    lines.insert(describe_node(name, {node.labels.begin(), node.labels.end()}, node.properties));
  for (const auto& [key, one] : relationships_)
    lines.insert(describe_relationship(one.source, one.target, key));
  for (const std::string& index : indexes_) lines.insert("index " + index);
}

}  // namespace cairn::test
