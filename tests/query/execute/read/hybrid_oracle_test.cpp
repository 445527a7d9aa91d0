// Compares hybrid searches with a naive computation: each index alone over all records, then filter, graph traversal
// and fusion in the test. Covers all fusions, random directions, CANDIDATES and LIMIT, with and without a filter.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

namespace cairn::test {
namespace {

using Scores = std::map<std::int64_t, double>;
struct Ranked {
  std::int64_t id;
  double score;
};

std::vector<Ranked> sorted(const Scores& scores) {
  std::vector<Ranked> list;
  for (const auto& [id, score] : scores) list.push_back({id, score});
  std::stable_sort(list.begin(), list.end(),
                   [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  return list;
}

Scores first_of(const Scores& scores, std::size_t count) {
  Scores kept;
  for (const Ranked& one : sorted(scores))
    if (kept.size() < count) kept[one.id] = one.score;
  return kept;
}

struct Asked {
  std::string fusion;  // RRF, ZSCORE, MAX_NORM, MIN_MAX; empty: the default
  std::string arrow;   // "-[:R*1..2]-"
  char way = '-';      // '>': from the record, '<': to it, '-': either
  int least = 1, most = 2;
  std::vector<double> weights;
  std::size_t candidates = 10;
  std::size_t limit = 5;
  std::int64_t group = 9;  // records of a smaller group pass the filter
};

/// Random records with texts, some with vectors, in groups, and random relationships.
class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    run_all(*database, {"CREATE VECTOR INDEX v FOR (m:M) ON (m.v) OPTIONS {indexConfig: "
                        "{`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}",
                        "CREATE FULLTEXT INDEX t FOR (m:M) ON EACH [m.text]"});
    GraphBuilder graph;
    for (int i = 0; i < records; ++i) graph.node(name(i), "M", properties());
    for (int i = 0; i < 60; ++i) relate(graph);
    graph.write(*database);
    for (int i = 0; i < records; ++i)
      ids.push_back(static_cast<std::int64_t>(graph.id(name(i)).value));
    for (std::size_t i = 0; i < ids.size(); ++i) group[ids[i]] = groups_[i];
    for (const auto& [a, b] : edges_)
      edges.emplace_back(ids[static_cast<std::size_t>(a)], ids[static_cast<std::size_t>(b)]);
  }

  /// The score that one index alone gives to each record.
  Scores alone(const std::string& retriever, const Parameters& parameters) {
    Scores scores;
    for (const auto& row :
         rows("MATCH (m) SEARCH m IN (" + retriever + " LIMIT 1000) SCORE AS s RETURN id(m), s",
              parameters))
      scores[row[0].as_integer()] = row[1].as_float();
    return scores;
  }
  std::vector<std::vector<Value>> rows(const std::string& text, const Parameters& parameters) {
    return must(must(execute(*database, text, parameters)).all());
  }
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::string words(int count) {
    static const std::vector<std::string> all = {"tea", "green", "cup", "rain", "lamp", "oak"};
    std::string text;
    for (int i = 0; i < count; ++i) text += all[static_cast<std::size_t>(below(6))] + " ";
    return text;
  }
  Value vector() { return list_of({below(5) - 2.0, below(5) - 2.0, below(3) + 0.5}); }

  TemporaryDatabase database;
  std::vector<std::int64_t> ids;
  std::map<std::int64_t, std::int64_t> group;
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;

 private:
  static constexpr int records = 40;
  static std::string name(int i) { return "r" + std::to_string(i); }

  Properties properties() {
    groups_.push_back(below(4));
    Properties made = {{"g", groups_.back()}, {"text", words(1 + below(6))}};
    if (below(4) > 0) made["v"] = vector();
    return made;
  }
  void relate(GraphBuilder& graph) {
    edges_.emplace_back(below(records), below(records));
    graph.relate(name(edges_.back().first), "R", name(edges_.back().second));
  }

  std::mt19937 random_;
  std::vector<std::int64_t> groups_;
  std::vector<std::pair<int, int>> edges_;
};

/// Computes the expected answer.
class Oracle {
 public:
  Oracle(World& world, const Asked& asked, const Parameters& parameters)
      : world_(world), asked_(asked) {
    retrievers_ = {passing(world.alone("VECTOR INDEX v FOR $q EXACT", parameters)),
                   passing(world.alone("FULLTEXT INDEX t FOR $text", parameters))};
    retrievers_.push_back(walk(seeds()));
  }

  Scores fused() {
    std::set<std::int64_t> candidates;
    for (const Scores& retriever : retrievers_)
      for (const auto& [id, score] : first_of(retriever, asked_.candidates)) candidates.insert(id);
    Scores result;
    for (std::size_t retriever = 0; retriever < retrievers_.size(); ++retriever)
      for (const auto& [id, share] : shares(retriever, candidates)) result[id] += share;
    return result;
  }

 private:
  Scores passing(Scores scores) const {
    std::erase_if(scores, [&](const auto& one) { return world_.group[one.first] >= asked_.group; });
    return scores;
  }

  double weight(std::size_t retriever) const {
    double sum = 0;
    for (const double one : asked_.weights) sum += one;
    return asked_.weights[retriever] / sum;
  }

  Scores shares(std::size_t retriever, const std::set<std::int64_t>& candidates) const {
    if (asked_.fusion != "RRF")
      return scale(retrievers_[retriever], candidates, retriever == 0, asked_.fusion,
                   weight(retriever));
    Scores result;
    double rank = 0;
    for (const Ranked& one : sorted(first_of(retrievers_[retriever], asked_.candidates)))
      result[one.id] = weight(retriever) / (60 + ++rank);
    return result;
  }

  static Scores scale(const Scores& scores, const std::set<std::int64_t>& candidates,
                      bool is_vector, const std::string& fusion, double weight) {
    Scores own;
    for (const std::int64_t id : candidates)
      if (scores.contains(id)) own[id] = scores.at(id);
    Scores result;
    if (own.empty()) return result;
    const double absent = is_vector ? sorted(own).back().score : 0;
    for (const std::int64_t id : candidates) result[id] = own.contains(id) ? own[id] : absent;
    const double count = static_cast<double>(result.size());
    double sum = 0, squares = 0;
    for (const auto& [id, score] : result) sum += score;
    for (const auto& [id, score] : result) squares += std::pow(score - sum / count, 2);
    const double least = sorted(result).back().score, most = sorted(result).front().score;
    for (auto& [id, score] : result) {
      if (fusion.empty() || fusion == "MAX_NORM")
        score = most > 0 ? std::max(0.0, score) / most : 0;
      else if (fusion == "ZSCORE")
        score = least == most ? 0 : (score - sum / count) / std::sqrt(squares / count);
      else
        score = least == most ? 1 : (score - least) / (most - least);
      score *= weight;
    }
    return result;
  }

  Scores seeds() const {
    const std::vector<Scores> lists = {first_of(retrievers_[0], asked_.candidates),
                                       first_of(retrievers_[1], asked_.candidates)};
    std::set<std::int64_t> candidates;
    for (const Scores& list : lists)
      for (const auto& [id, score] : list) candidates.insert(id);
    double sum = asked_.weights[0] + asked_.weights[1];
    Scores result;
    for (std::size_t retriever = 0; retriever < 2; ++retriever) {
      const double share = sum > 0 ? asked_.weights[retriever] / sum : 0.5;
      for (const auto& [id, score] :
           scale(lists[retriever], candidates, retriever == 0, "MIN_MAX", share))
        result[id] += score;
    }
    return result;
  }

  // The length of the shortest path from each seed that visits only records that pass the filter.
  Scores walk(const Scores& seeds) const {
    Scores result;
    for (const auto& [seed, score] : seeds) {
      std::map<std::int64_t, int> steps = {{seed, 0}};
      for (int hop = 1; hop <= asked_.most; ++hop)
        for (const auto& [id, step] : std::map(steps))
          if (step == hop - 1)
            for (const std::int64_t other : beside(id)) steps.try_emplace(other, hop);
      for (const auto& [id, step] : steps)
        if (step >= asked_.least) result[id] += score * std::pow(0.5, step);
    }
    return result;
  }

  std::vector<std::int64_t> beside(std::int64_t id) const {
    std::vector<std::int64_t> result;
    for (const auto& [a, b] : world_.edges) {
      if (b == id && asked_.way != '<') result.push_back(a);
      if (a == id && asked_.way != '>') result.push_back(b);
    }
    std::erase_if(result, [&](std::int64_t other) { return world_.group[other] >= asked_.group; });
    return result;
  }

  World& world_;
  const Asked& asked_;
  std::vector<Scores> retrievers_;
};

std::string number(double value) { return Value(value).to_text(); }

std::string statement(const Asked& asked) {
  return "MATCH (m:M) SEARCH m IN (HYBRID VECTOR INDEX v FOR $q WEIGHT " +
         number(asked.weights[0]) + ", FULLTEXT INDEX t FOR $text WEIGHT " +
         number(asked.weights[1]) + ", GRAPH (m)" + asked.arrow + "() WEIGHT " +
         number(asked.weights[2]) + (asked.fusion.empty() ? "" : " FUSE " + asked.fusion) +
         (asked.group < 4 ? " WHERE m.g < " + std::to_string(asked.group) : "") + " CANDIDATES " +
         std::to_string(asked.candidates) + " LIMIT " + std::to_string(asked.limit) +
         ") SCORE AS s BREAKDOWN AS p RETURN id(m), s, reduce(x = 0.0, part IN p | x + part.share)";
}

void compare(World& world, const Asked& asked, const Parameters& parameters) {
  constexpr double close = 1e-9;
  const Scores expected = Oracle(world, asked, parameters).fused();
  const auto best = sorted(expected);
  const auto rows = world.rows(statement(asked), parameters);
  BOOST_REQUIRE_EQUAL(rows.size(), std::min(asked.limit, expected.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t id = rows[i][0].as_integer();
    const double score = rows[i][1].as_float();
    BOOST_REQUIRE(expected.contains(id));
    BOOST_REQUIRE_SMALL(score - expected.at(id), close);
    BOOST_REQUIRE_SMALL(score - best[i].score, close);
    BOOST_REQUIRE_SMALL(score - rows[i][2].as_float(), close);
    if (i > 0 && rows[i - 1][1].as_float() == score)
      BOOST_REQUIRE_LT(rows[i - 1][0].as_integer(), id);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hybrid_oracle)

// M0.54, M4.27: one call applies the filter to every retriever, and fuses as computed by hand.
BOOST_AUTO_TEST_CASE(every_fusion_gives_what_its_retrievers_give_by_themselves) {
  const unsigned seed = 20'260'501;
  BOOST_TEST_MESSAGE("seed " << seed);
  World world(seed);
  const std::vector<Asked> shapes = {{"", "-[:R*1..2]-", '-', 1, 2, {}, 0, 0, 9},
                                     {"", "-[:R]->", '>', 1, 1, {}, 0, 0, 9},
                                     {"", "<-[*2..3]-", '<', 2, 3, {}, 0, 0, 9},
                                     {"", "-[:R|R*0..1]-", '-', 0, 1, {}, 0, 0, 9}};
  const std::vector<std::vector<double>> weights = {
      {0.5, 0.25, 0.25}, {1, 1, 1}, {0, 2, 1}, {0, 0, 1}};
  for (int run = 0; run < 60; ++run) {
    const Parameters parameters = {{"q", world.vector()}, {"text", world.words(2)}};
    for (const std::string fusion : {"RRF", "ZSCORE", "MIN_MAX", "MAX_NORM", ""}) {
      Asked asked = shapes[static_cast<std::size_t>(world.below(4))];
      asked.fusion = fusion;
      asked.weights = weights[static_cast<std::size_t>(world.below(4))];
      asked.limit = 1 + static_cast<std::size_t>(world.below(12));
      asked.candidates = asked.limit + static_cast<std::size_t>(world.below(10));
      asked.group = world.below(2) == 0 ? 9 : 1 + world.below(3);
      BOOST_TEST_CONTEXT("run " << run << ": " << statement(asked))
      compare(world, asked, parameters);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
