#include "query/attach/attached_rows.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query::attach {
namespace {

constexpr std::int64_t first_portion = 32;
constexpr std::int64_t largest_portion = 4'096;
/// The size of a portion to aim at: smaller portions cost messages, larger ones cost memory.
constexpr std::size_t wanted_bytes = std::size_t{1} << 20;

/// The number of rows in the next portion: four times that of the last one, within wanted_bytes by the average size of
/// its rows.
std::int64_t next_portion(std::int64_t last, std::size_t bytes, std::size_t rows) {
  const std::size_t row_bytes = rows == 0 ? 0 : bytes / rows;
  const std::size_t fitting = row_bytes == 0 ? wanted_bytes : wanted_bytes / row_bytes;
  const auto most =
      std::min(std::min(4 * last, largest_portion), static_cast<std::int64_t>(fitting));
  return std::max<std::int64_t>(most, 1);
}

}  // namespace

Result<std::unique_ptr<AttachedRows>> AttachedRows::run(std::shared_ptr<Work> work,
                                                        const engine::ForwardedStatement& statement,
                                                        bool all, const CommitNote* note) {
  std::unique_ptr<AttachedRows> rows(
      new AttachedRows(std::move(work), statement.options, all ? -1 : first_portion));
  CAIRN_ASSIGN(Work::Started started, rows->work_->run(statement, rows->portion_, note));
  rows->columns_ = std::move(started.columns);
  rows->number_ = started.number;
  rows->take(std::move(started.first));
  // If all rows are pulled at once, an error after some rows is an error of the whole statement.
  if (all && rows->failure_) return *rows->failure_;
  return rows;
}

AttachedRows::AttachedRows(std::vector<std::string> columns, Work::Portion all)
    : columns_(std::move(columns)) {
  take(std::move(all));
}

AttachedRows::~AttachedRows() {
  if (work_ && has_more_) work_->discard(number_);
}

// After the last row the connection returns to the pool.
void AttachedRows::take(Work::Portion portion) {
  if (portion_ > 0) portion_ = next_portion(portion_, portion.bytes, portion.rows.size());
  rows_ = std::move(portion.rows);
  next_ = 0;
  has_more_ = portion.has_more;
  failure_ = std::move(portion.failure);
  if (has_more_) return;
  results_ = std::move(portion.results);
  work_.reset();
}

// Pulls the next portion when the current one is used up. A failure is returned after the rows before it.
Result<std::optional<std::span<const Value>>> AttachedRows::next() {
  using Next = std::optional<std::span<const Value>>;
  while (next_ == rows_.size()) {
    if (failure_) return *failure_;
    if (!has_more_) return Next();
    take(work_->pull(number_, portion_, options_));
  }
  return Next(rows_[next_++]);
}

}  // namespace cairn::query::attach
