// The only place that builds statement texts. Input of callers enters as a parameter or in back quotes. Each condition is
// put in brackets on its own lines.
#include "query/memory/statements.hpp"

#include <cairn/filter.hpp>

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::string_view metadata_prefix = "metadata.";

// The keys of a path; a text that is not a path is one key.
std::vector<std::string> keys_of(std::string_view path) {
  const std::string own = without_metadata(path);
  return path_keys(own).value_or(std::vector<std::string>{own});
}

std::size_t bytes_of(const Value& value);

std::size_t bytes_of(const Properties& properties) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : properties)
    bytes += sizeof(std::pair<std::string, Value>) + name.size() + bytes_of(value);
  return bytes;
}

/// About the memory of a value's content. Numbers take none, so that a list of ids may have any length.
std::size_t bytes_of(const Value& value) {
  if (value.string() != nullptr) return value.string()->size();
  if (value.map() != nullptr) return bytes_of(*value.map());
  if (const Vector* vector = value.get_if<Vector>())
    return vector->components().size() * sizeof(float);
  if (const Node* node = value.get_if<Node>()) return bytes_of(node->properties());
  if (value.list() == nullptr) return 0;
  std::size_t bytes = 0;
  for (const Value& item : *value.list()) bytes += sizeof(Value) + bytes_of(item);
  return bytes;
}

Error rows_over(std::size_t limit) {
  return {ErrorCode::resource_limit,
          "the records that a memory call reads exceed its limit of " + std::to_string(limit) +
              " bytes of memory; read pages with a smaller `limit`, or raise "
              "StatementOptions::memory_bytes (--memory)",
          {}};
}

}  // namespace

Result<std::optional<Node>> Source::find_node(NodeId id) const {
  return snapshot_ != nullptr ? snapshot_->find_node(id) : transaction_->find_node(id);
}

Result<std::optional<SystemFields>> Source::system_fields(NodeId id) const {
  return snapshot_ != nullptr ? cairn::system_fields(*snapshot_, id)
                              : cairn::system_fields(*transaction_, id);
}

Result<Rows> Source::run(const Statement& statement, const Parameters& parameters,
                         const StatementOptions& options) const {
  return snapshot_ != nullptr ? statement.run(*snapshot_, parameters, options)
                              : statement.run(*transaction_, parameters, options);
}

// Parses without holding the lock. Two threads may parse the same text; the cache then holds it twice for a while.
Result<std::shared_ptr<const Statement>> StatementCache::find(std::string_view text) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(statements_, text, &Entry::first);
    if (known != statements_.end()) {
      statements_.splice(statements_.begin(), statements_, known);
      return known->second;
    }
  }
  CAIRN_ASSIGN(Statement parsed, Statement::parse(text));
  auto statement = std::make_shared<const Statement>(std::move(parsed));
  const std::lock_guard lock(mutex_);
  statements_.emplace_front(text, statement);
  if (statements_.size() > most) statements_.pop_back();
  return statement;
}

// All rows are held in memory: a list of ids or one page. A statement on a snapshot does not count rows that its caller
// keeps, so they are counted here.
Result<Table> run_statement(const Source& source, StatementCache& cache, std::string_view text,
                            const Parameters& parameters, const StatementOptions& options) {
  CAIRN_ASSIGN(const auto statement, cache.find(text));
  CAIRN_ASSIGN(Rows rows, source.run(*statement, parameters, options));
  Table table;
  std::size_t bytes = 0;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) break;
    for (const Value& value : *row) bytes += bytes_of(value);
    if (bytes > options.memory_bytes) return rows_over(options.memory_bytes);
    table.rows.emplace_back(row->begin(), row->end());
  }
  table.warnings = rows.warnings();
  return table;
}

std::string without_metadata(std::string_view path) {
  if (path.starts_with(metadata_prefix)) path.remove_prefix(metadata_prefix.size());
  return std::string(path);
}

Result<std::vector<std::string>> field_keys(std::string_view path) {
  if (path.empty()) return std::vector<std::string>();
  return path_keys(without_metadata(path));
}

// Names are always in back quotes, and a back quote within them is doubled, so that no name can break out.
std::string quoted_name(std::string_view name) {
  std::string text = "`";
  for (const char sign : name) text += sign == '`' ? "``" : std::string(1, sign);
  return text += '`';
}

// m.`a`.`b`. This is an error for a record whose `a` is not a map; safe_property_text() returns null there.
std::string property_text(std::string_view path) {
  std::string text = "m";
  for (const std::string& key : keys_of(path)) text += '.' + quoted_name(key);
  return text;
}

// A path that gives null, where m.a.b would be an error because m.a is a number. Each step reads a key only from a map,
// through a list that is empty otherwise:
//    head([x IN [m.a] WHERE valueType(x) STARTS WITH 'MAP' | x.b])
std::string safe_property_text(std::string_view path) {
  const std::vector<std::string> keys = keys_of(path);
  std::string text = "m." + quoted_name(keys.front());
  for (std::size_t i = 1; i < keys.size(); ++i)
    text = "head([x IN [" + text + "] WHERE valueType(x) STARTS WITH 'MAP' | x." +
           quoted_name(keys[i]) + "])";
  return text;
}

// Values become parameters, so that nothing from a caller is parsed.
std::string Conditions::parameter(Value value) {
  std::string name = "_" + std::to_string(parameters_.size());
  parameters_.emplace(name, std::move(value));
  return "$" + name;
}

void Conditions::add(std::string_view text, const Parameters& parameters) {
  if (text.empty()) return;
  text_ += text_.empty() ? "(" : " AND (";
  // The line end ends a comment in the caller's text, which would otherwise hide the bracket.
  (text_ += text) += "\n)";
  parameters_.insert(parameters.begin(), parameters.end());
}

void Conditions::compare(std::string_view path, std::string_view comparison, Value value) {
  add(property_text(path) + ' ' + std::string(comparison) + ' ' + parameter(std::move(value)));
}

void Conditions::equals(std::string_view path, Value value) {
  add("filter.equals(" + property_text(path) + ", " + parameter(std::move(value)) + ')');
}

// An id without a version matches all versions.
void Conditions::equals(std::string_view path, const memory::StructuredId& id) {
  const std::string base(path);
  equals(base + ".namespace", id.name_space);
  equals(base + ".type", id.type);
  equals(base + ".id", id.id);
  if (id.version) equals(base + ".version", *id.version);
}

void Conditions::has_element(std::string_view path, Value value) {
  add("filter.contains(" + property_text(path) + ", " + parameter(std::move(value)) + ')');
}

std::string Conditions::where() const { return text_.empty() ? "" : " WHERE " + text_; }

}  // namespace cairn::query
