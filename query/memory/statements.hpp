#pragma once
// Builds and runs the statements of the memory calls. Texts consist of fixed words and quoted names; values are
// parameters.

#include <cairn/memory/structured_id.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {

/// What a memory call reads from: a snapshot, or a transaction including its own changes. Holds a reference.
class Source {
 public:
  Source(const Snapshot& snapshot)
      : snapshot_(&snapshot) {}  // NOLINT: implicit conversion is intended
  Source(Transaction& transaction) : transaction_(&transaction) {}  // NOLINT

  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId id) const;
  [[nodiscard]] Result<std::optional<SystemFields>> system_fields(NodeId id) const;
  [[nodiscard]] Result<Rows> run(const Statement& statement, const Parameters& parameters,
                                 const StatementOptions& options) const;

 private:
  const Snapshot* snapshot_ = nullptr;
  Transaction* transaction_ = nullptr;  // exactly one of the two
};

/// A cache of the statements that a memory ran last, by their texts. Threads: any.
class StatementCache {
 public:
  [[nodiscard]] Result<std::shared_ptr<const Statement>> find(std::string_view text);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const Statement>>;
  static constexpr std::size_t most = 64;

  std::mutex mutex_;             // guards statements_
  std::list<Entry> statements_;  // the latest used first
};  // most recently used first

/// The rows of a statement.
struct Table {
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> warnings;
};
/// Runs a statement and reads all rows.
[[nodiscard]] Result<Table> run_statement(const Source& source, StatementCache& cache,
                                          std::string_view text, const Parameters& parameters,
                                          const StatementOptions& options);

/// A path without a leading "metadata.", which all memory calls ignore.
[[nodiscard]] std::string without_metadata(std::string_view path);
/// The keys of such a path; empty for an empty path. Errors: invalid_argument for a text that is not a path.
[[nodiscard]] Result<std::vector<std::string>> field_keys(std::string_view path);
/// A name in back quotes, for the text of a statement.
[[nodiscard]] std::string quoted_name(std::string_view name);
/// m.`a`.`b` for the path "a.b", without a leading "metadata.". A text that is not a path is one key.
[[nodiscard]] std::string property_text(std::string_view path);
/// As property_text(), but null instead of an error if the path leads through a value that is not a map. No index can be
/// used for it.
[[nodiscard]] std::string safe_property_text(std::string_view path);

/// Conditions on the record `m`, joined by AND, with their parameters. They never fail: a field of an unexpected type
/// does not match.
class Conditions {
 public:
  void equals(std::string_view path, Value value);
  /// Compares namespace, type and id, and the version if the id has one.
  void equals(std::string_view path, const memory::StructuredId& id);
  /// True if the list at `path` contains the value, or if the value itself is there.
  void has_element(std::string_view path, Value value);
  /// `comparison` is the operator between property and value: ">=", "STARTS WITH". The path must be one key.
  void compare(std::string_view path, std::string_view comparison, Value value);
  /// Adds a condition as text of the language, with its parameters.
  void add(std::string_view text, const Parameters& parameters = {});

  /// " WHERE ..." or an empty text.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  /// Adds a parameter and returns its text, such as "$_3".
  std::string parameter(Value value);

 private:
  std::string text_;
  Parameters parameters_;
};

}  // namespace cairn::query
