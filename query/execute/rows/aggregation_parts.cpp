// Aggregation by several threads. A part computes the aggregates whose values may be divided: counts, extremes, and
// sums of numbers, which are exact. A part logs all other values, and join() adds these in the order of the rows. So
// the results are the same as on one thread. Groups have the order of their first rows, because each part receives its
// morsels in ascending order.
#include "query/execute/batch_column.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/rows/aggregation.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// The new groups of one part in one morsel.
struct NewGroups {
  std::uint64_t morsel = 0;
  std::size_t part = 0;
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The position of a part of a log.
struct LogPlace {
  std::uint64_t morsel = 0;
  std::size_t part = 0;
  std::size_t number = 0;
};

Error not_joined() {
  return {ErrorCode::unsupported, "the order of the values matters", std::nullopt};
}

}  // namespace

/// Turns codes of several dictionaries into codes of one, so that keys of several threads can be compared as words.
class JoinedCodes {
 public:
  explicit JoinedCodes(Budget& budget) : held_(budget) {}

  /// Returns the same values with codes of the joined dictionary. Precondition: a column of codes.
  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Result<BatchColumn> join(const BatchColumn& column);

 private:
  using Codes = std::vector<std::uint32_t>;
  struct Hash {
    std::size_t operator()(const Value& value) const { return hash_value(value); }
  };
  struct Equivalence {
    bool operator()(const Value& a, const Value& b) const { return equivalent(a, b); }
  };

  [[nodiscard]] Result<Codes*> codes_of(const BatchColumn::Dictionary& dictionary);
  [[nodiscard]] Status learn(const Value& value, std::uint32_t& code);

  std::map<const void*, Codes> known_;  // by dictionary: for each code, the joined one + 1, or 0
  std::unordered_map<Value, std::uint32_t, Hash, Equivalence> code_of_value_;
  std::shared_ptr<std::vector<Value>> values_ = std::make_shared<std::vector<Value>>();
  Holding held_;
};

Result<BatchColumn> JoinedCodes::join(const BatchColumn& column) {
  CAIRN_ASSIGN(Codes * codes, codes_of(column.dictionary()));
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> missing;
  const std::size_t rows = column.words().size();
  if (column.has_missing()) missing.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.is_missing(row)) {
      missing[row] = 1;
      words.push_back(0);
      continue;
    }
    const std::uint64_t word = column.words()[row];
    std::uint32_t& code = (*codes)[word];
    if (code == 0) CAIRN_TRY(learn((*column.dictionary())[word], code));
    words.push_back(code - 1);
  }
  return BatchColumn::words(BatchColumn::Form::codes, std::move(words), std::move(missing),
                            values_);
}

// The dictionaries do not grow during the call, because the threads that made them have ended.
Result<JoinedCodes::Codes*> JoinedCodes::codes_of(const BatchColumn::Dictionary& dictionary) {
  const auto [known, is_new] = known_.try_emplace(dictionary.get());
  if (is_new) {
    CAIRN_TRY(held_.add_bytes(dictionary->size() * sizeof(std::uint32_t)));
    known->second.resize(dictionary->size());
  }
  return &known->second;
}

// Charges the value twice: in the table and in the dictionary.
Status JoinedCodes::learn(const Value& value, std::uint32_t& code) {
  constexpr std::size_t learnt_bytes = 72;  // estimated bytes of a hash table entry
  const auto next = static_cast<std::uint32_t>(values_->size() + 1);
  const auto [known, is_new] = code_of_value_.try_emplace(value, next);
  if (is_new) {
    CAIRN_TRY(held_.add_bytes(learnt_bytes + 2 * memory_bytes(value)));
    values_->push_back(value);
  }
  code = known->second;
  return {};
}

struct Aggregation::Joined {
  Joined(std::size_t keys, Budget& budget) : held(budget) {
    for (std::size_t key = 0; key < keys; ++key) codes.emplace_back(budget);
  }

  /// For each part, the number that each of its groups has in the result.
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<JoinedCodes> codes;  ///< for each key
  Holding held;
};

void Aggregation::begin_morsel(std::uint64_t morsel) {
  if (!slices_.empty() && slices_.back().morsel == morsel) return;
  morsel_ = morsel;
  slices_.push_back({morsel, groups_.size()});
}

bool Aggregation::is_logged(std::size_t number, const Value& value) const {
  if (divisible_[number] == Aggregator::Divisible::numbers) return !value.is_number();
  return divisible_[number] == Aggregator::Divisible::none;
}

// Whether a partial sum overflows depends on the order, unless the sum of all magnitudes fits into 63 bits. `bits` are
// the bits that occur in any of the integers, so the bound for each magnitude is at most twice the greatest one.
Status Aggregation::note_integers(std::size_t number, std::size_t count, std::uint64_t bits) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  std::uint64_t magnitude = 0;
  std::uint64_t& sum = magnitudes_[number];
  if (__builtin_mul_overflow(bits + 1, count, &magnitude) ||
      __builtin_add_overflow(sum, magnitude, &sum) || sum > most)
    return not_joined();
  return {};
}

Status Aggregation::log(std::size_t number, std::uint32_t group) {
  const Value& value = arguments_.front();
  CAIRN_TRY(budget().step(steps_of(value)));
  return log_->add(morsel_, number, group, value);
}

Status Aggregation::log_column(std::size_t number, const BatchColumn& column, std::size_t rows) {
  std::vector<std::uint32_t> logged;
  for (std::size_t row = 0; row < rows; ++row)
    if (!is_null(column, row) && (!seen_[number] || is_new_[row]))
      logged.push_back(static_cast<std::uint32_t>(row));
  return log_->add(morsel_, number, group_of_row_, column, logged);
}

Status Aggregation::join(std::span<Aggregation* const> parts) {
  CAIRN_TRY(check_parts(parts));
  Joined joined(clause_.keys.size(), budget());
  CAIRN_TRY(join_groups(parts, joined));
  for (std::size_t i = 0; i < parts.size(); ++i)
    CAIRN_TRY(join_numbers(*parts[i], joined.groups[i]));
  return join_logs(parts, joined);
}

Status Aggregation::check_parts(std::span<Aggregation* const> parts) const {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  for (std::size_t call = 0; call < magnitudes_.size(); ++call) {
    std::uint64_t all = 0;
    for (const Aggregation* part : parts)
      if (__builtin_add_overflow(all, part->magnitudes_[call], &all) || all > most)
        return not_joined();
  }
  return {};
}

// Numbers the groups of all parts in the order of morsels.
Status Aggregation::join_groups(std::span<Aggregation* const> parts, Joined& joined) {
  std::vector<NewGroups> found;
  joined.groups.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t groups = parts[i]->groups_.size();
    CAIRN_TRY(joined.held.add_bytes(groups * sizeof(std::uint32_t)));
    joined.groups[i].reserve(groups);
    const std::vector<Slice>& slices = parts[i]->slices_;
    for (std::size_t k = 0; k < slices.size(); ++k) {
      const std::size_t end = k + 1 < slices.size() ? slices[k + 1].first : groups;
      if (slices[k].first < end) found.push_back({slices[k].morsel, i, slices[k].first, end});
    }
  }
  std::ranges::sort(found, {}, &NewGroups::morsel);
  for (const NewGroups& one : found)
    CAIRN_TRY(number_groups(*parts[one.part], one.first, one.end, joined, joined.groups[one.part]));
  return {};
}

// Appends the numbers of the groups from `first` to `end`.
Status Aggregation::number_groups(const Aggregation& part, std::size_t first, std::size_t end,
                                  Joined& joined, std::vector<std::uint32_t>& numbers) {
  for (std::size_t count = 0; first < end; first += count) {
    count = std::min(end - first, RowBatch::capacity);
    if (part.groups_.is_boxed())
      CAIRN_TRY(number_values(part.groups_, first, count));
    else
      CAIRN_TRY(number_columns(part.groups_, first, count, joined));
    CAIRN_TRY(add_groups());
    CAIRN_TRY(budget().step(count));
    numbers.insert(numbers.end(), group_of_row_.begin(), group_of_row_.end());
  }
  return {};
}

Status Aggregation::number_values(const Groups& groups, std::size_t first, std::size_t count) {
  group_of_row_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    CAIRN_ASSIGN(group_of_row_[i], groups_.number(groups.key(first + i)));
  }
  return {};
}

// Each thread has codes of its own for texts.
Status Aggregation::number_columns(const Groups& groups, std::size_t first, std::size_t count,
                                   Joined& joined) {
  std::vector<BatchColumn> columns;
  for (std::size_t i = 0; i < clause_.keys.size(); ++i)
    columns.push_back(groups.column(i, first, count));
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].form() == BatchColumn::Form::codes) {
      CAIRN_ASSIGN(columns[i], joined.codes[i].join(columns[i]));
    }
  std::vector<const BatchColumn*> keys;
  for (const BatchColumn& column : columns) keys.push_back(&column);
  return groups_.number_rows(keys, count, group_of_row_);
}

Status Aggregation::join_numbers(Aggregation& part, std::span<const std::uint32_t> groups) {
  const std::size_t calls = clause_.aggregates.size();
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    for (std::size_t call = 0; call < calls; ++call)
      CAIRN_TRY(join_one(accumulator(groups[group], call), part.accumulator(group, call), call));
    CAIRN_TRY(budget().step(calls));
  }
  return {};
}

// Counts and partial sums are added as numbers. An aggregator is needed only if one of the two has
// received values.
Status Aggregation::join_one(Accumulator& to, const Accumulator& from, std::size_t number) {
  to.count += from.count;
  to.has_sum = to.has_sum || from.has_sum;
  if (!to.has_total && !from.has_total) return {};
  CAIRN_TRY(settle(to, number));
  if (!from.has_total) return {};
  CAIRN_ASSIGN(const bool is_joined, to.aggregator->join(*from.aggregator));
  return is_joined ? charge(to) : not_joined();
}

Status Aggregation::join_logs(std::span<Aggregation* const> parts, const Joined& joined) {
  std::vector<LogPlace> places;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<ValueLog::Part>& logs = parts[i]->log_->parts();
    for (std::size_t k = 0; k < logs.size(); ++k) places.push_back({logs[k].morsel, i, k});
  }
  // All logs of one morsel are in one part.
  std::ranges::sort(places, {},
                    [](const LogPlace& one) { return std::pair(one.morsel, one.number); });
  for (const LogPlace& place : places)
    CAIRN_TRY(join_log(parts[place.part]->log_->parts()[place.number], joined.groups[place.part]));
  return {};
}

// A morsel may have millions of values, so values are added in portions of the size of a batch.
Status Aggregation::join_log(ValueLog::Part& log, std::span<const std::uint32_t> groups) {
  const std::size_t size = log.groups.size();
  for (std::size_t first = 0, count = 0; first < size; first += count) {
    count = std::min(size - first, RowBatch::capacity);
    group_of_row_.clear();
    for (const std::uint32_t group : std::span(log.groups).subspan(first, count))
      group_of_row_.push_back(groups[group]);
    const BatchColumn column = log.take(first, count);
    CAIRN_TRY(budget().step(count));
    CAIRN_TRY(add_column(log.call, column, count, {}));
  }
  return {};
}

Gathering gathering_of(const Aggregate& content, Aggregation& whole) {
  return {[&content](ExecutionContext& context) -> std::unique_ptr<ThreadPart> {
            return std::make_unique<Aggregation>(content, context, AggregatedRows::some);
          },
          [&whole](std::span<ThreadPart* const> parts) {
            std::vector<Aggregation*> all;
            for (ThreadPart* part : parts) all.push_back(static_cast<Aggregation*>(part));
            return whole.join(all);
          }};
}

}  // namespace cairn::query
