#pragma once
// GraphReader: reads the graph for operators and expressions. Applies visibility and caches sets that are needed
// repeatedly. A write drops the sets that it makes outdated.

#include "codec/bitmap.hpp"
#include "engine/view/segment_view.hpp"
#include "engine/view/view.hpp"
#include "query/execute/batch_column.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/execute/type_order.hpp"
#include "query/functions/deleted_types.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// What a statement has deleted.
struct DeletedEntities {
  codec::Bitmap nodes;
  codec::Bitmap relationships;
  DeletedTypes types;
};

/// Reads one view for one statement. Returned sets are valid until forget().
/// Threads: one at a time.
class GraphReader {
 public:
  /// Namespaces are given by name, because the statement may create its own namespace. `also_read`
  /// are further namespaces whose records are visible. Each record and relationship that is read
  /// counts as a step of the budget.
  GraphReader(const engine::View& view, std::string name_space, std::vector<std::string> also_read,
              std::int64_t now, Budget& budget);
  GraphReader(const GraphReader&) = delete;
  GraphReader& operator=(const GraphReader&) = delete;
  ~GraphReader();

  [[nodiscard]] const engine::View& view() const noexcept { return view_; }
  [[nodiscard]] Budget& budget() const noexcept { return budget_; }
  [[nodiscard]] const engine::Catalog& catalog() const { return view_.catalog(); }
  [[nodiscard]] engine::Visibility visibility() const;
  /// Returns the numbers of the readable namespaces without duplicates, the statement's own
  /// namespace first.
  [[nodiscard]] std::vector<std::uint32_t> name_spaces() const;

  /// Returns the visible entities, or nullptr if all entities are visible. Valid until forget().
  [[nodiscard]] Result<const codec::Bitmap*> restriction(codec::EntityKind kind);
  /// Returns the visible entities. Valid until forget().
  [[nodiscard]] Result<const codec::Bitmap*> visible(codec::EntityKind kind);
  /// Returns the nodes with a label, or the relationships of a type, including invisible ones.
  /// Valid until forget().
  [[nodiscard]] Result<const codec::Bitmap*> labelled(codec::EntityKind kind,
                                                      std::string_view name);

  /// Reads a property of an entity.
  /// Errors: not_found if the statement has deleted the entity.
  [[nodiscard]] Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                                       std::string_view name);
  /// Reads a property of many entities at once. Texts, booleans, dates and times are taken from
  /// memory without reading records if a sorted column of the values is cached (path_column.hpp).
  [[nodiscard]] Result<std::vector<Value>> properties(codec::EntityKind kind,
                                                      std::span<const std::uint64_t> ids,
                                                      std::string_view name);
  /// Like properties(), but only for the first of `ids`: as many as make about 1 MiB, at least one
  /// and at most 128. The caller repeats the call for the remaining ids.
  [[nodiscard]] Result<std::vector<Value>> some_properties(codec::EntityKind kind,
                                                           std::span<const std::uint64_t> ids,
                                                           std::string_view name);
  /// Reads the property of all `ids` as words from memory. Returns nullopt if the words are not in
  /// memory or cannot encode all values.
  [[nodiscard]] Result<std::optional<BatchColumn>> property_column(
      codec::EntityKind kind, std::span<const std::uint64_t> ids, std::string_view name);
  [[nodiscard]] Result<std::optional<codec::RelationshipRecord>> relationship(std::uint64_t id);

  /// Like View::expand and View::expand_into, but the types are in the order of their names, and the work is counted in
  /// the budget.
  [[nodiscard]] Status expand(std::uint64_t node, engine::Direction direction,
                              std::span<const std::uint32_t> types,
                              std::vector<engine::Adjacent>& out);
  [[nodiscard]] Status expand_into(std::uint64_t node, std::uint64_t other,
                                   engine::Direction direction,
                                   std::span<const std::uint32_t> types,
                                   std::vector<engine::Adjacent>& out);

  /// Returns the relationships of all nodes in one direction, in memory. Empty if they are not in
  /// memory. Valid until forget().
  [[nodiscard]] const engine::AdjacencyView& adjacency(bool outgoing);
  /// For callers that read these lists.
  [[nodiscard]] TypeOrder& type_order() noexcept { return types_; }
  /// Returns a property of all entities of a kind, in memory. Empty if it is not in memory. Valid
  /// until forget().
  [[nodiscard]] const engine::ColumnView& column(codec::EntityKind kind, std::uint32_t key);

  /// Returns the entity with all its content. An entity that is already loaded is returned
  /// unchanged. A deleted entity is returned without content, except for the type of a relationship.
  [[nodiscard]] Result<Value> load(const Value& entity);

  /// Drops all cached sets. Must be called after every change to the graph, unless one of the next
  /// three functions drops what the change makes outdated.
  void forget();
  /// Must be called before the first change of a clause. From then on all reads use the store, which has the changes of
  /// the statement, and not segments.
  void begin_change();
  /// After a change of properties only.
  void forget_values() noexcept { ++epoch_; }
  /// After a change of these labels or types of an entity.
  void forget_labelled(codec::EntityKind kind, std::span<const std::string> names);
  /// After the creation of an entity with these labels or this type.
  void forget_created(codec::EntityKind kind, std::span<const std::string> names);
  /// Increases with each change. Data derived from the graph in an earlier epoch is outdated.
  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  void note_deleted(codec::EntityKind kind, std::uint64_t id);
  // For a statement of several transactions, each with a reader of its own.

  [[nodiscard]] DeletedEntities take_deleted();
  void adopt_deleted(DeletedEntities deleted);
  /// The types of the relationships that the statement has deleted.
  [[nodiscard]] DeletedTypes& deleted_types() noexcept { return deleted_types_; }
  [[nodiscard]] bool is_deleted(codec::EntityKind kind, std::uint64_t id) const;
  /// True if a scan would find the node: it is visible, and the statement has not deleted it.
  [[nodiscard]] Result<bool> finds_node(std::uint64_t id);
  /// True if the statement has deleted an entity of this kind.
  [[nodiscard]] bool has_deleted(codec::EntityKind kind) const {
    return !kinds_[kind == codec::EntityKind::node ? 0 : 1].deleted.empty();
  }

  /// Profile of the operator that is running; nullptr without PROFILE.
  OperatorProfile* meter = nullptr;

 private:
  using Kept = std::map<std::pair<codec::EntityKind, std::string>, codec::Bitmap, std::less<>>;

  /// Cached sets for nodes or for relationships.
  struct PerKind {
    std::optional<codec::Bitmap> visible;
    std::optional<bool> all_visible;
    codec::Bitmap deleted;
  };
  [[nodiscard]] PerKind& of(codec::EntityKind kind) {
    return kinds_[kind == codec::EntityKind::node ? 0 : 1];
  }
  [[nodiscard]] Status count_records(std::size_t count);
  /// A segment, and the time spent without it since the last request for it.
  template <class Kind>
  struct Wanted {
    engine::SegmentView<Kind> view;
    double spent = 0;      // microseconds since the last request
    double all_spent = 0;  // microseconds in total, up to the last request
    bool was_asked = false;

    /// True if the segment should be requested again.
    [[nodiscard]] bool is_due() const noexcept { return !view && (!was_asked || spent >= 100); }
  };
  using Lists = Wanted<engine::AdjacencySegment>;
  using Column = Wanted<engine::ColumnSegment>;

  /// Which relationships of a node to read: those of `types`, or all if `types` is empty, and only
  /// those to `other` if given.
  struct Step {
    std::uint64_t node = 0;
    std::optional<std::uint64_t> other;
    engine::Direction direction = engine::Direction::both;
    std::span<const std::uint32_t> types;

    [[nodiscard]] bool is_one_way() const noexcept { return direction != engine::Direction::both; }
  };
  /// The relationships of a node with one type, in memory.
  struct Listed {
    std::uint32_t type = 0;
    std::span<const std::uint32_t> neighbours;
    std::span<const std::uint32_t> relationships;
  };
  [[nodiscard]] Status read_step(const Step& step, std::vector<engine::Adjacent>& out);
  /// Appends the relationships in one direction from memory. Returns false and leaves `out`
  /// unchanged if the store must be read.
  [[nodiscard]] bool append_listed(const Step& step, bool outgoing,
                                   std::vector<engine::Adjacent>& out);
  [[nodiscard]] Status append_stored(const Step& step, bool outgoing,
                                     std::vector<engine::Adjacent>& out);
  /// Reads the value of an id from memory. Returns false if only the record has the value.
  [[nodiscard]] static bool read_cell(const Column& column, std::uint64_t id, Value& value);
  /// Reads the values of `ids` from memory. Returns the positions whose values only the records
  /// have.
  [[nodiscard]] std::vector<std::size_t> read_column(Column& column,
                                                     std::span<const std::uint64_t> ids,
                                                     std::vector<Value>& values);
  /// Reads the values at the positions `left` from the cached sorted column, if there is one, and
  /// removes these positions from `left`.
  [[nodiscard]] Status read_order(codec::EntityKind kind, std::string_view name,
                                  std::span<const std::uint64_t> ids, std::vector<Value>& values,
                                  std::vector<std::size_t>& left);
  void leave_segments();
  /// Makes a request for a segment. The request reports the time spent so far and resets it.
  template <class Kind>
  [[nodiscard]] engine::SegmentNeed need_of(Wanted<Kind>& wanted) const;
  void tell_spent() const;
  [[nodiscard]] Column& wanted_column(codec::EntityKind kind, std::uint32_t key);

  const engine::View& view_;
  std::string name_space_;
  std::vector<std::string> also_read_;
  std::int64_t now_;
  PerKind kinds_[2];
  DeletedTypes deleted_types_;
  Kept labelled_;
  const codec::Bitmap nothing_{};  // the records of a name that is not in use
  std::uint64_t epoch_ = 1;
  Budget& budget_;
  TypeOrder types_;
  std::vector<Listed> listed_;  // the lists of one node; reused to avoid allocations
  Lists lists_[2];              // outgoing, incoming
  std::unique_ptr<engine::ListReader> stored_lists_;  // of `view_`; made when first used
  std::map<std::pair<codec::EntityKind, std::uint32_t>, Column> columns_;
  // Segments that are no longer read. Operators may still use their lists.
  std::vector<std::shared_ptr<const void>> left_segments_;
  // Estimated size of one value, by property.
  std::map<std::string, std::size_t, std::less<>> property_bytes_;
};

/// The kind and id of a node or relationship value.
struct EntityReference {
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint64_t id = 0;
};
/// Returns nullopt for values that are not entities.
[[nodiscard]] std::optional<EntityReference> entity_of(const Value& value);
/// Makes a node or relationship that is not loaded.
[[nodiscard]] Value entity_value(codec::EntityKind kind, std::uint64_t id);

}  // namespace cairn::query
