#pragma once
// Values of the `catalog` column family: what a small id stands for.

#include "codec/keys.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

enum class Metric : std::uint8_t { cosine = 1, dot_product = 2, euclidean = 3 };
enum class IndexKind : std::uint8_t { range = 1, vector = 2, full_text = 3 };
/// The form in which a vector index holds its vectors in memory, besides graph and codes.
enum class VectorStorage : std::uint8_t {
  float32 = 0,  ///< the vectors
  float16 = 1,  ///< half of each; the vectors are mapped from the index's file
  int8 = 2,     ///< nothing, the bytes of the graph serve; the vectors are mapped
  mapped = 3,   ///< nothing; the vectors are mapped, and alone decide
};
/// In the order of their numbers, as options of an index are written.
inline constexpr std::array<std::string_view, 4> storage_names = {"float32", "float16", "int8",
                                                                  "mapped"};
enum class IndexState : std::uint8_t { building = 1, online = 2, failed = 3 };

/// A label, relationship type, property key or namespace.
struct NameEntry {
  std::string name;
  friend bool operator==(const NameEntry&, const NameEntry&) = default;
};

/// A property path of one entity kind. `text` joins keys with '.', a '.' or '\' in a key escaped
/// by '\'.
struct PathEntry {
  EntityKind kind = EntityKind::node;
  std::string text;
  IndexState state = IndexState::online;
  bool pinned = false;
  friend bool operator==(const PathEntry&, const PathEntry&) = default;
};

/// How a full-text index reads and scores its properties.
struct TextOptions {
  std::string language = "english";
  bool drop_stop_words = true;
  bool split_code = true;
  std::uint8_t gram_length = 0;
  double k1 = 1.2;               ///< of BM25: how soon more of the same word counts no more
  double b = 0.75;               ///< of BM25: how much long texts are held back
  std::vector<float> weights;    ///< of the properties, in their order; empty: all 1
  bool fold_diacritics = false;  ///< Latin and Greek letters without their accents
  bool mark_features = false;    ///< what kind of text it is, beside its terms
  bool split_elisions = false;   ///< "l'avion" is "avion", where the language has such
  friend bool operator==(const TextOptions&, const TextOptions&) = default;
};

/// A named index made by a statement.
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
  std::string model = {};  ///< what makes the vectors of a vector index; empty: nobody said
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

/// An embedding space: vectors of two spaces are never compared.
struct SpaceEntry {
  std::string name;
  std::string model;
  std::uint32_t dimension = 0;
  Metric metric = Metric::cosine;
  std::uint32_t version = 1;
  friend bool operator==(const SpaceEntry&, const SpaceEntry&) = default;
};

enum class ConstraintKind : std::uint8_t {
  unique = 1,    ///< no two have the same values; one that lacks a property has none
  key = 2,       ///< likewise, and none lacks a property
  not_null = 3,  ///< none lacks the property
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
