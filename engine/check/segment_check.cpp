// Compares segments with the store, id by id. Ids that a segment does not know are left out: readers take their records.
#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/check/index_checks.hpp"
#include "engine/segment/adjacency_segment.hpp"
#include "engine/segment/column_segment.hpp"
#include "engine/segment/segment_set.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace cairn::engine {
namespace {

using codec::SegmentSource;

/// True if the values are equal. Floats are compared bit by bit, so that -0.0 differs from 0.0.
bool are_same(const Value& a, const Value& b) {
  const double* const x = a.get_if<double>();
  const double* const y = b.get_if<double>();
  if (x != nullptr && y != nullptr)
    return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
  return (x == nullptr) == (y == nullptr) && a == b;
}

bool are_same(const AdjacencySegment::List& a, const AdjacencySegment::List& b) {
  return std::ranges::equal(a.neighbours, b.neighbours) &&
         std::ranges::equal(a.relationships, b.relationships);
}

/// Compares one segment, and stops at the first difference.
class SegmentCheck {
 public:
  SegmentCheck(const RocksStore& store, const StatePtr& state, const SegmentState& segment)
      : store_(store), state_(state), segment_(segment) {}

  /// Returns the node or relationship that differs, or nullopt. Errors: those of the store; corruption.
  Result<std::optional<std::uint64_t>> find_difference() const {
    if (segment_.key.source == SegmentSource::nodes) return compare_column(Family::nodes);
    if (segment_.key.source == SegmentSource::relationships)
      return compare_column(Family::relationships);
    return compare_lists(segment_.key.source == SegmentSource::outgoing);
  }

 private:
  using Difference = std::optional<std::uint64_t>;

  [[nodiscard]] bool knows(std::uint64_t id) const {
    return segment_.changed == nullptr || !segment_.changed->contains(id);
  }

  // Reads all records of the snapshot, and returns the first id whose packed value is not that of
  // its record.
  Result<Difference> compare_column(Family family) const {
    const auto& column = static_cast<const ColumnSegment&>(*segment_.segment);
    Cursor cursor = store_.scan(family, {}, &*state_->store);
    for (; cursor.valid(); cursor.next()) {
      if (!codec::is_hot_record_key(cursor.key())) continue;
      CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(cursor.key()));
      Value packed;
      if (!knows(id) || !column.read(id, packed)) continue;
      CAIRN_ASSIGN(const auto stored, codec::find_property(cursor.value(), segment_.key.property));
      const Value* const value = std::get_if<Value>(&stored);
      if (value == nullptr || !are_same(*value, packed)) return Difference(id);
    }
    CAIRN_TRY(cursor.status());
    return Difference();
  }

  /// Compares with lists that are built again, so that a surplus list is found as well. Nodes are compared only in
  /// chunks that differ. If there are many types, most of them have no lists in a chunk.
  Result<Difference> compare_lists(bool outgoing) const {
    const auto& lists = static_cast<const AdjacencySegment&>(*segment_.segment);
    const SegmentBounds bounds{std::numeric_limits<std::size_t>::max(), {}};
    CAIRN_ASSIGN(const AdjacencySegment::Ptr built,
                 AdjacencySegment::build(store_, *state_->store, outgoing, bounds));
    if (built == nullptr) return Difference();
    for (const AdjacencySegment* const one : {&lists, built.get()})
      for (const std::uint32_t type : one->types())
        for (std::size_t chunk = 0; chunk < one->chunks(type); ++chunk) {
          if (lists.has_same_lists(*built, type, chunk)) continue;
          for (const std::uint64_t node : one->nodes(type, chunk))
            if (!are_same(lists.list(node, type), built->list(node, type)) && knows(node))
              return Difference(node);
        }
    return Difference();
  }

  const RocksStore& store_;
  const StatePtr& state_;
  const SegmentState& segment_;
};

/// The name of a segment in findings.
std::string name_of(const SegmentKey& key) {
  if (key.source == SegmentSource::outgoing) return "segment of outgoing relationships";
  if (key.source == SegmentSource::incoming) return "segment of incoming relationships";
  return "segment of property " + std::to_string(key.property) +
         (key.source == SegmentSource::nodes ? " of nodes" : " of relationships");
}

}  // namespace

Status check_segments(const RocksStore& store, const StatePtr& state, const Report& report) {
  if (state->segments == nullptr) return {};
  for (const SegmentState& segment : state->segments->states(state->commit)) {
    if (!segment.problem.empty()) report(name_of(segment.key), segment.problem);
    if (segment.segment == nullptr) continue;
    CAIRN_ASSIGN(const auto id, SegmentCheck(store, state, segment).find_difference());
    if (id)
      report(name_of(segment.key), "it differs from the records at id " + std::to_string(*id) +
                                       "; open for writing with repair, which erases it");
  }
  return {};
}

}  // namespace cairn::engine
