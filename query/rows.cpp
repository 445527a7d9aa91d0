// The public handle Rows, its implementations for statements that run in this process, and access to rows by column name.

#include "codec/ordered_key.hpp"
#include "query/functions/time_zone.hpp"
#include "query/rows_impl.hpp"

#include <cairn/row.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
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

MadeRows::MadeRows(const Rows& read)
    : columns_(read.columns()),
      changes_(read.changes()),
      warnings_(read.warnings()),
      plan_(read.plan()) {}

void MadeRows::add(std::span<Value> row) {
  rows_.emplace_back(std::make_move_iterator(row.begin()), std::make_move_iterator(row.end()));
}

void MadeRows::take_results(RunningStatement& run) {
  columns_ = run.columns();
  changes_ = run.changes();
  warnings_ = run.warnings();
  plan_ = run.plan();
}

Result<std::unique_ptr<MadeRows>> drain(RunningStatement& run) {
  constexpr std::size_t row_bytes = 48;  // overhead of a row in addition to its values
  auto rows = std::make_unique<MadeRows>();
  Holding held(run.budget());
  while (true) {
    CAIRN_ASSIGN(const auto row, run.next());
    if (!row) break;
    CAIRN_TRY(held.add_bytes(row_bytes + row->size() * sizeof(Value) + run.loaded_bytes()));
    CAIRN_TRY(held.add(*row));
    rows->add(*row);
  }
  rows->take_results(run);
  return rows;
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

// row_ is empty at the end; a stored error is returned once and then ends the iteration.
void Rows::Iterator::read() {
  if (row_ && !*row_) {  // an error ends the iteration
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

// Copies each row, because next() returns a span that is valid only until the next call.
Result<std::vector<std::vector<Value>>> Rows::all() {
  std::vector<std::vector<Value>> rows;
  while (true) {
    CAIRN_ASSIGN(const auto row, next());
    if (!row) return rows;
    rows.emplace_back(row->begin(), row->end());
  }
}

// Rows by column name: lookups and their errors.

namespace {

std::string listed(const std::vector<std::string>& columns) {
  if (columns.empty()) return "; the statement has no columns";
  std::string text = columns.size() == 1 ? "; the column is " : "; the columns are ";
  for (std::size_t i = 0; i < columns.size(); ++i) text += (i > 0 ? ", " : "") + columns[i];
  return text;
}

Error missing(const std::string& what, const std::vector<std::string>& columns) {
  return {ErrorCode::not_found, "there is no column " + what + listed(columns), std::nullopt};
}

std::string with_article(ValueType type) {
  if (type == ValueType::null) return "null";
  const std::string name(to_string(type));
  return (name.starts_with('i') ? "an " : "a ") + name;
}

}  // namespace

namespace detail {

Error type_mismatch(ValueType found, std::string_view expected) {
  return {ErrorCode::type_error, with_article(found) + ", expected " + std::string(expected),
          std::nullopt};
}

Error out_of_range(const Value& number) {
  return {ErrorCode::invalid_argument,
          number.to_text() + " does not fit into the requested number type", std::nullopt};
}

Error in_element(std::size_t index, Error error) {
  error.message.insert(0, "element " + std::to_string(index) + ": ");
  return error;
}

}  // namespace detail

// RETURN refuses duplicate names, so the first match is the only one.
Result<std::size_t> Row::position_of(std::string_view column) const {
  const auto found = std::ranges::find(*columns_, column);
  if (found != columns_->end()) return static_cast<std::size_t>(found - columns_->begin());
  return missing("\"" + std::string(column) + "\"", *columns_);
}

const Value& Row::operator[](std::string_view column) const {
  const auto position = position_of(column);
  if (!position) detail::fail_value(position.error());
  return values_[*position];
}

Error Row::no_column(std::size_t column) const {
  return missing(std::to_string(column), *columns_);
}

Error Row::in_column(std::size_t column, Error error) const {
  error.message.insert(0, "column \"" + (*columns_)[column] + "\": ");
  return error;
}

void Row::fail_column(std::size_t column) const noexcept { detail::fail_value(no_column(column)); }

std::optional<std::int64_t> to_instant(const Value& value) { return query::instant_of(value); }

std::optional<std::int64_t> to_instant(std::string_view text, std::int64_t now) {
  const auto moment = query::parse_moment(text, now);
  return moment ? std::optional(*moment) : std::nullopt;
}

int sort_order(const Value& a, const Value& b) noexcept { return codec::compare_ordered(a, b); }

}  // namespace cairn
