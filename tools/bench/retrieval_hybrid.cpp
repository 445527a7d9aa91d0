// Hybrid searches of the language over a set of questions: each retriever alone, then both with
// every kind of fusion. The default fusion of LANGUAGE.md, FUSE MAX_NORM, was chosen by the figures
// of `cairn-bench retrieval DIR --hybrid`.

#include "tools/bench/retrieval.hpp"
#include "tools/bench/retrieval_data.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/embedder.hpp>
#include <cairn/filter.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
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

/// Parameters of the statement. Embedding the question is not timed.
Result<Parameters> parameters_of(const RetrievalQuery& query, const Embedder& embedder) {
  std::vector<Filter> all;
  for (const auto& [name, value] : query.filter)
    all.push_back(Filter::where(name, FilterOperator::equals, value));
  const std::string_view text = query.text;
  CAIRN_ASSIGN(const auto vectors, embedder.embed({&text, 1}));
  return Parameters{{"text", query.text},
                    {"filter", to_value(Filter::all_of(std::move(all)))},
                    {"vector", vectors.at(0)}};
}

Result<std::vector<std::uint64_t>> find(const Snapshot& snapshot, const Statement& statement,
                                        const Parameters& parameters) {
  CAIRN_ASSIGN(Rows rows, statement.run(snapshot, parameters));
  std::vector<std::uint64_t> found;
  CAIRN_ASSIGN(const auto all, rows.all());
  for (const auto& row : all) found.push_back(static_cast<std::uint64_t>(row[0].as_integer()));
  return found;
}

/// Asks all questions with one combination. Times are processor time of this thread.
Status measure(const Asked& asked, const Retrievers& retrievers, bool is_filtered,
               std::ostream& out) {
  CAIRN_ASSIGN(const Statement statement,
               Statement::parse("MATCH (d:Document) SEARCH d IN (" + retrievers.text +
                                (is_filtered ? " WHERE matches_filter(d, $filter)" : "") +
                                " LIMIT 20) RETURN id(d)"));
  std::vector<double> times;
  double ndcg = 0, recall = 0;
  for (const RetrievalQuery& query : asked.queries) {
    CAIRN_ASSIGN(const Parameters parameters, parameters_of(query, asked.embedder));
    const double begin = thread_cpu_us();
    CAIRN_ASSIGN(const auto found, find(asked.snapshot, statement, parameters));
    times.push_back(1e-3 * (thread_cpu_us() - begin));
    const RetrievalFigures figures = judge(found, query.wanted);
    ndcg += figures.ndcg10;
    recall += figures.recall10;
  }
  std::ranges::sort(times);
  const double count = static_cast<double>(asked.queries.size());
  out << "| " << std::left << std::setw(22) << retrievers.name << " | "
      << (is_filtered ? "yes" : "no ") << std::right << std::fixed << std::setprecision(1) << " | "
      << std::setw(7) << 100 * ndcg / count << " | " << std::setw(6) << 100 * recall / count
      << " | " << std::setw(6) << std::setprecision(2) << times[times.size() * 95 / 100] << " |\n";
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
    if (has_filter) CAIRN_TRY(measure(asked, retrievers, true, out));
    CAIRN_TRY(measure(asked, retrievers, false, out));
  }
  return {};
}

}  // namespace cairn::tools
