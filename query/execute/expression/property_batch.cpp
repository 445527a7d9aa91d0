// Before an expression is evaluated on the rows of a batch, the properties that it may read are
// read for all rows. Reading one property of 1,000 records at once costs the store a fraction of
// 1,000 reads. Properties are read even if a CASE or an AND would not have needed them.
#include "query/execute/expression/property_batch.hpp"

#include "query/execute/holding.hpp"
#include "query/functions/growing.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::query {
namespace {

// Code of an entity without the property.
constexpr std::uint32_t no_text = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t longest_text = 512;                 // texts with more bytes are not coded
constexpr std::size_t most_texts = std::size_t{1} << 16;  // largest number of entities with a code
constexpr std::size_t least_rows = 64;                    // smaller batches are not coded
constexpr std::size_t rows_a_text = 2;  // rows per new entity that make coding worth its cost
// After this many batches with too many different entities, coding is not tried again.
constexpr std::size_t most_misses = 3;
constexpr std::size_t entry_bytes = 160;  // estimated bytes per entity and per text

constexpr std::size_t most_bytes = std::size_t{4} << 20;  // bytes read ahead per property and batch

struct PropertyOfVariable {
  Slot slot = 0;
  const std::string* name = nullptr;  // nullptr for any other expression
};

PropertyOfVariable property_of_variable(const Expression& expression) {
  const bool is_one = expression.kind == ExpressionKind::property &&
                      expression.children[0]->kind == ExpressionKind::variable;
  return is_one ? PropertyOfVariable{expression.children[0]->slot, &expression.name}
                : PropertyOfVariable{};
}

// Collects properties of slots that the row itself has. Slots with local variables of the
// expression change during its evaluation, so they are excluded. Patterns and subqueries have rows
// of their own and are not visited.
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

// Clears the codes after a write, because an entity may now have another text. Columns returned
// earlier hold the old texts.
void TextCodes::begin(GraphReader& graph, codec::EntityKind kind) {
  if (kind_ == kind && epoch_ == graph.epoch()) return;
  kind_ = kind;
  epoch_ = graph.epoch();
  is_vain_ = false;
  misses_ = 0;
  code_of_id_.clear();
  code_of_text_.clear();
  texts_ = std::make_shared<std::vector<Value>>();
  held_ = Holding(graph.budget());
}

// Equal ids often come in sequence, so each id is first compared with the previous one.
std::vector<std::uint64_t> TextCodes::unknown(std::span<const std::uint64_t> ids) const {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if ((i == 0 || ids[i] != ids[i - 1]) && !code_of_id_.contains(ids[i])) found.push_back(ids[i]);
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

// Entities with equal texts share a code.
Result<bool> TextCodes::learn(std::span<const std::uint64_t> ids, std::span<const Value> values) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string* const text = values[i].string();
    if (!values[i].is_null() && (text == nullptr || text->size() > longest_text)) return false;
    std::uint32_t code = no_text;
    if (text != nullptr) {
      const auto [known, is_new] =
          code_of_text_.try_emplace(*text, static_cast<std::uint32_t>(texts_->size()));
      code = known->second;
      if (is_new) {
        CAIRN_TRY(held_.add_bytes(2 * text->size()));
        texts_->push_back(values[i]);
      }
    }
    CAIRN_TRY(held_.add_bytes(entry_bytes));
    code_of_id_.emplace(ids[i], code);
  }
  return true;
}

// Returns nullopt for all further batches after a value that is not a short text, or after several batches with too
// many different entities.
Result<std::optional<BatchColumn>> TextCodes::column(GraphReader& graph, codec::EntityKind kind,
                                                     std::span<const std::uint64_t> ids,
                                                     std::string_view name) {
  const std::optional<BatchColumn> none;
  begin(graph, kind);
  if (is_vain_ || ids.size() < least_rows) return none;
  const std::vector<std::uint64_t> fresh = unknown(ids);
  if (fresh.size() > ids.size() / rows_a_text || code_of_id_.size() > most_texts) {
    is_vain_ = ++misses_ >= most_misses;
    return none;
  }
  for (std::size_t read = 0; !is_vain_ && read < fresh.size();) {
    const auto rest = std::span(fresh).subspan(read);
    CAIRN_ASSIGN(const auto values, graph.some_properties(kind, rest, name));
    CAIRN_ASSIGN(const bool are_texts, learn(rest.first(values.size()), values));
    is_vain_ = !are_texts;
    read += values.size();
  }
  if (is_vain_) return none;
  std::vector<std::uint64_t> words(ids.size());
  std::vector<std::uint8_t> missing;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool is_known = i > 0 && ids[i] == ids[i - 1] && missing.empty();
    const std::uint64_t code = is_known ? words[i - 1] : code_of_id_.at(ids[i]);
    if (code == no_text) {
      missing.resize(ids.size());
      missing[i] = 1;
    } else {
      words[i] = code;
    }
  }
  return std::optional(
      BatchColumn::words(BatchColumn::Form::codes, std::move(words), std::move(missing), texts_));
}

// Adds each slot and name only once.
void PropertyBatch::expect(const Expression& expression) {
  std::vector<std::pair<Slot, std::string>> reads;
  // Most expressions are just a property, which needs no set of slots.
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

// Reads the property for all rows that hold an entity of this kind. Large values are read ahead
// only up to a limit, because a thousand texts of a megabyte would stay in memory until the batch
// is done. Deleted entities are skipped: reading their property later is an error, as required.
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

// Loads the property as one column if possible: as a constant if all rows hold one entity or all are
// null, else from memory or as text codes.
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

// A slot may hold nodes in some rows and relationships in others, so each kind is read separately.
// Rows before `first` are not read.
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

// Values of a packed column are copied without a check of memory, because they are small.
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
