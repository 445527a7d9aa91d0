#pragma once
// The structure of a graph: labels and types with their properties, and the labels that each type
// connects. No schema is declared, so it is derived from the data.

#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cairn::query {

struct ExecutionContext;

/// A property of the records of one label or type.
struct PropertySummary {
  std::uint64_t records = 0;  ///< number of records with the property
  std::set<ValueType> types;  ///< types of its values in the records that were read
};

/// A label or relationship type.
struct NameSummary {
  std::string name;
  std::uint64_t records = 0;  ///< number of all visible records
  std::uint64_t read = 0;     ///< how many of the records were read
  std::map<std::string, PropertySummary> properties;
};

/// Relationships of one type between nodes of two labels.
struct ConnectionSummary {
  std::string source;
  std::string type;
  std::string target;
  std::uint64_t records = 0;  ///< number among the relationships that were read
};

/// Sorted by name. Names without visible records are not included.
struct SchemaSummary {
  std::vector<NameSummary> labels;
  std::vector<NameSummary> types;
  std::vector<ConnectionSummary> connections;
};

/// Reads the first thousand records of each label and type, as apoc.meta does. Value types and
/// connections that occur only in later records are missing. The index gives the number of all
/// records with a property.
/// Cost: reading these records and both ends of the relationships among them, and one index lookup
/// per property for more than a thousand records.
[[nodiscard]] Result<SchemaSummary> summarize_schema(ExecutionContext& context);

/// Returns the labels or types of one entity kind, without connections.
[[nodiscard]] Result<std::vector<NameSummary>> summarize_names(ExecutionContext& context,
                                                               codec::EntityKind kind);

}  // namespace cairn::query
