// Base class of steps along relationships. Rows of one input batch are collected in columns, so the
// output is a packed batch.
#include "query/execute/read/step_operator.hpp"

#include "query/execute/row_loader.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {

StepOperator::StepOperator(const Walk& walk, const std::optional<std::vector<bool>>& carried,
                           Parts parts)
    : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
      walk_(walk),
      carried_(carried),
      filter_(parts.context.graph, walk) {}

void StepOperator::restart() {
  PhysicalOperator::restart();
  rows_.reset(0);
  row_ = 0;
  is_begun_ = false;
  limit_ = FanOutOperator::usual_first_limit;
  failure_.reset();
}

// Output batches grow, and errors are delayed, as in FanOutOperator::produce().
Result<bool> StepOperator::produce(RowBatch& out) {
  if (failure_) return *failure_;
  out.limit_to(limit_);
  made_ = {};
  made_.sources.reserve(out.row_limit());
  const Status filled = fill(out.row_limit());
  if (!filled && (made_.size() == 0 || !budget().check())) return filled.error();
  if (!filled) failure_ = filled.error();
  limit_ = std::min(limit_ * 4, RowBatch::capacity);
  if (made_.size() == 0) return false;
  CAIRN_TRY(give(out));
  return true;
}

/// Makes up to `room` rows from one input batch, and at most 1 MiB of texts in them, unless a
/// single row has more.
Status StepOperator::fill(std::size_t room) {
  made_bytes_ = 0;
  while (made_.size() < room && made_bytes_ < RowBatch::most_bytes) {
    if (row_ == rows_.size()) {
      if (made_.size() > 0) return {};
      CAIRN_ASSIGN(const bool is_there, next_batch());
      if (!is_there) return {};
    }
    if (!is_begun_) CAIRN_TRY(begin_row());
    const std::size_t before = made_.size();
    const std::size_t left = RowBatch::most_bytes - made_bytes_;
    const std::size_t fitting =
        text_bytes_ == 0 ? room : before + std::max<std::size_t>(1, left / text_bytes_);
    CAIRN_TRY(take(std::min(room, fitting)));
    made_bytes_ += (made_.size() - before) * text_bytes_;
    if (has_more()) continue;
    is_begun_ = false;
    ++row_;
  }
  return {};
}

// Types and visibility are looked up again only if the graph has changed.
Status StepOperator::begin_row() {
  CAIRN_TRY(filter_.refresh());
  CAIRN_TRY(budget().step());
  CAIRN_TRY(begin());
  text_bytes_ = may_have_texts_ ? text_bytes_of_row() : 0;
  is_begun_ = true;
  return {};
}

// Bounds the size of an output batch. Only texts in unpacked columns count, because packed columns
// do not copy them.
std::size_t StepOperator::text_bytes_of_row() const {
  std::size_t bytes = 0;
  for (Slot slot = 0; slot < rows_.width(); ++slot) {
    const BatchColumn& column = rows_.column(slot);
    if (column.is_packed() || !is_carried(slot)) continue;
    const bool is_one = column.form() == BatchColumn::Form::constant;
    const std::string* const text = (is_one ? column.only() : column.all()[row_]).string();
    bytes += text != nullptr ? text->size() : 0;
  }
  return bytes;
}

// Reads the next input batch and packs it.
Result<bool> StepOperator::next_batch() {
  row_ = 0;
  CAIRN_ASSIGN(const bool is_there, input().next(rows_));
  if (!is_there) rows_.reset(0);
  rows_.pack_rows();
  may_have_texts_ = std::ranges::any_of(rows_.columns(), [](const BatchColumn& column) {
    return column.form() == BatchColumn::Form::values || column.only().string() != nullptr;
  });
  return is_there;
}

// In a packed column of nodes, the word is the id.
Result<std::optional<std::uint64_t>> StepOperator::node_at(Slot slot, const std::string& name) {
  const BatchColumn& column = rows_.column(slot);
  if (column.form() == BatchColumn::Form::nodes) return std::optional(column.words()[row_]);
  return node_of(column.value(row_), name);
}

// Builds the columns of the output: new relationships and nodes, and copies of the input columns.
Status StepOperator::give(RowBatch& out) {
  std::vector<BatchColumn> columns;
  for (Slot slot = 0; slot < width(); ++slot) {
    const bool is_relationship = slot == walk_.pattern->slot;
    if (!is_carried(slot))
      columns.emplace_back();
    else if (!made_.counts.empty() && (is_relationship || (slot == walk_.to && !walk_.to_is_bound)))
      columns.push_back(BatchColumn::words(BatchColumn::Form::integers, made_.counts, {}));
    else if (is_relationship && !made_.relationships.empty())
      columns.push_back(
          BatchColumn::entities(codec::EntityKind::relationship, std::move(made_.relationships)));
    else if (slot == walk_.to && !walk_.to_is_bound)
      columns.push_back(BatchColumn::entities(codec::EntityKind::node, std::move(made_.nodes)));
    else if (slot < rows_.width() && !is_relationship)
      columns.push_back(rows_.column(slot).gather(made_.sources));
    else
      columns.emplace_back();
  }
  return out.pack(made_.size(), std::move(columns));
}

}  // namespace cairn::query
