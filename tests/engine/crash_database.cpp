#include "tests/engine/crash_database.hpp"

#include "codec/bitmap.hpp"
#include "engine/database/access.hpp"
#include "engine/view/segment_view.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/model/random.hpp"
#include "tests/support/graph_builder.hpp"

#include <map>
#include <vector>

namespace cairn::test {
namespace {

using Kind = CrashChange::Kind;

Error missing(const std::string& what) { return Error{ErrorCode::not_found, what, {}}; }

engine::IndexRequest index_request(const std::string& name, std::size_t writer) {
  engine::IndexRequest request;
  request.name = name;
  // The first writer's indexes cover the nodes of all.
  request.labels_or_types = {writer == 0 ? "N" : CrashHistory::label_of(writer)};
  request.properties = {"number"};
  if (name.starts_with("vector")) {
    request.index_kind = codec::IndexKind::vector;
    request.properties = {"v"};
    request.dimension = 8;
  }
  if (name.starts_with("text")) {
    request.index_kind = codec::IndexKind::full_text;
    request.properties = {"text"};
  }
  return request;
}

Result<NodeId> find(const Transaction& transaction, const std::string& name) {
  CAIRN_ASSIGN(const auto node, transaction.find_node(name));
  if (!node) return missing("there is no node " + name);
  return node->id();
}

Result<RelationshipId> find_relationship(const Transaction& transaction, NodeId source,
                                         std::int64_t key) {
  std::vector<engine::Adjacent> found;
  const engine::View& view = Access::view(transaction);
  CAIRN_TRY(view.expand(source.value, engine::Direction::outgoing, {}, found));
  for (const engine::Adjacent& one : found) {
    CAIRN_ASSIGN(const auto relationship, view.load_relationship(one.relationship));
    if (relationship->property("key").as_integer() == key) return RelationshipId{one.relationship};
  }
  return missing("there is no relationship " + std::to_string(key));
}

template <class T>
Status done(const Result<T>& result) {
  return result ? Status() : Status(result.error());
}

Status apply_change(Transaction& transaction, const CrashChange& change, std::size_t writer) {
  if (change.kind == Kind::create_node)
    return done(transaction.create_node({change.labels, change.properties, change.node}));
  if (change.kind == Kind::create_index)
    return done(Access::writer(transaction)->create_index(index_request(change.name, writer)));
  if (change.kind == Kind::drop_index)
    return done(Access::writer(transaction)->drop_index(change.name));
  CAIRN_ASSIGN(const NodeId node, find(transaction, change.node));
  if (change.kind == Kind::relate) {
    CAIRN_ASSIGN(const NodeId other, find(transaction, change.other));
    return done(transaction.create_relationship({node, "NEXT", other, {{"key", change.key}}}));
  }
  if (change.kind == Kind::unrelate) {
    CAIRN_ASSIGN(const auto relationship, find_relationship(transaction, node, change.key));
    return done(transaction.erase_relationship(relationship));
  }
  if (change.kind == Kind::erase_node) return done(transaction.erase_node_and_relationships(node));
  if (change.kind == Kind::set_property)
    return done(transaction.set_property(node, change.name, change.value));
  if (change.kind == Kind::add_label) return done(transaction.add_label(node, change.name));
  return done(transaction.remove_label(node, change.name));
}

engine::IndexRequest filling_index(codec::IndexKind kind) {
  const bool is_text = kind == codec::IndexKind::full_text;
  engine::IndexRequest index;
  index.name = std::string(filling) + (is_text ? "Text" : "");
  index.index_kind = kind;
  index.labels_or_types = {filling, "N"};
  index.properties = {is_text ? "text" : "v"};
  if (!is_text) index.dimension = 8;
  return index;
}

NewNode filling_node(Random& random) {
  std::vector<float> components;
  for (int c = 0; c < 8; ++c) components.push_back(1 + static_cast<float>(random.below(1'000)));
  return {{filling},
          {{"v", Vector(std::move(components))},
           {"text", "filling " + std::to_string(random.below(500))}},
          ""};
}

}  // namespace

Status apply(Transaction& transaction, const CrashOperation& operation, std::size_t writer) {
  for (const CrashChange& change : operation) CAIRN_TRY(apply_change(transaction, change, writer));
  return {};
}

Result<std::uint64_t> count_done(const Snapshot& snapshot, std::size_t writer) {
  CAIRN_ASSIGN(const auto counter, snapshot.find_node(CrashHistory::counter_of(writer)));
  return counter ? static_cast<std::uint64_t>(counter->property("done").as_integer()) : 0;
}

Result<std::uint64_t> count_imported(const Snapshot& snapshot) {
  CAIRN_ASSIGN(const auto counter, snapshot.find_node(CrashImport::counter));
  if (!counter) return std::uint64_t{0};
  const auto file = static_cast<std::uint64_t>(counter->property("files").as_integer());
  std::size_t batches = 0;
  for (; batches < CrashImport::batches_of_file; ++batches) {
    CAIRN_ASSIGN(const auto first, snapshot.find_node(CrashImport::name_of(file, batches, 0)));
    if (!first) break;
  }
  return (file - 1) * CrashImport::operations_of_file + 1 + batches;
}

void pack(const Snapshot& snapshot) {
  constexpr std::uint32_t keys = 9;  // as many properties as histories and files have
  const auto view = Access::view(snapshot);
  for (const bool outgoing : {true, false}) static_cast<void>(view->adjacency(outgoing, {}));
  for (const codec::EntityKind kind : {codec::EntityKind::node, codec::EntityKind::relationship})
    for (std::uint32_t key = 0; key < keys; ++key) static_cast<void>(view->column(kind, key, {}));
}

std::set<std::string> describe(const Snapshot& snapshot) {
  std::set<std::string> lines;
  const auto view = Access::view(snapshot);
  const auto ids = [&](codec::EntityKind kind) {
    return must(view->visible(kind, {})).to_vector();
  };
  std::map<NodeId, std::string> names;
  for (const std::uint64_t id : ids(codec::EntityKind::node)) {
    const Node node = *must(snapshot.find_node(NodeId{id}));
    if (node.has_label(filling)) continue;
    names[node.id()] = node.external_id();
    lines.insert(CrashHistory::describe_node(node.external_id(), node.labels(), node.properties()));
  }
  for (const std::uint64_t id : ids(codec::EntityKind::relationship)) {
    const Relationship one = *must(snapshot.find_relationship(RelationshipId{id}));
    lines.insert(CrashHistory::describe_relationship(names[one.source()], names[one.target()],
                                                     one.property("key").as_integer()));
  }
  for (const IndexDescription& index : must(snapshot.indexes()))
    if (!index.options.contains("automatic") && !index.name.starts_with(filling))
      lines.insert("index " + index.name);
  return lines;
}

// Each commit is a segment of the log of texts, of which 64 are the bound.
void make_nearly_full_indexes(const std::filesystem::path& path) {
  constexpr std::size_t commits = 62, nodes = 132;  // 8,184 vectors of 8,192, see delta_limit()
  Database database = must(Database::open(path));
  {
    Transaction transaction = must(database.begin());
    for (const auto kind : {codec::IndexKind::vector, codec::IndexKind::full_text})
      must(Access::writer(transaction)->create_index(filling_index(kind)));
    must(transaction.commit());
  }
  Random random(5);
  for (std::size_t i = 0; i < commits; ++i) {
    Transaction transaction = must(database.begin());
    for (std::size_t n = 0; n < nodes; ++n) must(transaction.create_node(filling_node(random)));
    must(transaction.commit());
  }
  must(database.close());
}

}  // namespace cairn::test
