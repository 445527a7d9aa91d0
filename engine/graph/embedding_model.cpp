// Checks that vectors come from the model that an index expects, and makes the rows of SHOW INDEXES.
#include "engine/graph/embedding_model.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_language.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/view/lookup_result.hpp"

#include <algorithm>
#include <string>

namespace cairn::engine {
namespace {

constexpr std::size_t max_model_bytes = 1'024;

Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

Status check_model_name(std::string_view model) {
  if (model.size() <= max_model_bytes) return {};
  return invalid("the name of a model has " + std::to_string(model.size()) +
                 " bytes, and at most " + std::to_string(max_model_bytes) +
                 " are stored; shorten it");
}

Status check_model(const codec::IndexEntry& index, std::string_view model) {
  if (index.model.empty() || index.model == model) return {};
  return invalid("index " + in_quotes(index.name) + " has vectors of the model " +
                 in_quotes(index.model) + ", but the model in use is " + in_quotes(model) +
                 "; vectors of different models cannot be compared; use the model of the index, "
                 "or remove its vectors, drop the index, and write the texts again with the other "
                 "model");
}

Status check_model(const codec::IndexEntry& index, const EmbeddingModel& model) {
  CAIRN_TRY(check_model(index, model.name));
  if (index.dimension == model.dimension) return {};
  return invalid("index " + in_quotes(index.name) + " has dimension " +
                 std::to_string(index.dimension) + ", but the embedder " + std::string(model.name) +
                 " makes vectors of dimension " + std::to_string(model.dimension) +
                 "; use an embedder of dimension " + std::to_string(index.dimension));
}

Result<std::uint32_t> find_vector_index(const Catalog& catalog, std::string_view name) {
  const auto id = catalog.find_index(name);
  if (!id)
    return Error{ErrorCode::not_found,
                 "there is no index " + in_quotes(name) + "; SHOW INDEXES lists the indexes",
                 {}};
  if (catalog.indexes().at(*id).kind == codec::IndexKind::vector) return *id;
  return invalid("index " + in_quotes(name) +
                 " is not a vector index; SHOW VECTOR INDEXES lists those");
}

// Rows of SHOW INDEXES use the words of the statements that make indexes. The number of entries of a range index includes
// the changes of the transaction; for vector and full-text indexes it is that of the published state. Cost: one index lookup
// for each path, mostly from the posting cache, so the statement is slow in a database with thousands of paths.

namespace {

using codec::CatalogKind;

std::string state_text(codec::IndexState state) {
  switch (state) {
    case codec::IndexState::building:
      return "BUILDING";
    case codec::IndexState::online:
      return "ONLINE";
    case codec::IndexState::failed:
      return "FAILED";
  }
  return "FAILED";
}

std::string metric_text(codec::Metric metric) {
  switch (metric) {
    case codec::Metric::cosine:
      return "cosine";
    case codec::Metric::dot_product:
      return "dot_product";
    case codec::Metric::euclidean:
      return "euclidean";
  }
  return "";
}

std::string_view name_of(codec::VectorStorage storage) {
  return codec::storage_names[static_cast<std::size_t>(storage)];
}

Value count(std::size_t bytes) { return Value(static_cast<std::int64_t>(bytes)); }

std::string entity_word(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? "NODE" : "RELATIONSHIP";
}

/// Returns the number of entities that have a value at a path, including hidden entities.
Result<std::uint64_t> entries_of(const GraphView& view, codec::EntityKind kind,
                                 std::uint32_t path) {
  IndexPredicate present;
  present.kind = kind;
  present.path = path;
  CAIRN_ASSIGN(const auto found, view.lookup(present));
  return found.ids.cardinality();
}

/// Fills in the options of a vector index under their names in CREATE VECTOR INDEX, and its memory.
void describe_vectors(const GraphView& view, std::uint32_t id, const codec::IndexEntry& entry,
                      IndexDescription& out) {
  out.kind = "VECTOR";
  out.options = {{"vector.dimensions", Value(std::int64_t{entry.dimension})},
                 {"vector.similarity_function", Value(metric_text(entry.metric))},
                 {"vector.hnsw.m", Value(std::int64_t{entry.m})},
                 {"vector.hnsw.ef_construction", Value(std::int64_t{entry.ef_construction})},
                 {"vector.storage", Value(std::string(name_of(entry.storage)))}};
  if (!entry.model.empty()) out.options["vector.model"] = Value(entry.model);
  const auto state = view.state().vectors.find(id);
  if (state == view.state().vectors.end()) return;
  out.entries = state->second->size();
  const VectorMemory memory = state->second->memory();
  out.memory_bytes = memory.total();
  out.mapped_bytes = memory.mapped;
  out.memory = {{"rows", count(memory.rows)},   {"halves", count(memory.halves)},
                {"graph", count(memory.graph)}, {"codes", count(memory.codes)},
                {"ids", count(memory.ids)},     {"partitions", count(memory.partitions)},
                {"delta", count(memory.delta)}};
}

/// One language as its name, several as a list.
Value shown_languages(const std::string& joined) {
  const auto languages = split_languages(joined);
  if (languages.size() == 1) return Value(joined);
  return Value(List(languages.begin(), languages.end()));
}

/// Fills in the options of a full-text index under their names in CREATE FULLTEXT INDEX.
void describe_text(const GraphView& view, std::uint32_t id, const codec::IndexEntry& entry,
                   IndexDescription& out) {
  const codec::TextOptions& text = entry.text;
  List weights(text.weights.begin(), text.weights.end());
  out.kind = "FULLTEXT";
  out.options = {{"fulltext.analyzer", shown_languages(text.language)},
                 {"fulltext.stop_words", Value(text.drop_stop_words)},
                 {"fulltext.code", Value(text.split_code)},
                 {"fulltext.fold_diacritics", Value(text.fold_diacritics)},
                 {"fulltext.elisions", Value(text.split_elisions)},
                 {"fulltext.compounds", Value(text.split_compounds)},
                 {"fulltext.features", Value(text.mark_features)},
                 {"fulltext.edge_ngrams", Value(std::int64_t{text.gram_length})},
                 {"fulltext.k1", Value(text.k1)},
                 {"fulltext.b", Value(text.b)},
                 {"fulltext.weights", Value(std::move(weights))}};
  const auto state = view.state().texts.find(id);
  if (state == view.state().texts.end()) return;
  // Documents are counted by field. The largest of these counts is a lower bound of the number of documents.
  for (const codec::TextFieldStatistics& field : state->second.statistics)
    out.entries = std::max(out.entries, field.documents);
}

Status describe_range(const GraphView& view, const codec::IndexEntry& entry,
                      IndexDescription& out) {
  out.kind = "RANGE";
  // Each property has its own path and entries. The number shown is that of the first property.
  if (out.properties.empty()) return {};
  const auto path = view.catalog().find_path(entry.entity, join_path({out.properties.front()}));
  if (!path) return {};
  CAIRN_ASSIGN(out.entries, entries_of(view, entry.entity, *path));
  return {};
}

/// True if a statement made an index of the path. Otherwise the path is pinned by a constraint.
bool has_range_index(const Catalog& catalog, const codec::PathEntry& path) {
  return std::ranges::any_of(catalog.indexes(), [&](const auto& numbered) {
    const codec::IndexEntry& entry = numbered.second;
    return entry.kind == codec::IndexKind::range && entry.entity == path.kind &&
           std::ranges::any_of(entry.properties, [&](std::uint32_t key) {
             return join_path({catalog.name(CatalogKind::property, key)}) == path.text;
           });
  });
}

/// Makes the row of a path that is indexed automatically.
Result<IndexDescription> describe(const GraphView& view, std::uint32_t id,
                                  const codec::PathEntry& path) {
  IndexDescription out;
  out.entity = entity_word(path.kind);
  out.name = (path.kind == codec::EntityKind::node ? "node." : "relationship.") + path.text;
  out.kind = "RANGE";
  out.properties = {path.text};
  out.state = state_text(path.state);
  out.options = {{"automatic", Value(true)}};
  CAIRN_ASSIGN(out.entries, entries_of(view, path.kind, id));
  return out;
}

}  // namespace

Result<IndexDescription> describe_index(const GraphView& view, std::uint32_t id,
                                        const codec::IndexEntry& entry) {
  const bool of_nodes = entry.entity == codec::EntityKind::node;
  IndexDescription out;
  out.name = entry.name;
  out.entity = entity_word(entry.entity);
  for (const std::uint32_t group : entry.labels_or_types) {
    out.labels_or_types.push_back(
        view.catalog().name(of_nodes ? CatalogKind::label : CatalogKind::relationship_type, group));
  }
  for (const std::uint32_t property : entry.properties) {
    out.properties.push_back(view.catalog().name(CatalogKind::property, property));
  }
  out.state = state_text(entry.state);
  if (entry.kind == codec::IndexKind::vector)
    describe_vectors(view, id, entry, out);
  else if (entry.kind == codec::IndexKind::full_text)
    describe_text(view, id, entry, out);
  else
    CAIRN_TRY(describe_range(view, entry, out));
  return out;
}

Result<std::vector<IndexDescription>> describe_all_indexes(const GraphView& view) {
  std::vector<IndexDescription> all;
  for (const auto& [id, entry] : view.catalog().indexes()) {
    CAIRN_ASSIGN(auto description, describe_index(view, id, entry));
    all.push_back(std::move(description));
  }
  // If the view has the index that is being made, its commit is published already, and it is listed above.
  const auto& progress = view.state().text_progress;
  auto being_made = progress ? progress->current() : std::nullopt;
  if (being_made && !view.catalog().find_index(being_made->name))
    all.push_back(*std::move(being_made));
  for (const auto& [id, path] : view.catalog().paths()) {
    // Listed above as a named index.
    if (path.pinned && has_range_index(view.catalog(), path)) continue;
    CAIRN_ASSIGN(auto description, describe(view, id, path));
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace cairn::engine
