// Catalog entries as FlatBuffers (schema/catalog.fbs). Of all primary data, catalog entries are
// expected to gain fields. A FlatBuffer table allows that without a new format version, because an
// absent field reads as its default.
//
// Entries are few, and are read only at open and when the catalog changes. So they are copied into
// plain structs. The engine indexes arrays with decoded numbers and multiplies scores by them, so
// decoding checks the range of enumerators and of scoring parameters.
#include "codec/catalog_entry.hpp"

#include "codec/byte_io.hpp"
#include "codec/flatbuffer.hpp"
#include "codec/schema/catalog_generated.h"

#include <algorithm>
#include <limits>

namespace cairn::codec {
namespace {

using flatbuffers::FlatBufferBuilder;
using Ids = std::vector<std::uint32_t>;

Error malformed(std::string_view what) {
  return corruption("the catalog entry of " + std::string(what) + " is damaged");
}

/// The union's type distinguishes the kinds of entry, so bytes of one kind are never read as
/// another.
template <class Entry>
std::string finish(FlatBufferBuilder& builder, flatbuffers::Offset<Entry> entry) {
  constexpr auto type = fb::AnyEntryTraits<Entry>::enum_value;
  builder.Finish(fb::CreateCatalogEntry(builder, type, entry.Union()));
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

/// Returns the entry in `bytes`, or null if they hold no entry of this type. A valid buffer has
/// exactly two tables: the root and the entry in its union.
template <class Entry>
const Entry* entry_in(const AlignedBytes& bytes) {
  const auto* root = verified<fb::CatalogEntry>(bytes, {.depth_levels = 2, .tables = 2});
  if (root == nullptr || root->entry_type() != fb::AnyEntryTraits<Entry>::enum_value)
    return nullptr;
  return static_cast<const Entry*>(root->entry());
}

std::string text_of(const flatbuffers::String* text) {
  return text == nullptr ? std::string() : text->str();
}

/// FlatBuffers omit empty vectors, so an absent field is read as an empty one.
Ids ids_of(const flatbuffers::Vector<std::uint32_t>* ids) {
  return ids == nullptr ? Ids() : Ids(ids->begin(), ids->end());
}

template <class Enum>
std::uint8_t number_of(Enum value) {
  return static_cast<std::uint8_t>(value);
}

/// Reads an enumerator in [1, last]; returns false for any other number.
template <class Enum>
bool read_enum(std::uint8_t number, Enum last, Enum& value) {
  value = static_cast<Enum>(number);
  return number >= 1 && number <= number_of(last);
}

bool read_enums(const fb::IndexEntry& stored, IndexEntry& entry) {
  return read_enum(stored.kind(), IndexKind::full_text, entry.kind) &&
         read_enum(stored.entity(), EntityKind::relationship, entry.entity) &&
         read_enum(stored.state(), IndexState::failed, entry.state) &&
         read_enum(stored.metric(), Metric::euclidean, entry.metric);
}

// Bits of `text_flags`, stored on disk. They decide which terms a text has, so an unknown flag is
// refused (see decode_index_entry).
constexpr std::uint8_t stop_words_flag = 1;
constexpr std::uint8_t code_flag = 2;
constexpr std::uint8_t diacritics_flag = 4;
constexpr std::uint8_t features_flag = 8;
constexpr std::uint8_t elisions_flag = 16;
// With this flag, versions that support only one language refuse an index of several.
constexpr std::uint8_t languages_flag = 32;
constexpr std::uint8_t compounds_flag = 64;

bool has_several_languages(const TextOptions& text) {
  return text.language.find(',') != std::string::npos;
}

std::uint8_t flags_of(const TextOptions& text) {
  return static_cast<std::uint8_t>(
      (text.drop_stop_words ? stop_words_flag : 0) | (text.split_code ? code_flag : 0) |
      (text.fold_diacritics ? diacritics_flag : 0) | (text.mark_features ? features_flag : 0) |
      (text.split_elisions ? elisions_flag : 0) |
      (has_several_languages(text) ? languages_flag : 0) |
      (text.split_compounds ? compounds_flag : 0));
}

TextOptions text_options_of(const fb::IndexEntry& stored) {
  TextOptions text;
  text.language = text_of(stored.language());
  text.drop_stop_words = (stored.text_flags() & stop_words_flag) != 0;
  text.split_code = (stored.text_flags() & code_flag) != 0;
  text.fold_diacritics = (stored.text_flags() & diacritics_flag) != 0;
  text.mark_features = (stored.text_flags() & features_flag) != 0;
  text.split_elisions = (stored.text_flags() & elisions_flag) != 0;
  text.split_compounds = (stored.text_flags() & compounds_flag) != 0;
  text.gram_length = stored.gram_length();
  text.k1 = stored.k1();
  text.b = stored.b();
  if (stored.weights() != nullptr)
    text.weights.assign(stored.weights()->begin(), stored.weights()->end());
  return text;
}

/// Checks that the parameters of scores are finite and in range, so that all scores can be
/// compared.
bool is_sound(const IndexEntry& entry) {
  const TextOptions& text = entry.text;
  const bool has_all = text.weights.empty() || text.weights.size() == entry.properties.size();
  const bool positive = std::all_of(text.weights.begin(), text.weights.end(), [](float weight) {
    return weight > 0 && weight <= std::numeric_limits<float>::max();
  });
  return has_all && positive && text.k1 >= 0 && text.k1 <= 100 && text.b >= 0 && text.b <= 1;
}

}  // namespace

std::string encode(const NameEntry& entry) {
  FlatBufferBuilder builder;
  return finish(builder, fb::CreateNameEntry(builder, builder.CreateString(entry.name)));
}

std::string encode(const PathEntry& entry) {
  FlatBufferBuilder builder;
  const auto text = builder.CreateString(entry.text);
  return finish(builder, fb::CreatePathEntry(builder, number_of(entry.kind), text,
                                             number_of(entry.state), entry.pinned));
}

std::string encode(const IndexEntry& entry) {
  FlatBufferBuilder builder;
  const auto name = builder.CreateString(entry.name);
  const auto labels_or_types = builder.CreateVector(entry.labels_or_types);
  const auto properties = builder.CreateVector(entry.properties);
  const auto message = builder.CreateString(entry.message);
  // Full-text options are only written for full-text indexes, and vector options only for vector
  // indexes, so each entry has exactly one encoding.
  if (entry.kind != IndexKind::full_text) {
    // An empty model is omitted, so entries without one have the same bytes as before the field
    // existed.
    const auto model = entry.model.empty() ? 0 : builder.CreateString(entry.model);
    return finish(
        builder, fb::CreateIndexEntry(builder, name, number_of(entry.kind), number_of(entry.entity),
                                      labels_or_types, properties, number_of(entry.state),
                                      entry.space, number_of(entry.metric), entry.dimension,
                                      entry.m, entry.ef_construction, message, 0, 0, 0, 0, 0, 0,
                                      number_of(entry.storage), model));
  }
  const auto language = builder.CreateString(entry.text.language);
  const auto weights = builder.CreateVector(entry.text.weights);
  return finish(builder,
                fb::CreateIndexEntry(builder, name, number_of(entry.kind), number_of(entry.entity),
                                     labels_or_types, properties, number_of(entry.state), 0,
                                     number_of(entry.metric), 0, 0, 0, message, language,
                                     flags_of(entry.text), entry.text.gram_length, entry.text.k1,
                                     entry.text.b, weights));
}

std::string encode(const SpaceEntry& entry) {
  FlatBufferBuilder builder;
  const auto name = builder.CreateString(entry.name);
  const auto model = builder.CreateString(entry.model);
  return finish(builder, fb::CreateSpaceEntry(builder, name, model, entry.dimension,
                                              number_of(entry.metric), entry.version));
}

std::string encode(const ConstraintEntry& entry) {
  FlatBufferBuilder builder;
  const auto name = builder.CreateString(entry.name);
  const auto properties = builder.CreateVector(entry.properties);
  return finish(
      builder, fb::CreateConstraintEntry(builder, name, number_of(entry.kind),
                                         number_of(entry.entity), entry.label_or_type, properties));
}

Result<NameEntry> decode_name_entry(std::string_view bytes) {
  const AlignedBytes aligned(bytes);
  const auto* stored = entry_in<fb::NameEntry>(aligned);
  if (stored == nullptr) return malformed("a name");
  return NameEntry{text_of(stored->name())};
}

Result<PathEntry> decode_path_entry(std::string_view bytes) {
  const AlignedBytes aligned(bytes);
  const auto* stored = entry_in<fb::PathEntry>(aligned);
  PathEntry entry;
  if (stored == nullptr || !read_enum(stored->kind(), EntityKind::relationship, entry.kind) ||
      !read_enum(stored->state(), IndexState::failed, entry.state))
    return malformed("a path");
  entry.text = text_of(stored->text());
  entry.pinned = stored->pinned();
  return entry;
}

Result<IndexEntry> decode_index_entry(std::string_view bytes) {
  const AlignedBytes aligned(bytes);
  const auto* stored = entry_in<fb::IndexEntry>(aligned);
  IndexEntry entry;
  if (stored == nullptr || !read_enums(*stored, entry)) return malformed("an index");
  entry.name = text_of(stored->name());
  entry.labels_or_types = ids_of(stored->labels_or_types());
  entry.properties = ids_of(stored->properties());
  entry.space = stored->space();
  entry.dimension = stored->dimension();
  entry.m = stored->m();
  entry.ef_construction = stored->ef_construction();
  entry.message = text_of(stored->message());
  entry.storage = static_cast<VectorStorage>(stored->vector_storage());
  if (entry.storage > VectorStorage::mapped) return malformed("an index");
  if (entry.kind != IndexKind::full_text) {
    entry.model = text_of(stored->model());
    return entry;
  }
  entry.text = text_options_of(*stored);
  // The comparison detects unknown flags, because flags_of() only returns known ones. An unknown
  // flag changes how terms are made, so writing with this version would mix two kinds of terms.
  if (stored->text_flags() != flags_of(entry.text)) return malformed("an index");
  if (!is_sound(entry)) return malformed("an index");
  entry.space = entry.dimension = 0;  // vector options have no meaning here
  entry.m = IndexEntry().m;
  entry.ef_construction = IndexEntry().ef_construction;
  entry.storage = IndexEntry().storage;
  return entry;
}

Result<SpaceEntry> decode_space_entry(std::string_view bytes) {
  const AlignedBytes aligned(bytes);
  const auto* stored = entry_in<fb::SpaceEntry>(aligned);
  SpaceEntry entry;
  if (stored == nullptr || !read_enum(stored->metric(), Metric::euclidean, entry.metric))
    return malformed("an embedding space");
  entry.name = text_of(stored->name());
  entry.model = text_of(stored->model());
  entry.dimension = stored->dimension();
  entry.version = stored->version();
  return entry;
}

// A constraint without properties would hold for every record or for none, so it is refused.
Result<ConstraintEntry> decode_constraint_entry(std::string_view bytes) {
  const AlignedBytes aligned(bytes);
  const auto* stored = entry_in<fb::ConstraintEntry>(aligned);
  ConstraintEntry entry;
  if (stored == nullptr || !read_enum(stored->kind(), ConstraintKind::not_null, entry.kind) ||
      !read_enum(stored->entity(), EntityKind::relationship, entry.entity))
    return malformed("a constraint");
  entry.name = text_of(stored->name());
  entry.label_or_type = stored->label_or_type();
  entry.properties = ids_of(stored->properties());
  if (entry.properties.empty()) return malformed("a constraint");
  return entry;
}

}  // namespace cairn::codec
