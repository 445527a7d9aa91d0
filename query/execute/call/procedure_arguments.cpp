// Converts the arguments of procedures, and finds the index that a procedure searches. Every error
// names the argument and shows the given value.
#include "query/execute/call/procedure_arguments.hpp"

#include "engine/catalog/catalog.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/read/search_arguments.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/syntax/backticks.hpp"

#include <string>
#include <utility>

namespace cairn::query {

Error wrong_argument(std::string_view what, const Value& value) {
  return {ErrorCode::type_error, std::string(what) + ", got " + shown(value), std::nullopt};
}

Result<std::string> text_of(std::string_view what, const Value& value) {
  if (value.string() == nullptr)
    return wrong_argument(std::string(what) + " must be a string", value);
  return value.as_string();
}

Result<std::vector<std::string>> texts_of(std::string_view what, const Value& value) {
  if (value.string() != nullptr) return std::vector<std::string>{value.as_string()};
  const std::string expected = std::string(what) + " must be a list of strings";
  if (value.list() == nullptr) return wrong_argument(expected, value);
  std::vector<std::string> texts;
  for (const Value& one : value.as_list()) {
    if (one.string() == nullptr) return wrong_argument(expected, value);
    texts.push_back(one.as_string());
  }
  return texts;
}

Result<Map> properties_of(std::string_view what, const Value& value) {
  if (value.is_null()) return Map();
  if (value.map() == nullptr) return wrong_argument(std::string(what) + " must be a map", value);
  return value.as_map();
}

Result<std::size_t> count_of(std::string_view what, const Value& value) {
  const auto count = whole_number(value);
  if (count && *count >= 1) return static_cast<std::size_t>(*count);
  return wrong_argument(std::string(what) + " must be a whole number of 1 or more", value);
}

namespace {

/// Returns the procedure for indexes of the other kind of entity.
std::string other_procedure(ProcedureSearch search) {
  const bool is_vector = search.retriever == RetrieverKind::vector;
  return std::string("db.index.") + (is_vector ? "vector" : "fulltext") +
         (search.kind == codec::EntityKind::node ? ".queryRelationships" : ".queryNodes");
}

/// Adds to the error about an unknown index how to create it, unless the error names a similar index.
std::string with_creation(std::string message, const std::string& name, ProcedureSearch search) {
  if (message.ends_with('?')) return message;
  const bool is_vector = search.retriever == RetrieverKind::vector;
  const std::string target =
      search.kind == codec::EntityKind::node ? " FOR (n:Label) ON " : " FOR ()-[n:TYPE]-() ON ";
  return message + "; create it: CREATE " + (is_vector ? "VECTOR" : "FULLTEXT") + " INDEX " +
         in_backticks(name) + target +
         (is_vector ? "(n.property) OPTIONS {indexConfig: {`vector.dimensions`: 256}}"
                    : "EACH [n.property]");
}

}  // namespace

// Uses the lookup of SEARCH, so both report the same errors.
Result<std::uint32_t> find_procedure_index(ExecutionContext& context, const Value& name,
                                           ProcedureSearch search) {
  SearchRetriever retriever;
  retriever.kind = search.retriever;
  CAIRN_ASSIGN(retriever.index, text_of("the name of an index", name));
  auto found = find_search_index(context, retriever);
  // The position in this error is that of a SEARCH clause, which a call does not have.
  if (!found) {
    std::string message = found.error().message;
    if (found.error().code == ErrorCode::not_found)
      message = with_creation(std::move(message), retriever.index, search);
    return Error{found.error().code, std::move(message), std::nullopt};
  }
  if (found->kind == search.kind) return found->id;
  return Error{ErrorCode::invalid_argument,
               "index \"" + retriever.index + "\" indexes " +
                   (search.kind == codec::EntityKind::node ? "relationships, not nodes"
                                                           : "nodes, not relationships") +
                   "; call " + other_procedure(search),
               std::nullopt};
}

}  // namespace cairn::query
