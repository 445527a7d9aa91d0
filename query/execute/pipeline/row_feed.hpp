#pragma once
// RowFeed: hands the rows of an operator out to several threads, a morsel at a time. MorselOperator: the first operator of the
// copy of a pipeline that one thread runs; its rows are a morsel.

#include "query/execute/pipeline/physical_operator.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace cairn::query {

/// Morsels have the rows of the operator in their order. Only one thread at a time uses the operator and its context:
/// the thread that takes a morsel. Threads: any.
class RowFeed {
 public:
  /// A morsel has about `rows_at_once` rows. `source` must outlive the feed.
  RowFeed(PhysicalOperator& source, std::size_t rows_at_once)
      : source_(source), rows_at_once_(rows_at_once) {}

  /// Fills the empty batch `out` with the next morsel and returns its number. Returns nullopt at the end.
  /// Errors: those of the operator; then the feed ends.
  [[nodiscard]] Result<std::optional<std::uint64_t>> next(RowBatch& out);
  /// Ends the feed before the last row.
  void end();
  [[nodiscard]] bool is_ended();

 private:
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Status give(RowBatch& out);
  [[nodiscard]] std::size_t rows_wanted() const noexcept;

  std::mutex mutex_;  // guards the members below, and the use of source_
  PhysicalOperator& source_;
  std::size_t rows_at_once_;
  RowBatch rows_;          // last batch of the operator, packed
  std::size_t given_ = 0;  // number of rows of the batch that were handed out
  std::uint64_t number_ = 0;
  bool is_ended_ = false;
};

/// Returns the rows of one morsel after each restart.
class MorselOperator final : public PhysicalOperator {
 public:
  MorselOperator(ExecutionContext& context, RowFeed& feed, std::uint32_t width)
      : PhysicalOperator(context, nullptr, width), feed_(feed) {}

  void restart() override {
    is_taken_ = false;
    number_.reset();
  }
  /// True if an operator has asked for rows since the last restart.
  [[nodiscard]] bool is_taken() const noexcept { return is_taken_; }
  /// The number of the morsel since the last restart; nullopt: there was none.
  [[nodiscard]] std::optional<std::uint64_t> morsel() const noexcept { return number_; }

 protected:
  Result<bool> produce(RowBatch& out) override;

 private:
  RowFeed& feed_;
  bool is_taken_ = false;
  std::optional<std::uint64_t> number_;
};

/// Returns the rows of an operator that it does not own.
class BorrowedOperator final : public PhysicalOperator {
 public:
  BorrowedOperator(ExecutionContext& context, PhysicalOperator& source)
      : PhysicalOperator(context, nullptr, source.width()), source_(source) {}

  void restart() override { source_.restart(); }

 protected:
  Result<bool> produce(RowBatch& out) override { return source_.next(out); }

 private:
  PhysicalOperator& source_;
};

}  // namespace cairn::query
