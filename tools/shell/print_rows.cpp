#include "tools/shell/print_rows.hpp"

#include <chrono>
#include <ostream>

namespace cairn::tools {
namespace {

using Clock = std::chrono::steady_clock;

/// What nobody notices at a prompt.
constexpr auto patience = std::chrono::milliseconds(250);

/// Told to stop, or at a limit: the rows that were asked for are there.
bool is_given_up(const Error& error) {
  return error.code == ErrorCode::cancelled || error.code == ErrorCode::resource_limit;
}

/// `seen` were given, one of them in vain. What one row takes nobody knows before it is there: where those
/// before took all the patience there is, not one is asked for.
Result<RowTotal> count_rest(Rows& rows, std::uint64_t seen, Clock::duration spent) {
  RowTotal total{seen, false};
  const auto until = Clock::now() + patience - spent;
  while (Clock::now() < until) {
    const auto next = rows.next();
    if (!next && is_given_up(next.error())) break;
    if (!next) return next.error();
    total.is_exact = !next.value();
    if (total.is_exact) return total;
    ++total.rows;
  }
  --total.rows;  // "more than" so many
  return total;
}

}  // namespace

Result<std::size_t> print_rows(Rows& rows, RowWriter& writer, const std::ostream& out,
                               std::size_t most) {
  auto next = rows.next();
  if (!next) return std::move(next).error();
  writer.begin(rows.columns());
  const auto begin = Clock::now();
  std::size_t count = 0;
  for (; out && next && next.value() && (most == 0 || count < most); next = rows.next()) {
    writer.row(*next.value());
    ++count;
  }
  if (!next) {
    writer.finish_failed();
    return std::move(next).error();
  }
  if (!out || !next.value()) {
    writer.finish();
    return count;
  }
  const auto total = count_rest(rows, count + 1, Clock::now() - begin);
  writer.finish_cut(total ? *total : RowTotal{count, false});
  if (!total) return total.error();
  return count;
}

}  // namespace cairn::tools
