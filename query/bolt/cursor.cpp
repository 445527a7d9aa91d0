// Takes rows from the advance buffer first, then evaluates further rows.
#include "query/bolt/cursor.hpp"

#include "engine/database/access.hpp"
#include "query/rows_impl.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace cairn::query::bolt {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::string_view RowsAhead::front(std::size_t messages) const noexcept {
  if (messages == 0) return {};
  const std::size_t begin = next_ == 0 ? 0 : ends_[next_ - 1];
  return std::string_view(bytes_).substr(begin, ends_[next_ + messages - 1] - begin);
}

void RowsAhead::add(std::string_view message) {
  bytes_ += message;
  ends_.push_back(bytes_.size());
}

// The memory is reused once all messages are taken.
void RowsAhead::drop_front(std::size_t messages) noexcept {
  next_ += messages;
  if (next_ < ends_.size()) return;
  bytes_.clear();
  ends_.clear();
  next_ = 0;
}

// Rows that were computed in advance, as in a transaction, need no snapshot.
Cursor::Cursor(Rows rows, const StatementKind& kind)
    : rows_(std::move(rows)), kind_(kind), is_running_(Access::made(rows_) == nullptr) {}

// Measures the time of take_untimed().
Result<bool> Cursor::take(std::int64_t most, const Encoder& encode, const Taker& taker) {
  const auto begin = Clock::now();
  last_count_ = 0;
  auto more = take_untimed(most, encode, taker);
  if (more && *more) end_run();
  time_ += Clock::now() - begin;
  return more;
}

// A row that the taker refused stays in next_. Returns whether more rows follow.
Result<bool> Cursor::take_untimed(std::int64_t most, const Encoder& encode, const Taker& taker) {
  const std::size_t ready =
      most < 0 ? ahead_.count() : std::min(ahead_.count(), static_cast<std::size_t>(most));
  if (ready > 0) {
    if (!taker(ahead_.front(ready))) return true;
    has_given_rows_ = true;
    ahead_.drop_front(ready);
    last_count_ += ready;
    if (most > 0) most -= static_cast<std::int64_t>(ready);
  }
  for (; most != 0; most -= most > 0 ? 1 : 0) {
    const auto& next = peek();
    if (!next) return next.error();
    if (!*next) return false;
    has_given_rows_ = true;
    if (!taker(encode(**next))) return true;
    next_.reset();
    ++last_count_;
  }
  if (!ahead_.is_empty()) return true;
  const auto& next = peek();
  return !next || next->has_value();
}

// The operators produce rows in batches, so the first row of a batch takes the time of the whole batch. Therefore the
// average time of many rows decides whether rows are slow.
void Cursor::prepare(const Encoder& encode, const std::function<bool()>& enough) {
  constexpr std::size_t most_bytes = std::size_t{64} << 10;
  constexpr std::size_t rows_at_once = 16;
  constexpr std::chrono::microseconds most_time{2'000}, most_time_of_row{100};
  const auto begin = Clock::now();
  const auto is_slow = [&] {
    const auto rows = static_cast<std::int64_t>(last_count_ + ahead_.count());
    const auto time = Clock::now() - begin;
    return time > most_time || time > rows * most_time_of_row;
  };
  std::size_t rows = 1;  // doubled as long as rows are not slow
  while (ahead_.count() < last_count_ && ahead_.bytes() < most_bytes && !enough()) {
    if (!add_ahead(std::min(rows, last_count_ - ahead_.count()), encode) || is_slow()) break;
    rows = std::min(2 * rows, rows_at_once);
  }
  // Shows whether these were the last rows.
  if (!ahead_.is_empty() && ahead_.count() == last_count_ && !is_slow() && !enough())
    static_cast<void>(peek());
  end_run();
  time_ += Clock::now() - begin;
}

// Encodes rows into the buffer. An error of a row stays in next_ and is returned when the client pulls.
bool Cursor::add_ahead(std::size_t rows, const Encoder& encode) {
  for (; rows > 0; --rows) {
    const auto& next = peek();
    if (!next || !*next) return false;
    ahead_.add(encode(**next));
    next_.reset();
  }
  return true;
}

// A profile is complete only after the last row, so its rows must be evaluated.
Result<bool> Cursor::drop(std::int64_t most) {
  if (most < 0 && rows_.plan().empty()) return false;
  return take(
      most, [](const cairn::Row&) { return std::string_view(); },
      [](std::string_view) { return true; });
}

// At the end or after an error, next_ refers to no row, so the run can be replaced by its results. If
// there is no memory for the results, the run stays open.
void Cursor::end_run() {
  const bool has_ended = next_ && (!*next_ || !**next_);
  if (!is_running_ || !has_ended) return;
  try {
    rows_ = Access::handle(std::make_unique<MadeRows>(rows_));
    is_running_ = false;
  } catch (const std::bad_alloc&) {
  }
}

const Result<std::optional<cairn::Row>>& Cursor::peek() {
  if (!next_) next_.emplace(rows_.next());
  return *next_;
}

}  // namespace cairn::query::bolt
