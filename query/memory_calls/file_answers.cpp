// Answers of memory.file() and memory.view_file().

#include "query/memory_calls/answers.hpp"
#include "query/memory_calls/request_reader.hpp"
#include "query/memory_files/file_commands.hpp"
#include "query/memory_files/file_records.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::size_t least_tokens = 200;
constexpr std::size_t most_tokens = 50'000;

Error request_error(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

// view_range: two integers.
Status read_range(RequestReader& reader, std::optional<LineRange>& range) {
  const Value* given = reader.find("view_range");
  if (given == nullptr) return {};
  const List* numbers = given->list();
  if (numbers == nullptr || numbers->size() != 2 ||
      (*numbers)[0].get_if<std::int64_t>() == nullptr ||
      (*numbers)[1].get_if<std::int64_t>() == nullptr)
    return request_error(
        "view_range must be [first line, last line], such as [1, 20]; -1 is the last line of the "
        "file");
  range = LineRange{(*numbers)[0].as_integer(), (*numbers)[1].as_integer()};
  return {};
}

// Reads all members; which of them a command needs is checked later.
Result<FileRequest> read_request(RequestReader& reader) {
  FileRequest request;
  reader.read("path", request.path);
  CAIRN_TRY(read_range(reader, request.view_range));
  reader.read_count("max_tokens", request.max_tokens);
  reader.read("file_text", request.file_text);
  reader.read("old_str", request.old_str);
  reader.read("new_str", request.new_str);
  if (reader.find("insert_line") != nullptr)
    reader.read_integer("insert_line", request.insert_line.emplace());
  reader.read("insert_text", request.insert_text);
  reader.read("old_path", request.old_path);
  reader.read("new_path", request.new_path);
  CAIRN_TRY(reader.check());
  if (request.max_tokens < least_tokens || request.max_tokens > most_tokens)
    return request_error("max_tokens must be between 200 and 50000, got " +
                         std::to_string(request.max_tokens));
  return request;
}

/// Runs the command of a request. `command` is the default; with `only_that` no other command is allowed.
Result<MemoryAnswer> answer_command(memory::Memory& memory, const MemoryCall& call,
                                    std::string_view procedure, std::string command,
                                    bool only_that) {
  CAIRN_ASSIGN(const Map map, request_map(procedure, call.arguments));
  RequestReader reader(procedure, map);
  const std::string usual = command;
  reader.read("command", command);
  CAIRN_ASSIGN(const FileRequest request, read_request(reader));
  if (only_that && command != usual)
    return request_error(std::string(procedure) + " only views, got the command \"" + command +
                         "\"; memory.file() has the other commands");
  FileRecords records(memory, call);
  CAIRN_ASSIGN(std::string text, run_file_command(command, request, records));
  MemoryAnswer answer;
  answer.rows.push_back({Value(std::move(text))});
  answer.changes = records.changes();
  return answer;
}

}  // namespace

Result<MemoryAnswer> answer_file(memory::Memory& memory, const MemoryCall& call) {
  return answer_command(memory, call, "memory.file()", "", false);
}

Result<MemoryAnswer> answer_view_file(memory::Memory& memory, const MemoryCall& call) {
  return answer_command(memory, call, "memory.view_file()", "view", true);
}

}  // namespace cairn::query
