#pragma once
// `cairn-bench retrieval`: how good the answers of recall() are in each configuration.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace cairn::tools {

struct RetrievalQuery;

struct RetrievalBench {
  std::string directory;     ///< corpus.jsonl, queries.jsonl, qrels/test.tsv
  std::string exclude;       ///< "name=value": questions with this metadata are left out
  std::string word_vectors;  ///< a file of WordVectors; without one, vectors are hashed
  std::string embedder;      ///< as for make_embedder(), instead of hashed vectors
  bool hybrid = false;       ///< searches of the language by vectors and texts as well
  bool intervals = false;    ///< also what each feature gains or loses
  bool changes = false;      ///< the default alone, over changed records and questions
};

/// The usual measures of one ranking, or their means.
struct RetrievalFigures {
  double ndcg10 = 0;
  double recall5 = 0;
  double recall10 = 0;
  double recall20 = 0;
  double reciprocal_rank = 0;
};

/// Compares the found nodes, best first, with the gains of the wanted nodes. Gains are discounted
/// by log2(1 + rank) (Järvelin, Kekäläinen 2002).
[[nodiscard]] RetrievalFigures judge(const std::vector<std::uint64_t>& found,
                                     const std::map<std::uint64_t, double>& wanted);

/// Prints a table of searches of the language by vectors, texts and both, combined with every kind
/// of fusion.
[[nodiscard]] Status measure_hybrid(const Snapshot& snapshot,
                                    const std::vector<RetrievalQuery>& queries,
                                    const Embedder& embedder, std::ostream& out);

/// A mean and the range in which it is with 95 % confidence.
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Returns the mean of the values with its 95 % interval by bootstrap (Efron 1979). Draws 1,000
/// samples of the same size with replacement: 25 of their means are below the interval, and 25 are
/// above. Equal calls return equal results. Without values, returns zeros.
[[nodiscard]] Interval mean_interval(const std::vector<double>& values);

/// The figures of one configuration, in the order of the questions.
struct Measured {
  std::string name;
  bool is_filtered = false;
  std::vector<RetrievalFigures> figures;
};

/// Compares "text" and "default" with the configurations whose names begin with these words. Prints a
/// table of the differences in points of recall@10 and nDCG@10, with 95 % intervals: for all
/// questions, for each half of the questions, and for each category.
void print_intervals(const std::vector<RetrievalQuery>& queries, const std::vector<Measured>& all,
                     std::ostream& out);

/// Returns the mean of figures with equal weights.
[[nodiscard]] RetrievalFigures mean(const std::vector<RetrievalFigures>& all);

/// Runs the default recall over changed records and changed questions. Prints a table of what each change costs, for
/// each half of the conversations. Errors: those of run_retrieval().
[[nodiscard]] Status measure_changes(const RetrievalBench& bench, std::ostream& out);

/// Loads the set into a new database and asks every question in every configuration, with and without
/// its filter. Prints a table with the processor time of a question. Errors: io_error; invalid_argument,
/// also for an `exclude` that is not name=value, or whose name no question has.
[[nodiscard]] Status run_retrieval(const RetrievalBench& bench, std::ostream& out);

}  // namespace cairn::tools
