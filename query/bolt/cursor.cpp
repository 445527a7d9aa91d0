#include "query/bolt/cursor.hpp"

#include <cairn/tokens.hpp>

namespace cairn::query::bolt {

std::string_view type_of(const Statement& statement, const Rows& rows) noexcept {
  if (!statement.is_writing()) return "r";
  if (statement.needed_role() == Role::admin) return "s";
  return rows.columns().empty() ? "w" : "rw";
}

Result<bool> Cursor::take(std::int64_t most, const Taker& taker) {
  const auto begin = std::chrono::steady_clock::now();
  auto more = take_untimed(most, taker);
  time_ += std::chrono::steady_clock::now() - begin;
  return more;
}

Result<bool> Cursor::take_untimed(std::int64_t most, const Taker& taker) {
  for (; most != 0; most -= most > 0 ? 1 : 0) {
    const auto& next = peek();
    if (!next) return next.error();
    if (!*next) return false;
    has_given_rows_ = true;
    if (!taker(**next)) return true;
    next_.reset();
  }
  const auto& next = peek();
  return !next || next->has_value();
}

// What a profile shows is complete behind the last row.
Result<bool> Cursor::drop(std::int64_t most) {
  if (most < 0 && rows_.plan().empty()) return false;
  return take(most, [](const Row&) { return true; });
}

const Result<std::optional<Row>>& Cursor::peek() {
  if (!next_) next_.emplace(rows_.next());
  return *next_;
}

}  // namespace cairn::query::bolt
