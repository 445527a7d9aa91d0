#pragma once
// GraphRecords: a knowledge graph of entities, relations and observations as records. An entity is
// a memory of kind `entity` with `name`, `entityType` and `observations`; a relation is a
// relationship between two of them.

#include "tools/mcp/caller/memory_caller.hpp"

#include <cairn/result.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

struct GraphEntity {
  std::string name;
  std::string type;
  std::vector<std::string> observations;
  std::int64_t id = 0;  ///< id of its record
};

struct GraphRelation {
  std::string from;  ///< name of an entity, which need not exist
  std::string to;
  std::string type;

  friend bool operator==(const GraphRelation&, const GraphRelation&) = default;
};

/// Reads and writes the graph in one transaction. Results are in order of creation. Names are
/// chosen by clients, so several entities may have one name; calls then use the first.
///
/// Errors of all calls: those of the statements. Lifetime: caller and transaction must outlive it.
class GraphRecords {
 public:
  GraphRecords(const MemoryCaller& caller, Transaction& transaction, std::stop_token stop)
      : caller_(caller), transaction_(transaction), stop_(std::move(stop)) {}

  [[nodiscard]] Result<std::vector<GraphEntity>> entities() const;
  [[nodiscard]] Result<std::vector<GraphEntity>> entities_of(
      const std::vector<std::string>& names) const;
  /// Returns entities whose name, type or observations contain the text, ignoring case.
  [[nodiscard]] Result<std::vector<GraphEntity>> entities_with(const std::string& text) const;
  [[nodiscard]] Result<std::vector<GraphRelation>> relations() const;
  /// Returns relations that begin or end at one of the names.
  [[nodiscard]] Result<std::vector<GraphRelation>> relations_of(
      const std::vector<std::string>& names) const;
  /// True if there is an entity or a relation, hidden entities included.
  [[nodiscard]] Result<bool> is_used() const;

  [[nodiscard]] Status add(const std::vector<GraphEntity>& entities);
  /// Adds relations, even if equal ones exist.
  [[nodiscard]] Status add(const std::vector<GraphRelation>& relations);
  [[nodiscard]] Status set_observations(const GraphEntity& entity);
  /// Hides all entities with these names, and so their relations. `memory.restore` shows them
  /// again.
  [[nodiscard]] Status hide_entities(const std::vector<std::string>& names);
  [[nodiscard]] Status remove(const GraphRelation& relation);

 private:
  [[nodiscard]] Result<std::vector<std::vector<Value>>> rows(std::string_view statement,
                                                             const Parameters& parameters) const;
  [[nodiscard]] Result<std::vector<GraphEntity>> read_entities(std::string_view condition,
                                                               const Parameters& parameters) const;
  /// Returns the nodes at the ends of relations, by name; creates missing ones.
  [[nodiscard]] Result<std::map<std::string, std::int64_t>> ends_of(
      const std::vector<GraphRelation>& relations);
  /// Source, target and type.
  using Triple = std::tuple<std::int64_t, std::int64_t, std::string>;
  [[nodiscard]] Result<std::map<Triple, std::int64_t>> count_same(
      const std::set<Triple>& triples) const;
  [[nodiscard]] Status connect(const List& connections);
  /// Moves relations of a missing entity to the entity that was created.
  [[nodiscard]] Status move_to_entity(const std::string& name);

  const MemoryCaller& caller_;
  Transaction& transaction_;
  std::stop_token stop_;
};

}  // namespace cairn::tools::mcp
