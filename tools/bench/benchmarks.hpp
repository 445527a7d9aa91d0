#pragma once
// Benchmarks of `cairn-bench` that make their own data: their options, and what runs them.

#include "tools/bench/graph_data.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cairn::tools {

// `cairn-bench attach`: what it costs to use a database through the process that has it open.

struct AttachBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 20'000;
  std::uint32_t dimension = 128;
  double seconds = 2;            ///< of each throughput
  std::uint64_t takeovers = 50;  ///< hosts that are killed
  std::uint64_t seed = 1;
};

/// Compare calls in the host with those of attached processes, side by side; print the figures and their ratios. The
/// database stays. To be called before the process has threads.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_attach(const AttachBench& bench, std::ostream& out);

// `cairn-bench graph`: questions about a network, asked of Cairn and of other engines.

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

// `cairn-bench mcp`: the memory of agents, as a client of `cairn mcp` meets it.

struct McpBench {
  std::string directory;  ///< must not exist
  std::string program;    ///< `cairn`; empty: beside this program
  std::uint64_t memories = 100'000;
  std::uint64_t starts = 7;
  std::uint64_t calls = 200;  ///< of each kind
  std::uint64_t seed = 1;
};

/// Fill a database with memories, then measure how long `cairn mcp` takes to its first answer, how long a search takes, and
/// how much memory a process has of its own that is attached to another. Prints the figures. The database stays.
/// Errors: already_exists; not_found without the program; io_error where it ends; those of the calls that fill.
[[nodiscard]] Status bench_mcp(const McpBench& bench, std::ostream& out);

// `cairn-bench metadata`: filters over generated nodes.

struct MetadataBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t updates = 100'000;  ///< of one frequent value
  std::uint64_t seed = 1;
};

/// Load, filter, update and filter again; print the figures. The database stays.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_metadata(const MetadataBench& bench, std::ostream& out);

// `cairn-bench facets`: faceted search over generated memories.

struct FacetsBench {
  std::string directory;  ///< must not exist
  std::uint64_t nodes = 1'000'000;
  std::uint64_t tags = 200;  ///< distinct ones
  std::uint64_t seed = 1;
};

/// Load memories with distinct tags, 10 types and distinct dates over two years, then search by tags,
/// type and period: page 1 of 10 with its total and three facets. The database stays.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_facets(const FacetsBench& bench, std::ostream& out);

}  // namespace cairn::tools
