#pragma once
// IndexRequest: an index to create, with names instead of numbers.

#include "codec/catalog_entry.hpp"
#include "codec/entity_kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::engine {

/// The parts of a CREATE INDEX of any kind. Names are not resolved yet.
struct IndexRequest {
  std::string name;  ///< empty: the name is made from the kind, the labels and the properties
  codec::IndexKind index_kind = codec::IndexKind::range;
  codec::EntityKind kind = codec::EntityKind::node;
  std::vector<std::string> labels_or_types;
  std::vector<std::string> properties;
  std::uint32_t dimension = 0;  ///< for vector indexes, like the members up to `model`
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t m = 16;                 ///< HNSW: neighbours per node
  std::uint32_t ef_construction = 100;  ///< HNSW: size of the candidate list during the build
  codec::VectorStorage storage = codec::VectorStorage::float32;
  std::string model = {};   ///< the embedding model that makes the vectors; empty: unknown
  codec::TextOptions text;  ///< for full-text indexes
};

}  // namespace cairn::engine
