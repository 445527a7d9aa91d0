// One row for each element of a list. range() is counted through, not made.
// Streams: elements become rows as they are asked for. Held in memory: the list of one row. UNWIND
// [] and UNWIND null give no rows (TCK: clauses/unwind); a value that is not a list is taken for a
// list of itself, as in Neo4j. A vector is the list of its numbers.

#include "query/execute/rows/operators.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/sequence.hpp"
#include "query/plan/operator_content.hpp"

#include <array>
#include <optional>

namespace cairn::query {
namespace {

// What range(first, last, step) still has to give. Counted in unsigned numbers, which wrap: `next` and
// `more` numbers behind it, because all 2^64 of them would be no number.
struct Progression {
  std::int64_t next = 0;
  std::int64_t step = 1;
  std::uint64_t more = 0;
  bool is_empty = false;
};

// Null gives no row; what is not a list gives one, itself.
class UnwindOperator final : public FanOutOperator {
 public:
  UnwindOperator(const Unwind& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        list_(*content.clause->list),
        slot_(content.clause->slot) {}

 protected:
  /// The list is evaluated once for its row and held while its items are given.
  Status begin(Row row) override {
    next_ = 0;
    CAIRN_ASSIGN(progression_, progression_of(row));
    if (progression_) return {};
    CAIRN_ASSIGN(value_, evaluator().evaluate(list_, row));
    return {};
  }

  /// Null gives no row, as an empty list does; what is not a list is a list of itself, as in Neo4j.
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
    return next_ < items->size();
  }

 private:
  Status give(const Value& item, Row row, RowBatch& out) {
    CAIRN_TRY(out.hold({&item, 1}));
    CAIRN_ASSIGN(const Row made, out.append(row));
    made[slot_] = item;
    return {};
  }

  /// range() is counted and never made a list. Steps are unsigned, because the step past the last
  /// number of 64 bits may wrap; `more` and not the value says where the end is.
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

  // Nothing where the list is not a range, or one of which the function itself has to complain.
  // The arguments of range() are evaluated here and, if they are invalid, again by the function,
  // which says what is wrong with them.
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
  /// in unsigned numbers, in which the difference of any two integers fits.
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
  List storage_;
  std::size_t next_ = 0;
  std::optional<Progression> progression_;
};

}  // namespace

OperatorPtr make_operator(const Unwind& content, Parts parts) {
  return std::make_unique<UnwindOperator>(content, std::move(parts));
}

}  // namespace cairn::query
