#pragma once
// Statements of the memory calls: text made of fixed words and quoted names, values as parameters
// only.

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

/// What a memory call reads: a snapshot, or a transaction with its own changes. It refers to either.
class Source {
 public:
  Source(const Snapshot& snapshot) : snapshot_(&snapshot) {}        // NOLINT: one of the two
  Source(Transaction& transaction) : transaction_(&transaction) {}  // NOLINT

  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId id) const;
  [[nodiscard]] Result<std::optional<SystemFields>> system_fields(NodeId id) const;
  [[nodiscard]] Result<Rows> run(const Statement& statement, const Parameters& parameters,
                                 const StatementOptions& options) const;

 private:
  const Snapshot* snapshot_ = nullptr;
  Transaction* transaction_ = nullptr;  // exactly one of the two
};

/// The statements that a memory has run last, by their texts, so that each is parsed once. Threads: any.
class StatementCache {
 public:
  [[nodiscard]] Result<std::shared_ptr<const Statement>> find(std::string_view text);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const Statement>>;
  static constexpr std::size_t most = 64;

  std::mutex mutex_;             // guards statements_
  std::list<Entry> statements_;  // the latest used first
};

/// All rows of a statement.
struct Table {
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> warnings;
};
[[nodiscard]] Result<Table> run_statement(const Source& source, StatementCache& cache,
                                          std::string_view text, const Parameters& parameters,
                                          const StatementOptions& options);

/// A path without "metadata." at its front, which every memory call leaves out.
[[nodiscard]] std::string without_metadata(std::string_view path);
/// The keys of such a path; none of an empty one. Errors: invalid_argument for what is not a path.
[[nodiscard]] Result<std::vector<std::string>> field_keys(std::string_view path);
/// A name in back quotes.
[[nodiscard]] std::string quoted_name(std::string_view name);
/// m.`a`.`b` for the path "a.b", as filters write paths; "metadata." at its front is left out. What is
/// no path is one key.
[[nodiscard]] std::string property_text(std::string_view path);
/// The same as a value that is null, and no error, where the path leads through something that is no
/// map. No index answers it.
[[nodiscard]] std::string safe_property_text(std::string_view path);

/// Conditions on the record `m`, joined by AND, with their parameters. They are true or false of any
/// record: a field that holds something of another type than expected does not pass.
class Conditions {
 public:
  void equals(std::string_view path, Value value);
  /// Namespace, type and id, and the version where there is one.
  void equals(std::string_view path, const memory::StructuredId& id);
  /// The list at `path` has the value, or the value is alone there.
  void has_element(std::string_view path, Value value);
  /// `comparison` stands between the property and the value: ">=", "STARTS WITH". The path is one key.
  void compare(std::string_view path, std::string_view comparison, Value value);
  /// Text of the language, with parameters of its own.
  void add(std::string_view text, const Parameters& parameters = {});

  /// "WHERE ..." or nothing.
  [[nodiscard]] std::string where() const;
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  /// Make a value a parameter; gives its text, "$_3".
  std::string parameter(Value value);

 private:
  std::string text_;
  Parameters parameters_;
};

}  // namespace cairn::query
