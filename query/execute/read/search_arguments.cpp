#include "query/execute/read/search_arguments.hpp"

#include "query/syntax/nearest_name.hpp"

#include <string>
#include <utility>

namespace cairn::query {
namespace {

Error no_such_index(const engine::Catalog& catalog, const SearchClause& clause) {
  std::vector<std::string_view> names;
  for (const auto& [id, entry] : catalog.indexes()) names.push_back(entry.name);
  const std::string_view nearest = nearest_name(clause.index, names);
  std::string message = "there is no index \"" + clause.index + "\"";
  if (!nearest.empty()) message += "; did you mean \"" + std::string(nearest) + "\"?";
  return {ErrorCode::not_found, std::move(message), clause.where};
}

Result<std::string> search_text_of(const Value& value, const TextRange& where) {
  if (value.string() != nullptr) return *value.string();
  return Error{ErrorCode::type_error, "a full-text search needs a string, got " + value.to_text(),
               where};
}

}  // namespace

Result<SearchIndex> find_search_index(const engine::Catalog& catalog, const SearchClause& clause) {
  const auto id = catalog.find_index(clause.index);
  if (!id) return no_such_index(catalog, clause);
  const codec::IndexEntry& entry = catalog.indexes().at(*id);
  const auto kind = clause.is_full_text ? codec::IndexKind::full_text : codec::IndexKind::vector;
  if (entry.kind != kind)
    return Error{ErrorCode::invalid_argument,
                 "index \"" + clause.index + "\" is no " +
                     (clause.is_full_text ? "full-text index" : "vector index"),
                 clause.where};
  if (entry.state != codec::IndexState::online)
    return Error{ErrorCode::busy,
                 "index \"" + clause.index + "\" is not online" +
                     (entry.message.empty() ? "" : ": " + entry.message),
                 clause.where};
  return SearchIndex{*id, entry.entity};
}

Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression, Row row,
                                   const char* what) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  const auto* count = value.get_if<std::int64_t>();
  if (count == nullptr)
    return Error{ErrorCode::type_error,
                 std::string(what) + " needs an integer, got " + value.to_text(), expression.where};
  if (*count < 0)
    return Error{ErrorCode::invalid_argument,
                 std::string(what) + " must not be negative, got " + value.to_text(),
                 expression.where};
  return static_cast<std::size_t>(*count);
}

// Whether the numbers are finite and as many as the index wants is for the index to say.
Result<std::vector<float>> vector_components(const Value& value, const TextRange& where) {
  std::vector<float> components;
  if (const Vector* vector = value.get_if<Vector>()) {
    components.assign(vector->components().begin(), vector->components().end());
    return components;
  }
  const Error error{
      ErrorCode::type_error,
      "a search needs a vector or a list of numbers, got a " + std::string(to_string(value.type())),
      where};
  const List* list = value.list();
  if (list == nullptr) return error;
  for (const Value& item : *list) {
    if (!item.is_number()) return error;
    const auto* integer = item.get_if<std::int64_t>();
    components.push_back(
        static_cast<float>(integer ? static_cast<double>(*integer) : item.as_float()));
  }
  return components;
}

Result<std::optional<SearchArguments>> evaluate_search(Evaluator& evaluator,
                                                       const SearchClause& clause, Row row) {
  SearchArguments arguments;
  CAIRN_ASSIGN(const Value query, evaluator.evaluate(*clause.query, row));
  if (query.is_null()) return std::optional<SearchArguments>();
  if (clause.is_full_text) {
    CAIRN_ASSIGN(arguments.text, search_text_of(query, clause.query->where));
  } else {
    CAIRN_ASSIGN(arguments.query, vector_components(query, clause.query->where));
  }
  CAIRN_ASSIGN(arguments.k, evaluate_count(evaluator, *clause.limit, row, "LIMIT"));
  if (clause.ef_search) {
    CAIRN_ASSIGN(arguments.ef_search,
                 evaluate_count(evaluator, *clause.ef_search, row, "efSearch"));
  }
  return std::optional(std::move(arguments));
}

}  // namespace cairn::query
