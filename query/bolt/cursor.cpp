#include "query/bolt/cursor.hpp"

#include <cairn/tokens.hpp>

#include <utility>

namespace cairn::query::bolt {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::string_view type_of(const Statement& statement, const Rows& rows) noexcept {
  if (!statement.is_writing()) return "r";
  if (statement.needed_role() == Role::admin) return "s";
  return rows.columns().empty() ? "w" : "rw";
}

std::string_view RowsAhead::front() const noexcept {
  const std::size_t begin = next_ == 0 ? 0 : ends_[next_ - 1];
  return std::string_view(bytes_).substr(begin, ends_[next_] - begin);
}

void RowsAhead::add(std::string_view message) {
  bytes_ += message;
  ends_.push_back(bytes_.size());
}

void RowsAhead::drop_front() noexcept {
  if (++next_ < ends_.size()) return;
  bytes_.clear();
  ends_.clear();
  next_ = 0;
}

Result<bool> Cursor::take(std::int64_t most, const Encoder& encode, const Taker& taker) {
  const auto begin = Clock::now();
  last_count_ = 0;
  auto more = take_untimed(most, encode, taker);
  time_ += Clock::now() - begin;
  return more;
}

Result<bool> Cursor::take_untimed(std::int64_t most, const Encoder& encode, const Taker& taker) {
  for (; most != 0 && !ahead_.is_empty(); most -= most > 0 ? 1 : 0) {
    if (!taker(ahead_.front())) return true;
    has_given_rows_ = true;
    ahead_.drop_front();
    ++last_count_;
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

void Cursor::prepare(const Encoder& encode, const std::function<bool()>& enough) {
  constexpr std::size_t most_bytes = std::size_t{64} << 10;
  constexpr std::chrono::microseconds quick{100};
  const auto begin = Clock::now();
  auto last = begin;
  while (ahead_.count() < last_count_ && ahead_.bytes() < most_bytes && !enough()) {
    const auto& next = peek();
    if (!next || !*next) break;
    ahead_.add(encode(**next));
    next_.reset();
    const auto now = Clock::now();
    if (now - std::exchange(last, now) > quick) break;
  }
  time_ += Clock::now() - begin;
}

// What a profile shows is complete behind the last row.
Result<bool> Cursor::drop(std::int64_t most) {
  if (most < 0 && rows_.plan().empty()) return false;
  return take(
      most, [](const Row&) { return std::string_view(); }, [](std::string_view) { return true; });
}

const Result<std::optional<Row>>& Cursor::peek() {
  if (!next_) next_.emplace(rows_.next());
  return *next_;
}

}  // namespace cairn::query::bolt
