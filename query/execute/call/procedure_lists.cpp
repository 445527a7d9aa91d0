// Lists of procedures and functions, with the columns of Neo4j: those of the language, and those that the program
// registered.
#include "query/bind/bound_query.hpp"
#include "query/builtins/registry.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/call.hpp"
#include "query/plan/planner.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/lexical.hpp"

#include <cairn/tokens.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// An argument or a column. Built-in procedures and functions declare no types, so theirs are ANY.
struct DescribedName {
  std::string name;
  std::string type = "ANY";
};

/// The list of maps in which Neo4j describes arguments and columns.
List descriptions(const std::vector<DescribedName>& names) {
  List all;
  for (const DescribedName& each : names)
    all.push_back(Map{{"name", Value(each.name)},
                      {"type", Value(each.type)},
                      {"description", Value(each.name + " :: " + each.type)},
                      {"isDeprecated", false}});
  return all;
}

std::string comma_separated(const std::vector<DescribedName>& names) {
  std::string text;
  for (const DescribedName& each : names) text += (text.empty() ? "" : ", ") + each.name;
  return text;
}

/// The roles that may call what needs this role, least first.
List roles_from(Role least) {
  List roles;
  for (const Role role : {Role::read, Role::write, Role::forget, Role::admin})
    if (role >= least) roles.push_back(Value(to_string(role)));
  return roles;
}

std::vector<DescribedName> described(std::span<const DeclaredName> names) {
  std::vector<DescribedName> all;
  for (const DeclaredName& each : names) all.push_back({each.name, each.type.text()});
  return all;
}

std::vector<DescribedName> described(std::span<const std::string_view> names) {
  std::vector<DescribedName> all;
  for (const std::string_view name : names) all.push_back({std::string(name)});
  return all;
}

/// Returns the arguments in a signature: "substring(text, start, length?)".
std::vector<DescribedName> arguments_in(std::string_view signature) {
  std::vector<DescribedName> all;
  signature.remove_prefix(std::min(signature.size(), signature.find('(') + 1));
  signature = signature.substr(0, signature.find(')'));
  while (!signature.empty()) {
    const std::size_t end = signature.find(", ");
    all.push_back({std::string(signature.substr(0, end))});
    signature.remove_prefix(end == std::string_view::npos ? signature.size() : end + 2);
  }
  return all;
}

/// Neo4j's word for what a procedure does.
std::string_view mode_of(const Procedure& procedure) {
  CallClause call;
  call.procedure = lexical::lower_case(procedure.name);
  if (is_writing(call)) return procedure.role == Role::admin ? "SCHEMA" : "WRITE";
  return procedure.role == Role::admin ? "DBMS" : "READ";
}

/// The parts of a row of SHOW PROCEDURES.
struct ListedProcedure {
  std::string name;
  std::string signature;
  std::string_view mode;
  Role role = Role::admin;
  std::vector<DescribedName> arguments;
  std::vector<DescribedName> columns;
};

std::vector<Value> row_of(const ListedProcedure& listed) {
  List columns;
  for (const DescribedName& column : listed.columns) columns.push_back(Value(column.name));
  return {Value(listed.name),
          Value(listed.signature + " :: (" + comma_separated(listed.columns) + ")"),
          Value(listed.mode),
          Value(false),
          Value(listed.signature),
          Value(descriptions(listed.arguments)),
          Value(descriptions(listed.columns)),
          Value(listed.role == Role::admin),
          Value(roles_from(listed.role)),
          Value(List()),
          Value(false),
          Value(),
          Value(Map{{"deprecated", false}}),
          Value(std::move(columns))};
}

ListedProcedure listed(const Procedure& procedure) {
  ListedProcedure made{std::string(procedure.name),
                       {},
                       mode_of(procedure),
                       procedure.role,
                       described(procedure.parameters),
                       described(procedure.columns)};
  made.signature = made.name + "(" + comma_separated(made.arguments) + ")";
  return made;
}

/// A procedure of the program may do anything.
ListedProcedure listed(const Signature& signature) {
  return {signature.name,
          signature.text,
          "DBMS",
          Role::admin,
          described(signature.parameters),
          described(signature.columns)};
}

/// The parts of a row of SHOW FUNCTIONS. Any caller may call a function.
struct ListedFunction {
  std::string name;
  std::string signature;
  std::vector<DescribedName> arguments;
  std::string result = "ANY";
  bool is_aggregating = false;
  bool is_built_in = true;
};

std::vector<Value> row_of(const ListedFunction& listed) {
  return {Value(listed.name),
          Value(listed.is_aggregating ? "Aggregating"
                : listed.is_built_in  ? "Scalar"
                                      : ""),
          Value(listed.signature),
          Value(listed.signature),
          Value(listed.is_built_in),
          Value(descriptions(listed.arguments)),
          Value(listed.result),
          Value(listed.is_aggregating),
          Value(roles_from(Role::read)),
          Value(List()),
          Value(false),
          Value(),
          Value(listed.is_aggregating)};
}

ListedFunction listed(const FunctionEntry& function) {
  const std::string signature(function.signature);
  return {signature.substr(0, signature.find('(')), signature, arguments_in(signature), "ANY",
          function.make_aggregator != nullptr,      true};
}

ListedFunction listed_function(const Signature& signature) {
  return {signature.name,          signature.text, described(signature.parameters),
          signature.result.text(), false,          false};
}

Rows sorted_by_name(Rows rows) {
  std::ranges::sort(rows, {}, [](const auto& row) { return row.front().as_string(); });
  return rows;
}

/// EXECUTABLE selects the calls that the caller may make. The statement does not know the role of
/// its caller.
void note_executable(ExecutionContext& context, std::string_view which) {
  if (which.ends_with("EXECUTABLE"))
    warn_once(context,
              "EXECUTABLE lists all, whatever the role of the caller; rolesExecution has the roles "
              "that may call each");
}

/// The argument of both lists, a text of these words of a SHOW.
Result<std::string> which_of(Arguments arguments, std::span<const std::string_view> known) {
  if (arguments.empty()) return std::string();
  CAIRN_ASSIGN(std::string which, text_of("the argument `which`", arguments[0]));
  if (std::ranges::find(known, which) != known.end()) return which;
  std::string names;
  for (const std::string_view one : known)
    names += (names.empty() ? "'" : ", '") + std::string(one) + "'";
  return Error{ErrorCode::invalid_argument,
               "the argument `which` must be one of " + names + ", got " + shown(arguments[0]),
               std::nullopt};
}

}  // namespace

Result<Rows> list_procedures(ExecutionContext& context, Arguments arguments) {
  static constexpr std::string_view known[] = {"EXECUTABLE"};
  CAIRN_ASSIGN(const std::string which, which_of(arguments, known));
  note_executable(context, which);
  Rows rows;
  for (const Procedure& procedure : builtin_procedures()) rows.push_back(row_of(listed(procedure)));
  if (context.registered != nullptr)
    for (const auto& [key, procedure] : context.registered->procedures())
      rows.push_back(row_of(listed(procedure->signature)));
  return sorted_by_name(std::move(rows));
}

Result<Rows> list_functions(ExecutionContext& context, Arguments arguments) {
  static constexpr std::string_view known[] = {"EXECUTABLE", "BUILT IN", "BUILT IN EXECUTABLE",
                                               "USER DEFINED", "USER DEFINED EXECUTABLE"};
  CAIRN_ASSIGN(const std::string which, which_of(arguments, known));
  note_executable(context, which);
  Rows rows;
  if (!which.starts_with("USER DEFINED"))
    for (const FunctionEntry* function : all_functions()) rows.push_back(row_of(listed(*function)));
  if (context.registered != nullptr && !which.starts_with("BUILT IN"))
    for (const auto& [key, function] : context.registered->functions())
      rows.push_back(row_of(listed_function(function->signature)));
  return sorted_by_name(std::move(rows));
}

}  // namespace cairn::query
