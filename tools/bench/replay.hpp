#pragma once
// `cairn-bench load | search | statements | changes`: run workloads that users bring and measure
// them through the public API. Each report is one JSON object, written to a file, or to standard
// output for "-".

#include "tools/bench/number_file.hpp"

#include <cairn/result.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <vector>

namespace cairn::tools {

/// Makes a database of nodes with vectors and indexes them.
struct LoadReplay {
  std::string database;         ///< must not exist
  std::string nodes;            ///< JSON Lines: a map of properties, or a node as APOC exports it
  std::string vectors;          ///< little-endian floats; row i belongs to line i
  std::uint32_t dimension = 0;  ///< floats a row
  std::string label;            ///< added to every node
  std::string property;         ///< property that holds the vector
  std::string metric = "cosine";
  std::string index;  ///< name of the vector index; empty: `label_property` in lower case
  std::uint32_t threads = 2;
  std::string report;
};

/// Searches one vector index for many queries, one after the other on one thread.
struct SearchReplay {
  std::string database;
  std::string index;    ///< its name; or a label or property that only one index has
  std::string queries;  ///< little-endian floats; a row has the dimension of the index
  std::string rows;     ///< 32-bit numbers: which rows of `queries` to search for; empty: all
  std::size_t k = 10;
  std::vector<std::size_t> efs;      ///< each is measured separately; 0: the engine chooses
  std::vector<std::string> recalls;  ///< likewise, by class: "fast", "default", "high", "exact"
  std::string where;        ///< filter; the first name before a dot is the searched variable
  Parameters parameters;    ///< for the filter; `$row` is the row of the query
  double seconds = 0;       ///< least time per setting; makes at least one pass
  std::string id_property;  ///< names hits in `ids`; empty: number in import order
  std::string ids;          ///< file for k 32-bit numbers per query, setting by setting; -1: no hit
  std::string report;
};

/// Runs each line once in order, then repeats each distinct statement.
struct StatementsReplay {
  std::string database;
  std::string file;    ///< JSON Lines: {"statement": text, "parameters": map}
  double seconds = 0;  ///< least time per statement
  std::string report;
  std::string results;  ///< file for the rows of the first run, a line each; empty: none
};

/// Searches a vector index while it changes: alone, during inserts, and after updates and
/// deletions. The database is created, and removed at the end.
struct ChangesReplay {
  std::string database;         ///< must not exist
  std::string vectors;          ///< little-endian floats; the last rows are the queries
  std::uint32_t dimension = 0;  ///< floats a row
  std::string metric = "cosine";
  std::size_t questions = 200;
  std::size_t inserts_per_second = 1'000;
  std::size_t changes = 100'000;  ///< three updates for each deletion
  double seconds = 30;            ///< for each measurement of time
  std::uint64_t seed = 1;
  std::string report;
};

// Each function runs one workload and writes its report.

/// Loads a database. Errors: already_exists; invalid_argument if lines and rows do not match; those
/// of the calls.
[[nodiscard]] Status replay(const LoadReplay& work);
/// Searches an index. Errors: not_found; invalid_argument for files that do not match; those of the
/// statement.
[[nodiscard]] Status replay(const SearchReplay& work);
/// Runs statements. Errors: not_found, invalid_argument. If statements fail, returns the first
/// error after all have run and the reports are written.
[[nodiscard]] Status replay(const StatementsReplay& work);

/// Searches an index while it changes. Errors: already_exists; invalid_argument for too few rows;
/// those of the calls.
[[nodiscard]] Status replay(const ChangesReplay& work);

/// The variable of a filter: the first name before a dot outside of quotes, or "n" without
/// one.
[[nodiscard]] std::string variable_of(std::string_view expression);

// The nodes of `cairn-bench load`: joins lines of properties with rows of vectors.

/// Parses one batch on another thread while the caller stores the previous one.
class NodeFeed {
 public:
  /// Adds `label` to every node and stores its vector in `property`.
  /// Errors: those of VectorFile::open(); not_found.
  [[nodiscard]] static Result<std::unique_ptr<NodeFeed>> open(const std::filesystem::path& lines,
                                                              VectorFile vectors, std::string label,
                                                              std::string property);
  /// Returns the next nodes in order; empty at the end.
  /// Errors: invalid_argument with the number of the line, also if lines and rows differ in number.
  [[nodiscard]] Result<std::vector<NewNode>> next();

 private:
  NodeFeed(std::ifstream lines, VectorFile vectors, std::string label, std::string property);
  Result<std::vector<NewNode>> read_batch();
  Result<NewNode> make_node(const std::string& line);
  void begin_batch();

  std::ifstream lines_;
  VectorFile vectors_;
  const std::string label_;
  const std::string property_;
  std::uint64_t number_ = 0;  // number of lines read
  // The batch that a thread is reading. Meanwhile only that thread uses the members above.
  std::future<Result<std::vector<NewNode>>> batch_;
};

/// Accepts a map of properties, or {"labels", "properties"} with or without APOC's other fields.
/// Errors: invalid_argument.
[[nodiscard]] Result<NewNode> parse_node(const std::string& line);

}  // namespace cairn::tools
