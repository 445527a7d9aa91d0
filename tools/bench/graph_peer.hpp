#pragma once
// The interface of engines that answer the questions of `cairn-bench graph`, and these questions.

#include "tools/bench/graph_data.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

// Each question is written in Cairn's language and in SQL.

/// Operands of a question: `$id` and `$other` are persons, `$n` counts up from an id that is not in
/// use.
enum class GraphOperands : std::uint8_t { none, person, two_persons, number };

struct GraphQuestion {
  std::string_view name;
  std::string_view about;
  GraphOperands operands;
  std::string_view cypher;  ///< parameters $id, $other, $n
  std::string_view sql;     ///< parameters ?1, ?2 likewise; empty: only Cairn is measured
  bool writes = false;
  bool is_ordered = false;  ///< rows are compared in their order
};

[[nodiscard]] std::span<const GraphQuestion> graph_questions();

/// Each row is a text with its cells joined by "|".
using GraphAnswer = std::vector<std::string>;

/// An engine that holds the graph and a prepared statement for each question. Not thread-safe.
class GraphPeer {
 public:
  virtual ~GraphPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool has(std::size_t question) const {
    return !graph_questions()[question].sql.empty();
  }
  /// Runs the question at this index with its operands in order.
  [[nodiscard]] virtual Result<GraphAnswer> ask(std::size_t question,
                                                std::span<const std::int64_t> operands) = 0;
  /// The time of the last answer, if the engine runs in another process and measures it there.
  [[nodiscard]] virtual std::optional<double> own_milliseconds() const { return std::nullopt; }
};

using GraphPeerResult = Result<std::unique_ptr<GraphPeer>>;

/// What an engine is filled from: the graph, and a directory for its files that contains the tables
/// of write_graph_tables().
struct GraphSource {
  const GraphData& graph;
  std::filesystem::path directory;
  std::uint32_t threads = 0;  ///< StatementOptions::threads of Cairn
};

// Each function loads the graph into one engine.

[[nodiscard]] GraphPeerResult make_graph_cairn(const GraphSource& source);
/// Uses a file of SQLite. Errors: unsupported if the program was built without SQLite.
[[nodiscard]] GraphPeerResult make_graph_sqlite(const GraphSource& source);
[[nodiscard]] GraphPeerResult make_graph_duckdb(const GraphSource& source,
                                                const std::string& library);
/// Runs Kuzu in Node; `package` is the directory of its npm package. Errors: not_found without Node.
[[nodiscard]] GraphPeerResult make_graph_kuzu(const GraphSource& source,
                                              const std::string& package);

}  // namespace cairn::tools
