// Answers of memory.add(), remember(), find(), recall(), search() and list().
//
// Each function reads the arguments, makes one call of cairn::memory::Memory and turns its result into rows.

#include "query/memory_calls/answers.hpp"

#include "query/memory_calls/read_requests.hpp"
#include "query/memory_calls/record_arguments.hpp"
#include "query/memory_calls/results.hpp"

#include <array>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using memory::Memory;

// Memory, and the label of the kind.
constexpr std::uint64_t labels_of_a_record = 2;

// The changes of a call that creates records.
Changes created(std::uint64_t records) {
  Changes changes;
  changes.nodes_created = records;
  changes.labels_added = labels_of_a_record * records;
  return changes;
}

// Indexed by memory::RecallStage.
constexpr std::array<std::string_view, 3> stages = {"asked", "without_minimum", "keywords"};

// A page is one row: its records, the total, and whether there are more.
MemoryAnswer page_answer(memory::Page page) {
  MemoryAnswer answer;
  answer.warnings = std::move(page.warnings);
  answer.rows.push_back(page_row(std::move(page)));
  return answer;
}

}  // namespace

// Only memory.add() has the option `mode`.
Result<memory::SchemaMode> schema_mode(const MemoryCall& call) {
  constexpr std::array<std::string_view, 3> modes = {"strict", "warn", "open"};
  if (call.procedure != MemoryProcedure::add) return memory::SchemaMode::warn;
  CAIRN_ASSIGN(const Map options, request_map("memory.add()", call.arguments, 1));
  auto mode = static_cast<std::size_t>(memory::SchemaMode::warn);
  RequestReader reader("memory.add()", options);
  reader.read_word("mode", modes, mode);
  CAIRN_TRY(reader.check());
  return static_cast<memory::SchemaMode>(mode);
}

// One row for each record: its id and its external id. An empty list adds nothing.
Result<MemoryAnswer> answer_add(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const auto records, read_new_records("memory.add()", call.arguments[0]));
  MemoryAnswer answer;
  if (records.empty()) return answer;
  CAIRN_ASSIGN(memory::Added added, memory.add(records));
  for (std::size_t i = 0; i < added.ids.size(); ++i) {
    const std::string& external = records[i].external_id;
    answer.rows.push_back(
        {count_value(added.ids[i].value), external.empty() ? Value() : Value(external)});
  }
  answer.warnings = std::move(added.warnings);
  answer.changes = created(added.ids.size());
  return answer;
}

// One row: the ids of the text, its chunks and its nodes.
Result<MemoryAnswer> answer_remember(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.remember()", call.arguments));
  CAIRN_ASSIGN(const RememberRequest request, read_remember(map));
  CAIRN_ASSIGN(memory::Remembered made,
               memory.remember(request.content, request.metadata, request.options));
  MemoryAnswer answer;
  answer.rows.push_back(
      {count_value(made.id.value), ids_value(made.chunks), ids_value(made.nodes)});
  answer.warnings = std::move(made.warnings);
  answer.changes = created(1 + made.chunks.size() + made.nodes.size());
  return answer;
}

// One row with the record, or none.
Result<MemoryAnswer> answer_find(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.find()", call.arguments));
  RequestReader reader("memory.find()", map);
  memory::FindOptions options;
  reader.read("include_deleted", options.include_deleted);
  CAIRN_ASSIGN(const RecordName name, read_one_name(reader));
  CAIRN_ASSIGN(const auto record, find_named(memory, name, options));
  MemoryAnswer answer;
  if (record) answer.rows.push_back({record_value(*record)});
  return answer;
}

// One row for each hit: id, record, score, stage, explanation, relationships, passage and left_out.
Result<MemoryAnswer> answer_recall(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.recall()", call.arguments));
  CAIRN_ASSIGN(const memory::RecallRequest request, recall_request(map));
  if (request.query.empty() && request.vector.empty())
    return Error{ErrorCode::invalid_argument,
                 "memory.recall() needs `query`, a question as text, or `vector`; memory.search() "
                 "finds records by conditions alone",
                 std::nullopt};
  CAIRN_ASSIGN(memory::RecallResult found, memory.recall(request));
  MemoryAnswer answer;
  const Value stage(stages[static_cast<std::size_t>(found.stage)]);
  for (Hit& hit : found.hits) {
    answer.rows.push_back({count_value(hit.id), record_value(memory::record_of(hit)),
                           Value(hit.score), stage, breakdown_value(hit),
                           List(hit.relationships.begin(), hit.relationships.end()),
                           records_value(hit.passage_nodes), count_value(hit.left_out)});
    hit = {};  // the records are in memory once
  }
  answer.warnings = std::move(found.warnings);
  return answer;
}

Result<MemoryAnswer> answer_search(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.search()", call.arguments));
  CAIRN_ASSIGN(const memory::SearchRequest request, search_request("memory.search()", map));
  CAIRN_ASSIGN(memory::Page page, memory.search(request));
  return page_answer(std::move(page));
}

namespace {

// Indexed by the cases of answer_list().
constexpr std::array<std::string_view, 6> lists = {
    "messages", "cognitive_processes", "documents", "tasks", "episodes", "insights"};

// Runs one of the searches with named criteria, which take a search request as well.
template <class Criteria>
Result<MemoryAnswer> list_by(Memory& memory, RequestReader& reader,
                             Result<memory::Page> (Memory::*search)(const Criteria&,
                                                                    const memory::SearchRequest&)
                                 const) {
  Criteria criteria;
  memory::SearchRequest more;
  read_criteria(reader, criteria);
  read_search(reader, more);
  CAIRN_TRY(reader.check());
  CAIRN_ASSIGN(memory::Page page, (memory.*search)(criteria, more));
  return page_answer(std::move(page));
}

// Runs one of the lists whose members are all of their own.
template <class Request>
Result<MemoryAnswer> list_newest(Memory& memory, RequestReader& reader,
                                 Result<memory::Page> (Memory::*list)(const Request&) const) {
  Request request;
  read_list(reader, request);
  CAIRN_TRY(reader.check());
  CAIRN_ASSIGN(memory::Page page, (memory.*list)(request));
  return page_answer(std::move(page));
}

}  // namespace

// `of` selects the list and so determines which other members the request may have.
Result<MemoryAnswer> answer_list(Memory& memory, const MemoryCall& call) {
  CAIRN_ASSIGN(const Map map, request_map("memory.list()", call.arguments));
  RequestReader reader("memory.list()", map);
  std::size_t of = lists.size();
  reader.read_word("of", lists, of);
  switch (of) {
    case 0:
      return list_by(memory, reader, &Memory::search_messages);
    case 1:
      return list_by(memory, reader, &Memory::search_cognitive_processes);
    case 2:
      return list_by(memory, reader, &Memory::search_documents);
    case 3:
      return list_by(memory, reader, &Memory::search_tasks);
    case 4:
      return list_newest(memory, reader, &Memory::list_episodes);
    case 5:
      return list_newest(memory, reader, &Memory::list_insights);
    default:
      break;
  }
  if (reader.find("of") != nullptr) CAIRN_TRY(reader.check());
  return Error{
      ErrorCode::invalid_argument,
      "memory.list() needs `of`: messages, cognitive_processes, documents, tasks, episodes "
      "or insights; memory.search() finds records of any kind",
      std::nullopt};
}

}  // namespace cairn::query
