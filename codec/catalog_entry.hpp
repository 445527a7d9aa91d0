#pragma once
// Values of the `catalog` column family: the names and definitions that small ids stand for.

#include "codec/keys.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// How the vectors of an embedding space are compared. The numbers of all enumerations here are
/// stored.
enum class Metric : std::uint8_t { cosine = 1, dot_product = 2, euclidean = 3 };
enum class IndexKind : std::uint8_t { range = 1, vector = 2, full_text = 3 };
/// How a vector index holds its vectors in memory, besides graph and codes.
enum class VectorStorage : std::uint8_t {
  float32 = 0,  ///< the vectors themselves
  float16 = 1,  ///< halves of the vectors (16-bit floats); the vectors are mapped from the file
  int8 = 2,     ///< no copy: the graph's 8-bit codes preselect; the vectors are mapped
  mapped = 3,   ///< no copy: distances are computed from the mapped vectors
};
/// The names of VectorStorage values in the options of an index, in the order of their numbers.
inline constexpr std::array<std::string_view, 4> storage_names = {"float32", "float16", "int8",
                                                                  "mapped"};
/// Queries use an index only when it is online.
enum class IndexState : std::uint8_t { building = 1, online = 2, failed = 3 };

/// A label, relationship type, property key or namespace.
struct NameEntry {
  std::string name;
  friend bool operator==(const NameEntry&, const NameEntry&) = default;
};

/// A property path of one entity kind. `text` joins keys with '.'; a '.' or '\' within a key is
/// escaped by '\'.
struct PathEntry {
  EntityKind kind = EntityKind::node;
  std::string text;
  IndexState state = IndexState::online;
  bool pinned = false;
  friend bool operator==(const PathEntry&, const PathEntry&) = default;
};

/// How a full-text index reads and scores its properties.
struct TextOptions {
  std::string language = "english";  ///< of the stems; several are joined by commas
  bool drop_stop_words = true;
  bool split_code = true;
  std::uint8_t gram_length = 0;
  double k1 = 1.2;               ///< BM25: how fast repetitions of a word saturate
  double b = 0.75;               ///< BM25: how much long texts are penalised
  std::vector<float> weights;    ///< of the properties, in their order; empty means all 1
  bool fold_diacritics = false;  ///< index Latin and Greek letters without accents
  bool mark_features = false;    ///< also index features of the kind of text
  bool split_elisions = false;   ///< index "l'avion" as "avion" in languages with elisions
  bool split_compounds = false;  ///< find "Dampfschiff" in "Donaudampfschiff", and vice versa
  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

/// A named index, created by a statement.
struct IndexEntry {
  std::string name;
  IndexKind kind = IndexKind::range;
  EntityKind entity = EntityKind::node;
  std::vector<std::uint32_t> labels_or_types;
  std::vector<std::uint32_t> properties;  ///< property ids
  IndexState state = IndexState::building;
  std::uint32_t space = 0;  ///< embedding space, for vector indexes
  Metric metric = Metric::cosine;
  std::uint32_t dimension = 0;
  std::uint32_t m = 16;  ///< hnswlib's M
  std::uint32_t ef_construction = 100;
  std::string message;    ///< why it failed
  TextOptions text = {};  ///< for full-text indexes
  VectorStorage storage = VectorStorage::float32;
  std::string model = {};  ///< the embedding model of a vector index; empty if not stated
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

/// An embedding space. Vectors of different spaces are never compared.
struct SpaceEntry {
  std::string name;
  std::string model;
  std::uint32_t dimension = 0;
  Metric metric = Metric::cosine;
  std::uint32_t version = 1;
  friend bool operator==(const SpaceEntry&, const SpaceEntry&) = default;
};

enum class ConstraintKind : std::uint8_t {
  unique = 1,    ///< no two records have equal values; records that lack one are exempt
  key = 2,       ///< like unique, and every record has all of the properties
  not_null = 3,  ///< every record has the property
};

/// A constraint on all records of a label or type, separately in each namespace.
struct ConstraintEntry {
  std::string name;
  ConstraintKind kind = ConstraintKind::unique;
  EntityKind entity = EntityKind::node;
  std::uint32_t label_or_type = 0;
  std::vector<std::uint32_t> properties;  ///< property ids, at least one
  friend bool operator==(const ConstraintEntry&, const ConstraintEntry&) = default;
};

[[nodiscard]] std::string encode(const NameEntry& entry);
[[nodiscard]] std::string encode(const PathEntry& entry);
[[nodiscard]] std::string encode(const IndexEntry& entry);
[[nodiscard]] std::string encode(const SpaceEntry& entry);
[[nodiscard]] std::string encode(const ConstraintEntry& entry);
[[nodiscard]] Result<NameEntry> decode_name_entry(std::string_view bytes);
[[nodiscard]] Result<PathEntry> decode_path_entry(std::string_view bytes);
[[nodiscard]] Result<IndexEntry> decode_index_entry(std::string_view bytes);
[[nodiscard]] Result<SpaceEntry> decode_space_entry(std::string_view bytes);
[[nodiscard]] Result<ConstraintEntry> decode_constraint_entry(std::string_view bytes);

}  // namespace cairn::codec
