// Rows over a running statement, made as they are asked for, or over rows that were all made
// before. What they point into (statement, view, run) is owned in the order in which it may go: the
// run first.
#include "query/rows_impl.hpp"

#include <iterator>
#include <utility>

namespace cairn {

Rows::Impl::Impl(std::shared_ptr<const void> statement, std::shared_ptr<const engine::View> view,
                 std::unique_ptr<query::RunningStatement> run)
    : statement_(std::move(statement)), view_(std::move(view)), run_(std::move(run)) {}

void Rows::Impl::add(std::span<Value> row) {
  rows_.emplace_back(std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
}

// For rows that outlive their run: a transaction's.
void Rows::Impl::take_results(query::RunningStatement& run) {
  columns_ = run.columns();
  changes_ = run.changes();
  warnings_ = run.warnings();
  plan_ = run.plan();
}

const std::vector<std::string>& Rows::Impl::columns() const noexcept {
  return run_ ? run_->columns() : columns_;
}

Result<std::optional<std::span<const Value>>> Rows::Impl::next() {
  using Next = std::optional<std::span<const Value>>;
  if (run_) {
    CAIRN_ASSIGN(const auto row, run_->next());
    return row ? Next(*row) : Next();
  }
  if (next_ == rows_.size()) return Next();
  return Next(rows_[next_++]);
}

const Changes& Rows::Impl::changes() const noexcept { return run_ ? run_->changes() : changes_; }

const std::vector<std::string>& Rows::Impl::warnings() const {
  return run_ ? run_->warnings() : warnings_;
}

std::string Rows::Impl::plan() const { return run_ ? run_->plan() : plan_; }

Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;
Rows::~Rows() = default;
Rows::Rows(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

const std::vector<std::string>& Rows::columns() const noexcept { return impl_->columns(); }
Result<std::optional<Row>> Rows::next() {
  CAIRN_ASSIGN(const auto values, impl_->next());
  return values ? std::optional(Row(*values, impl_->columns())) : std::nullopt;
}

void Rows::Iterator::read() {
  if (row_ && !*row_) {  // an error ends the rows
    row_.reset();
    return;
  }
  auto next = rows_->next();
  if (!next)
    row_.emplace(std::move(next).error());
  else if (*next)
    row_.emplace(**next);
  else
    row_.reset();
}

const Changes& Rows::changes() const noexcept { return impl_->changes(); }
const std::vector<std::string>& Rows::warnings() const { return impl_->warnings(); }
std::string Rows::plan() const { return impl_->plan(); }

// Copies: the span of next() ends with the next row.
Result<std::vector<std::vector<Value>>> Rows::all() {
  std::vector<std::vector<Value>> rows;
  while (true) {
    CAIRN_ASSIGN(const auto row, next());
    if (!row) return rows;
    rows.emplace_back(row->begin(), row->end());
  }
}

}  // namespace cairn
