// The tool store_memory: stores one or several records in one commit.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

/// The names of this tool, and those of memory.add().
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> names{
    {{"sessionId", "session"},
     {"kind", "kind"},
     {"external_id", "external_id"},
     {"expires_in", "time_to_live"},
     {"expires_at", "expires_at"}}};

/// Gives a member the name that memory.add() has for it. A record with both names stays as it is, and memory.add() refuses it.
void rename(Map& record, std::string_view name, std::string_view as) {
  if (record.contains(as)) return;
  auto member = record.extract(std::string(name));
  if (!member) return;
  member.key() = as;
  record.insert(std::move(member));
}

/// The fields of a record: its own, then those of all records, then the tags of either. memory.add() refuses what is not a map.
Value fields_of(const ToolArguments& arguments, const Map& record) {
  const auto own = record.find("metadata");
  if (own != record.end() && own->second.map() == nullptr) return own->second;
  Map fields = own == record.end() ? Map() : *own->second.map();
  if (const auto tags = record.find("tags"); tags != record.end())
    fields.try_emplace("tags", tags->second);
  if (const Value* shared = arguments.find("metadata"); shared != nullptr && shared->map())
    fields.insert(shared->map()->begin(), shared->map()->end());
  if (const Value* tags = arguments.find("tags")) fields.try_emplace("tags", *tags);
  return fields;
}

/// Returns a record for memory.add(). Arguments besides the list apply to all records that do not have their own.
Map record_of(const ToolArguments& arguments, const Map& given) {
  Map record = given;
  for (const auto& [name, as] : names) {
    rename(record, name, as);
    if (!record.contains(as)) arguments.pass(name, record, as);
  }
  Value fields = fields_of(arguments, record);
  record.erase("tags");
  if (fields.map() == nullptr || !fields.map()->empty())
    record.insert_or_assign("metadata", std::move(fields));
  return record;
}

Result<CalledRows> store(const MemoryCaller& caller, const ToolArguments& arguments,
                         const std::stop_token& stop) {
  const Value* several = arguments.find("memories");
  if (several == nullptr && arguments.text("content").empty())
    return Error{ErrorCode::invalid_argument,
                 "give content, or memories as a list of objects with content", std::nullopt};
  if (several == nullptr) {
    Map request = record_of(arguments, {});
    arguments.pass("content", request);
    // A long text is split, so that its parts can be found.
    return caller.call("CALL memory.remember($request) YIELD id RETURN id", {{"request", request}},
                       stop);
  }
  if (arguments.has("content"))
    return Error{ErrorCode::invalid_argument, "give either content or memories", std::nullopt};
  if (several->list()->empty())
    return Error{ErrorCode::invalid_argument,
                 "memories is an empty list; give objects with content", std::nullopt};
  List records;
  for (const Value& one : *several->list()) {
    if (one.map() == nullptr)
      return Error{ErrorCode::type_error, "each of memories is an object with content",
                   std::nullopt};
    records.push_back(record_of(arguments, *one.map()));
  }
  return caller.call("CALL memory.add($records) YIELD id RETURN id", {{"records", records}}, stop);
}

/// Adds remarks on the lifetimes, each once.
void add_remarks(const ToolArguments& arguments, std::vector<std::string>& remarks) {
  std::vector<std::string> lifetimes{arguments.text("expires_in")};
  if (const Value* several = arguments.find("memories"))
    for (const Value& one : *several->list()) {
      const auto own = one.as_map().find("expires_in");
      if (own != one.as_map().end() && own->second.string() != nullptr)
        lifetimes.push_back(*own->second.string());
    }
  for (const std::string& lifetime : lifetimes)
    if (auto remark = remark_on_age("expires_in", lifetime))
      if (std::ranges::find(remarks, *remark) == remarks.end())
        remarks.push_back(*std::move(remark));
}

/// Says how the memory is changed that has the external id already.
Error with_update(Error error) {
  if (error.code == ErrorCode::already_exists)
    error.message +=
        "; update_memories with that external_id changes this memory, and forget_memories with "
        "action restore shows it if it is hidden";
  return error;
}

Answer<ToolResult> run_store(const MemoryCaller& caller, const json::object& given,
                             Context& context) {
  const auto arguments = ToolArguments::read("store_memory", given);
  if (!arguments) return answer_error(arguments.error());
  const auto made = store(caller, *arguments, context.stop());
  if (!made) return answer_error(with_update(made.error()), *arguments);
  AnswerHead head;
  List ids;
  constexpr std::size_t most_ids = 20;
  for (const auto& row : made->rows)
    if (ids.size() < most_ids) ids.push_back(row.front());
  head.message = "Stored " + std::to_string(made->rows.size()) +
                 (made->rows.size() == 1 ? " memory, id " : " memories, ids ") +
                 Value(ids).to_text();
  head.total = made->rows.size();
  head.metadata = {{"ids", std::move(ids)}};
  head.warnings = made->warnings;
  add_remarks(*arguments, head.warnings);
  return answer_message(std::move(head), arguments->answer());
}

}  // namespace

Tool store_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "store_memory";
  tool.title = "Store a memory";
  tool.description =
      "Keep a fact, decision, task or text for later sessions. One by "
      "content, or several by "
      "memories: [{content, kind, metadata, tags, ...}]. Example: {\"content\": \"Ada prefers "
      "tea\", "
      "\"metadata\": {\"user\": \"ada\"}, \"tags\": [\"taste\"]}";
  tool.input_schema = input_schema(
      R"("content":{"type":"string"},"memories":{"type":"array","items":{"type":"object"}},)"
      R"("kind":{"type":"string","description":"note (default), decision, task, insight, ..."},)"
      R"("metadata":{"type":"object"},"tags":{"type":"array","items":{"type":"string"}},)"
      R"("external_id":{"type":"string","description":"Unique name of your own"},)"
      R"("sessionId":{"type":"string"},"expires_in":{"type":"string","description":"30d; min, h, d, w, mo, y"},"expires_at":{"type":"string"})");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = false, .destructive = false, .idempotent = false, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_store(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
