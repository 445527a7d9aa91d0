// Pairs lines of nodes with rows of vectors for a bulk load. Another thread reads one batch ahead.
// Both files must have the same number of rows.
#include "query/transfer/apoc_line.hpp"
#include "tools/bench/replay.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::size_t batch_nodes = 4'096;

Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

const Value* find(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

// A node with properties and labels has a map in "properties". If the value has another type,
// "properties" is an ordinary property.
bool is_record(const Map& map) {
  const Value* properties = find(map, "properties");
  return properties != nullptr && properties->map() != nullptr;
}

// A node in the form of APOC's export; the labels may be absent.
Result<NewNode> record_node(const Map& map) {
  NewNode node;
  const Map& properties = find(map, "properties")->as_map();
  node.properties = Properties(properties.begin(), properties.end());
  if (const Value* labels = find(map, "labels"); labels != nullptr && labels->list() != nullptr)
    for (const Value& label : *labels->list())
      if (label.string() != nullptr) node.labels.push_back(*label.string());
  return node;
}

}  // namespace

// A line has one of three forms: a node as APOC exports it, {properties, labels}, or an object of
// properties only.
Result<NewNode> parse_node(const std::string& line) {
  CAIRN_ASSIGN(const Value value, parse_json(line));
  if (value.map() == nullptr) return wrong("the line is not a JSON object");
  const Map& map = *value.map();
  const Value* type = find(map, "type");
  if (is_record(map) && type != nullptr && type->string() != nullptr &&
      find(map, "id") != nullptr) {
    CAIRN_ASSIGN(const query::ApocLine apoc, query::parse_apoc_line(line));
    const auto* node = std::get_if<query::NodeLine>(&apoc);
    if (node == nullptr) return wrong("the line is a relationship, nodes were expected");
    return NewNode{node->labels, node->properties, node->external_id};
  }
  if (is_record(map)) return record_node(map);
  return NewNode{{}, Properties(map.begin(), map.end()), {}};
}

NodeFeed::NodeFeed(std::ifstream lines, VectorFile vectors, std::string label, std::string property)
    : lines_(std::move(lines)),
      vectors_(std::move(vectors)),
      label_(std::move(label)),
      property_(std::move(property)) {
  begin_batch();
}

Result<std::unique_ptr<NodeFeed>> NodeFeed::open(const std::filesystem::path& lines,
                                                 VectorFile vectors, std::string label,
                                                 std::string property) {
  std::ifstream input(lines, std::ios::binary);
  if (!input) return Error{ErrorCode::not_found, "cannot read " + lines.string(), std::nullopt};
  return std::unique_ptr<NodeFeed>(
      new NodeFeed(std::move(input), std::move(vectors), std::move(label), std::move(property)));
}

// Only one batch is being read at a time, so that the files need no lock.
void NodeFeed::begin_batch() {
  batch_ = std::async(std::launch::async, [this] { return read_batch(); });
}

// Reads the next batch while the caller stores this one. An empty batch marks the end.
Result<std::vector<NewNode>> NodeFeed::next() {
  CAIRN_ASSIGN(auto nodes, batch_.get());
  if (!nodes.empty()) begin_batch();
  return nodes;
}

// A blank line is a node without properties, unless it is the last line.
Result<std::vector<NewNode>> NodeFeed::read_batch() {
  std::vector<NewNode> nodes;
  std::string line;
  while (nodes.size() < batch_nodes && std::getline(lines_, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos && lines_.peek() == EOF) break;
    ++number_;
    auto node = make_node(line);
    if (!node)
      return Error{node.error().code,
                   "line " + std::to_string(number_) + ": " + node.error().message, std::nullopt};
    nodes.push_back(*std::move(node));
  }
  if (nodes.empty() && number_ != vectors_.rows())
    return wrong(std::to_string(number_) + " lines of nodes, but " +
                 std::to_string(vectors_.rows()) + " rows of vectors");
  return nodes;
}

// Line i belongs to row i, so both files are read in step and neither is held in memory.
Result<NewNode> NodeFeed::make_node(const std::string& line) {
  if (number_ > vectors_.rows())
    return wrong("there are only " + std::to_string(vectors_.rows()) + " rows of vectors");
  CAIRN_ASSIGN(NewNode node, parse_node(line));
  CAIRN_ASSIGN(std::vector<float> row, vectors_.next());
  if (std::find(node.labels.begin(), node.labels.end(), label_) == node.labels.end())
    node.labels.push_back(label_);
  node.properties[property_] = Vector(std::move(row));
  return node;
}

}  // namespace cairn::tools
