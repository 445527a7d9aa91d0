// `cairn-bench similarity`: sorts by a similarity, as Graphiti and other clients without `SEARCH` send them. Each
// statement runs by the vector index, and as a scan: the same statement sorted by `score + 0`, which no index has.
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::int64_t groups = 10;

/// A statement up to its sort, and its name in the table.
struct Question {
  const char* name;
  const char* text;
};

constexpr std::array questions = {
    Question{
        "entities",
        "MATCH (n:Entity) WITH n, vector.similarity.cosine(n.name_embedding, $vector) AS score "
        "RETURN n.uuid AS uuid, score"},
    Question{"entities of a group, above a least score",
             "MATCH (n:Entity) WHERE n.group_id IN $groups "
             "WITH n, vector.similarity.cosine(n.name_embedding, $vector) AS score "
             "WHERE score > $least RETURN n.uuid AS uuid, score"},
    Question{
        "facts of a group, with both entities",
        "MATCH (n:Entity)-[e:RELATES_TO]->(m:Entity) WHERE e.group_id IN $groups "
        "WITH DISTINCT e, n, m, vector.similarity.cosine(e.fact_embedding, $vector) AS score "
        "WHERE score > $least RETURN e.uuid AS uuid, score, n.uuid AS source, m.uuid AS target"}};

constexpr const char* by_index = " ORDER BY score DESC LIMIT 10";
constexpr const char* by_scan = " ORDER BY score + 0 DESC LIMIT 10";

/// Draws vectors around a hundred centres, because real embeddings lie in groups.
class Embeddings {
 public:
  Embeddings(std::uint32_t dimension, std::uint64_t seed) : random_(seed), centres_(100) {
    for (auto& centre : centres_)
      for (std::uint32_t i = 0; i < dimension; ++i) centre.push_back(normal_(random_));
  }

  Value next() {
    std::vector<float> components = centres_[random_() % centres_.size()];
    for (float& one : components) one += 0.7F * normal_(random_);
    return Vector(std::move(components));
  }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<float> normal_;
  std::vector<std::vector<float>> centres_;
};

std::string index_statement(const std::string& name, const std::string& pattern,
                            const std::string& property, std::uint32_t dimension) {
  return "CREATE VECTOR INDEX " + name + " FOR " + pattern + " ON (" + property +
         ") OPTIONS {indexConfig: {`vector.dimensions`: " + std::to_string(dimension) +
         ", `vector.similarity_function`: 'cosine'}}";
}

class SimilarityRun {
 public:
  SimilarityRun(const SimilarityBench& bench, std::ostream& out)
      : bench_(bench), out_(out), embeddings_(bench.dimension, bench.seed) {}

  Status run() {
    CAIRN_ASSIGN(Database database, Database::open(bench_.directory));
    CAIRN_TRY(load(database));
    print_line("milliseconds of processor time", "by index", "scan", "times", "same rows");
    for (const Question& question : questions) CAIRN_TRY(measure(database, question));
    return database.close();
  }

 private:
  Status load(Database& database) {
    CAIRN_TRY(execute(database, index_statement("entity_vectors", "(n:Entity)", "n.name_embedding",
                                                bench_.dimension)));
    CAIRN_TRY(execute(database, index_statement("fact_vectors", "()-[e:RELATES_TO]-()",
                                                "e.fact_embedding", bench_.dimension)));
    constexpr std::uint64_t at_once = 1'000;
    std::vector<NodeId> entities;
    for (std::uint64_t first = 0; first < bench_.entities; first += at_once) {
      CAIRN_ASSIGN(Transaction transaction, database.begin());
      for (std::uint64_t i = first; i < std::min(first + at_once, bench_.entities); ++i)
        CAIRN_TRY(add_entity(transaction, i, entities));
      CAIRN_TRY(transaction.commit());
    }
    return database.checkpoint();
  }

  /// Adds an entity, and a fact between it and an earlier one, if there is one.
  Status add_entity(Transaction& transaction, std::uint64_t number, std::vector<NodeId>& entities) {
    const auto group = static_cast<std::int64_t>(number) % groups;
    CAIRN_ASSIGN(const NodeId added,
                 transaction.create_node({{"Entity"},
                                          {{"uuid", "entity " + std::to_string(number)},
                                           {"group_id", group},
                                           {"name_embedding", embeddings_.next()}}}));
    if (!entities.empty())
      CAIRN_TRY(transaction.create_relationship({entities[embeddings_.below(entities.size())],
                                                 "RELATES_TO",
                                                 added,
                                                 {{"uuid", "fact " + std::to_string(number)},
                                                  {"group_id", group},
                                                  {"fact_embedding", embeddings_.next()}}}));
    entities.push_back(added);
    return {};
  }

  Status measure(Database& database, const Question& question) {
    CAIRN_ASSIGN(const Statement index, Statement::parse(question.text + std::string(by_index)));
    CAIRN_ASSIGN(const Statement scan, Statement::parse(question.text + std::string(by_scan)));
    std::vector<double> index_ms, scan_ms;
    std::size_t found = 0, wanted = 0;
    for (std::uint64_t i = 0; i < bench_.calls; ++i) {
      const Parameters parameters{{"vector", embeddings_.next()},
                                  {"groups", List{static_cast<std::int64_t>(i) % groups}},
                                  {"least", 0.2}};
      CAIRN_ASSIGN(const auto answers, timed_rows(database, index, parameters, index_ms));
      CAIRN_ASSIGN(const auto exact, timed_rows(database, scan, parameters, scan_ms));
      wanted += exact.size();
      for (const std::string& uuid : exact)
        found += static_cast<std::size_t>(std::ranges::count(answers, uuid));
    }
    const double here = median(index_ms), there = median(scan_ms);
    print_line(question.name, two_digits(here), two_digits(there), two_digits(there / here),
               std::to_string(found) + " of " + std::to_string(wanted));
    return {};
  }

  /// Runs a statement, appends its processor time in milliseconds, and returns the values of `uuid`.
  static Result<std::vector<std::string>> timed_rows(Database& database, const Statement& statement,
                                                     const Parameters& parameters,
                                                     std::vector<double>& times) {
    const double begin = thread_cpu_us();
    StatementOptions options;
    options.threads = 1;  // one thread's processor time is the whole statement's
    CAIRN_ASSIGN(Rows rows, statement.run(database, parameters, options));
    CAIRN_ASSIGN(const auto all, rows.all());
    times.push_back((thread_cpu_us() - begin) / 1e3);
    std::vector<std::string> found;
    for (const auto& row : all) found.push_back(row[0].as_string());
    return found;
  }

  static std::string two_digits(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return text.data();
  }

  void print_line(const std::string& name, const std::string& index, const std::string& scan,
                  const std::string& times, const std::string& same) {
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(), "%-44s %10s %10s %8s  %s\n", name.c_str(),
                  index.c_str(), scan.c_str(), times.c_str(), same.c_str());
    out_ << line.data() << std::flush;
  }

  static double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
  }

  const SimilarityBench& bench_;
  std::ostream& out_;
  Embeddings embeddings_;
};

}  // namespace

Status bench_similarity(const SimilarityBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  return SimilarityRun(bench, out).run();
}

}  // namespace cairn::tools
