#pragma once
// TextCodes: a property of few entities that stand in many rows, as codes.
// PropertyBatch: the properties that expressions will ask for, read for all rows of a batch at once.
// HeldValues: the memory of operands that wait while an expression is evaluated.

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

/// Remembers the text of each entity that it has read, for the batches to come.
class TextCodes {
 public:
  /// The property of entities. Nothing where they are about as many as rows, or have other values than short texts.
  [[nodiscard]] Result<std::optional<BatchColumn>> column(GraphReader& graph,
                                                          codec::EntityKind kind,
                                                          std::span<const std::uint64_t> ids,
                                                          std::string_view name);

 private:
  [[nodiscard]] std::vector<std::uint64_t> unknown(std::span<const std::uint64_t> ids) const;
  /// False where one of them has no code.
  [[nodiscard]] Result<bool> learn(std::span<const std::uint64_t> ids,
                                   std::span<const Value> values);
  void begin(GraphReader& graph, codec::EntityKind kind);

  std::optional<codec::EntityKind> kind_;
  std::uint64_t epoch_ = 0;  // of the graph that it has read
  bool is_vain_ = false;
  std::size_t misses_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> code_of_id_;
  std::unordered_map<std::string, std::uint32_t> code_of_text_;
  std::shared_ptr<std::vector<Value>> texts_;  // owners: this and the columns; it only grows
  Holding held_;
};

class PropertyBatch {
 public:
  /// What `expressions` read as variable.property of the row itself. A property that only one
  /// branch of a CASE or of a logical operator reads is read for all rows, too.
  void expect(const Expression& expression);
  [[nodiscard]] bool empty() const noexcept { return columns_.empty(); }

  /// Read them for the rows of `batch` from `first` on; what the statement has deleted is left out.
  [[nodiscard]] Status load(const RowBatch& batch, GraphReader& graph, std::size_t first = 0);
  /// The row that expressions are evaluated on from now.
  void select(std::size_t row) noexcept { row_ = row; }

  /// A copy of the property on the selected row, for which there must be room; nothing where it was not read ahead.
  /// Errors: resource_limit.
  [[nodiscard]] Result<std::optional<Value>> read(Slot slot, std::string_view name,
                                                  const Budget& budget) const;
  /// The property on all rows; null where it was not read for all of them.
  [[nodiscard]] const BatchColumn* column(Slot slot, std::string_view name) const noexcept;

 private:
  struct Column {
    Slot slot = 0;
    std::string name;
    std::optional<BatchColumn> whole;  // of all rows; else what follows
    TextCodes codes = {};
    std::vector<Value> values;
    std::vector<bool> is_read;
  };
  [[nodiscard]] const Column* find(Slot slot, std::string_view name) const noexcept;
  /// Read a property on all rows at once. It is left to load() where that cannot be.
  [[nodiscard]] static Status load_whole(Column& column, const RowBatch& batch, GraphReader& graph);
  [[nodiscard]] static Status load(Column& column, codec::EntityKind kind, const RowBatch& batch,
                                   GraphReader& graph, std::size_t first);

  std::vector<Column> columns_;
  std::size_t row_ = 0;
};

// HeldValues: what is at hand while an expression goes on, held against the memory limit.

/// Charges large values until it goes: operands and arguments that wait for the next one. Small ones, which
/// most are, cost a look at their type.
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
    return budget_.step(bytes / 1'024);  // it was copied, or made
  }

 private:
  static constexpr std::size_t least_bytes = 16'384;

  Budget& budget_;
  std::size_t bytes_ = 0;
};

}  // namespace cairn::query
