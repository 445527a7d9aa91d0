#include "tests/engine/crash_import.hpp"

#include "tests/engine/crash_history.hpp"
#include "tests/model/random.hpp"

#include <cairn/value.hpp>

#include <utility>
#include <vector>

namespace cairn::test {
namespace {

constexpr const char* labels = R"(["Imported","N"])";

struct FileNode {
  std::string name;
  std::int64_t number = 0;
  std::string text;
};

/// A relationship from a node to the node before it, which may be in another batch. The first node of a file has a
/// relationship to itself.
struct FileRelationship {
  std::string source;
  std::string target;
  std::int64_t key = 0;
};

struct FileBatch {
  std::vector<FileNode> nodes;
  std::vector<FileRelationship> relationships;
};

FileBatch batch_of(std::uint64_t seed, std::uint64_t file, std::size_t batch) {
  constexpr std::size_t nodes = CrashImport::nodes_of_batch;
  const std::uint64_t number = file * CrashImport::batches_of_file + batch;
  Random random(seed * 1'000'003 + number);
  FileBatch made;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::string name = CrashImport::name_of(file, batch, i);
    const bool is_first = batch == 0 && i == 0;
    const std::string before = is_first ? name
                               : i > 0  ? made.nodes.back().name
                                        : CrashImport::name_of(file, batch - 1, nodes - 1);
    made.nodes.push_back({name, static_cast<std::int64_t>(random.below(20)),
                          "imported tea " + std::to_string(random.below(50))});
    made.relationships.push_back({name, before, static_cast<std::int64_t>(number * nodes + i)});
  }
  return made;
}

std::string line_of(const FileNode& node, std::uint64_t file) {
  return R"({"type":"node","id":")" + node.name + R"(","labels":)" + labels + R"(,"externalId":")" +
         node.name + R"(","properties":{"file":)" + std::to_string(file) + R"(,"number":)" +
         std::to_string(node.number) + R"(,"text":")" + node.text + "\"}}\n";
}

std::string line_of(const FileRelationship& one) {
  return R"({"type":"relationship","id":")" + std::to_string(one.key) +
         R"(","label":"NEXT","start":{"id":")" + one.source + R"("},"end":{"id":")" + one.target +
         R"("},"properties":{"key":)" + std::to_string(one.key) + "}}\n";
}

void describe_batch(const FileBatch& batch, std::uint64_t file, std::set<std::string>& lines) {
  for (const FileNode& node : batch.nodes)
    lines.insert(CrashHistory::describe_node(
        node.name, {CrashImport::label, "N"},
        {{"file", static_cast<std::int64_t>(file)}, {"number", node.number}, {"text", node.text}}));
  for (const FileRelationship& one : batch.relationships)
    lines.insert(CrashHistory::describe_relationship(one.source, one.target, one.key));
}

}  // namespace

std::string CrashImport::name_of(std::uint64_t file, std::size_t batch, std::size_t node) {
  return "file-" + std::to_string(file) + "-" + std::to_string(batch) + "-" + std::to_string(node);
}

std::string CrashImport::lines_of(std::uint64_t file) const {
  std::string lines;
  for (std::size_t i = 0; i < batches_of_file; ++i) {
    const FileBatch batch = batch_of(seed_, file, i);
    for (std::size_t n = 0; n < nodes_of_batch; ++n)
      lines += line_of(batch.nodes[n], file) + line_of(batch.relationships[n]);
  }
  return lines;
}

void CrashImport::describe(std::uint64_t operations, std::set<std::string>& lines) const {
  if (operations == 0) return;
  const std::uint64_t file = 1 + (operations - 1) / operations_of_file;
  const std::size_t batches = (operations - 1) % operations_of_file;
  lines.insert(
      CrashHistory::describe_node(counter, {}, {{"files", static_cast<std::int64_t>(file)}}));
  for (std::size_t i = 0; i < batches; ++i) describe_batch(batch_of(seed_, file, i), file, lines);
}

}  // namespace cairn::test
