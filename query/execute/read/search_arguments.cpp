// Everything of a SEARCH that is evaluated for a row: questions, weights, numbers. Done before any
// index is asked, so that mistakes come up the same whatever the index holds. Numbers out of sense
// are refused (NaN, negative weights, EF 0) with the place of their expression.
#include "query/execute/read/search_arguments.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/text/built_in_model.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/expression/evaluate_count.hpp"
#include "query/execute/expression/evaluator.hpp"
#include "query/functions/call.hpp"
#include "query/functions/vector_components.hpp"
#include "query/recall/recall_options.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

/// Of any kind of index: a name that is only mistyped is likelier than one that is of another kind.
Error no_such_index(const engine::Catalog& catalog, const SearchRetriever& retriever) {
  std::vector<std::string_view> names;
  for (const auto& [id, entry] : catalog.indexes()) names.push_back(entry.name);
  const std::string_view nearest = nearest_name(retriever.index, names);
  std::string message = "there is no index \"" + retriever.index + "\"";
  if (!nearest.empty()) message += "; did you mean \"" + std::string(nearest) + "\"?";
  return {ErrorCode::not_found, std::move(message), retriever.where};
}

/// A question that is a call of embed() says what made it; any other vector does not.
Status check_question(const codec::IndexEntry& index, const SearchRetriever& retriever) {
  const Expression* question = retriever.query.get();
  if (question == nullptr || question->kind != ExpressionKind::function_call ||
      question->function->name != "embed")
    return {};
  const Status status = engine::check_model(index, engine::built_in_model);
  if (status) return {};
  return Error{status.error().code, status.error().message, retriever.where};
}

Result<std::string> search_text_of(const Value& value, const TextRange& where) {
  if (value.string() != nullptr) return *value.string();
  return Error{ErrorCode::type_error, "a full-text search needs a string, got " + shown(value),
               where};
}

/// What numbers of a search are taken, and how that is said.
/// Integers and floats are both taken, where it is a number at all.
struct NumberRule {
  bool (*takes)(double);
  const char* text;
};
// A weight, or what is added to ranks.
constexpr NumberRule weight_rule{[](double number) { return std::isfinite(number) && number >= 0; },
                                 " is finite and not negative, got "};
/// Unless given: recall adds three ways of finding up, texts, neighbours and groups.
constexpr double recall_weight = 3;
// A distance or a score. Nothing is less or more than NaN.
constexpr NumberRule bound_rule{[](double number) { return !std::isnan(number); },
                                " is a number, got "};

/// Null is no number here: a weight or a limit that is not there is left out of the text.
Result<double> evaluate_number(Evaluator& evaluator, const Expression& expression, Row row,
                               const char* what, const NumberRule& rule) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  const auto* integer = value.get_if<std::int64_t>();
  const auto* floating = value.get_if<double>();
  if (integer == nullptr && floating == nullptr)
    return Error{ErrorCode::type_error, std::string(what) + " is a number, got " + shown(value),
                 expression.where};
  const double number = integer != nullptr ? static_cast<double>(*integer) : *floating;
  if (rule.takes(number)) return number;
  return Error{ErrorCode::invalid_argument, std::string(what) + rule.text + shown(value),
               expression.where};
}

/// No LIMIT beside WITHIN: as many as there are.
Status evaluate_cut(Evaluator& evaluator, const SearchClause& clause, Row row,
                    SearchArguments& arguments) {
  arguments.limit = std::numeric_limits<std::size_t>::max();
  if (clause.limit) {
    CAIRN_ASSIGN(arguments.limit, evaluate_count(evaluator, *clause.limit, row, "LIMIT"));
  }
  if (clause.within) {
    CAIRN_ASSIGN(arguments.within,
                 evaluate_number(evaluator, *clause.within, row, "WITHIN", bound_rule));
  }
  if (clause.min_score) {
    CAIRN_ASSIGN(arguments.min_score,
                 evaluate_number(evaluator, *clause.min_score, row, "MIN SCORE", bound_rule));
  }
  return {};
}

// Null where the node is: then nothing is found from it.
Result<std::optional<std::uint64_t>> evaluate_seed(Evaluator& evaluator,
                                                   const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  if (value.is_null()) return std::optional<std::uint64_t>();
  if (const Node* node = value.get_if<Node>()) return std::optional(node->id().value);
  return Error{
      ErrorCode::type_error,
      "a retriever by the graph starts from a node, got a " + std::string(to_string(value.type())),
      expression.where};
}

Error recall_error(const std::string& message, const TextRange& where) {
  return {ErrorCode::invalid_argument, message, where};
}

// What the clause itself says has no place beside the features.
// FOR {question: ..., hops: 1}: what is left besides the question must be features.
Result<RetrieverArguments> read_recall(Map given, const TextRange& where) {
  RetrieverArguments arguments;
  const auto question = given.extract("question");
  if (question.empty())
    return recall_error("a RANKED INDEX by a map needs a `question` beside its features", where);
  for (const std::string name : {"index", "limit", "filter"})
    if (given.contains(name))
      return recall_error("`" + name + "` is no feature of a RANKED INDEX; its clause says it: " +
                              (name == "index"   ? "RANKED INDEX name"
                               : name == "limit" ? "LIMIT"
                                                 : "WHERE"),
                          where);
  auto options = recall_options_from(given);
  if (!options) {
    Error error = options.error();
    error.where = where;
    return error;
  }
  arguments.recall = std::move(*options);
  arguments.is_null = question.mapped().is_null();
  if (arguments.is_null) return arguments;
  CAIRN_ASSIGN(arguments.text, search_text_of(question.mapped(), where));
  return arguments;
}

/// A null question asks nothing and finds nothing, as a comparison with null holds for nothing.
Result<RetrieverArguments> evaluate_question(Evaluator& evaluator, const SearchRetriever& retriever,
                                             Row row) {
  RetrieverArguments arguments;
  CAIRN_ASSIGN(const Value question, evaluator.evaluate(*retriever.query, row));
  arguments.is_null = question.is_null();
  if (arguments.is_null) return arguments;
  if (retriever.kind == RetrieverKind::recall && question.map() != nullptr)
    return read_recall(*question.map(), retriever.query->where);
  if (retriever.kind != RetrieverKind::vector) {
    CAIRN_ASSIGN(arguments.text, search_text_of(question, retriever.query->where));
  } else {
    CAIRN_ASSIGN(arguments.query, vector_components(question, retriever.query->where));
  }
  return arguments;
}

// None of a length: 0 would seem to work, and be left out.
Result<std::size_t> evaluate_length(Evaluator& evaluator, const Expression& expression, Row row,
                                    const char* what) {
  CAIRN_ASSIGN(const std::size_t length, evaluate_count(evaluator, expression, row, what));
  if (length > 0) return length;
  return Error{ErrorCode::invalid_argument,
               std::string(what) + " is 1 or more, got 0; leave it out for what is usual",
               expression.where};
}

/// A retriever whose question or start is null takes part with nothing, and its weight counts in the sum.
Result<RetrieverArguments> evaluate_retriever(Evaluator& evaluator,
                                              const SearchRetriever& retriever, Row row) {
  RetrieverArguments arguments;
  if (retriever.query) {
    CAIRN_ASSIGN(arguments, evaluate_question(evaluator, retriever, row));
  }
  if (retriever.seed) {
    CAIRN_ASSIGN(arguments.seed, evaluate_seed(evaluator, *retriever.seed, row));
    arguments.is_null = !arguments.seed;
  }
  if (retriever.ef_search) {
    CAIRN_ASSIGN(arguments.ef_search, evaluate_length(evaluator, *retriever.ef_search, row, "EF"));
  }
  if (retriever.weight) {
    CAIRN_ASSIGN(arguments.weight,
                 evaluate_number(evaluator, *retriever.weight, row, "a WEIGHT", weight_rule));
  } else if (retriever.kind == RetrieverKind::recall) {
    arguments.weight = recall_weight;
  }
  return arguments;
}

/// Weights are made to sum to 1 later, which needs a finite sum above 0.
Status check_weights(const SearchArguments& arguments, const SearchClause& clause) {
  double sum = 0;
  for (const RetrieverArguments& retriever : arguments.retrievers) sum += retriever.weight;
  if (std::isfinite(sum) && sum > 0) return {};
  return Error{
      ErrorCode::invalid_argument,
      sum > 0 ? "the weights of this search are beyond all numbers; make them smaller"
              : "the weights of this search are all 0, so that nothing counts; give a retriever "
                "a WEIGHT above 0",
      clause.where};
}

// Enough of each list for its tail to say little, in proportion to what is asked for.
Result<std::size_t> evaluate_candidates(Evaluator& evaluator, const SearchClause& clause, Row row,
                                        std::size_t limit) {
  if (clause.candidates) {
    CAIRN_ASSIGN(const std::size_t asked,
                 evaluate_length(evaluator, *clause.candidates, row, "CANDIDATES"));
    return std::max(asked, limit);
  }
  constexpr std::size_t least = 100, times = 4;
  const bool is_huge = limit > std::numeric_limits<std::size_t>::max() / times;
  return is_huge ? limit : std::max(least, times * limit);
}

}  // namespace

// Looked up by name at each start: the index may have been made since the statement was read.
Result<SearchIndex> find_search_index(const engine::Catalog& catalog,
                                      const SearchRetriever& retriever) {
  const auto id = catalog.find_index(retriever.index);
  if (!id) return no_such_index(catalog, retriever);
  const codec::IndexEntry& entry = catalog.indexes().at(*id);
  const auto kind = retriever.kind != RetrieverKind::vector ? codec::IndexKind::full_text
                                                            : codec::IndexKind::vector;
  if (entry.kind != kind)
    return Error{ErrorCode::invalid_argument,
                 "index \"" + retriever.index + "\" is no " +
                     (kind == codec::IndexKind::full_text ? "full-text index" : "vector index"),
                 retriever.where};
  if (kind == codec::IndexKind::vector) CAIRN_TRY(check_question(entry, retriever));
  if (entry.state != codec::IndexState::online)
    return Error{ErrorCode::busy,
                 "index \"" + retriever.index + "\" is not online" +
                     (entry.message.empty() ? "" : ": " + entry.message),
                 retriever.where};
  return SearchIndex{*id, entry.entity};
}

// In this order: retrievers, weights, cut, candidates, the number of RRF. The first error is the one
// reported.
Result<SearchArguments> evaluate_search(Evaluator& evaluator, const SearchClause& clause, Row row) {
  SearchArguments arguments;
  for (const SearchRetriever& retriever : clause.retrievers) {
    CAIRN_ASSIGN(RetrieverArguments one, evaluate_retriever(evaluator, retriever, row));
    arguments.retrievers.push_back(std::move(one));
  }
  CAIRN_TRY(check_weights(arguments, clause));
  CAIRN_TRY(evaluate_cut(evaluator, clause, row, arguments));
  CAIRN_ASSIGN(arguments.candidates, evaluate_candidates(evaluator, clause, row, arguments.limit));
  if (clause.fusion_k) {
    CAIRN_ASSIGN(arguments.fusion_k, evaluate_number(evaluator, *clause.fusion_k, row,
                                                     "the number of RRF", weight_rule));
  }
  return arguments;
}

}  // namespace cairn::query
