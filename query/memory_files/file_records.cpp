// Reads files by statements on a fresh snapshot. Files are changed through the memory calls; directories are plain nodes
// and are changed by statements.
#include "query/memory_files/file_records.hpp"

#include "query/memory_files/file_path.hpp"

#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>

#include <utility>

namespace cairn::query {
namespace {

// An empty string for a value that is not a string.
std::string text_or_empty(const Value& value) {
  return value.string() == nullptr ? std::string() : *value.string();
}

// The order of records with one path. Edits and renames leave created_at, so they do not change the order.
constexpr std::string_view newest_first =
    "m@namespace = $own DESC, coalesce(m.created_at, '') DESC, id(m) DESC";

NodeId node_of(std::int64_t id) { return NodeId{static_cast<std::uint64_t>(id)}; }

}  // namespace

// Runs a statement on a new snapshot, so that it sees every change made so far.
Result<FileRecords::Table> FileRecords::read(std::string_view statement,
                                             const Parameters& parameters) const {
  CAIRN_ASSIGN(const Statement parsed, Statement::parse(statement));
  CAIRN_ASSIGN(const Snapshot snapshot, call_.database.snapshot());
  CAIRN_ASSIGN(Rows rows, parsed.run(snapshot, parameters, call_.limits));
  return rows.all();
}

// Runs a writing statement in its own transaction and adds its counters to the changes of this object.
Status FileRecords::write(std::string_view statement, const Parameters& parameters) {
  CAIRN_ASSIGN(const Statement parsed, Statement::parse(statement));
  CAIRN_ASSIGN(Rows rows, parsed.run(call_.database, parameters, call_.limits));
  CAIRN_TRY(rows.all());
  const Changes made = rows.changes();
  changes_.nodes_created += made.nodes_created;
  changes_.nodes_deleted += made.nodes_deleted;
  changes_.properties_set += made.properties_set;
  changes_.labels_added += made.labels_added;
  return {};
}

Result<FilesOfPath> FileRecords::find_all(const std::string& path) const {
  CAIRN_ASSIGN(const Table rows, read("MATCH (m:Memory&Document) WHERE m.file_path = $path "
                                      "RETURN id(m), m@namespace = $own ORDER BY " +
                                          std::string(newest_first),
                                      {{"path", path}, {"own", call_.limits.name_space}}));
  FilesOfPath files;
  files.are_own = !rows.empty() && rows.front()[1] == Value(true);
  for (const auto& row : rows)
    if (row[1] == rows.front()[1]) files.ids.push_back(row[0].as_integer());
  return files;
}

// The text is read after LIMIT, so that those of older files are not.
Result<std::optional<MemoryFile>> FileRecords::find(const std::string& path) const {
  CAIRN_ASSIGN(const Table rows,
               read("MATCH (m:Memory&Document) WHERE m.file_path = $path "
                    "WITH m ORDER BY " +
                        std::string(newest_first) + " LIMIT 1 RETURN id(m), m.content",
                    {{"path", path}, {"own", call_.limits.name_space}}));
  if (rows.empty()) return std::optional<MemoryFile>();
  return std::optional(MemoryFile{rows[0][0].as_integer(), text_or_empty(rows[0][1])});
}

// "/" is appended so that "/a" does not match "/ab".
Result<std::vector<ListedFile>> FileRecords::list(const std::string& directory) const {
  CAIRN_ASSIGN(const Table rows,
               read("MATCH (m:Memory&Document) WHERE m.file_path STARTS WITH $beneath "
                    "RETURN id(m), m.file_path ORDER BY m.file_path, " +
                        std::string(newest_first),
                    {{"beneath", directory + "/"}, {"own", call_.limits.name_space}}));
  std::vector<ListedFile> files;
  for (const auto& row : rows) files.push_back({row[0].as_integer(), row[1].as_string()});
  return files;
}

// The records are sorted before their texts are read, so that the sort holds none.
Result<std::vector<SizedFile>> FileRecords::sizes(const std::string& directory) const {
  CAIRN_ASSIGN(const Statement parsed,
               Statement::parse("MATCH (m:Memory&Document) WHERE m.file_path STARTS WITH $beneath "
                                "WITH m, m.file_path AS path ORDER BY path, " +
                                std::string(newest_first) + " RETURN path, m.content"));
  CAIRN_ASSIGN(const Snapshot snapshot, call_.database.snapshot());
  CAIRN_ASSIGN(
      Rows rows,
      parsed.run(snapshot, {{"beneath", directory + "/"}, {"own", call_.limits.name_space}},
                 call_.limits));
  std::vector<SizedFile> files;
  for (const Result<Row>& row : rows) {
    CAIRN_TRY(row);
    const std::string& path = (*row)[0].as_string();
    if (files.empty() || files.back().path != path)
      files.push_back({path, text_or_empty((*row)[1]).size()});
  }
  return files;
}

Result<std::vector<std::string>> FileRecords::directories(const std::string& directory) const {
  CAIRN_ASSIGN(const Table rows, read("MATCH (d:MemoryDirectory) WHERE d.path STARTS WITH $beneath "
                                      "RETURN d.path ORDER BY d.path",
                                      {{"beneath", directory + "/"}}));
  std::vector<std::string> paths;
  for (const auto& row : rows) paths.push_back(text_or_empty(row[0]));
  return paths;
}

// A directory exists if it has a node or if a file is below it.
Result<bool> FileRecords::has_directory(const std::string& path) const {
  if (path == memory_root) return true;
  CAIRN_ASSIGN(const Table made,
               read("MATCH (d:MemoryDirectory) WHERE d.path = $path RETURN id(d) LIMIT 1",
                    {{"path", path}}));
  if (!made.empty()) return true;
  CAIRN_ASSIGN(const Table files,
               read("MATCH (m:Memory&Document) WHERE m.file_path STARTS WITH $beneath "
                    "RETURN id(m) LIMIT 1",
                    {{"beneath", path + "/"}}));
  return !files.empty();
}

// The counters follow what one memory call does: a node with two labels.
Status FileRecords::add(const std::string& path, const std::string& text) {
  CAIRN_TRY(make_parents(path));
  memory::NewRecord record;
  record.kind = "document";
  record.content = text;
  record.metadata = {{"file_path", path}, {"schemaVersion", memory::current_schema_version}};
  CAIRN_TRY(memory_.add(record));
  changes_.nodes_created += 1;
  changes_.labels_added += 2;
  return {};
}

// The previous text goes to the record's history.
Status FileRecords::set_text(std::int64_t id, const std::string& text) {
  memory::Update update;
  update.content = text;
  update.keep_earlier = true;
  CAIRN_TRY(memory_.update(node_of(id), update));
  changes_.properties_set += 1;
  return {};
}

Status FileRecords::move(const ListedFile& file, const std::string& path) {
  memory::Update update;
  update.changes = {{"file_path", path}};
  CAIRN_TRY(memory_.update(node_of(file.id), update));
  changes_.properties_set += 1;
  return {};
}

Status FileRecords::hide(std::int64_t id) {
  CAIRN_TRY(memory_.remove(node_of(id)));
  changes_.properties_set += 1;
  return {};
}

Status FileRecords::make_parents(std::string_view path) {
  for (std::string_view parent = parent_of(path); parent.size() > memory_root.size();
       parent = parent_of(parent))
    CAIRN_TRY(write("MERGE (:MemoryDirectory {path: $path})", {{"path", std::string(parent)}}));
  return {};
}

Status FileRecords::move_directories(const std::string& from, const std::string& to) {
  return write(
      "MATCH (d:MemoryDirectory) WHERE d.path = $from OR d.path STARTS WITH $from + '/' "
      "SET d.path = $to + substring(d.path, size($from))",
      {{"from", from}, {"to", to}});
}

Status FileRecords::remove_directories(const std::string& path) {
  return write(
      "MATCH (d:MemoryDirectory) WHERE d.path = $path OR d.path STARTS WITH $path + '/' "
      "DETACH DELETE d",
      {{"path", path}});
}

}  // namespace cairn::query
