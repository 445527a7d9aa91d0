#pragma once
// `cairn-bench load | search | statements | changes`: workloads that users bring, replayed and timed through
// the public calls. Reports are one JSON object, written to a file, or to standard output for "-".

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

/// Make a database of nodes and their vectors, and index them.
struct LoadReplay {
  std::string database;         ///< must not exist
  std::string nodes;            ///< JSON Lines: a map of properties, or a node as APOC exports it
  std::string vectors;          ///< little-endian floats; row i belongs to line i
  std::uint32_t dimension = 0;  ///< floats a row
  std::string label;            ///< given to every node
  std::string property;         ///< that holds the vector
  std::string metric = "cosine";
  std::string index;  ///< name of the vector index; empty: `label_property`, in small letters
  std::uint32_t threads = 2;
  std::string report;
};

/// Search one vector index for many queries, one after the other in one thread.
struct SearchReplay {
  std::string database;
  std::string index;    ///< its name; or its label or property, where only one index has it
  std::string queries;  ///< little-endian floats, as many a row as the index says
  std::string rows;     ///< 32-bit numbers: the rows of `queries` to search for; empty: all
  std::size_t k = 10;
  std::vector<std::size_t> efs;      ///< each is measured separately; 0: what the engine chooses
  std::vector<std::string> recalls;  ///< the same by class: "fast", "default", "high", "exact"
  std::string where;        ///< filter; the first name before a dot in it is the searched variable
  Parameters parameters;    ///< of the filter; `$row` is the row of the query
  double seconds = 0;       ///< least time a setting; at least one pass is made
  std::string id_property;  ///< what `ids` names hits by; empty: number in order of import
  std::string ids;  ///< file for k 32-bit numbers a query, setting after setting, -1 without a hit
  std::string report;
};

/// Run each line once in order, then each different statement again and again.
struct StatementsReplay {
  std::string database;
  std::string file;    ///< JSON Lines: {"statement": text, "parameters": map}
  double seconds = 0;  ///< least time a statement
  std::string report;
  std::string results;  ///< file for the rows of the first run, a line a line; empty: none
};

/// Search a vector index while it is being changed: alone, beside inserts, and behind updates and
/// deletions. The database is made, and removed at the end.
struct ChangesReplay {
  std::string database;         ///< must not exist
  std::string vectors;          ///< little-endian floats; the last rows are the questions
  std::uint32_t dimension = 0;  ///< floats a row
  std::string metric = "cosine";
  std::size_t questions = 200;
  std::size_t inserts_per_second = 1'000;
  std::size_t changes = 100'000;  ///< three updates to one deletion
  double seconds = 30;            ///< of each measurement of time
  std::uint64_t seed = 1;
  std::string report;
};

/// Errors: already_exists, invalid_argument where lines and rows do not match, those of the calls.
[[nodiscard]] Status replay(const LoadReplay& work);
/// Errors: not_found, invalid_argument for files that do not fit, those of the statement.
[[nodiscard]] Status replay(const SearchReplay& work);
/// Errors: not_found, invalid_argument; that of the first statement that failed, when all are run and
/// the reports are written.
[[nodiscard]] Status replay(const StatementsReplay& work);

/// Errors: already_exists; invalid_argument for too few rows; those of the calls.
[[nodiscard]] Status replay(const ChangesReplay& work);

/// The variable that a filter is about: the first name before a dot outside of quotes, or "n".
[[nodiscard]] std::string variable_of(std::string_view expression);

// Nodes for `cairn-bench load`: lines of properties joined with rows of vectors.

/// Parses one batch on a thread of its own while the caller stores the one before.
class NodeFeed {
 public:
  /// `label` is given to every node, `property` holds its vector.
  /// Errors: those of VectorFile::open(); not_found.
  [[nodiscard]] static Result<std::unique_ptr<NodeFeed>> open(const std::filesystem::path& lines,
                                                              VectorFile vectors, std::string label,
                                                              std::string property);
  /// The next nodes in order, empty at the end.
  /// Errors: invalid_argument naming the line, also where there are more lines than rows or fewer.
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
  std::uint64_t number_ = 0;                         // lines read
  std::future<Result<std::vector<NewNode>>> batch_;  // under way; the members above are its own
};

/// A map of properties, or {"labels", "properties"} with or without APOC's other fields.
/// Errors: invalid_argument.
[[nodiscard]] Result<NewNode> parse_node(const std::string& line);

}  // namespace cairn::tools
