// The public handle Rows, and what is behind it where its statement runs in this process.
#include "query/rows_impl.hpp"

#include <iterator>
#include <utility>

namespace cairn {
namespace query {

Result<std::optional<std::span<const Value>>> StreamedRows::next() {
  CAIRN_ASSIGN(const auto row, run_->next());
  return row ? std::optional<std::span<const Value>>(*row) : std::nullopt;
}

MadeRows::MadeRows(std::string column, Value value) : columns_{std::move(column)} {
  rows_.emplace_back().push_back(std::move(value));
}

void MadeRows::add(std::span<Value> row) {
  rows_.emplace_back(std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
}

void MadeRows::take_results(RunningStatement& run) {
  columns_ = run.columns();
  changes_ = run.changes();
  warnings_ = run.warnings();
  plan_ = run.plan();
}

void MadeRows::take_results(const Rows& rows) {
  columns_ = rows.columns();
  changes_ = rows.changes();
  warnings_ = rows.warnings();
  plan_ = rows.plan();
}

Result<std::optional<std::span<const Value>>> MadeRows::next() {
  using Next = std::optional<std::span<const Value>>;
  if (next_ == rows_.size()) return Next();
  return Next(rows_[next_++]);
}

}  // namespace query

Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(Rows&&) noexcept = default;
Rows::~Rows() = default;

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
