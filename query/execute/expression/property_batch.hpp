#pragma once
// TextCodes: encodes a text property of few entities that occur in many rows.
// PropertyBatch: reads the properties that expressions need for all rows of a batch at once.
// HeldValues: charges the memory of operands during an evaluation.

#include "codec/value_extent.hpp"
#include "query/bind/expression.hpp"
#include "query/execute/batch_column.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// Caches the text of each entity that it has read, for later batches.
class TextCodes {
 public:
  /// Returns the property of all entities as a column of codes. Returns nullopt if there are few
  /// rows, too many entities without a code, or a value that is not a short text, and after such
  /// batches.
  [[nodiscard]] Result<std::optional<BatchColumn>> column(GraphReader& graph,
                                                          codec::EntityKind kind,
                                                          std::span<const std::uint64_t> ids,
                                                          std::string_view name);

 private:
  /// Returns the entities without a code, ascending and without duplicates.
  [[nodiscard]] std::vector<std::uint64_t> unknown(std::span<const std::uint64_t> ids) const;
  /// Assigns codes. Returns false if a value cannot have a code.
  [[nodiscard]] Result<bool> learn(std::span<const std::uint64_t> ids,
                                   std::span<const Value> values);
  /// Clears all codes if the graph or the kind of entity has changed.
  void begin(GraphReader& graph, codec::EntityKind kind);

  std::optional<codec::EntityKind> kind_;
  std::uint64_t epoch_ = 0;  // epoch of the graph when the codes were assigned
  bool is_vain_ = false;     // whether coding is not worth trying
  std::size_t misses_ = 0;   // batches with too many different entities
  std::unordered_map<std::uint64_t, std::uint32_t> code_of_id_;
  std::unordered_map<std::string, std::uint32_t> code_of_text_;
  std::shared_ptr<std::vector<Value>> texts_;  // dictionary of all returned columns; only grows
  Holding held_;
};

/// Properties that were read ahead for one batch.
class PropertyBatch {
 public:
  /// Registers the properties that `expression` reads of variables in the row. Includes properties
  /// that only one branch of a CASE or of a logical operator reads.
  void expect(const Expression& expression);
  [[nodiscard]] bool empty() const noexcept { return columns_.empty(); }

  /// Reads the registered properties for the rows of `batch` from `first` on. Entities that the
  /// statement deleted are skipped.
  [[nodiscard]] Status load(const RowBatch& batch, GraphReader& graph, std::size_t first = 0);
  /// Selects the row on which expressions are evaluated next.
  void select(std::size_t row) noexcept { row_ = row; }

  /// Returns a copy of the property in the selected row, or nullopt if it was not read ahead.
  /// Errors: resource_limit if there is no memory for the copy.
  [[nodiscard]] Result<std::optional<Value>> read(Slot slot, std::string_view name,
                                                  const Budget& budget) const;
  /// Returns the property in all rows as a column, or nullptr if it is not available as one.
  [[nodiscard]] const BatchColumn* column(Slot slot, std::string_view name) const noexcept;

 private:
  struct Column {
    Slot slot = 0;
    std::string name;
    // All rows as one column; if empty, the next members are used.
    std::optional<BatchColumn> whole;
    TextCodes codes = {};
    std::vector<Value> values;
    std::vector<bool> is_read;
  };
  [[nodiscard]] const Column* find(Slot slot, std::string_view name) const noexcept;
  /// Reads a property for all rows as one column, if possible. Otherwise leaves it to load().
  [[nodiscard]] static Status load_whole(Column& column, const RowBatch& batch, GraphReader& graph);
  [[nodiscard]] static Status load(Column& column, codec::EntityKind kind, const RowBatch& batch,
                                   GraphReader& graph, std::size_t first);

  std::vector<Column> columns_;
  std::size_t row_ = 0;
};

/// Charges operands and arguments that wait while the next ones are evaluated. The destructor
/// releases the charge. Only large values are charged. Small values, which are the most frequent,
/// cost only a test of their type.
class HeldValues {
 public:
  explicit HeldValues(Budget& budget) noexcept : budget_(budget) {}
  ~HeldValues() {
    if (bytes_ > 0) budget_.release(bytes_);
  }
  HeldValues(const HeldValues&) = delete;
  HeldValues& operator=(const HeldValues&) = delete;

  [[nodiscard]] Status add(const Value& value) {
    if (codec::extent_of(value).bytes < least_bytes) return {};
    const std::size_t bytes = memory_bytes(value);
    CAIRN_TRY(budget_.charge(bytes));
    bytes_ += bytes;
    return budget_.step(bytes / 1'024);  // copying or making the value took time
  }

 private:
  static constexpr std::size_t least_bytes = 16'384;

  Budget& budget_;
  std::size_t bytes_ = 0;
};

}  // namespace cairn::query
