#pragma once
// Benchmarks of `cairn-bench` that generate their own data: their options and the functions that
// run them.

#include "tools/bench/graph_data.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cairn::tools {

// `cairn-bench attach`: the cost of using a database through another process, which has it open.

struct AttachBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 20'000;
  std::uint32_t dimension = 128;
  double seconds = 2;            ///< for each throughput figure
  std::uint64_t takeovers = 50;  ///< how many hosts are killed
  std::uint64_t seed = 1;
};

/// Compares calls in the host with those of attached processes and prints the figures and their
/// ratios. The database is not removed. Must be called before the process starts threads. Errors:
/// already_exists; those of the measured calls.
[[nodiscard]] Status bench_attach(const AttachBench& bench, std::ostream& out);

// `cairn-bench graph`: queries over a social network, for Cairn and for other engines.

struct GraphBench {
  std::string directory;  ///< must not exist
  GraphSize size;
  double seconds = 1;                  ///< for each question and engine
  std::vector<std::string> questions;  ///< names of questions; empty: all
  std::string duckdb;  ///< path of DuckDB's shared library; empty: do not measure DuckDB
  std::string kuzu;    ///< directory of Kuzu's npm package; empty: do not measure Kuzu
  bool sqlite = false;
  std::uint32_t threads = 0;  ///< of each statement of Cairn; 0: see StatementOptions::threads
};

/// Loads the graph into each engine, compares their answers and prints a table of their times: the
/// first run and the median of the other runs, in milliseconds of wall clock time. The files are
/// not removed. Errors: already_exists; invalid_argument for an unknown question; conflict if two
/// engines give different answers; those of the engines.
[[nodiscard]] Status bench_graph(const GraphBench& bench, std::ostream& out);

// `cairn-bench home`: a database in an object store.

struct HomeBench {
  std::string directory;  ///< must not exist
  std::string home;       ///< the store, see Options::home; empty: a directory in `directory`
  std::uint64_t memories = 10'000;
  std::uint32_t dimension = 384;
  std::uint64_t commits = 300;  ///< and creates and searches
  std::uint64_t openings = 10;
  std::uint64_t homes = 50;  ///< that are open at once
  std::uint64_t seed = 1;
};

/// Measures the creation of an object in the store, commits, openings, searches, a replica, and the memory of open
/// homes. Prints the figures. Neither directory nor homes are removed. Errors: already_exists; those of the measured
/// calls.
[[nodiscard]] Status bench_home(const HomeBench& bench, std::ostream& out);

// `cairn-bench mcp`: the memory of agents, as a client of `cairn mcp` sees it.

struct McpBench {
  std::string directory;  ///< must not exist
  std::string program;    ///< path of `cairn`; empty: next to this program
  std::uint64_t memories = 100'000;
  std::uint64_t starts = 7;
  std::uint64_t calls = 200;  ///< of each kind
  std::uint64_t seed = 1;
};

/// Fills a database with memories. Measures the time of `cairn mcp` to its first answer, the time of a search, and the
/// private memory of an attached process. Prints the figures. The database is not removed. Errors: already_exists;
/// not_found without the program; io_error if the program ends; those of the calls that fill the database.
[[nodiscard]] Status bench_mcp(const McpBench& bench, std::ostream& out);

// `cairn-bench similarity`: sorts by a similarity, without `SEARCH`.

struct SimilarityBench {
  std::string directory;             ///< must not exist
  std::uint64_t entities = 100'000;  ///< and as many relationships between them
  std::uint32_t dimension = 384;
  std::uint64_t calls = 20;  ///< of each statement
  std::uint64_t seed = 1;
};

/// Runs each statement by the vector index and as a scan, compares their rows, and prints the medians of their
/// processor times. The database is not removed. Errors: already_exists; those of the measured calls.
[[nodiscard]] Status bench_similarity(const SimilarityBench& bench, std::ostream& out);

// `cairn-bench metadata`: filters over generated nodes.

struct MetadataBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t updates = 100'000;  ///< updates that change one frequent value
  std::uint64_t seed = 1;
};

/// Loads nodes, filters, updates and filters again, and prints the figures. The database is not
/// removed. Errors: already_exists; those of the measured calls.
[[nodiscard]] Status bench_metadata(const MetadataBench& bench, std::ostream& out);

// `cairn-bench facets`: faceted search over generated memories.

struct FacetsBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t tags = 200;  ///< number of distinct tags
  std::uint64_t seed = 1;
};

/// Loads memories with distinct tags, 10 types and distinct dates over two years. Then searches by
/// tags, type and period. Each search returns the first page of 10 rows, the total number of
/// matches and three facets. The database is not removed. Errors: already_exists; those of the
/// measured calls.
[[nodiscard]] Status bench_facets(const FacetsBench& bench, std::ostream& out);

}  // namespace cairn::tools
