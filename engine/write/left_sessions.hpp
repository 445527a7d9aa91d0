#pragma once
// The sessions that erased records leave: the node of a session is erased with its last record.

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
  /// All arguments must outlive the object.
  LeftSessions(const RecordReader& records, const AdjacencyReader& adjacency,
               const Catalog& catalog)
      : records_(records), adjacency_(adjacency), catalog_(catalog) {}

  /// Notes the sessions among the relationships of a record that is erased next, if they are in its namespace.
  [[nodiscard]] Status note(std::uint32_t name_space, const std::vector<Adjacent>& relationships);
  /// Erases those sessions that have nothing but their name, and no relationships. Cost: reads one relationship of each.
  [[nodiscard]] Status erase_empty(GraphEditor& editor);

 private:
  [[nodiscard]] Result<bool> is_empty(std::uint64_t session) const;

  const RecordReader& records_;
  const AdjacencyReader& adjacency_;
  const Catalog& catalog_;
  std::set<std::uint64_t> sessions_;
};

}  // namespace cairn::engine
