#pragma once
// The sessions that records leave, because the records are erased or their relationships to the
// sessions have expired. The node of a session is erased with its last record.

#include "engine/view/view.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <set>
#include <vector>

namespace cairn::engine {

class AdjacencyReader;
class Catalog;
class GraphEditor;
class RecordReader;

class LeftSessions {
 public:
  /// Both arguments must outlive the object.
  LeftSessions(const RecordReader& records, const AdjacencyReader& adjacency)
      : records_(records), adjacency_(adjacency) {}

  /// Notes the sessions among the relationships of a record that is erased next, if they are in its namespace.
  [[nodiscard]] Status note(const Catalog& catalog, std::uint32_t name_space,
                            const std::vector<Adjacent>& relationships);
  /// Notes the session of one relationship that is erased next without its record.
  [[nodiscard]] Status note(const Catalog& catalog, const codec::RelationshipRecord& relationship);
  [[nodiscard]] bool has_any() const noexcept { return !sessions_.empty(); }
  /// Erases the noted sessions that have nothing but their name and no relationships. Cost: reads
  /// one relationship of each.
  [[nodiscard]] Status erase_empty(const Catalog& catalog, GraphEditor& editor);

 private:
  [[nodiscard]] Result<bool> is_empty(const Catalog& catalog, std::uint64_t session) const;

  const RecordReader& records_;
  const AdjacencyReader& adjacency_;
  std::set<std::uint64_t> sessions_;
};

}  // namespace cairn::engine
