// Imports the file memory.jsonl of the knowledge-graph server in one transaction, a few hundred
// records per statement.
#include "tools/mcp/graph/graph_json.hpp"
#include "tools/mcp/graph/graph_records.hpp"
#include "tools/mcp/graph/graph_tools.hpp"

#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t batch_records = 500;

struct GraphFile {
  std::vector<GraphEntity> entities;
  std::vector<GraphRelation> relations;
};

Status read_line(const std::string& line, const std::string& place, GraphFile& read) {
  boost::system::error_code problem;
  const json::value value = json::parse(line, problem);
  const json::object* object = problem ? nullptr : value.if_object();
  if (object == nullptr)
    return Error{ErrorCode::invalid_argument, place + " is not a JSON object", std::nullopt};
  const json::value* type = object->if_contains("type");
  if (type != nullptr && *type == json::value("entity")) {
    CAIRN_ASSIGN(GraphEntity entity, read_entity(*object, place + ": entity"));
    read.entities.push_back(std::move(entity));
  } else if (type != nullptr && *type == json::value("relation")) {
    CAIRN_ASSIGN(GraphRelation relation, read_relation(*object, place + ": relation"));
    read.relations.push_back(std::move(relation));
  }
  return {};
}

Result<GraphFile> read_file(const std::string& file) {
  std::ifstream input(file);
  GraphFile read;
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    CAIRN_TRY(read_line(line, "line " + std::to_string(number) + " of " + file, read));
  }
  if (!input.eof())
    return Error{ErrorCode::io_error,
                 "cannot read " + file +
                     "; --import takes the memory.jsonl of "
                     "the knowledge-graph server",
                 std::nullopt};
  return read;
}

/// Adds records in batches, so that no statement becomes too large.
template <class Element>
Status add_all(GraphRecords& records, const std::vector<Element>& elements) {
  for (auto first = elements.begin(); first != elements.end();) {
    const auto left = static_cast<std::size_t>(elements.end() - first);
    const auto end = first + static_cast<std::ptrdiff_t>(std::min(left, batch_records));
    CAIRN_TRY(records.add(std::vector<Element>(first, end)));
    first = end;
  }
  return {};
}

}  // namespace

Status check_graph_file(const std::string& file) {
  CAIRN_TRY(read_file(file));
  return {};
}

Result<GraphImport> import_graph(const MemoryCaller& caller, const std::string& file) {
  CAIRN_ASSIGN(Transaction transaction, caller.database().begin(TransactionMode::write));
  GraphRecords records(caller, transaction, {});
  GraphImport done;
  CAIRN_ASSIGN(done.was_done_before, records.is_used());
  if (done.was_done_before) return done;
  CAIRN_ASSIGN(const GraphFile read, read_file(file));
  CAIRN_TRY(add_all(records, read.entities));
  CAIRN_TRY(add_all(records, read.relations));
  CAIRN_TRY(transaction.commit());
  done.entities = read.entities.size();
  done.relations = read.relations.size();
  return done;
}

}  // namespace cairn::tools::mcp
