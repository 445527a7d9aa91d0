#include "tools/mcp/files/file_records.hpp"

#include "tools/mcp/files/file_path.hpp"

#include <utility>

namespace cairn::tools::mcp {

Result<std::optional<MemoryFile>> FileRecords::find(const std::string& path) const {
  CAIRN_ASSIGN(const CalledRows called,
               caller_.call_in(transaction_,
                               "MATCH (m:Memory&Document) WHERE m.file_path = $path "
                               "RETURN id(m), m.content ORDER BY id(m) LIMIT 1",
                               {{"path", path}}, stop_));
  if (called.rows.empty()) return std::optional<MemoryFile>();
  const std::string* text = called.rows[0][1].string();
  return std::optional(
      MemoryFile{called.rows[0][0].as_integer(), path, text == nullptr ? std::string() : *text});
}

Result<std::vector<ListedFile>> FileRecords::list(const std::string& directory) const {
  CAIRN_ASSIGN(const CalledRows called,
               caller_.call_in(transaction_,
                               "MATCH (m:Memory&Document) WHERE m.file_path STARTS WITH $beneath "
                               "RETURN id(m), m.file_path, m.content ORDER BY m.file_path",
                               {{"beneath", directory + "/"}}, stop_));
  std::vector<ListedFile> files;
  for (const auto& row : called.rows) {
    const std::string* text = row[2].string();
    files.push_back({row[0].as_integer(), row[1].as_string(), text == nullptr ? 0 : text->size()});
  }
  return files;
}

Result<bool> FileRecords::has_directory(const std::string& path) const {
  if (path == memory_root) return true;
  CAIRN_ASSIGN(const CalledRows called,
               caller_.call_in(transaction_,
                               "MATCH (m:Memory&Document) WHERE m.file_path STARTS WITH $beneath "
                               "RETURN id(m) LIMIT 1",
                               {{"beneath", path + "/"}}, stop_));
  return !called.rows.empty();
}

Status FileRecords::add(const std::string& path, const std::string& text) {
  const Map record{{"kind", "document"}, {"content", text}, {"metadata", Map{{"file_path", path}}}};
  return change("CALL memory.add([$record]) YIELD id RETURN id", {{"record", record}});
}

Status FileRecords::set_text(std::int64_t id, const std::string& text) {
  return change("CALL memory.update($request) YIELD matched RETURN matched",
                {{"request", Map{{"id", id}, {"content", text}}}});
}

Status FileRecords::set_path(std::int64_t id, const std::string& path) {
  return change("CALL memory.update($request) YIELD matched RETURN matched",
                {{"request", Map{{"id", id}, {"changes", Map{{"file_path", path}}}}}});
}

Status FileRecords::hide(std::int64_t id) {
  return change("CALL memory.forget($request) YIELD forgotten RETURN forgotten",
                {{"request", Map{{"id", id}}}});
}

Status FileRecords::change(std::string_view statement, const Parameters& parameters) {
  const auto called = caller_.call_in(transaction_, statement, parameters, stop_);
  return called ? Status() : Status(called.error());
}

}  // namespace cairn::tools::mcp
