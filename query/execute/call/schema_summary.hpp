#pragma once
// What a graph is made of: labels and types with their properties, and which labels a type connects. Nothing declares it,
// so it is read from the data.

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

struct PropertySummary {
  std::uint64_t records = 0;  ///< that have it
  std::set<ValueType> types;  ///< that were met in those read
};

/// A label or a type.
struct NameSummary {
  std::string name;
  std::uint64_t records = 0;  ///< that the statement sees, all of them
  std::uint64_t read = 0;     ///< how many of them were looked at
  std::map<std::string, PropertySummary> properties;
};

/// Relationships of a type between nodes of two labels.
struct ConnectionSummary {
  std::string source;
  std::string type;
  std::string target;
  std::uint64_t records = 0;  ///< among those read
};

/// In the order of names. Names that no visible record carries are left out.
struct SchemaSummary {
  std::vector<NameSummary> labels;
  std::vector<NameSummary> types;
  std::vector<ConnectionSummary> connections;
};

/// Reads the first thousand records of each label and type, as apoc.meta does: a type of value or a connection that only
/// later ones have is not in it; of properties the index knows the rest. Cost: these records, both ends of the
/// relationships among them, and beyond a thousand records a look at the index for each property.
[[nodiscard]] Result<SchemaSummary> summarize_schema(ExecutionContext& context);

/// The names of one entity kind, without connections.
[[nodiscard]] Result<std::vector<NameSummary>> summarize_names(ExecutionContext& context,
                                                               codec::EntityKind kind);

}  // namespace cairn::query
