// Everything of a SEARCH that is evaluated for a row: questions, weights, numbers. Done before any
// index is asked, so that mistakes come up the same whatever the index holds. Numbers out of sense
// are refused (NaN, negative weights, EF 0) with the place of their expression.
#include "query/execute/read/search_arguments.hpp"

#include "query/bind/bound_query.hpp"
#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/expression/evaluator.hpp"
#include "query/functions/call.hpp"
#include "query/functions/vector_components.hpp"
#include "query/recall/recall_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

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

/// Null is not a number here: a weight or a limit that is not there is left out of the text.
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
  arguments.request.limit = std::numeric_limits<std::size_t>::max();
  if (clause.limit) {
    CAIRN_ASSIGN(arguments.request.limit, evaluate_count(evaluator, *clause.limit, row, "LIMIT"));
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
Status read_ranking(Map given, const TextRange& where, Retriever& retriever) {
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
  retriever.question.ranking = std::move(*options);
  retriever.is_null = question.mapped().is_null();
  if (retriever.is_null) return {};
  CAIRN_ASSIGN(retriever.question.text, search_text_of(question.mapped(), where));
  return {};
}

/// A null question asks nothing and finds nothing, as a comparison with null holds for nothing.
Status evaluate_question(Evaluator& evaluator, const SearchRetriever& clause, Row row,
                         Retriever& retriever) {
  CAIRN_ASSIGN(const Value question, evaluator.evaluate(*clause.query, row));
  retriever.is_null = question.is_null();
  if (retriever.is_null) return {};
  if (clause.kind == RetrieverKind::ranked && question.map() != nullptr)
    return read_ranking(*question.map(), clause.query->where, retriever);
  if (clause.kind != RetrieverKind::vector) {
    CAIRN_ASSIGN(retriever.question.text, search_text_of(question, clause.query->where));
  } else {
    CAIRN_ASSIGN(retriever.question.vector, vector_components(question, clause.query->where));
  }
  return {};
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

// The pattern is written from the searched variable; the walk goes the other way.
engine::Direction direction_of(PatternDirection direction) {
  if (direction == PatternDirection::any) return engine::Direction::both;
  return direction == PatternDirection::right ? engine::Direction::incoming
                                              : engine::Direction::outgoing;
}

// What the text alone decides.
Retriever retriever_of(const SearchRetriever& clause) {
  Retriever retriever;
  retriever.kind = clause.kind;
  retriever.name = clause.index;
  retriever.where = clause.where;
  retriever.question.plain = clause.plain;
  retriever.question.exact = clause.exact;
  retriever.question.accuracy = clause.accuracy;
  if (clause.kind != RetrieverKind::graph) return retriever;
  retriever.graph.direction = direction_of(clause.direction);
  retriever.graph.types = clause.types;
  retriever.graph.least_hops = clause.hops.least;
  retriever.graph.most_hops = *clause.hops.most;
  return retriever;
}

/// A retriever whose question or start is null takes part with nothing, and its weight counts in the sum.
Result<Retriever> evaluate_retriever(Evaluator& evaluator, const SearchRetriever& clause, Row row) {
  Retriever retriever = retriever_of(clause);
  if (clause.query) CAIRN_TRY(evaluate_question(evaluator, clause, row, retriever));
  if (clause.seed) {
    CAIRN_ASSIGN(retriever.graph.seed, evaluate_seed(evaluator, *clause.seed, row));
    retriever.is_null = !retriever.graph.seed;
  }
  if (clause.ef_search) {
    CAIRN_ASSIGN(retriever.question.ef_search,
                 evaluate_length(evaluator, *clause.ef_search, row, "EF"));
  }
  if (clause.weight) {
    CAIRN_ASSIGN(retriever.weight,
                 evaluate_number(evaluator, *clause.weight, row, "a WEIGHT", weight_rule));
  } else if (clause.kind == RetrieverKind::ranked) {
    retriever.weight = recall_weight;
  }
  return retriever;
}

/// Weights are made to sum to 1 later, which needs a finite sum above 0.
Status check_weights(const SearchRequest& request, const SearchClause& clause) {
  double sum = 0;
  for (const Retriever& retriever : request.retrievers) sum += retriever.weight;
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

// In this order: retrievers, weights, cut, candidates, the number of RRF. The first error is the one
// reported.
Result<SearchArguments> evaluate_search(Evaluator& evaluator, const SearchClause& clause, Row row) {
  SearchArguments arguments;
  SearchRequest& request = arguments.request;
  request.fusion = clause.fusion;
  for (const SearchRetriever& retriever : clause.retrievers) {
    CAIRN_ASSIGN(Retriever one, evaluate_retriever(evaluator, retriever, row));
    request.retrievers.push_back(std::move(one));
  }
  CAIRN_TRY(check_weights(request, clause));
  CAIRN_TRY(evaluate_cut(evaluator, clause, row, arguments));
  CAIRN_ASSIGN(request.candidates, evaluate_candidates(evaluator, clause, row, request.limit));
  if (clause.fusion_k) {
    CAIRN_ASSIGN(request.fusion_k, evaluate_number(evaluator, *clause.fusion_k, row,
                                                   "the number of RRF", weight_rule));
  }
  return arguments;
}

}  // namespace cairn::query
