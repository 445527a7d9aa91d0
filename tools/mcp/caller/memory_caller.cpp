// Runs the statements of the tools with the server's namespace, role and limits.
#include "tools/mcp/caller/memory_caller.hpp"

#include "tools/mcp/caller/token_budget.hpp"

#include <cairn/transaction.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::tools::mcp {

std::vector<std::string> with_others(std::vector<std::string> names,
                                     const std::vector<std::string>& others) {
  for (const std::string& name : others)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::string MemoryCaller::origin() const {
  const std::string own = settings_.name_space.empty()
                              ? "the default namespace"
                              : "namespace " + as_data_line(settings_.name_space);
  std::string others;
  for (const std::string& name : settings_.also_read)
    others += (others.empty() ? " and those that it reads, " : ", ") +
              (name.empty() ? std::string("the default one") : as_data_line(name));
  return own + others + (others.empty() ? " of this database" : ", of this database");
}

// A tool has no access to files. A server of one namespace must not reveal the names of others.
StatementOptions MemoryCaller::options(const std::stop_token& stop) const {
  StatementOptions options;
  options.timeout = settings_.timeout;
  options.name_space = settings_.name_space;
  options.cancel = stop;
  options.use_files = false;
  options.listed_name_spaces = settings_.name_spaces;
  options.also_read = settings_.also_read;
  options.author = settings_.author;
  options.caller = settings_.caller;
  return options;
}

Status MemoryCaller::check_role(const Statement& statement) const {
  const Role least = statement.is_writing() ? Role::write : Role::read;
  const Role needed = std::max(least, statement.needed_role());
  if (settings_.may(needed)) return {};
  const std::string role(to_string(needed));
  return Error{ErrorCode::unsupported,
               settings_.read_only
                   ? "this needs the role " + role + ", and this server only reads"
                   : "this needs the role " + role + ", and the token has the role " +
                         std::string(to_string(settings_.role)) +
                         "; use a token that has it: cairn token create DB NAME --role " + role,
               std::nullopt};
}

Result<CalledRows> MemoryCaller::call(std::string_view text, const Parameters& parameters,
                                      const std::stop_token& stop) const {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text, database_));
  CAIRN_TRY(check_role(statement));
  CAIRN_ASSIGN(Rows rows, statement.run(database_, parameters, options(stop)));
  return read_rows(std::move(rows), 0);
}

Result<CalledRows> MemoryCaller::call_if(
    std::string_view text, const Parameters& parameters, const std::stop_token& stop,
    const std::function<bool(const CalledRows&)>& agrees) const {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text, database_));
  CAIRN_TRY(check_role(statement));
  CAIRN_ASSIGN(Transaction transaction, database_.begin(TransactionMode::write));
  CAIRN_ASSIGN(Rows rows, statement.run(transaction, parameters, options(stop)));
  CAIRN_ASSIGN(CalledRows called, read_rows(std::move(rows), 0));
  if (!agrees(called))
    return Error{ErrorCode::conflict,
                 "nothing was done, because the selected memories have changed meanwhile; try "
                 "again with dry_run",
                 std::nullopt};
  CAIRN_TRY(transaction.commit());
  return called;
}

Result<CalledRows> MemoryCaller::try_call(std::string_view text, const Parameters& parameters,
                                          const std::stop_token& stop) const {
  CAIRN_ASSIGN(Transaction transaction, database_.begin(TransactionMode::write));
  CAIRN_ASSIGN(CalledRows called, call_in(transaction, text, parameters, stop));
  transaction.rollback();
  return called;
}

Result<CalledRows> MemoryCaller::call_in(Transaction& transaction, std::string_view text,
                                         const Parameters& parameters,
                                         const std::stop_token& stop) const {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text, database_));
  CAIRN_TRY(check_role(statement));
  CAIRN_ASSIGN(Rows rows, statement.run(transaction, parameters, options(stop)));
  return read_rows(std::move(rows), 0);
}

namespace {

/// Estimates the bytes of a value in an answer; stops counting at `most`.
std::size_t bytes_of(const Value& value, std::size_t most) {
  constexpr std::size_t usual = 8;
  if (const Node* node = value.get_if<Node>()) return bytes_of(Value(node->properties()), most);
  if (const auto* one = value.get_if<Relationship>())
    return bytes_of(Value(one->properties()), most);
  if (const std::string* text = value.string()) return usual + text->size();
  std::size_t bytes = usual;
  if (const List* list = value.list())
    for (const Value& item : *list)
      if ((bytes += bytes_of(item, most)) > most) return bytes;
  if (const Map* map = value.map())
    for (const auto& [key, item] : *map)
      if ((bytes += key.size() + bytes_of(item, most)) > most) return bytes;
  return bytes;
}

}  // namespace

Result<CalledRows> read_rows(Rows rows, std::size_t skip, const MostRows& most) {
  CalledRows called;
  called.columns = rows.columns();
  std::size_t number = 0;
  std::size_t bytes = 0;
  for (const Result<Row>& row : rows) {
    if (!row) return row.error();
    if (number++ < skip) continue;
    std::size_t row_bytes = 0;
    for (std::size_t i = 0; i < called.columns.size(); ++i)
      row_bytes += bytes_of((*row)[i], most.bytes);
    if (row_bytes > most.bytes)
      return Error{ErrorCode::resource_limit,
                   "row " + std::to_string(number) + " has more than " +
                       std::to_string(most.bytes >> 20U) + " MiB; return less of it",
                   {}};
    bytes += row_bytes;
    called.is_cut = called.rows.size() == most.rows || bytes > most.bytes;
    if (called.is_cut) break;
    std::vector<Value> values;
    for (std::size_t i = 0; i < called.columns.size(); ++i) values.push_back((*row)[i]);
    called.rows.push_back(std::move(values));
  }
  called.changes = rows.changes();
  called.warnings = rows.warnings();
  return called;
}

}  // namespace cairn::tools::mcp
