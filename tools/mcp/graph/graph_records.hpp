#pragma once
// GraphRecords: a knowledge graph of entities, relations and observations as records of one transaction. An entity is a memory
// of the kind `entity` with `name`, `entityType` and `observations`, a relation a relationship between two of them.

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
  std::int64_t id = 0;  ///< of its record
};

struct GraphRelation {
  std::string from;  ///< name of an entity, which need not be there
  std::string to;
  std::string type;

  friend bool operator==(const GraphRelation&, const GraphRelation&) = default;
};

/// In the order in which they were made. Names are what the caller says: several entities may have the same, and calls are
/// then about the first of them.
///
/// Errors of all: as of the statements. Lifetime: of caller and transaction.
class GraphRecords {
 public:
  GraphRecords(const MemoryCaller& caller, Transaction& transaction, std::stop_token stop)
      : caller_(caller), transaction_(transaction), stop_(std::move(stop)) {}

  [[nodiscard]] Result<std::vector<GraphEntity>> entities() const;
  [[nodiscard]] Result<std::vector<GraphEntity>> entities_of(
      const std::vector<std::string>& names) const;
  /// Those in whose name, type or observations the text stands, whatever the case of letters.
  [[nodiscard]] Result<std::vector<GraphEntity>> entities_with(const std::string& text) const;
  [[nodiscard]] Result<std::vector<GraphRelation>> relations() const;
  /// Those that begin or end at one of the names.
  [[nodiscard]] Result<std::vector<GraphRelation>> relations_of(
      const std::vector<std::string>& names) const;
  /// Whether there is an entity or a relation: an entity that is hidden counts.
  [[nodiscard]] Result<bool> is_used() const;

  [[nodiscard]] Status add(const std::vector<GraphEntity>& entities);
  /// Also where there is such a relation already.
  [[nodiscard]] Status add(const std::vector<GraphRelation>& relations);
  [[nodiscard]] Status set_observations(const GraphEntity& entity);
  /// Hide all entities of these names; relations of the names are not seen any more. `memory.restore` shows them again.
  [[nodiscard]] Status hide_entities(const std::vector<std::string>& names);
  [[nodiscard]] Status remove(const GraphRelation& relation);

 private:
  [[nodiscard]] Result<std::vector<std::vector<Value>>> rows(std::string_view statement,
                                                             const Parameters& parameters) const;
  [[nodiscard]] Result<std::vector<GraphEntity>> read_entities(std::string_view condition,
                                                               const Parameters& parameters) const;
  /// The nodes of the names at the ends, made where there are none.
  [[nodiscard]] Result<std::map<std::string, std::int64_t>> ends_of(
      const std::vector<GraphRelation>& relations);
  /// Two nodes and a type.
  using Triple = std::tuple<std::int64_t, std::int64_t, std::string>;
  [[nodiscard]] Result<std::map<Triple, std::int64_t>> count_same(
      const std::set<Triple>& triples) const;
  [[nodiscard]] Status connect(const List& connections);
  /// Relations of names whose entities came later.
  [[nodiscard]] Status move_to_entity(const std::string& name);

  const MemoryCaller& caller_;
  Transaction& transaction_;
  std::stop_token stop_;
};

}  // namespace cairn::tools::mcp
