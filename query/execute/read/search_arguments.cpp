// Evaluates the arguments of a SEARCH for a row: queries, weights and numbers. The evaluation comes before all
// searches, so that mistakes are reported whatever the index contains. Invalid numbers (NaN, negative weights, EF 0)
// are errors with the position of their expression.
#include "query/execute/read/search_arguments.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/text/built_in_model.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/expression/evaluator.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/vector_components.hpp"
#include "query/recall/recall_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

Result<std::string> search_text_of(const Value& value, const TextRange& where) {
  if (value.string() != nullptr) return *value.string();
  return Error{ErrorCode::type_error, "a full-text search needs a string, got " + shown(value),
               where};
}

/// Which numbers an argument accepts, and how its error describes them. Integers and floats are
/// both accepted.
struct NumberRule {
  bool (*takes)(double);
  const char* text;
};
// For weights and for the constant that is added to ranks.
constexpr NumberRule weight_rule{[](double number) { return std::isfinite(number) && number >= 0; },
                                 " must be finite and not negative, got "};
// For distances and scores. NaN is not comparable with any score.
constexpr NumberRule bound_rule{[](double number) { return !std::isnan(number); },
                                " must not be NaN, got "};

/// Null is an error: an optional number must be omitted instead.
Result<double> evaluate_number(Evaluator& evaluator, const Expression& expression, Row row,
                               const char* what, const NumberRule& rule) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  const auto* integer = value.get_if<std::int64_t>();
  const auto* floating = value.get_if<double>();
  if (integer == nullptr && floating == nullptr)
    return Error{ErrorCode::type_error,
                 std::string(what) + " must be a number, got " + shown(value), expression.where};
  const double number = integer != nullptr ? static_cast<double>(*integer) : *floating;
  if (rule.takes(number)) return number;
  return Error{ErrorCode::invalid_argument, std::string(what) + rule.text + shown(value),
               expression.where};
}

/// With WITHIN, LIMIT may be omitted. Then all hits are returned.
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

// Returns nullopt if the node is null, or if the statement deleted or hid it. Then the retriever finds nothing.
Result<std::optional<std::uint64_t>> evaluate_seed(Evaluator& evaluator,
                                                   const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(expression, row));
  if (value.is_null()) return std::optional<std::uint64_t>();
  if (const Node* node = value.get_if<Node>()) {
    CAIRN_ASSIGN(const bool is_found, evaluator.graph().finds_node(node->id().value));
    return is_found ? std::optional(node->id().value) : std::nullopt;
  }
  return Error{ErrorCode::type_error,
               "a GRAPH retriever starts from a node, got " + described(value), expression.where};
}

// Errors get the position of the query, because its map has no positions of its own.
Error recall_error(const std::string& message, const TextRange& where) {
  return {ErrorCode::invalid_argument, message, where};
}

// Reads FOR {question: ..., hops: 1}. All entries besides the question are features. Options that
// the clause itself has are errors.
Status read_ranking(Map given, const TextRange& where, Retriever& retriever) {
  const auto question = given.extract("question");
  if (question.empty())
    return recall_error("the map of a RANKED INDEX needs a `question` besides its features", where);
  for (const std::string name : {"index", "limit", "filter"})
    if (given.contains(name))
      return recall_error("`" + name +
                              "` is not a feature of a RANKED INDEX; write it in the clause: " +
                              (name == "index"   ? "RANKED INDEX name"
                               : name == "limit" ? "LIMIT"
                                                 : "WHERE"),
                          where);
  for (const std::string name : {"context", "expand", "max_tokens"})
    if (given.contains(name))
      return recall_error("SEARCH gives single records; for `" + name +
                              "` use CALL db.recall(question, options) YIELD passage",
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

/// A null query finds nothing, like a comparison with null.
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

// Rejects 0, which would otherwise count as an omitted number.
Result<std::size_t> evaluate_length(Evaluator& evaluator, const Expression& expression, Row row,
                                    const char* what) {
  CAIRN_ASSIGN(const std::size_t length, evaluate_count(evaluator, expression, row, what));
  if (length > 0) return length;
  return Error{ErrorCode::invalid_argument,
               std::string(what) + " must be 1 or more, got 0; omit it to use the default",
               expression.where};
}

// The pattern is written from the searched variable, but the retriever walks towards it.
engine::Direction direction_of(PatternDirection direction) {
  if (direction == PatternDirection::any) return engine::Direction::both;
  return direction == PatternDirection::right ? engine::Direction::incoming
                                              : engine::Direction::outgoing;
}

// Reads the parts of a retriever that need no evaluation.
Retriever retriever_of(const SearchRetriever& clause) {
  Retriever retriever;
  retriever.kind = clause.kind;
  retriever.name = clause.index;
  retriever.where = clause.where;
  retriever.question.plain = clause.plain;
  retriever.question.accuracy = clause.accuracy;
  if (clause.kind != RetrieverKind::graph) return retriever;
  retriever.graph.direction = direction_of(clause.direction);
  retriever.graph.types = clause.types;
  retriever.graph.least_hops = clause.hops.least;
  retriever.graph.most_hops = *clause.hops.most;
  return retriever;
}

/// A retriever whose query is null, or whose start is null or hidden, finds nothing, but its weight still counts in the sum.
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
  } else {
    retriever.weight = default_weight(clause.kind);
  }
  return retriever;
}

/// Weights are later divided by their sum, which must be finite and above 0.
Status check_weights(const SearchRequest& request, const SearchClause& clause) {
  double sum = 0;
  for (const Retriever& retriever : request.retrievers) sum += retriever.weight;
  if (std::isfinite(sum) && sum > 0) return {};
  return Error{
      ErrorCode::invalid_argument,
      sum > 0 ? "the sum of the weights of this search is not finite; use smaller weights"
              : "the weights of this search are all 0, so that nothing counts; give a retriever "
                "a WEIGHT above 0",
      clause.where};
}

// Returns the number of hits to take from each retriever.
Result<std::size_t> evaluate_candidates(Evaluator& evaluator, const SearchClause& clause, Row row,
                                        std::size_t limit) {
  if (clause.candidates) {
    CAIRN_ASSIGN(const std::size_t asked,
                 evaluate_length(evaluator, *clause.candidates, row, "CANDIDATES"));
    return std::max(asked, limit);
  }
  return default_candidates(limit);
}

}  // namespace

// Evaluates in this order: retrievers, weights, limits, candidates, the constant of RRF. The first
// error is reported.
Result<SearchArguments> evaluate_search(Evaluator& evaluator, const SearchClause& clause, Row row) {
  SearchArguments arguments;
  SearchRequest& request = arguments.request;
  request.fusion.kind = clause.fusion;
  for (const SearchRetriever& retriever : clause.retrievers) {
    CAIRN_ASSIGN(Retriever one, evaluate_retriever(evaluator, retriever, row));
    request.retrievers.push_back(std::move(one));
  }
  CAIRN_TRY(check_weights(request, clause));
  CAIRN_TRY(evaluate_cut(evaluator, clause, row, arguments));
  CAIRN_ASSIGN(request.candidates, evaluate_candidates(evaluator, clause, row, request.limit));
  if (clause.fusion_k) {
    CAIRN_ASSIGN(request.fusion.k, evaluate_number(evaluator, *clause.fusion_k, row,
                                                   "the number of RRF", weight_rule));
  }
  return arguments;
}

namespace {

/// If the query is a call of embed(), its model is known and must match the index. The model of
/// other vectors is unknown.
Status check_question(ExecutionContext& context, const codec::IndexEntry& index,
                      const SearchRetriever& retriever) {
  const Expression* question = retriever.query.get();
  if (question == nullptr || question->kind != ExpressionKind::function_call ||
      question->function->name != "embed")
    return {};
  const Status status = check_known_model(context, index, engine::built_in_model);
  if (status) return {};
  return Error{status.error().code, status.error().message, retriever.where};
}

// For messages.
const char* plural(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? "nodes" : "relationships";
}

// Returns advice on how to fix the error. RANKED INDEX and graph retrievers find only nodes,
// whatever their index covers.
std::string advice_for(const SearchRetriever& retriever, const Searched& searched) {
  const bool is_node = searched.kind == codec::EntityKind::node;
  if (retriever.kind == RetrieverKind::ranked && is_node)
    return ", and RANKED INDEX is of nodes; name a full-text index of nodes";
  const std::string other = is_node ? "a relationship: MATCH ()-[r]->() SEARCH r IN (...)"
                                    : "a node: MATCH (n) SEARCH n IN (...)";
  if (retriever.kind == RetrieverKind::ranked)
    return ", and RANKED INDEX is of nodes; write FULLTEXT INDEX for relationships, or search " +
           other;
  if (retriever.kind == RetrieverKind::graph)
    return "; leave out the retriever, or search " + other;
  return std::string("; name an index of ") + plural(searched.kind) + ", or search " + other;
}

/// Hits of an index of relationships can never be nodes, so this is an error, not an empty result.
Error wrong_kind(const SearchRetriever& retriever, const Searched& searched,
                 codec::EntityKind found) {
  const std::string source = retriever.kind == RetrieverKind::graph
                                 ? "a GRAPH retriever"
                                 : "index \"" + retriever.index + "\"";
  const char* what =
      searched.kind == codec::EntityKind::node ? "` is a node, " : "` is a relationship, ";
  return {ErrorCode::invalid_argument,
          "`" + std::string(searched.variable) + what + source + " is of " + plural(found) +
              advice_for(retriever, searched),
          retriever.where};
}

}  // namespace

// Looks the index up at each start, because it may have been created after the statement was
// parsed.
Result<SearchIndex> find_search_index(ExecutionContext& context, const SearchRetriever& retriever) {
  CAIRN_ASSIGN(const auto id, find_known_index(context, retriever.index));
  if (!id) {
    CAIRN_ASSIGN(std::string message, no_such_index(context, retriever.index));
    return Error{ErrorCode::not_found, std::move(message), retriever.where};
  }
  const codec::IndexEntry& entry = context.graph.catalog().indexes().at(*id);
  const auto kind = retriever.kind != RetrieverKind::vector ? codec::IndexKind::full_text
                                                            : codec::IndexKind::vector;
  if (entry.kind != kind)
    return Error{ErrorCode::invalid_argument,
                 "index \"" + retriever.index + "\" is not a " +
                     (kind == codec::IndexKind::full_text ? "full-text index" : "vector index"),
                 retriever.where};
  if (kind == codec::IndexKind::vector) CAIRN_TRY(check_question(context, entry, retriever));
  if (entry.state != codec::IndexState::online)
    return Error{ErrorCode::busy,
                 "index \"" + retriever.index + "\" is not online" +
                     (entry.message.empty() ? "" : ": " + entry.message),
                 retriever.where};
  return SearchIndex{*id, entry.entity};
}

// Returns nullopt for graph retrievers.
Result<std::optional<SearchIndex>> find_retriever_index(ExecutionContext& context,
                                                        const SearchRetriever& retriever,
                                                        const Searched& searched) {
  std::optional<SearchIndex> index;
  if (retriever.kind != RetrieverKind::graph) {
    CAIRN_ASSIGN(index, find_search_index(context, retriever));
  }
  const codec::EntityKind found = index ? index->kind : codec::EntityKind::node;
  const bool is_recall = retriever.kind == RetrieverKind::ranked;
  const bool is_allowed = !is_recall || searched.kind == codec::EntityKind::node;
  if (found != searched.kind || !is_allowed) return wrong_kind(retriever, searched, found);
  return index;
}

}  // namespace cairn::query
