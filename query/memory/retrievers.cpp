// Each way of finding gives a list of ids with scores, best first, of the same selection. A retriever brings `pool` hits
// at most.
//
//    vector    cosine, -1 to 1              keyword   share of the question's words, 0 to 1
//    text      share of the best, 0 to 1    graph     seed's score x weight / 2 for each step
//    features    share of what the question allows, 0 to 1
#include "query/memory/retrievers.hpp"

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/view.hpp"
#include "query/builtins/registry.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/read/find_index.hpp"
#include "query/functions/vector_components.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/search/graph_search.hpp"
#include "query/search/index_search.hpp"
#include "query/search/neighbourhood.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace cairn::query {
namespace {

std::uint64_t id_in(const Value& value) { return static_cast<std::uint64_t>(value.as_integer()); }

// Numbers come as integers or floats.
double number_in(const Value& value, double otherwise) {
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<double>(*integer);
  const auto* floating = value.get_if<double>();
  return floating == nullptr ? otherwise : *floating;
}

/// A warning that several statements give is reported once.
Result<Table> run(const RetrieverInput& input, const std::string& text, Parameters more) {
  more.insert(input.selection.parameters.begin(), input.selection.parameters.end());
  auto table = run_statement(input.view, text, more, input.impl.statement_options());
  if (!table) return table;
  for (std::string& warning : table->warnings)
    if (std::ranges::count(input.warnings, warning) == 0)
      input.warnings.push_back(std::move(warning));
  return table;
}

std::vector<std::string> split_at_blanks(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  std::vector<std::string> words;
  for (auto begin = text.find_first_not_of(blanks); begin != std::string::npos;) {
    const auto end = text.find_first_of(blanks, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::ptrdiff_t count_signs(const std::string& word) {
  return std::ranges::count_if(
      word, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; });
}

// Words of three characters or more, each once.
// By the language's toLower(), as the contents are.
Result<List> keywords_of(const std::string& query) {
  static const FunctionEntry* to_lower = find_function("tolower");
  const Value text = query;
  CAIRN_ASSIGN(const Value lower, to_lower->call(std::span(&text, 1), {}));
  std::vector<std::string> words = split_at_blanks(lower.as_string());
  std::erase_if(words, [](const std::string& word) { return count_signs(word) < 3; });
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return List(words.begin(), words.end());
}

void sort_best_first(std::vector<RankedId>& items) {
  std::ranges::sort(items, [](const RankedId& a, const RankedId& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
}

// The label's ids, or nothing where every kind is wanted.
Result<std::optional<codec::Bitmap>> ids_of_kind(const RetrieverInput& input,
                                                 std::string_view kind) {
  using Ids = std::optional<codec::Bitmap>;
  if (kind.empty()) return Ids();
  const auto label = input.view.catalog().find_label(memory::label_of(kind));
  if (!label) return Ids(codec::Bitmap());
  CAIRN_ASSIGN(codec::Bitmap ids, input.view.labelled(*label));
  return Ids(std::move(ids));
}

/// A retriever by the index of this name. Errors: busy where it is not online.
Result<Retriever> retriever_of(const RetrieverInput& input, RetrieverKind kind,
                               std::string_view index) {
  SearchRetriever named;
  named.kind = kind;
  named.index = index;
  auto found = find_search_index(input.view.catalog(), named);
  if (!found) return Error{found.error().code, found.error().message, std::nullopt};
  Retriever retriever;
  retriever.kind = kind;
  retriever.name = index;
  retriever.question.index = found->id;
  return retriever;
}

Result<RankedList> hits_of(const RetrieverInput& input, const Retriever& retriever,
                           memory::RetrieverKind kind) {
  CAIRN_ASSIGN(RetrieverHits found,
               search_index(input.context, retriever, input.pool, &input.selected));
  RankedList list{kind, 1, std::move(found.items)};
  sort_best_first(list.items);
  return list;
}

bool has_vectors(const RetrieverInput& input, const Value& vector) {
  return !vector.is_null() && input.view.catalog().find_index(memory::embedding_index);
}

void warn_of_types(const RetrieverInput& input) {
  RecallOptions named;
  named.features.relationship_types = input.request.relationship_types;
  for (std::string& warning : unknown_names(named, input.view.catalog()))
    if (std::ranges::count(input.warnings, warning) == 0)
      input.warnings.push_back(std::move(warning));
}

// Any type but the membership of sessions, whose ends are no records anyway.
GraphQuestion steps_of(const RetrieverInput& input, int hops) {
  GraphQuestion question;
  question.types = input.request.relationship_types;
  question.most_hops = static_cast<std::uint64_t>(hops);
  return question;
}

}  // namespace

// Empty without an index or a vector: nothing was added yet, or the text had none.
Result<RankedList> vector_retriever(const RetrieverInput& input, const Value& vector,
                                    double min_score) {
  if (!has_vectors(input, vector)) return RankedList{memory::RetrieverKind::vector, 1, {}};
  CAIRN_ASSIGN(Retriever retriever,
               retriever_of(input, RetrieverKind::vector, memory::embedding_index));
  CAIRN_ASSIGN(retriever.question.vector, vector_components(vector, {}));
  // The index's score is (1 + cosine) / 2. Where it rounds the other way, the hit is removed below.
  constexpr double rounding = 1e-12;
  if (min_score > -1) retriever.question.min_score = (1 + min_score) / 2 - rounding;
  CAIRN_ASSIGN(RankedList list, hits_of(input, retriever, memory::RetrieverKind::vector));
  for (RankedId& hit : list.items) hit.score = 2 * hit.score - 1;
  std::erase_if(list.items, [&](const RankedId& hit) { return hit.score < min_score; });
  return list;
}

// Any full-text index that holds the content of memories will do, whatever its maker and whatever it
// is called; one that is still being built would miss records.
std::optional<std::string> content_index(const engine::Catalog& catalog) {
  const auto label = catalog.find_label(memory::memory_label);
  const auto content = catalog.find_property("content");
  if (!label || !content) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& [id, index] : catalog.indexes()) {
    const bool is_ready = index.kind == codec::IndexKind::full_text &&
                          index.entity == codec::EntityKind::node &&
                          index.state == codec::IndexState::online;
    if (is_ready && std::ranges::count(index.labels_or_types, *label) > 0 &&
        std::ranges::count(index.properties, *content) > 0 &&
        (!found || *found == memory::contents_index))
      found = index.name;
  }
  return found;
}

// Plain: a typed question has no operators. BM25 has no bound: scores are shares of the best one's.
Result<RankedList> text_retriever(const RetrieverInput& input, const std::string& index) {
  CAIRN_ASSIGN(Retriever retriever, retriever_of(input, RetrieverKind::full_text, index));
  retriever.question.text = input.request.query;
  retriever.question.plain = true;
  CAIRN_ASSIGN(RankedList list, hits_of(input, retriever, memory::RetrieverKind::text));
  const double best = list.items.empty() ? 1 : list.items.front().score;
  for (RankedId& hit : list.items) hit.score /= best;
  return list;
}

Result<RankedList> feature_retriever(const RetrieverInput& input, const std::string& index,
                                     const Value& vector) {
  CAIRN_ASSIGN(Retriever retriever, retriever_of(input, RetrieverKind::ranked, index));
  retriever.question.text = input.request.query;
  if (has_vectors(input, vector)) {
    retriever.question.ranking.vector_index = memory::embedding_index;
    CAIRN_ASSIGN(retriever.question.ranking.vector, vector_components(vector, {}));
  }
  return hits_of(input, retriever, memory::RetrieverKind::text);
}

// Reads every content of the selection: the way where there is no full-text index. It is a statement, as no index
// is asked: the words are compared as the language compares texts.
Result<RankedList> keyword_retriever(const RetrieverInput& input) {
  RankedList list{memory::RetrieverKind::keyword, 1, {}};
  CAIRN_ASSIGN(const List words, keywords_of(input.request.query));
  if (words.empty()) return list;
  const std::string text = input.selection.match() +
                           " WITH m, size([w IN $_words WHERE toLower(toStringOrNull(m.content)) "
                           "CONTAINS w]) AS found WHERE found > 0 "
                           "RETURN id(m) AS id, found ORDER BY found DESC, id LIMIT $_pool";
  CAIRN_ASSIGN(
      const Table table,
      run(input, text, {{"_words", words}, {"_pool", static_cast<std::int64_t>(input.pool)}}));
  for (const auto& row : table.rows)
    list.items.push_back({id_in(row[0]), number_in(row[1], 0) / static_cast<double>(words.size())});
  return list;
}

Result<RankedList> graph_retriever(const RetrieverInput& input, const RankedList& seeds, int hops,
                                   std::string_view kind) {
  RankedList list{memory::RetrieverKind::graph, 1, {}};
  warn_of_types(input);
  CAIRN_ASSIGN(const auto wanted, ids_of_kind(input, kind));
  CAIRN_ASSIGN(list.items, search_graph_by_best_way(input.context, steps_of(input, hops),
                                                    seeds.items, input.selected));
  if (wanted)
    std::erase_if(list.items, [&](const RankedId& hit) { return !wanted->contains(hit.id); });
  if (list.items.size() > input.pool) list.items.resize(input.pool);
  return list;
}

// Heaviest first; without a weight it is 1.
Result<std::vector<Relationship>> relationships_of(const RetrieverInput& input, NodeId id) {
  warn_of_types(input);
  const GraphQuestion question = steps_of(input, 1);
  Neighbourhood graph(input.context, question, input.selected);
  CAIRN_ASSIGN(const bool can_match, graph.begin());
  std::vector<Relationship> relationships;
  if (!can_match) return relationships;
  CAIRN_ASSIGN(const auto* steps, graph.around(id.value));
  std::set<std::uint64_t> ids;  // one of a node to itself is met twice
  for (const GraphStep& step : *steps) ids.insert(step.relationship);
  for (const std::uint64_t one : ids) {
    CAIRN_ASSIGN(auto relationship, input.view.load_relationship(one));
    if (relationship) relationships.push_back(*std::move(relationship));
  }
  std::ranges::sort(relationships, [](const Relationship& a, const Relationship& b) {
    const double first = number_in(a.property("weight"), 1);
    const double second = number_in(b.property("weight"), 1);
    return first != second ? first > second : a.id() < b.id();
  });
  return relationships;
}

}  // namespace cairn::query
