#pragma once
// IndexRequest: an index to make, by name.

#include "codec/catalog_entry.hpp"
#include "codec/entity_kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::engine {

/// What CREATE VECTOR INDEX and CREATE INDEX ask for, names not yet resolved.
struct IndexRequest {
  std::string name;  ///< empty: made from the kind, labels and properties
  codec::IndexKind index_kind = codec::IndexKind::range;
  codec::EntityKind kind = codec::EntityKind::node;
  std::vector<std::string> labels_or_types;
  std::vector<std::string> properties;
  std::uint32_t dimension = 0;
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t m = 16;
  std::uint32_t ef_construction = 100;
  codec::VectorStorage storage = codec::VectorStorage::float32;
  std::string model = {};   ///< what makes the vectors; empty: not said
  codec::TextOptions text;  ///< for full-text indexes
};

}  // namespace cairn::engine
