// Hybrid searches over a set of questions: each retriever alone, then both with every kind of
// fusion, by statements and by hybrid_search(). The default of both, Fusion::Kind::max_norm, rests
// on these figures: `cairn-bench retrieval DIR --hybrid`.

#include "tools/bench/retrieval.hpp"
#include "tools/bench/retrieval_data.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/embedder.hpp>
#include <cairn/filter.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <functional>
#include <iomanip>
#include <ostream>

namespace cairn::tools {
namespace {

struct Retrievers {
  std::string name;
  std::string text;
};

struct Asked {
  const Snapshot& snapshot;
  const std::vector<RetrievalQuery>& queries;
  const Embedder& embedder;
};

/// Each single retriever, and each combination with every kind of fusion.
std::vector<Retrievers> all_retrievers() {
  const std::string vectors = "VECTOR INDEX meanings FOR $vector";
  const std::string texts = "FULLTEXT INDEX documents FOR $text PLAIN";
  const std::string recall = "RANKED INDEX documents FOR $text";
  const std::string graph = "GRAPH (d)-[*1..2]-()";
  std::vector<Retrievers> retrievers = {{"vectors", vectors}, {"texts", texts}, {"recall", recall}};
  const std::vector<Retrievers> mixed = {{"both, ", vectors + ", " + texts},
                                         {"1 : 4, ", vectors + ", " + texts + " WEIGHT 4"},
                                         {"and graph, ", vectors + ", " + texts + ", " + graph},
                                         {"with recall, ", vectors + ", " + recall}};
  for (const Retrievers& mix : mixed)
    for (const std::string fusion : {"MAX_NORM", "ZSCORE", "MIN_MAX", "RRF"})
      retrievers.push_back({mix.name + fusion, "HYBRID " + mix.text + " FUSE " + fusion});
  return retrievers;
}

using Found = Result<std::vector<std::uint64_t>>;
/// Asks one question, with its vector. Embedding the question is not timed.
using Ask = std::function<Found(const RetrievalQuery& query, const Vector& vector)>;

Filter filter_of(const RetrievalQuery& query) {
  std::vector<Filter> all;
  for (const auto& [name, value] : query.filter)
    all.push_back(Filter::where(name, FilterOperator::equals, value));
  return Filter::all_of(std::move(all));
}

Found find(const Snapshot& snapshot, const Statement& statement, const RetrievalQuery& query,
           const Vector& vector) {
  const Parameters parameters = {
      {"text", query.text}, {"filter", to_value(filter_of(query))}, {"vector", vector}};
  CAIRN_ASSIGN(Rows rows, statement.run(snapshot, parameters));
  std::vector<std::uint64_t> found;
  CAIRN_ASSIGN(const auto all, rows.all());
  for (const auto& row : all) found.push_back(static_cast<std::uint64_t>(row[0].as_integer()));
  return found;
}

/// Searches by vectors, and by texts or by recall().
Found find_by_call(const Snapshot& snapshot, const RetrievalQuery& query, const Vector& vector,
                   bool has_recall, bool is_filtered, Fusion::Kind fusion) {
  HybridSearch search;
  const auto components = vector.components();
  search.retrievers = {VectorRetriever{"meanings", {components.begin(), components.end()}}};
  if (has_recall) {
    RankedRetriever ranked{query.text, {}};
    ranked.options.index = "documents";
    search.retrievers.emplace_back(std::move(ranked));
  } else {
    search.retrievers.emplace_back(TextRetriever{"documents", query.text});
  }
  if (is_filtered) search.filter = filter_of(query);
  search.ranking.fusion.kind = fusion;
  search.limit = 20;
  CAIRN_ASSIGN(const HybridHits hits, hybrid_search(snapshot, search));
  std::vector<std::uint64_t> found;
  for (const Hit& hit : hits.hits) found.push_back(hit.id);
  return found;
}

/// Asks all questions in one way. Times are processor time of this thread.
Status measure(const Asked& asked, const std::string& name, bool is_filtered, const Ask& ask,
               std::ostream& out) {
  std::vector<double> times;
  double ndcg = 0, recall = 0;
  for (const RetrievalQuery& query : asked.queries) {
    const std::string_view text = query.text;
    CAIRN_ASSIGN(const auto vectors, asked.embedder.embed({&text, 1}));
    const double begin = thread_cpu_us();
    CAIRN_ASSIGN(const auto found, ask(query, vectors.at(0)));
    times.push_back(1e-3 * (thread_cpu_us() - begin));
    const RetrievalFigures figures = judge(found, query.wanted);
    ndcg += figures.ndcg10;
    recall += figures.recall10;
  }
  std::ranges::sort(times);
  const double count = static_cast<double>(asked.queries.size());
  out << "| " << std::left << std::setw(22) << name << " | " << (is_filtered ? "yes" : "no ")
      << std::right << std::fixed << std::setprecision(1) << " | " << std::setw(7)
      << 100 * ndcg / count << " | " << std::setw(6) << 100 * recall / count << " | "
      << std::setw(6) << std::setprecision(2) << times[times.size() * 95 / 100] << " |\n";
  return {};
}

Status measure_statement(const Asked& asked, const Retrievers& retrievers, bool is_filtered,
                         std::ostream& out) {
  CAIRN_ASSIGN(const Statement statement,
               Statement::parse("MATCH (d:Document) SEARCH d IN (" + retrievers.text +
                                (is_filtered ? " WHERE matches_filter(d, $filter)" : "") +
                                " LIMIT 20) RETURN id(d)"));
  const auto ask = [&](const RetrievalQuery& query, const Vector& vector) {
    return find(asked.snapshot, statement, query, vector);
  };
  return measure(asked, retrievers.name, is_filtered, ask, out);
}

/// hybrid_search() by its default, and by the sum of scores.
Status measure_calls(const Asked& asked, bool is_filtered, std::ostream& out) {
  for (const bool has_recall : {false, true})
    for (const bool is_sum : {false, true}) {
      const auto ask = [&](const RetrievalQuery& query, const Vector& vector) {
        return find_by_call(asked.snapshot, query, vector, has_recall, is_filtered,
                            is_sum ? Fusion::Kind::weighted_sum : Fusion{}.kind);
      };
      CAIRN_TRY(measure(asked,
                        std::string("call, ") + (has_recall ? "recall, " : "both, ") +
                            (is_sum ? "sum" : "default"),
                        is_filtered, ask, out));
    }
  return {};
}

}  // namespace

Status measure_hybrid(const Snapshot& snapshot, const std::vector<RetrievalQuery>& queries,
                      const Embedder& embedder, std::ostream& out) {
  if (queries.empty()) return {};
  const bool has_filter = std::ranges::any_of(
      queries, [](const RetrievalQuery& query) { return !query.filter.empty(); });
  out << "\n| hybrid search          | filter | nDCG@10 | rec@10 | p95 ms "
         "|\n|---|---|---|---|---|\n";
  const Asked asked{snapshot, queries, embedder};
  for (const Retrievers& retrievers : all_retrievers()) {
    if (has_filter) CAIRN_TRY(measure_statement(asked, retrievers, true, out));
    CAIRN_TRY(measure_statement(asked, retrievers, false, out));
  }
  if (has_filter) CAIRN_TRY(measure_calls(asked, true, out));
  return measure_calls(asked, false, out);
}

}  // namespace cairn::tools
