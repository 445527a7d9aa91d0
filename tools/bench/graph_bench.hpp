#pragma once
// `cairn-bench graph`: questions about a network, asked of Cairn and of other engines.

#include "tools/bench/graph_data.hpp"

#include <cairn/result.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace cairn::tools {

struct GraphBench {
  std::string directory;  ///< must not exist
  GraphSize size;
  double seconds = 1;                  ///< of each question and engine, at most 200 runs
  std::vector<std::string> questions;  ///< names; empty: all
  std::string duckdb;                  ///< DuckDB's library; empty: without it
  bool sqlite = false;
};

/// Make the graph in each engine, compare their answers and print a table of their times: the first run and the median
/// of the others, in milliseconds of the wall clock. The files stay.
/// Errors: already_exists; invalid_argument for an unknown question; conflict where two engines give different answers; those of the engines.
[[nodiscard]] Status bench_graph(const GraphBench& bench, std::ostream& out);

}  // namespace cairn::tools
