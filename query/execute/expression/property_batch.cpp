// Reading one property of 1,000 records at once costs the store a fraction of 1,000 reads. So
// before an expression is evaluated on the rows of a batch, the properties of variables that it may
// read are read for all of them. May, not will: where a CASE or an AND would have spared a read, it
// is done all the same.
#include "query/execute/expression/property_batch.hpp"

#include "query/execute/holding.hpp"
#include "query/functions/growing.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20;  // read ahead of one property

struct PropertyOfVariable {
  Slot slot = 0;
  const std::string* name = nullptr;  // null where the expression is another one
};

PropertyOfVariable property_of_variable(const Expression& expression) {
  const bool is_one = expression.kind == ExpressionKind::property &&
                      expression.children[0]->kind == ExpressionKind::variable;
  return is_one ? PropertyOfVariable{expression.children[0]->slot, &expression.name}
                : PropertyOfVariable{};
}

// Slots that an expression itself gives values to change while a row is evaluated.
// Not below a pattern or a subquery: these have rows of their own.
void collect_reads(const Expression& expression, const SlotSet& free,
                   std::vector<std::pair<Slot, std::string>>& reads) {
  if (expression.match || expression.subquery) return;
  const PropertyOfVariable own = property_of_variable(expression);
  if (own.name != nullptr && free.contains(own.slot)) reads.emplace_back(own.slot, *own.name);
  if (expression.kind == ExpressionKind::filter_test &&
      expression.children[0]->kind == ExpressionKind::variable &&
      free.contains(expression.children[0]->slot))
    reads.emplace_back(expression.children[0]->slot, expression.names.front());
  for (const ExpressionPtr& child : expression.children)
    if (child) collect_reads(*child, free, reads);
}

}  // namespace

// Each slot and name once, however often it is read.
void PropertyBatch::expect(const Expression& expression) {
  std::vector<std::pair<Slot, std::string>> reads;
  // Most expressions are a property and no more, which needs no set of slots.
  if (const PropertyOfVariable own = property_of_variable(expression); own.name != nullptr)
    reads.emplace_back(own.slot, *own.name);
  else
    collect_reads(expression, free_slots(expression), reads);
  for (auto& [slot, name] : reads) {
    const auto is_there = [&, wanted = slot](const Column& column) {
      return column.slot == wanted && column.name == name;
    };
    if (std::find_if(columns_.begin(), columns_.end(), is_there) == columns_.end())
      columns_.push_back({slot, std::move(name), {}, {}, {}, {}});
  }
}

// One read for all rows of the batch that hold an entity of this kind. Of large values not all are read
// ahead: a thousand texts of a megabyte would lie here until the batch is done.
// A deleted entity is left out, so that reading its property later is the error it should be.
Status PropertyBatch::load(Column& column, codec::EntityKind kind, const RowBatch& batch,
                           GraphReader& graph, std::size_t first) {
  std::vector<std::uint64_t> ids;
  std::vector<std::size_t> rows;
  for (std::size_t row = first; row < batch.size(); ++row) {
    const auto entity = entity_of(batch.cell(row, column.slot));
    if (!entity || entity->kind != kind || graph.is_deleted(kind, entity->id)) continue;
    ids.push_back(entity->id);
    rows.push_back(row);
  }
  if (ids.empty()) return {};
  const std::span<const std::uint64_t> all(ids);
  std::size_t bytes = 0;
  for (std::size_t read = 0; read < all.size() && bytes < most_bytes;) {
    CAIRN_ASSIGN(auto values, graph.some_properties(kind, all.subspan(read), column.name));
    if (read + values.size() < all.size()) bytes += row_bytes(values);
    for (Value& value : values) {
      column.values[rows[read]] = std::move(value);
      column.is_read[rows[read++]] = true;
    }
  }
  return {};
}

// One property of one entity, or of none, is the same on all rows.
Status PropertyBatch::load_whole(Column& column, const RowBatch& batch, GraphReader& graph) {
  column.whole.reset();
  if (!batch.is_packed()) return {};
  const BatchColumn& owners = batch.column(column.slot);
  if (owners.form() == BatchColumn::Form::constant) {
    if (owners.only().is_null()) column.whole.emplace();
    const auto entity = entity_of(owners.only());
    if (!entity || graph.has_deleted(entity->kind)) return {};
    CAIRN_ASSIGN(Value value, graph.property(entity->kind, entity->id, column.name));
    column.whole = BatchColumn::constant(std::move(value));
    return {};
  }
  if (!owners.has_entities() || graph.has_deleted(owners.kind())) return {};
  CAIRN_ASSIGN(column.whole, graph.property_column(owners.kind(), owners.words(), column.name));
  if (column.whole) return {};
  CAIRN_ASSIGN(column.whole,
               column.codes.column(graph, owners.kind(), owners.words(), column.name));
  return {};
}

// A column may hold nodes in some rows and relationships in others, so each kind is read separately.
// Rows before `first` keep null and are not read.
Status PropertyBatch::load(const RowBatch& batch, GraphReader& graph, std::size_t first) {
  for (Column& column : columns_) {
    CAIRN_TRY(load_whole(column, batch, graph));
    if (column.whole) continue;
    column.values.assign(batch.size(), Value());
    column.is_read.assign(batch.size(), false);
    CAIRN_TRY(load(column, codec::EntityKind::node, batch, graph, first));
    CAIRN_TRY(load(column, codec::EntityKind::relationship, batch, graph, first));
  }
  return {};
}

const PropertyBatch::Column* PropertyBatch::find(Slot slot, std::string_view name) const noexcept {
  const auto found = std::ranges::find_if(
      columns_, [&](const Column& one) { return one.slot == slot && one.name == name; });
  return found == columns_.end() ? nullptr : &*found;
}

Result<std::optional<Value>> PropertyBatch::read(Slot slot, std::string_view name,
                                                 const Budget& budget) const {
  const Column* const found = find(slot, name);
  if (found == nullptr) return std::optional<Value>();
  if (found->whole && found->whole->is_packed()) return std::optional(found->whole->value(row_));
  if (!found->whole && !found->is_read[row_]) return std::optional<Value>();
  CAIRN_ASSIGN(Value value,
               copy_of(&budget, found->whole ? found->whole->only() : found->values[row_]));
  return std::optional(std::move(value));
}

const BatchColumn* PropertyBatch::column(Slot slot, std::string_view name) const noexcept {
  const Column* const found = find(slot, name);
  return found != nullptr && found->whole ? &*found->whole : nullptr;
}

}  // namespace cairn::query
