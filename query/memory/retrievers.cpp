// Each way of finding is one statement over the same selection, and gives a list of ids with
// scores, best first. A retriever brings `pool` hits at most. Filters are parameters, names quoted;
// nothing from outside is text.
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

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
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

/// A warning that several statements give is told once.
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

// Words of three signs or more, each once.
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

// "-[r:`A`|`B`]-", or any type but the membership of sessions, whose ends are no records anyway.
std::string step_text(const std::vector<std::string>& types) {
  std::string text = "-[r";
  for (const std::string& type : types) text += (text.size() == 3 ? ":" : "|") + quoted_name(type);
  return text + "]-";
}

void sort_best_first(std::vector<RankedId>& items) {
  std::ranges::sort(items, [](const RankedId& a, const RankedId& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
}

/// What a seed leaves at a record that is reached from it.
struct Way {
  std::uint64_t seed = 0;
  double score = 0;
};
/// The best two ways to each record, of two seeds. Two are enough: a seed leaves out only its own.
using Ways = std::map<std::uint64_t, std::vector<Way>>;

// Whether the way is better than what was known.
// Two ways of two seeds: the second counts where the first is the record's own.
bool keep(std::vector<Way>& ways, const Way& way) {
  const auto same = std::ranges::find(ways, way.seed, &Way::seed);
  if (same != ways.end()) {
    if (same->score >= way.score) return false;
    *same = way;
  } else {
    if (ways.size() == 2 && ways.back().score >= way.score) return false;
    if (ways.size() == 2) ways.pop_back();
    ways.push_back(way);
  }
  if (ways.size() == 2 && ways[0].score < ways[1].score) std::swap(ways[0], ways[1]);
  return true;
}

// What one step from the records of `from` reaches: `best` gets it, the answer is what was new.
// One statement for all records of the border. A weight that is no number from 0 to 1 counts as 1.
// A step leads over records of the selection only.
Result<Ways> step(const RetrieverInput& input, const Ways& from, Ways& best) {
  List nodes;
  for (const auto& [id, ways] : from) nodes.push_back(Node(NodeId{id}));
  const std::string text = "UNWIND $_from AS s MATCH (s)" +
                           step_text(input.request.relationship_types) + input.selection.pattern +
                           input.selection.where +
                           " RETURN id(s) AS source, id(m) AS id, r['weight'] AS weight";
  CAIRN_ASSIGN(const Table table, run(input, text, {{"_from", std::move(nodes)}}));
  Ways border;
  for (const auto& row : table.rows) {
    const double given = number_in(row[2], 1);
    const double weight = given >= 0 && given <= 1 ? given : 1;
    const std::uint64_t id = id_in(row[1]);
    for (const Way& before : from.at(id_in(row[0]))) {
      const Way way{before.seed, before.score * weight / 2};
      if (way.seed != id && keep(best[id], way)) keep(border[id], way);
    }
  }
  return border;
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

/// What a retriever of the language finds for a question, with the scores that it gives.
Result<RankedList> hits_of(const RetrieverInput& input, const std::string& retriever,
                           Value question) {
  const std::string text = "MATCH " + input.selection.pattern + " SEARCH m IN (" + retriever +
                           input.selection.where +
                           " LIMIT $_pool) SCORE AS score RETURN id(m) AS id, score";
  CAIRN_ASSIGN(const Table table, run(input, text,
                                      {{"_question", std::move(question)},
                                       {"_pool", static_cast<std::int64_t>(input.pool)}}));
  RankedList list{memory::RetrieverKind::text, 1, {}};
  for (const auto& row : table.rows) list.items.push_back({id_in(row[0]), row[1].as_float()});
  sort_best_first(list.items);
  return list;
}

}  // namespace

// Empty without an index or a vector: nothing was added yet, or the text had none.
Result<RankedList> vector_retriever(const RetrieverInput& input, const Value& vector,
                                    double min_score) {
  RankedList list{memory::RetrieverKind::vector, 1, {}};
  if (vector.is_null() || !input.view.catalog().find_index(memory::embedding_index)) return list;
  const std::string text = "MATCH " + input.selection.pattern + " SEARCH m IN (VECTOR INDEX " +
                           std::string(memory::embedding_index) + " FOR $_vector" +
                           input.selection.where + (min_score > -1 ? " MIN SCORE $_least" : "") +
                           " LIMIT $_pool) SCORE AS score RETURN id(m) AS id, score";
  // The language's score is (1 + cosine) / 2. Where it rounds the other way, a hit is told below.
  constexpr double rounding = 1e-12;
  CAIRN_ASSIGN(const Table table, run(input, text,
                                      {{"_vector", vector},
                                       {"_least", (1 + min_score) / 2 - rounding},
                                       {"_pool", static_cast<std::int64_t>(input.pool)}}));
  for (const auto& row : table.rows) {
    const double cosine = 2 * row[1].as_float() - 1;
    if (cosine >= min_score) list.items.push_back({id_in(row[0]), cosine});
  }
  sort_best_first(list.items);
  return list;
}

// Any full-text index that holds the content of memories will do, whoever made it and whatever it
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

// PLAIN: a question that somebody typed has no signs. BM25 has no bound: scores are shares of the best one's.
Result<RankedList> text_retriever(const RetrieverInput& input, const std::string& index) {
  CAIRN_ASSIGN(RankedList list,
               hits_of(input, "FULLTEXT INDEX " + quoted_name(index) + " FOR $_question PLAIN",
                       input.request.query));
  const double best = list.items.empty() ? 1 : list.items.front().score;
  for (RankedId& hit : list.items) hit.score /= best;
  return list;
}

Result<RankedList> feature_retriever(const RetrieverInput& input, const std::string& index,
                                     const Value& vector) {
  Map question = {{"question", input.request.query}};
  if (!vector.is_null() && input.view.catalog().find_index(memory::embedding_index)) {
    question.emplace("vector_index", std::string(memory::embedding_index));
    question.emplace("vector", vector);
  }
  return hits_of(input, "RANKED INDEX " + quoted_name(index) + " FOR $_question",
                 std::move(question));
}

// Reads every content of the selection: the way where there is no full-text index.
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

// Hop by hop from the vectors' hits; a record has the best way to it, and only from others.
Result<RankedList> graph_retriever(const RetrieverInput& input, const RankedList& seeds, int hops,
                                   std::string_view kind) {
  RankedList list{memory::RetrieverKind::graph, 1, {}};
  CAIRN_ASSIGN(const auto wanted, ids_of_kind(input, kind));
  Ways border;
  // Half of a negative score would be more than the whole.
  for (const RankedId& seed : seeds.items)
    if (seed.score >= 0) border[seed.id].push_back({seed.id, seed.score});
  Ways best;
  for (int hop = 0; hop < hops && !border.empty(); ++hop) {
    CAIRN_ASSIGN(border, step(input, border, best));
  }
  for (const auto& [id, ways] : best)
    if (!ways.empty() && (!wanted || wanted->contains(id)))
      list.items.push_back({id, ways.front().score});
  sort_best_first(list.items);
  if (list.items.size() > input.pool) list.items.resize(input.pool);
  return list;
}

// Heaviest first; without a weight it is 1.
Result<std::vector<Relationship>> relationships_of(const RetrieverInput& input, NodeId id) {
  const std::string text = "UNWIND $_from AS s MATCH (s)" +
                           step_text(input.request.relationship_types) + input.selection.pattern +
                           input.selection.where + " RETURN DISTINCT r, id(r) AS id";
  CAIRN_ASSIGN(const Table table, run(input, text, {{"_from", List{Value(Node(id))}}}));
  std::vector<Relationship> relationships;
  for (const auto& row : table.rows) relationships.push_back(row[0].as_relationship());
  std::ranges::sort(relationships, [](const Relationship& a, const Relationship& b) {
    const double first = number_in(a.property("weight"), 1);
    const double second = number_in(b.property("weight"), 1);
    return first != second ? first > second : a.id() < b.id();
  });
  return relationships;
}

}  // namespace cairn::query
