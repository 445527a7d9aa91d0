// Aggregation by several threads. A part counts and adds small integers itself, because their sums do not depend on the order.
// It logs all other values; join() adds these in the order of the rows. So results, and sums of floats among them, are those
// of one thread. A group is where the first of its rows is, because each part has its morsels in ascending order.
#include "query/execute/rows/aggregation.hpp"
#include "query/execute/rows/joined_codes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::query {
namespace {

/// Groups that one part met first in one morsel.
struct NewGroups {
  std::uint64_t morsel = 0;
  std::size_t part = 0;
  std::size_t first = 0;
  std::size_t end = 0;
};

/// A part of a log, by its place.
struct LogPlace {
  std::uint64_t morsel = 0;
  std::size_t part = 0;
  std::size_t number = 0;
};

Error not_joined() {
  return {ErrorCode::unsupported, "sums of large integers are added in sequence", std::nullopt};
}

}  // namespace

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

// Whether a sum overflows on the way depends on the order, unless all of its integers are small. So small integers are not
// added out of order if the same sum has others.
Status Aggregation::note_integers(std::size_t number, bool are_logged) {
  Integers& integers = integers_[number];
  (are_logged ? integers.are_logged : integers.are_added) = true;
  return integers.are_added && integers.are_logged ? not_joined() : Status();
}

Status Aggregation::log(std::size_t number, std::uint32_t group) {
  const Value& value = arguments_.front();
  if (kinds_[number] == Kind::sum && value.get_if<std::int64_t>() != nullptr)
    CAIRN_TRY(note_integers(number, true));
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

// The sums of 2^31 integers below 2^31 have no more than 62 bits.
Status Aggregation::check_parts(std::span<Aggregation* const> parts) const {
  constexpr std::uint64_t most_rows = std::uint64_t{1} << 31;
  std::uint64_t rows = 0;
  for (const Aggregation* part : parts) rows += part->rows_;
  if (rows > most_rows) return not_joined();
  for (std::size_t call = 0; call < integers_.size(); ++call) {
    Integers all;
    for (const Aggregation* part : parts) {
      all.are_added |= part->integers_[call].are_added;
      all.are_logged |= part->integers_[call].are_logged;
    }
    if (all.are_added && all.are_logged) return not_joined();
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
  for (std::uint32_t group = 0; group < groups.size(); ++group)
    for (std::size_t call = 0; call < calls; ++call) {
      const Accumulator& from = part.accumulator(group, call);
      Accumulator& to = accumulator(groups[group], call);
      to.count += from.count;
      to.has_sum = to.has_sum || from.has_sum;
    }
  return budget().step(1 + groups.size() * calls / 16);
}

Status Aggregation::join_logs(std::span<Aggregation* const> parts, const Joined& joined) {
  std::vector<LogPlace> places;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<ValueLog::Part>& logs = parts[i]->log_->parts();
    for (std::size_t k = 0; k < logs.size(); ++k) places.push_back({logs[k].morsel, i, k});
  }
  // The logs of one morsel are all in one part.
  std::ranges::sort(places, {},
                    [](const LogPlace& one) { return std::pair(one.morsel, one.number); });
  for (const LogPlace& place : places) {
    ValueLog::Part& log = parts[place.part]->log_->parts()[place.number];
    group_of_row_.clear();
    for (const std::uint32_t group : log.groups)
      group_of_row_.push_back(joined.groups[place.part][group]);
    const BatchColumn column = log.take();
    CAIRN_TRY(budget().step(group_of_row_.size()));
    CAIRN_TRY(add_column(log.call, column, group_of_row_.size(), {}));
  }
  return {};
}

}  // namespace cairn::query
