// Morsel-driven parallelism (Leis et al., 2014): threads take small parts of the input until none is left, so no thread
// waits for a slower one. Batches of the operator are split, because a single row may cause much work in later
// operators.
#include "query/execute/pipeline/row_feed.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace cairn::query {

Result<std::optional<std::uint64_t>> RowFeed::next(RowBatch& out) {
  using Next = std::optional<std::uint64_t>;
  const std::lock_guard lock(mutex_);
  const auto is_there = fill();
  is_ended_ = !is_there || !*is_there;
  if (!is_there) return is_there.error();
  if (is_ended_) return Next();
  CAIRN_TRY(give(out));
  return Next(number_++);
}

void RowFeed::end() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
}

bool RowFeed::is_ended() {
  const std::lock_guard lock(mutex_);
  return is_ended_;
}

// Returns whether there are rows to hand out.
Result<bool> RowFeed::fill() {
  if (is_ended_) return false;
  while (given_ == rows_.size()) {
    given_ = 0;
    CAIRN_ASSIGN(const bool more, source_.next(rows_));
    if (!more) return false;
    rows_.pack_rows();
  }
  return true;
}

// Morsels grow, because the number of rows was only estimated.
std::size_t RowFeed::rows_wanted() const noexcept {
  constexpr std::uint64_t morsels_of_a_size = 64;
  const std::uint64_t doublings = std::min<std::uint64_t>(number_ / morsels_of_a_size, 10);
  return std::min(rows_at_once_ << doublings, RowBatch::capacity);
}

Status RowFeed::give(RowBatch& out) {
  const std::size_t rows = std::min(rows_wanted(), rows_.size() - given_);
  if (rows == rows_.size()) {
    CAIRN_TRY(out.pack(rows, rows_.take_columns()));
    return {};
  }
  std::vector<std::uint32_t> taken(rows);
  std::iota(taken.begin(), taken.end(), static_cast<std::uint32_t>(given_));
  given_ += rows;
  std::vector<BatchColumn> columns;
  for (const BatchColumn& column : rows_.columns()) columns.push_back(column.gather(taken));
  return out.pack(rows, std::move(columns));
}

Result<bool> MorselOperator::produce(RowBatch& out) {
  if (std::exchange(is_taken_, true)) return false;
  CAIRN_ASSIGN(number_, feed_.next(out));
  return number_.has_value();
}

}  // namespace cairn::query
