// The type of a statement in the summary of its result. Most types follow from the public properties of a statement. For
// the others the text is parsed again, because a Statement does not say what it explains.
#include "query/bind/bound_query.hpp"
#include "query/bind/parser.hpp"
#include "query/bolt/work.hpp"
#include "query/execute/call/procedures.hpp"
#include "query/plan/planner.hpp"
#include "query/registered/registered_calls.hpp"

#include <algorithm>
#include <cctype>

namespace cairn::query::bolt {
namespace {

/// True if the text may be an EXPLAIN. The word may also stand elsewhere in the text.
bool may_explain(std::string_view text) noexcept {
  constexpr std::string_view word = "EXPLAIN";
  const auto same = [](char letter, char upper) {
    return std::toupper(static_cast<unsigned char>(letter)) == upper;
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

/// LOAD CSV needs an admin for its file, and changes no schema. A procedure of the program may do anything.
bool changes_schema(const CalledProcedure& call) noexcept {
  return !call.is_registered && call.name != "db.csv.load" &&
         role_to_call(call.name) == Role::admin;
}

std::string_view type_that_writes(bool has_columns) noexcept { return has_columns ? "rw" : "w"; }

std::string_view type_of(const BoundStatement& statement) {
  const auto* query = std::get_if<Query>(&statement.content);
  if (query == nullptr) return "s";
  if (!is_writing(*query)) return "r";
  if (std::ranges::any_of(statement.calls, changes_schema)) return "s";
  return type_that_writes(!query->parts.front().columns.empty());
}

}  // namespace

std::string_view type_of(const Statement& statement, const Rows& rows, std::string_view text,
                         const Database& database) {
  const bool is_clear =
      statement.is_writing() ? statement.needed_role() != Role::admin : !may_explain(text);
  if (!is_clear) {
    const auto bound = parse_statement(text, {}, nullptr, registered_calls(database));
    if (bound) return type_of(*bound);
  }
  return statement.is_writing() ? type_that_writes(!rows.columns().empty()) : "r";
}

}  // namespace cairn::query::bolt
