#pragma once
// GraphReader: what operators and expressions read of the graph, with visibility applied and with
// the sets that are asked for again and again cached. A write empties the cache.

#include "codec/bitmap.hpp"
#include "engine/view/segment_view.hpp"
#include "engine/view/view.hpp"
#include "query/execute/batch_column.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/operator_profile.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Reads one view for one statement. Sets are valid until forget(); one thread.
class GraphReader {
 public:
  /// Namespaces are looked up by name, because the statement itself may create its own; `also_read` are seen besides.
  /// Each record and each relationship that is read is a step of the budget.
  GraphReader(const engine::View& view, std::string name_space, std::vector<std::string> also_read,
              std::int64_t now, Budget& budget);
  GraphReader(const GraphReader&) = delete;
  GraphReader& operator=(const GraphReader&) = delete;
  ~GraphReader();

  [[nodiscard]] const engine::View& view() const noexcept { return view_; }
  [[nodiscard]] Budget& budget() const noexcept { return budget_; }
  [[nodiscard]] const engine::Catalog& catalog() const { return view_.catalog(); }
  [[nodiscard]] engine::Visibility visibility() const;
  /// The numbers of the namespaces that are seen, the statement's own first, each once.
  [[nodiscard]] std::vector<std::uint32_t> name_spaces() const;

  /// The entities that may be seen, or null where that is all of them. Valid until forget().
  [[nodiscard]] Result<const codec::Bitmap*> restriction(codec::EntityKind kind);
  /// The entities that may be seen. Valid until forget().
  [[nodiscard]] Result<const codec::Bitmap*> visible(codec::EntityKind kind);
  /// The nodes with a label or the relationships of a type, whether visible or not. Valid until
  /// forget().
  [[nodiscard]] Result<const codec::Bitmap*> labelled(codec::EntityKind kind,
                                                      std::string_view name);

  /// A property of an entity. Errors: not_found where the statement has deleted it.
  [[nodiscard]] Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                                       std::string_view name);
  /// The same of many entities, in one read; texts, booleans and dates and times without one where the
  /// order of the values is cached (path_column.hpp).
  [[nodiscard]] Result<std::vector<Value>> properties(codec::EntityKind kind,
                                                      std::span<const std::uint64_t> ids,
                                                      std::string_view name);
  /// The same of the first of `ids` only, as many as make about a mebibyte, and one at least: a caller that wants
  /// them all asks again for the others.
  [[nodiscard]] Result<std::vector<Value>> some_properties(codec::EntityKind kind,
                                                           std::span<const std::uint64_t> ids,
                                                           std::string_view name);
  /// The same of all `ids` as words from memory. Nothing where these are not there, or would not hold all values.
  [[nodiscard]] Result<std::optional<BatchColumn>> property_column(
      codec::EntityKind kind, std::span<const std::uint64_t> ids, std::string_view name);
  [[nodiscard]] Result<std::optional<codec::RelationshipRecord>> relationship(std::uint64_t id);

  /// View::expand and expand_into, with the steps that they take.
  [[nodiscard]] Status expand(std::uint64_t node, engine::Direction direction,
                              std::span<const std::uint32_t> types,
                              std::vector<engine::Adjacent>& out);
  [[nodiscard]] Status expand_into(std::uint64_t node, std::uint64_t other,
                                   engine::Direction direction,
                                   std::span<const std::uint32_t> types,
                                   std::vector<engine::Adjacent>& out);

  /// The relationships of all nodes in one direction, in memory; empty where they are not. Valid until forget().
  [[nodiscard]] const engine::AdjacencyView& adjacency(bool outgoing);
  /// A property of all entities of a kind, likewise.
  [[nodiscard]] const engine::ColumnView& column(codec::EntityKind kind, std::uint32_t key);

  /// The entity with all it holds; as it is, where it is loaded already. A deleted one is empty.
  [[nodiscard]] Result<Value> load(const Value& entity);

  /// Called after every change to the graph.
  void forget();
  /// Grows with each forget(): what was made of the graph before is old.
  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  void note_deleted(codec::EntityKind kind, std::uint64_t id);
  [[nodiscard]] bool is_deleted(codec::EntityKind kind, std::uint64_t id) const;
  /// Whether the statement has deleted any.
  [[nodiscard]] bool has_deleted(codec::EntityKind kind) const {
    return !kinds_[kind == codec::EntityKind::node ? 0 : 1].deleted.empty();
  }

  /// Where the work of now is counted.
  OperatorProfile* meter = nullptr;

 private:
  using Kept = std::map<std::pair<codec::EntityKind, std::string>, codec::Bitmap, std::less<>>;

  struct PerKind {
    std::optional<codec::Bitmap> visible;
    std::optional<bool> all_visible;
    codec::Bitmap deleted;
  };
  [[nodiscard]] PerKind& of(codec::EntityKind kind) {
    return kinds_[kind == codec::EntityKind::node ? 0 : 1];
  }
  [[nodiscard]] Status count_records(std::size_t count);
  /// A segment, and what was spent for want of it since it was asked for last.
  template <class Kind>
  struct Wanted {
    engine::SegmentView<Kind> view;
    double spent = 0;      // microseconds
    double all_spent = 0;  // by the statement, when it was asked for
    bool was_asked = false;

    /// Whether it is to be asked for once more.
    [[nodiscard]] bool is_due() const noexcept { return !view && (!was_asked || spent >= 100); }
  };
  using Lists = Wanted<engine::AdjacencySegment>;
  using Column = Wanted<engine::ColumnSegment>;

  /// What relationships of a node are wanted: of one of `types`, if any are given, and with `other` alone.
  struct Step {
    std::uint64_t node = 0;
    std::optional<std::uint64_t> other;
    engine::Direction direction = engine::Direction::both;
    std::span<const std::uint32_t> types;

    [[nodiscard]] bool is_one_way() const noexcept { return direction != engine::Direction::both; }
  };
  [[nodiscard]] Status read_step(const Step& step, std::vector<engine::Adjacent>& out);
  /// Those in one direction from memory. False, and `out` is as it was, where the store has to be read.
  [[nodiscard]] bool append_listed(const Step& step, bool outgoing,
                                   std::vector<engine::Adjacent>& out);
  [[nodiscard]] Status append_stored(const Step& step, bool outgoing,
                                     std::vector<engine::Adjacent>& out);
  /// The value of an id from memory. False where the record alone has it.
  [[nodiscard]] static bool read_cell(const Column& column, std::uint64_t id, Value& value);
  /// The values of `ids` from memory, and the places of those that the records alone have.
  [[nodiscard]] std::vector<std::size_t> read_column(Column& column,
                                                     std::span<const std::uint64_t> ids,
                                                     std::vector<Value>& values);
  /// Those of `left` that the order of the values tells, where it is cached; they are no longer left.
  [[nodiscard]] Status read_order(codec::EntityKind kind, std::string_view name,
                                  std::span<const std::uint64_t> ids, std::vector<Value>& values,
                                  std::vector<std::size_t>& left);
  /// What is asked for now; what was spent is told by it.
  template <class Kind>
  [[nodiscard]] engine::SegmentNeed need_of(Wanted<Kind>& wanted) const;
  void tell_spent() const;
  [[nodiscard]] Column& wanted_column(codec::EntityKind kind, std::uint32_t key);

  const engine::View& view_;
  std::string name_space_;
  std::vector<std::string> also_read_;
  std::int64_t now_;
  PerKind kinds_[2];
  Kept labelled_;
  std::uint64_t epoch_ = 1;
  Budget& budget_;
  Lists lists_[2];  // outgoing, incoming
  std::map<std::pair<codec::EntityKind, std::uint32_t>, Column> columns_;
  std::map<std::string, std::size_t, std::less<>> property_bytes_;  // of one, about, by name
};

/// The kind and id of a node or relationship value; nothing for other values.
struct EntityReference {
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint64_t id = 0;
};
[[nodiscard]] std::optional<EntityReference> entity_of(const Value& value);
[[nodiscard]] Value entity_value(codec::EntityKind kind, std::uint64_t id);

}  // namespace cairn::query
