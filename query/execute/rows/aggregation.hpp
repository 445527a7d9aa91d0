#pragma once
// Aggregation: the groups of an Aggregate and the state of their aggregates. Several threads may each aggregate a part
// of the rows. Then one thread merges the parts.

#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/rows/groups.hpp"
#include "query/execute/rows/shared_run.hpp"
#include "query/execute/rows/value_log.hpp"
#include "query/functions/function_entry.hpp"
#include "query/plan/operator_content.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

/// The state of one aggregate in one group.
struct Accumulator {
  // Result of count(); for sum(), a partial sum that the aggregator does not have yet.
  std::int64_t count = 0;
  std::unique_ptr<Aggregator> aggregator;  // nullptr until it receives a value
  std::size_t charged = 0;                 // bytes charged for the aggregator
  bool has_sum = false;                    // whether `count` has a partial sum
  bool has_total = false;                  // whether the aggregator has received values
};

/// Which rows an Aggregation receives.
enum class AggregatedRows : std::uint8_t {
  all,
  some,  ///< the rows that one of several threads takes; join() completes the result
};

/// Memory grows with the groups, and with the values for DISTINCT and for aggregates that hold
/// them. Threads: one at a time.
class Aggregation final : public ThreadPart {
 public:
  Aggregation(const Aggregate& content, ExecutionContext& context, AggregatedRows rows);

  /// Adds the rows of a batch. For `some` rows, `morsel` is the number of their morsel; the numbers ascend.
  [[nodiscard]] Status add(RowBatch& rows, std::uint64_t morsel) override;
  [[nodiscard]] Status add(RowBatch& rows) { return add(rows, 0); }
  /// Merges the partial results of `parts`. Groups, and the values of each group, have the order of morsels, and within
  /// a morsel the order in which they were added. Precondition: this object has no rows.
  /// Errors: unsupported if the result might differ from that of one thread.
  [[nodiscard]] Status join(std::span<Aggregation* const> parts);
  /// Without keys, adds the single group, which exists even if there are no rows: count(*) is then 0.
  [[nodiscard]] Status add_only_group();
  /// Returns the next groups in the order of their first rows. Returns false at the end.
  [[nodiscard]] Result<bool> give(RowBatch& out);
  /// Releases all groups and their memory.
  void clear();
  /// The bits of an integer, or of its complement if it is negative. The result is at least the magnitude minus 1.
  [[nodiscard]] static std::uint64_t magnitude_bits(std::uint64_t word) noexcept {
    return word ^ (0 - (word >> 63));
  }

 private:
  // Which aggregates need no aggregator.
  enum class Kind : std::uint8_t {
    count,  ///< needs only a number
    sum,    ///< integers are added without an aggregator as long as possible; see add_sums()
    other,
  };
  /// The first group that a morsel added.
  struct Slice {
    std::uint64_t morsel = 0;
    std::size_t first = 0;
  };
  static constexpr std::size_t group_bytes = 128;
  static constexpr std::size_t aggregate_bytes = 96;

  [[nodiscard]] static Kind kind_of(const AggregateCall& call);
  [[nodiscard]] static Aggregator::Divisible divisible(const AggregateCall& call);
  [[nodiscard]] bool is_part() const noexcept { return log_.has_value(); }
  [[nodiscard]] Budget& budget() noexcept { return context_.budget; }

  [[nodiscard]] Status add_each(RowBatch& rows);
  [[nodiscard]] Status add_row(Row row);
  [[nodiscard]] Status add_groups();
  [[nodiscard]] Aggregator& aggregator_of(Accumulator& one, std::size_t call) const;
  [[nodiscard]] Accumulator& accumulator(std::uint32_t group, std::size_t call) {
    return accumulators_[group * clause_.aggregates.size() + call];
  }
  [[nodiscard]] Status add(std::size_t number, std::uint32_t group, Row row);
  [[nodiscard]] Status add_or_log(std::size_t number, std::uint32_t group, std::int64_t weight = 1);
  [[nodiscard]] Status add_arguments(Accumulator& one, std::size_t number, std::int64_t weight = 1);
  [[nodiscard]] Status charge(Accumulator& one);

  // Packed batches, see aggregation_columns.cpp.
  [[nodiscard]] Result<bool> add_packed(const RowBatch& rows);
  [[nodiscard]] Status add_column(std::size_t number, const BatchColumn& column, std::size_t rows,
                                  std::span<const std::uint64_t> weights);
  [[nodiscard]] static bool is_null(const BatchColumn& column, std::size_t row);
  void count_rows(std::size_t number, std::size_t rows);
  static constexpr std::size_t turns = 4;
  [[nodiscard]] bool has_few_groups(std::size_t rows) const;
  void count_in_turns(std::size_t number, std::size_t rows);
  [[nodiscard]] std::int64_t turn_sum(std::uint32_t group) const;
  [[nodiscard]] bool add_in_turns(std::size_t number, const BatchColumn& column, std::size_t rows);
  [[nodiscard]] Status add_sums(std::size_t number, const BatchColumn& column, std::size_t rows);
  [[nodiscard]] bool are_runs(std::size_t rows) const;
  [[nodiscard]] Status add_runs(std::size_t number, const BatchColumn& column, std::size_t rows);
  [[nodiscard]] Status add_run(std::size_t number, const BatchColumn& column, std::size_t row,
                               std::size_t end);
  [[nodiscard]] Status settle(Accumulator& one, std::size_t number) const;
  [[nodiscard]] Status find_new(Groups& seen, const BatchColumn& column, std::size_t rows);
  [[nodiscard]] Status add_cell(std::size_t number, const BatchColumn& column, std::size_t row);

  // Parts, see aggregation_parts.cpp.
  void begin_morsel(std::uint64_t morsel);
  [[nodiscard]] bool is_logged(std::size_t number, const Value& value) const;
  [[nodiscard]] Status note_integers(std::size_t number, std::size_t count, std::uint64_t bits);
  [[nodiscard]] Status log(std::size_t number, std::uint32_t group);
  [[nodiscard]] Status log_column(std::size_t number, const BatchColumn& column, std::size_t rows);
  [[nodiscard]] Status check_parts(std::span<Aggregation* const> parts) const;
  struct Joined;
  [[nodiscard]] Status join_groups(std::span<Aggregation* const> parts, Joined& joined);
  [[nodiscard]] Status number_groups(const Aggregation& part, std::size_t first, std::size_t end,
                                     Joined& joined, std::vector<std::uint32_t>& numbers);
  /// These two functions fill group_of_row_ with the numbers of the groups of a part.
  [[nodiscard]] Status number_values(const Groups& groups, std::size_t first, std::size_t count);
  [[nodiscard]] Status number_columns(const Groups& groups, std::size_t first, std::size_t count,
                                      Joined& joined);
  [[nodiscard]] Status join_numbers(Aggregation& part, std::span<const std::uint32_t> groups);
  [[nodiscard]] Status join_one(Accumulator& to, const Accumulator& from, std::size_t number);
  [[nodiscard]] Status join_logs(std::span<Aggregation* const> parts, const Joined& joined);
  [[nodiscard]] Status join_log(ValueLog::Part& log, std::span<const std::uint32_t> groups);

  // Results.
  [[nodiscard]] Result<bool> give_packed(RowBatch& out);
  [[nodiscard]] Result<BatchColumn> results_of(std::size_t number, std::size_t count);
  [[nodiscard]] bool is_known(const Accumulator& one, std::size_t number) const;
  [[nodiscard]] Result<Value> result_of(Accumulator& one, std::size_t number);
  [[nodiscard]] Status finish_group(std::size_t group, Row values, RowBatch& out);

  ExecutionContext& context_;
  const ProjectClause& clause_;
  const std::optional<Slot> weight_;
  const BatchColumn no_argument_ = BatchColumn::constant(Value(true));  // argument of count(*)
  PropertyBatch properties_;
  std::vector<Kind> kinds_;                       // for each call
  std::vector<Aggregator::Divisible> divisible_;  // for each call
  Groups groups_;
  std::size_t made_groups_ = 0;
  std::vector<Accumulator> accumulators_;  // for each group, the accumulators of all calls
  // For DISTINCT calls, the pairs of group and value seen.
  std::vector<std::unique_ptr<Groups>> seen_;
  std::size_t next_ = 0;
  RowKey key_;
  std::vector<Value> arguments_;
  std::vector<std::uint32_t> group_of_row_;
  std::vector<bool> is_new_;
  std::vector<std::int64_t> turns_;  // for each group, `turns` partial sums that rows use in turn
  Holding held_;

  // The values of a part that join() needs besides the numbers in the accumulators.
  std::optional<ValueLog> log_;  // nullopt: this receives all rows
  std::vector<Slice> slices_;
  std::uint64_t morsel_ = 0;
  // For each call, an upper bound for the sum of the magnitudes of all integers that a sum() has received.
  std::vector<std::uint64_t> magnitudes_;
};

/// Returns functions by which several threads aggregate parts, and `whole` merges these. The arguments must outlive the
/// result.
[[nodiscard]] Gathering gathering_of(const Aggregate& content, Aggregation& whole);

}  // namespace cairn::query
