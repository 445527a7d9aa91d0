// UNWIND: returns one row for each element of a list. Elements are streamed, and only the list of
// one row is held in memory. UNWIND [] and UNWIND null return no rows (openCypher TCK,
// clauses/unwind). A value that is not a list is treated as a list with this value, as in Neo4j. A
// vector is treated as the list of its numbers. The numbers of range() are counted without making a
// list.

#include "codec/value_extent.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/sequence.hpp"
#include "query/plan/operator_content.hpp"

#include <array>
#include <optional>
#include <variant>

namespace cairn::query {
namespace {

// The remaining numbers of range(first, last, step): `next`, and `more` numbers after it. A plain
// count would overflow, because a range can have all 2^64 numbers. Computed with unsigned numbers,
// which wrap around.
struct Progression {
  std::int64_t next = 0;
  std::int64_t step = 1;
  std::uint64_t more = 0;
  bool is_empty = false;
};

class UnwindOperator final : public FanOutOperator {
 public:
  UnwindOperator(const Unwind& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        list_(*content.clause->list),
        slot_(content.clause->slot),
        held_(parts.context.budget) {}

 protected:
  /// Evaluates the list once per input row and holds it while its elements are returned.
  Status begin(Row row) override {
    next_ = 0;
    release();
    CAIRN_ASSIGN(progression_, progression_of(row));
    if (progression_) return {};
    CAIRN_ASSIGN(value_, evaluator().evaluate(list_, row));
    return hold();
  }

  Result<bool> emit(Row row, RowBatch& out) override {
    if (progression_) return count(row, out);
    if (value_.is_null()) return false;
    const List* items = sequence_of(value_, storage_);
    if (items == nullptr) {
      CAIRN_TRY(give(value_, row, out));
      return false;
    }
    for (; next_ < items->size() && !out.full(); ++next_)
      CAIRN_TRY(give((*items)[next_], row, out));
    const bool has_more = next_ < items->size();
    if (!has_more) release();
    return has_more;
  }

 private:
  // Charges a value that only this operator owns. A parameter or a variable of the row would be
  // another owner. Items of a list are charged one by one, so that rows with a large item do not
  // charge it again.
  Status hold() {
    const auto* list = std::get_if<Value::ListPtr>(&value_.content());
    if (list == nullptr) return held_.add_bytes(memory_bytes(value_));
    if (list->use_count() > 1) return {};
    CAIRN_TRY(held_.add_bytes(codec::list_bytes + (*list)->capacity() * sizeof(Value)));
    return held_.add(**list);
  }

  void release() {
    value_ = Value();
    held_.begin_again();
  }

  Status give(const Value& item, Row row, RowBatch& out) {
    CAIRN_TRY(out.hold({&item, 1}));
    CAIRN_ASSIGN(const Row made, out.append(row));
    made[slot_] = item;
    return {};
  }

  /// Counts through range() without making a list. The step after the last 64-bit number may wrap,
  /// so `more` determines the end, not the value.
  Result<bool> count(Row row, RowBatch& out) {
    Progression& numbers = *progression_;
    while (!numbers.is_empty && !out.full()) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      made[slot_] = numbers.next;
      numbers.next = static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers.next) +
                                               static_cast<std::uint64_t>(numbers.step));
      numbers.is_empty = numbers.more == 0;
      if (!numbers.is_empty) --numbers.more;
    }
    return !numbers.is_empty;
  }

  // Returns nullopt if the list is not a call of range(), or if its arguments are invalid. In both
  // cases the expression is evaluated as usual, and range() reports its error.
  Result<std::optional<Progression>> progression_of(Row row) {
    const std::optional<Progression> none;
    const bool is_range = list_.kind == ExpressionKind::function_call &&
                          list_.function->name == "range" && list_.children.size() <= 3;
    if (!is_range) return none;
    std::array<std::int64_t, 3> numbers{0, 0, 1};
    for (std::size_t i = 0; i < list_.children.size(); ++i) {
      CAIRN_ASSIGN(const Value value, evaluator().evaluate(*list_.children[i], row));
      const auto number = whole_number(value);
      if (!number) return none;
      numbers[i] = *number;
    }
    if (numbers[2] == 0) return none;
    return std::optional(progression(numbers));
  }

  ///    more = |last - first| / |step|
  /// Unsigned numbers can hold the difference of any two integers.
  static Progression progression(const std::array<std::int64_t, 3>& numbers) {
    const auto [first, last, step] = numbers;
    if (step > 0 ? first > last : first < last) return {first, step, 0, true};
    const auto distance = static_cast<std::uint64_t>(step > 0 ? last : first) -
                          static_cast<std::uint64_t>(step > 0 ? first : last);
    const auto size = step > 0 ? static_cast<std::uint64_t>(step)
                               : std::uint64_t{0} - static_cast<std::uint64_t>(step);
    return {first, step, distance / size, false};
  }

  const Expression& list_;
  Slot slot_;
  Value value_;
  Holding held_;
  List storage_;
  std::size_t next_ = 0;
  std::optional<Progression> progression_;
};

}  // namespace

OperatorPtr make_operator(const Unwind& content, Parts parts) {
  return std::make_unique<UnwindOperator>(content, std::move(parts));
}

}  // namespace cairn::query
