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
  std::string directory;     ///< has corpus.jsonl, queries.jsonl and qrels/test.tsv
  std::string exclude;       ///< "name=value": leaves out questions with this metadata
  std::string word_vectors;  ///< file of WordVectors; empty: vectors are hashed
  bool hybrid = false;       ///< also measures searches of the language by vectors and texts
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

/// Loads the set into a temporary database, asks every question in every configuration, with and
/// without its filter, and prints a table with the processor time per question. Errors: io_error;
/// invalid_argument, among others if `exclude` is not name=value, or if no question has its name.
[[nodiscard]] Status run_retrieval(const RetrievalBench& bench, std::ostream& out);

}  // namespace cairn::tools
