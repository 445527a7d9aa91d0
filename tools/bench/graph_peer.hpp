#pragma once
// An engine that is asked the questions of `cairn-bench graph`.

#include "tools/bench/graph_data.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

// The questions of `cairn-bench graph`, in the language and in SQL.

/// What a question takes: `$id` and `$other` are persons, `$n` counts up from the first new id.
enum class GraphOperands : std::uint8_t { none, person, two_persons, number };

struct GraphQuestion {
  std::string_view name;
  std::string_view about;
  GraphOperands operands;
  std::string_view cypher;  ///< parameters $id, $other, $n
  std::string_view sql;     ///< parameters ?1, ?2: the same in this order; empty: no peer is asked
  bool writes = false;
  bool is_ordered = false;  ///< rows are compared in their order
};

[[nodiscard]] std::span<const GraphQuestion> graph_questions();

/// Rows as texts, cells joined by a bar.
using GraphAnswer = std::vector<std::string>;

/// Holds the graph and a prepared statement for each question. Not safe from two threads.
class GraphPeer {
 public:
  virtual ~GraphPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  /// Ask the question of this number with its operands in their order.
  [[nodiscard]] virtual Result<GraphAnswer> ask(std::size_t question,
                                                std::span<const std::int64_t> operands) = 0;
};

using GraphPeerResult = Result<std::unique_ptr<GraphPeer>>;

/// The input of a peer: the graph, and a directory for its files that has the tables of
/// write_graph_tables().
struct GraphSource {
  const GraphData& graph;
  std::filesystem::path directory;
};

[[nodiscard]] GraphPeerResult make_graph_cairn(const GraphSource& source);
/// Errors: unsupported where the program was built without SQLite.
[[nodiscard]] GraphPeerResult make_graph_sqlite(const GraphSource& source);
[[nodiscard]] GraphPeerResult make_graph_duckdb(const GraphSource& source,
                                                const std::string& library);

}  // namespace cairn::tools
