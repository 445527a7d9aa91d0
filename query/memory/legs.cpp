#include "query/memory/legs.hpp"

#include "query/functions/registry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cairn::query {
namespace {

using memory::LegKind;

std::uint64_t id_in(const Value& value) { return static_cast<std::uint64_t>(value.as_integer()); }

// Numbers come as integers or floats.
double number_in(const Value& value, double otherwise) {
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<double>(*integer);
  const auto* floating = value.get_if<double>();
  return floating == nullptr ? otherwise : *floating;
}

Result<Table> run(const LegInput& input, const std::string& text, Parameters more) {
  more.insert(input.selection.parameters.begin(), input.selection.parameters.end());
  return run_statement(input.view, text, more, input.impl.statement_options());
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

// Words of three bytes or more, each once.
Result<List> keywords_of(const std::string& query) {
  static const FunctionEntry* to_lower = find_function("tolower");
  const Value text = query;
  CAIRN_ASSIGN(const Value lower, to_lower->call(std::span(&text, 1), {}));
  std::vector<std::string> words = split_at_blanks(lower.as_string());
  std::erase_if(words, [](const std::string& word) { return word.size() < 3; });
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

using Scores = std::map<std::uint64_t, double>;

// What one step from the nodes of `from` reaches, with the best score of each.
Result<Scores> step(const LegInput& input, const Scores& from) {
  List nodes;
  for (const auto& [id, score] : from) nodes.push_back(Node(NodeId{id}));
  const std::string text = "UNWIND $_from AS s MATCH (s)" +
                           step_text(input.request.relationship_types) + input.selection.pattern +
                           input.selection.where +
                           " RETURN id(s) AS source, id(m) AS id, r.weight AS weight";
  CAIRN_ASSIGN(const Table table, run(input, text, {{"_from", std::move(nodes)}}));
  Scores reached;
  for (const auto& row : table.rows) {
    const double given = number_in(row[2], 1);
    const double weight = given >= 0 && given <= 1 ? given : 1;
    double& score = reached[id_in(row[1])];
    score = std::max(score, from.at(id_in(row[0])) * weight / 2);
  }
  return reached;
}

}  // namespace

Result<RankedList> vector_leg(const LegInput& input, const Value& vector, double min_score) {
  RankedList list{LegKind::vector, 1, {}};
  if (vector.is_null() || !input.view.catalog().find_index(memory::embedding_index)) return list;
  const std::string text = "MATCH " + input.selection.pattern + " SEARCH m IN (VECTOR INDEX " +
                           std::string(memory::embedding_index) + " FOR $_vector" +
                           input.selection.where +
                           " LIMIT $_pool) SCORE AS score RETURN id(m) AS id, score";
  CAIRN_ASSIGN(
      const Table table,
      run(input, text, {{"_vector", vector}, {"_pool", static_cast<std::int64_t>(input.pool)}}));
  for (const auto& row : table.rows) {
    // The language's score is (1 + cosine) / 2.
    const double cosine = 2 * row[1].as_float() - 1;
    if (cosine >= min_score) list.items.push_back({id_in(row[0]), cosine});
  }
  sort_best_first(list.items);
  return list;
}

Result<RankedList> keyword_leg(const LegInput& input) {
  RankedList list{LegKind::keyword, 1, {}};
  CAIRN_ASSIGN(const List words, keywords_of(input.request.query));
  if (words.empty()) return list;
  const std::string text =
      input.selection.match() +
      " WITH m, size([w IN $_words WHERE toLower(m.content) CONTAINS w]) AS found WHERE found > 0 "
      "RETURN id(m) AS id, found ORDER BY found DESC, id LIMIT $_pool";
  CAIRN_ASSIGN(
      const Table table,
      run(input, text, {{"_words", words}, {"_pool", static_cast<std::int64_t>(input.pool)}}));
  for (const auto& row : table.rows)
    list.items.push_back({id_in(row[0]), number_in(row[1], 0) / static_cast<double>(words.size())});
  return list;
}

Result<RankedList> graph_leg(const LegInput& input, const RankedList& seeds, int hops) {
  RankedList list{LegKind::graph, 1, {}};
  Scores border;
  for (const RankedId& seed : seeds.items) border.emplace(seed.id, seed.score);
  Scores best;
  for (int hop = 0; hop < hops && !border.empty(); ++hop) {
    CAIRN_ASSIGN(const Scores reached, step(input, border));
    border.clear();
    for (const auto& [id, score] : reached) {
      const auto [known, is_new] = best.try_emplace(id, score);
      if (!is_new && known->second >= score) continue;
      known->second = score;
      border.emplace(id, score);
    }
  }
  for (const auto& [id, score] : best) list.items.push_back({id, score});
  sort_best_first(list.items);
  if (list.items.size() > input.pool) list.items.resize(input.pool);
  return list;
}

Result<std::vector<Relationship>> relationships_of(const LegInput& input, NodeId id) {
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
