// Writes the definitions of indexes and constraints as statements that create them again.
#include "query/transfer/index_statements.hpp"

#include "query/syntax/index_statement.hpp"

#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <utility>

namespace cairn::query {

// Indexes that the database creates automatically are left out.
std::string to_statements(std::span<const IndexDescription> indexes) {
  std::string text;
  for (const IndexDescription& index : indexes)
    if (!index.options.contains("automatic")) text += to_statement(index) + ";\n";
  return text;
}

// SHOW CONSTRAINTS has the statement of each constraint.
Result<std::string> constraint_statements(const Snapshot& snapshot) {
  CAIRN_ASSIGN(const auto show, Statement::parse("SHOW CONSTRAINTS YIELD createStatement"));
  CAIRN_ASSIGN(auto rows, show.run(snapshot));
  std::string text;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return text;
    text.append((*row)[0].as_string()).append(";\n");
  }
}

}  // namespace cairn::query

namespace cairn {

Result<std::string> index_statements(const Snapshot& snapshot) {
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  CAIRN_ASSIGN(std::string constraints, query::constraint_statements(snapshot));
  return std::move(constraints) + query::to_statements(indexes);
}

}  // namespace cairn
