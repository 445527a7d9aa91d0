// All reading of a statement goes through this class, for two reasons. First, visibility (namespace, expiry, soft
// deletion) is always applied. Second, sets that are needed for every row are computed only once. Each change drops the
// sets that it makes outdated, which invalidates pointers to them. No change happens while an expression is evaluated.
#include "query/execute/graph_reader.hpp"

#include "codec/ordered_key.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/segment/column_segment.hpp"
#include "engine/view/list_reader.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/path_index.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

namespace cairn::query {
namespace {

// An id that no namespace has, because catalog ids are assigned from the lowest on.
constexpr std::uint32_t unknown_name_space = std::numeric_limits<std::uint32_t>::max();

// True if an index key has the full value. Keys of numbers do not distinguish 1 from 1.0, and other
// types are stored only in part.
bool has_whole_value(codec::OrderedTag tag) {
  using Tag = codec::OrderedTag;
  constexpr std::array known = {Tag::string, Tag::boolean, Tag::date_time,  Tag::local_date_time,
                                Tag::date,   Tag::time,    Tag::local_time, Tag::duration};
  return std::ranges::find(known, tag) != known.end();
}

/// Reads values by id from a sorted column of their path, if its keys have the full value.
class OrderedValues {
 public:
  explicit OrderedValues(const engine::CurrentOrder& order) : order_(order) {}

  /// Returns false if only the record has the value.
  Result<bool> take(std::uint64_t id, Value& value) {
    if (!order_.read_value(id, bytes_)) return false;
    if (!has_whole_value(static_cast<codec::OrderedTag>(bytes_.front()))) return false;
    std::string_view rest = bytes_;
    CAIRN_ASSIGN(value, codec::read_ordered(rest));
    return true;
  }

 private:
  const engine::CurrentOrder& order_;
  std::string bytes_;  // key of the last value; reused to avoid allocations
};

// Estimated time to read from the store. Measured times would make the plans of equal statements
// differ by the load of the machine.
constexpr double record_microseconds = 3;

/// Corresponds to DeletedEntityAccess in openCypher and EntityNotFound in Neo4j.
Error deleted_error(codec::EntityKind kind, std::uint64_t id) {
  return {ErrorCode::not_found,
          (kind == codec::EntityKind::node ? "node " : "relationship ") + std::to_string(id) +
              " was deleted by this statement; read what you need of it before DELETE",
          std::nullopt};
}

}  // namespace

GraphReader::GraphReader(const engine::View& view, std::string name_space,
                         std::vector<std::string> also_read, std::int64_t now, Budget& budget)
    : view_(view),
      name_space_(std::move(name_space)),
      also_read_(std::move(also_read)),
      now_(now),
      budget_(budget),
      types_(view) {}

// The default namespace has the number 0. A namespace without any records has no number, and the
// unknown id then matches no record.
std::vector<std::uint32_t> GraphReader::name_spaces() const {
  std::vector<std::uint32_t> numbers{
      catalog().find_name_space(name_space_).value_or(unknown_name_space)};
  for (const std::string& name : also_read_) {
    const auto number = catalog().find_name_space(name);
    if (number && std::ranges::find(numbers, *number) == numbers.end()) numbers.push_back(*number);
  }
  return numbers;
}

engine::Visibility GraphReader::visibility() const {
  const std::vector<std::uint32_t> numbers = name_spaces();
  return {numbers.front(), now_, {numbers.begin() + 1, numbers.end()}};
}

// Returns nullptr if all entities are visible. Most databases have one namespace and no hidden
// records, so this avoids the cost of a bitmap.
Result<const codec::Bitmap*> GraphReader::restriction(codec::EntityKind kind) {
  PerKind& kept = of(kind);
  if (!kept.all_visible) {
    CAIRN_ASSIGN(kept.all_visible, view_.all_visible(kind, visibility()));
  }
  if (*kept.all_visible) return nullptr;
  return visible(kind);
}

Result<const codec::Bitmap*> GraphReader::visible(codec::EntityKind kind) {
  PerKind& kept = of(kind);
  if (!kept.visible) {
    CAIRN_ASSIGN(kept.visible, view_.visible(kind, visibility()));
  }
  return &*kept.visible;
}

// Labels are looked up by name, because a new name gets its id only while the statement runs. Unused names are not
// cached, because values may contain any number of such names.
Result<const codec::Bitmap*> GraphReader::labelled(codec::EntityKind kind, std::string_view name) {
  const auto key = std::pair(kind, std::string(name));
  if (const auto kept = labelled_.find(key); kept != labelled_.end()) return &kept->second;
  codec::Bitmap ids;
  if (kind == codec::EntityKind::node) {
    const auto label = catalog().find_label(name);
    if (!label) return &nothing_;
    CAIRN_ASSIGN(ids, view_.labelled(*label));
  } else {
    const auto type = catalog().find_type(name);
    if (!type) return &nothing_;
    CAIRN_ASSIGN(ids, view_.typed(*type));
  }
  return &labelled_.emplace(key, std::move(ids)).first->second;
}

// Reading a record from disk takes some microseconds, so each one counts as a step.
Status GraphReader::count_records(std::size_t count) {
  if (meter != nullptr) meter->records_read += count;
  return budget_.step(count);
}

// Makes the request for a segment, which may take a quarter of the remaining time to build. A background thread builds
// it if that takes longer.
template <class Kind>
engine::SegmentNeed GraphReader::need_of(Wanted<Kind>& wanted) const {
  constexpr double most_at_once = 50'000;
  const std::chrono::duration<double, std::micro> left = budget_.left();
  wanted.was_asked = true;
  wanted.all_spent += wanted.spent;
  return {std::exchange(wanted.spent, 0), wanted.all_spent, left.count() / 4,
          [&budget = budget_] { return budget.check().has_value(); }, most_at_once};
}

// Reports the time that this statement spent because a segment was missing or outdated. The reports of many short
// statements add up until the engine builds the segment in the background.
GraphReader::~GraphReader() {
  try {
    tell_spent();
  } catch (const std::exception&) {  // out of memory: nothing is reported
  }
}

// Requests the segments with no time to build them, which only reports the cost.
void GraphReader::tell_spent() const {
  const auto rest = [](const auto& wanted) {
    return engine::SegmentNeed{wanted.spent, wanted.all_spent + wanted.spent, 0, {}};
  };
  for (const bool outgoing : {true, false})
    if (const Lists& lists = lists_[outgoing ? 0 : 1]; lists.spent > 0)
      static_cast<void>(view_.adjacency(outgoing, rest(lists)));
  for (const auto& [key, column] : columns_)
    if (column.spent > 0) static_cast<void>(view_.column(key.first, key.second, rest(column)));
}

// Requests the lists from the engine, which may build them, unless they were requested recently.
const engine::AdjacencyView& GraphReader::adjacency(bool outgoing) {
  Lists& lists = lists_[outgoing ? 0 : 1];
  if (lists.is_due()) {
    lists.view = view_.adjacency(outgoing, need_of(lists));
  }
  return lists.view;
}

// Requests the column from the engine, which may build it, unless the column was requested recently.
GraphReader::Column& GraphReader::wanted_column(codec::EntityKind kind, std::uint32_t key) {
  Column& column = columns_[{kind, key}];
  if (column.is_due()) {
    column.view = view_.column(kind, key, need_of(column));
  }
  return column;
}

const engine::ColumnView& GraphReader::column(codec::EntityKind kind, std::uint32_t key) {
  return wanted_column(kind, key).view;
}

// Fills the values that the column has. Returns the positions of the others.
std::vector<std::size_t> GraphReader::read_column(Column& column,
                                                  std::span<const std::uint64_t> ids,
                                                  std::vector<Value>& values) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!read_cell(column, ids[i], values[i])) left.push_back(i);
  return left;
}

// A column does not know ids that changed after it was built.
bool GraphReader::read_cell(const Column& column, std::uint64_t id, Value& value) {
  return column.view && column.view.knows(id) && column.view.segment->read(id, value);
}

// Reads values from the cached sorted column of their path, if there is one.
Status GraphReader::read_order(codec::EntityKind kind, std::string_view name,
                               std::span<const std::uint64_t> ids, std::vector<Value>& values,
                               std::vector<std::size_t>& left) {
  CAIRN_ASSIGN(const auto order, kept_order(*this, kind, {std::string(name)}, 0));
  if (order == nullptr) return {};
  OrderedValues known(*order);
  std::vector<std::size_t> unknown;
  for (const std::size_t place : left) {
    CAIRN_ASSIGN(const bool is_known, known.take(ids[place], values[place]));
    if (!is_known) unknown.push_back(place);
  }
  left = std::move(unknown);
  return {};
}

// A name that the catalog does not contain is a property that no record has.
Result<Value> GraphReader::property(codec::EntityKind kind, std::uint64_t id,
                                    std::string_view name) {
  if (is_deleted(kind, id)) return deleted_error(kind, id);
  const auto key = catalog().find_property(name);
  if (!key) return Value();
  Column& column = wanted_column(kind, *key);
  Value value;
  if (!read_cell(column, id, value)) {
    if (!column.view || !column.view.knows(id)) column.spent += record_microseconds;
    CAIRN_TRY(count_records(1));
    CAIRN_ASSIGN(value, view_.property(kind, id, *key));
  }
  CAIRN_TRY(budget_.step(memory_bytes(value) / 4'096));
  return value;
}

// Reads a batch at once, because the store reads many keys together at a fraction of their separate cost. The caller
// must exclude deleted entities.
Result<std::vector<Value>> GraphReader::properties(codec::EntityKind kind,
                                                   std::span<const std::uint64_t> ids,
                                                   std::string_view name) {
  std::vector<Value> values(ids.size());
  const auto key = catalog().find_property(name);
  if (!key) return values;
  Column& column = wanted_column(kind, *key);
  std::vector<std::size_t> left = read_column(column, ids, values);
  if (!left.empty()) CAIRN_TRY(read_order(kind, name, ids, values, left));
  if (left.empty()) {
    CAIRN_TRY(budget_.step(ids.size() / 16));
    return values;
  }
  const auto is_missed = [&](auto i) { return !column.view || !column.view.knows(ids[i]); };
  column.spent += record_microseconds * static_cast<double>(std::ranges::count_if(left, is_missed));
  CAIRN_TRY(count_records(left.size()));
  if (left.size() == ids.size()) return view_.properties(kind, ids, *key);
  std::vector<std::uint64_t> rest;
  for (const std::size_t place : left) rest.push_back(ids[place]);
  CAIRN_ASSIGN(std::vector<Value> read, view_.properties(kind, rest, *key));
  for (std::size_t i = 0; i < left.size(); ++i) values[left[i]] = std::move(read[i]);
  return values;
}

// The size of a property's values is known only after some were read. Until then only a few are
// read at once.
Result<std::vector<Value>> GraphReader::some_properties(codec::EntityKind kind,
                                                        std::span<const std::uint64_t> ids,
                                                        std::string_view name) {
  constexpr std::size_t wanted_bytes = std::size_t{1} << 20;
  constexpr std::size_t unknown_bytes = wanted_bytes / 16;
  // Even after many small values, large ones may follow.
  constexpr std::size_t most_at_once = 128;
  auto known = property_bytes_.find(name);
  if (known == property_bytes_.end())
    known = property_bytes_.emplace(std::string(name), unknown_bytes).first;
  const std::size_t at_once =
      std::clamp<std::size_t>(wanted_bytes / known->second, 1, most_at_once);
  CAIRN_ASSIGN(auto values, properties(kind, ids.first(std::min(ids.size(), at_once)), name));
  if (values.empty()) return values;
  const std::size_t bytes = row_bytes(values);
  CAIRN_TRY(budget_.step(bytes / 4'096));
  known->second = std::max(sizeof(Value), bytes / values.size());
  return values;
}

namespace {

// Moves the words of a segment into a column.
BatchColumn column_of(engine::ColumnSegment::Words words) {
  using Form = engine::ColumnSegment::Words::Form;
  const auto made = [&](BatchColumn::Form form) {
    return BatchColumn::words(form, std::move(words.words), std::move(words.missing),
                              std::move(words.dictionary));
  };
  if (words.form == Form::floats) return made(BatchColumn::Form::floats);
  if (words.form == Form::codes) return made(BatchColumn::Form::codes);
  return made(BatchColumn::Form::integers);
}

}  // namespace

// Values that changed since the segment was built are read from the records.
Result<std::optional<BatchColumn>> GraphReader::property_column(codec::EntityKind kind,
                                                                std::span<const std::uint64_t> ids,
                                                                std::string_view name) {
  const auto key = catalog().find_property(name);
  if (!key) return std::optional(BatchColumn());
  const engine::ColumnView& view = column(kind, *key);
  engine::ColumnSegment::Words words;
  if (!view || !view.segment->read_words(ids, view.changed.get(), words))
    return std::optional<BatchColumn>();
  CAIRN_TRY(budget_.step(ids.size() / 16));
  const std::vector<std::size_t> left = std::move(words.left);
  BatchColumn made = column_of(std::move(words));
  std::vector<std::uint64_t> rest;
  for (const std::size_t place : left) rest.push_back(ids[place]);
  for (std::size_t read = 0; read < left.size();) {
    CAIRN_ASSIGN(const auto values, some_properties(kind, std::span(rest).subspan(read), name));
    for (const Value& value : values)
      if (!made.put(left[read++], value)) return std::optional<BatchColumn>();
  }
  return std::optional(std::move(made));
}

Result<std::optional<codec::RelationshipRecord>> GraphReader::relationship(std::uint64_t id) {
  CAIRN_TRY(count_records(1));
  return view_.find_relationship(id);
}

// Rows returned to the caller have complete entities. Of a deleted entity only a type is known.
Result<Value> GraphReader::load(const Value& entity) {
  const auto reference = entity_of(entity);
  if (!reference) return entity;
  if (reference->kind == codec::EntityKind::node) {
    if (entity.as_node().is_loaded()) return entity;
    CAIRN_TRY(count_records(1));
    CAIRN_ASSIGN(auto node, view_.load_node(reference->id));
    if (node) return Value(*std::move(node));
    return Value(Node(NodeId{reference->id}, std::make_shared<const Node::Content>()));
  }
  if (entity.as_relationship().is_loaded()) return entity;
  CAIRN_TRY(count_records(1));
  CAIRN_ASSIGN(auto relationship, view_.load_relationship(reference->id));
  if (relationship) return Value(*std::move(relationship));
  Relationship::Content deleted;
  if (const auto type = deleted_types_.find(reference->id))
    deleted.type = catalog().name(codec::CatalogKind::relationship_type, *type);
  return Value(Relationship(RelationshipId{reference->id},
                            std::make_shared<const Relationship::Content>(std::move(deleted))));
}

// The set of deleted entities is not cleared: a deleted id must not become readable again in this
// statement.
void GraphReader::forget() {
  ++epoch_;
  for (PerKind& kind : kinds_) {
    kind.visible.reset();
    kind.all_visible.reset();
  }
  labelled_.clear();
  leave_segments();
}

void GraphReader::begin_change() {
  const auto is_used = [](const auto& wanted) { return bool{wanted.view}; };
  if (std::ranges::none_of(lists_, is_used) &&
      std::ranges::none_of(columns_, [&](const auto& one) { return is_used(one.second); }))
    return;
  ++epoch_;
  leave_segments();
}

void GraphReader::leave_segments() {
  const auto leave = [this](auto& wanted) {
    if (wanted.view) left_segments_.push_back(wanted.view.segment);
  };
  for (Lists& lists : lists_) {
    leave(lists);
    lists = {};
  }
  for (auto& [key, column] : columns_) leave(column);
  columns_.clear();
}

void GraphReader::forget_labelled(codec::EntityKind kind, std::span<const std::string> names) {
  ++epoch_;
  if (labelled_.empty()) return;
  for (const std::string& name : names) labelled_.erase({kind, name});
}

// Segments need no change here: begin_change() left them.
void GraphReader::forget_created(codec::EntityKind kind, std::span<const std::string> names) {
  forget_labelled(kind, names);
  of(kind).visible.reset();
  of(kind).all_visible.reset();
}

std::optional<EntityReference> entity_of(const Value& value) {
  if (const Node* node = value.get_if<Node>())
    return EntityReference{codec::EntityKind::node, node->id().value};
  if (const Relationship* relationship = value.get_if<Relationship>())
    return EntityReference{codec::EntityKind::relationship, relationship->id().value};
  return std::nullopt;
}

Value entity_value(codec::EntityKind kind, std::uint64_t id) {
  if (kind == codec::EntityKind::node) return Node(NodeId{id});
  return Relationship(RelationshipId{id});
}

}  // namespace cairn::query
