// CREATE INDEX and DROP INDEX. They are changes of a transaction: visible to others after its commit, and undone by
// its rollback. The work is divided between the statement and the commit:
//
// kind        statement                                                  commit
// range       pins the path; adds values if the path was not indexed     -
//             because of max_paths
// vector      converts lists of numbers to vectors                       builds the graph afterwards
// full text   adds an entry to the catalog                               analyses all texts and writes the postings
//
// The cost is linear in the number of members. After each record, the work checks the memory limit of the transaction,
// and whether the caller has requested its end.
#include "codec/edit_distance.hpp"
#include "codec/limits.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/write/definitions.hpp"
#include "engine/write/index_request.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

using codec::CatalogKind;
using codec::EntityKind;
using codec::IndexEntry;
using codec::IndexKind;

Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

Error exists(const std::string& name, std::string_view why) {
  return Error{ErrorCode::already_exists, "index \"" + name + "\" " + std::string(why), {}};
}

/// Checks the labels, properties and options of a full-text index.
Status check_text_request(const IndexRequest& request) {
  // A field is one byte of a key. 0 is reserved for statistics and segments.
  constexpr std::size_t max_fields = 255;
  constexpr int max_gram_length = 32;
  constexpr int max_byte = 255;  // greater lengths arrive as this one
  if (request.labels_or_types.empty())
    return invalid("a full-text index needs a label or relationship type");
  if (request.properties.size() > max_fields)
    return invalid("a full-text index has at most 255 properties, got " +
                   std::to_string(request.properties.size()));
  for (const std::string& name : request.properties)
    if (std::ranges::count(request.properties, name) > 1)
      return invalid("property \"" + name + "\" occurs twice in the full-text index; list it once");
  const codec::TextOptions& text = request.text;
  CAIRN_TRY(Analyzer::check(analyzer_options(text)));
  if (text.gram_length > max_gram_length)
    return invalid("fulltext.edge_ngrams is " + std::to_string(text.gram_length) +
                   (text.gram_length == max_byte ? " or more" : "") + "; it must be at most 32");
  if (!(text.k1 >= 0 && text.k1 <= 100))
    return invalid("fulltext.k1 is " + Value(text.k1).to_text() + "; it must be from 0 to 100");
  if (!(text.b >= 0 && text.b <= 1))
    return invalid("fulltext.b is " + Value(text.b).to_text() + "; it must be from 0 to 1");
  if (!text.weights.empty() && text.weights.size() != request.properties.size())
    return invalid("fulltext.weights needs one number for each property: " +
                   std::to_string(request.properties.size()) + ", got " +
                   std::to_string(text.weights.size()));
  const auto wrong = std::ranges::find_if(
      text.weights, [](float weight) { return !(weight > 0 && weight < 1e6F); });
  if (wrong == text.weights.end()) return {};
  return invalid("fulltext.weights has " + Value(double{*wrong}).to_text() +
                 "; weights must be above 0 and below 1,000,000");
}

/// Checks the request. The limits are those of Neo4j, except the limit of the dimension, which the codec defines.
Status check_request(const IndexRequest& request) {
  if (request.properties.empty()) return invalid("an index needs a property; name at least one");
  if (request.index_kind == IndexKind::full_text) return check_text_request(request);
  if (request.index_kind != IndexKind::vector) return {};
  if (request.properties.size() != 1)
    return invalid("a vector index has exactly one property, got " +
                   std::to_string(request.properties.size()));
  if (request.labels_or_types.empty()) {
    return invalid("a vector index needs a label or relationship type");
  }
  if (request.dimension == 0 || request.dimension > codec::max_dimension) {
    return invalid("vector.dimensions is " + std::to_string(request.dimension) +
                   "; it must be from 1 to " + std::to_string(codec::max_dimension));
  }
  if (request.m < 2 || request.m > 128) {
    return invalid("vector.hnsw.m is " + std::to_string(request.m) + "; it must be from 2 to 128");
  }
  if (request.ef_construction == 0 || request.ef_construction > 3'200) {
    return invalid("vector.hnsw.ef_construction is " + std::to_string(request.ef_construction) +
                   "; it must be from 1 to 3200");
  }
  return check_model_name(request.model);
}

/// The kind of name that selects members: labels for nodes, types for relationships.
CatalogKind group_kind(EntityKind kind) {
  return kind == EntityKind::node ? CatalogKind::label : CatalogKind::relationship_type;
}

std::string index_name(const IndexRequest& request) {
  return request.name.empty() ? default_index_name(request) : request.name;
}

/// Resolves names to numbers. A new name gets a number, as in a record.
IndexEntry to_entry(const IndexRequest& request, CatalogEditor& catalog) {
  IndexEntry entry;
  entry.name = index_name(request);
  entry.kind = request.index_kind;
  entry.entity = request.kind;
  entry.state = codec::IndexState::online;
  for (const std::string& name : request.labels_or_types) {
    entry.labels_or_types.push_back(catalog.intern(group_kind(request.kind), name));
  }
  for (const std::string& name : request.properties) {
    entry.properties.push_back(catalog.intern(CatalogKind::property, name));
  }
  if (request.index_kind == IndexKind::full_text) entry.text = request.text;
  if (request.index_kind != IndexKind::vector) return entry;
  entry.space = catalog.intern_space(request.properties.front(), request.dimension);
  entry.metric = request.metric;
  entry.dimension = request.dimension;
  entry.m = request.m;
  entry.ef_construction = request.ef_construction;
  entry.storage = request.storage;
  entry.model = request.model;
  return entry;
}

/// True if these are the numbers of the names, in the same order.
bool are_numbers_of(const std::vector<std::uint32_t>& numbers, CatalogKind kind,
                    const std::vector<std::string>& names, const Catalog& catalog) {
  return std::equal(
      numbers.begin(), numbers.end(), names.begin(), names.end(),
      [&](std::uint32_t number, const auto& name) { return catalog.find(kind, name) == number; });
}

/// True if an index of the same kind covers the same labels and properties. A second such index would only cost time
/// and space, and the planner could not choose between the two. Names and options do not matter.
bool covers_same(const IndexRequest& request, const IndexEntry& other, const Catalog& catalog) {
  return request.index_kind == other.kind && request.kind == other.entity &&
         are_numbers_of(other.labels_or_types, group_kind(other.entity), request.labels_or_types,
                        catalog) &&
         are_numbers_of(other.properties, CatalogKind::property, request.properties, catalog);
}

/// Checks before names get numbers, so that a refused request adds no names to the catalog.
Status check_new(const IndexRequest& request, const Catalog& catalog) {
  const std::string name = index_name(request);
  if (catalog.find_index(name)) return exists(name, "already exists");
  if (catalog.find_constraint(name)) return exists(name, "has the name of a constraint");
  for (const auto& [id, other] : catalog.indexes()) {
    if (covers_same(request, other, catalog)) {
      return exists(other.name, "already covers the same labels and properties");
    }
  }
  return {};
}

/// Checks that all existing vectors fit the index, which is already in the catalog.
Status check_vectors(const IndexEntry& entry, const std::vector<std::uint64_t>& ids,
                     const GraphEditor& editor, const std::function<Status()>& within_limits) {
  for (const std::uint64_t id : ids) {
    CAIRN_TRY(editor.check_vectors(entry.entity, id));
    CAIRN_TRY(within_limits());
  }
  return {};
}

/// Converts the lists of all members to vectors.
Status backfill_vectors(const IndexEntry& entry, const std::vector<std::uint64_t>& ids,
                        GraphEditor& editor, const std::function<Status()>& within_limits) {
  for (const std::uint64_t id : ids) {
    CAIRN_TRY(editor.convert_lists(entry.entity, id));
    CAIRN_TRY(within_limits());
  }
  return {};
}

/// The path of a top-level property, in the notation of the catalog.
std::string path_of(std::uint32_t property, const Catalog& catalog) {
  return join_path({catalog.name(CatalogKind::property, property)});
}

/// True if a range index or a constraint needs the path of the property.
bool is_pinned(EntityKind kind, std::uint32_t property, const Catalog& catalog) {
  const auto needs_it = [&](const auto& numbered) {
    const auto& entry = numbered.second;
    return entry.entity == kind &&
           std::ranges::find(entry.properties, property) != entry.properties.end();
  };
  return std::ranges::any_of(catalog.constraints(), needs_it) ||
         std::ranges::any_of(catalog.indexes(), [&](const auto& numbered) {
           return numbered.second.kind == IndexKind::range && needs_it(numbered);
         });
}

/// True if SHOW INDEXES lists an automatic index under this name.
bool is_automatic(const Catalog& catalog, std::string_view name) {
  constexpr std::string_view of_nodes = "node.", of_relationships = "relationship.";
  const bool is_node = name.starts_with(of_nodes);
  if (!is_node && !name.starts_with(of_relationships)) return false;
  const auto path = catalog.find_path(
      is_node ? EntityKind::node : EntityKind::relationship,
      std::string(name.substr(is_node ? of_nodes.size() : of_relationships.size())));
  return path.has_value();
}

}  // namespace

/// For example `vector_Person_embedding`.
std::string default_index_name(const IndexRequest& request) {
  std::string name = request.index_kind == IndexKind::vector      ? "vector"
                     : request.index_kind == IndexKind::full_text ? "fulltext"
                                                                  : "index";
  for (const std::string& group : request.labels_or_types) name += "_" + group;
  for (const std::string& property : request.properties) name += "_" + property;
  return name;
}

Status define_index(const IndexRequest& request, const GraphView& view, CatalogEditor& catalog,
                    GraphEditor& editor, const std::function<Status()>& within_limits) {
  CAIRN_TRY(check_request(request));
  CAIRN_TRY(check_new(request, catalog.current()));
  CatalogEditor::Mark before = catalog.mark();
  const IndexEntry entry = to_entry(request, catalog);
  const std::uint32_t id = catalog.add_index(entry);
  if (entry.kind == IndexKind::full_text) return {};  // the commit builds its content
  if (entry.kind != IndexKind::vector)
    return pin_properties(entry.entity, entry.properties, view, catalog, editor, within_limits);
  CAIRN_ASSIGN(const codec::Bitmap covered, index_members(entry, view));
  const std::vector<std::uint64_t> ids = covered.to_vector();
  // Checks all records before the first conversion. If one vector does not fit, no list is converted and the new
  // names are removed.
  auto fits = check_vectors(entry, ids, editor, within_limits);
  if (!fits) {
    catalog.restore(std::move(before));
    return fits;
  }
  // The index must be in the catalog during the conversion, because the editor looks it up there. After a refusal it
  // is removed, and the transaction may continue.
  auto filled = backfill_vectors(entry, ids, editor, within_limits);
  if (!filled) catalog.erase_index(id);
  return filled;
}

/// Each case in which a corrected name would not help has its own error.
Status undefine_index(std::string_view name, CatalogEditor& catalog) {
  const auto id = catalog.current().find_index(name);
  if (!id && is_automatic(catalog.current(), name)) {
    return invalid("index \"" + std::string(name) +
                   "\" is automatic: every property is indexed anyway, and only indexes that "
                   "CREATE made can be dropped");
  }
  if (!id && catalog.current().find_constraint(name))
    return invalid("\"" + std::string(name) + "\" is a constraint; drop it by DROP CONSTRAINT");
  if (!id) return no_such("index", name, names_of(catalog.current().indexes()));
  const IndexEntry entry = catalog.current().indexes().at(*id);
  catalog.erase_index(*id);
  // The files of a vector index are erased after the commit (vector_index_manager.cpp), the postings of a full-text
  // index with the commit (text_commit.cpp).
  if (entry.kind != IndexKind::range) return {};
  unpin_properties(entry.entity, entry.properties, catalog);
  return {};
}

/// If the path was indexed already, or no path was ever refused because of the limit, there are no values to enter.
Status pin_properties(EntityKind kind, const std::vector<std::uint32_t>& properties,
                      const GraphView& view, CatalogEditor& catalog, GraphEditor& editor,
                      const std::function<Status()>& within_limits) {
  for (const std::uint32_t property : properties) {
    const std::string path = path_of(property, catalog.current());
    const bool was_indexed = catalog.current().find_path(kind, path).has_value();
    static_cast<void>(catalog.pin_path(kind, path));
    if (was_indexed || catalog.current().has_all_paths()) continue;
    CAIRN_ASSIGN(const codec::Bitmap ids,
                 view.postings().posting(system_posting(kind, codec::SystemPath::all)));
    for (const std::uint64_t id : ids.to_vector()) {
      CAIRN_TRY(editor.index_property(kind, id, property));
      CAIRN_TRY(within_limits());
    }
  }
  return {};
}

void unpin_properties(EntityKind kind, const std::vector<std::uint32_t>& properties,
                      CatalogEditor& catalog) {
  for (const std::uint32_t property : properties) {
    const auto path = catalog.current().find_path(kind, path_of(property, catalog.current()));
    if (path && !is_pinned(kind, property, catalog.current())) catalog.unpin_path(*path);
  }
}

namespace {

/// Returns the most similar name, or an empty text if none is similar. The distance in bytes, which is precise enough for
/// a hint, may be at most half the length of `name`, plus 1. Cost: the product of the lengths, which the limit of names
/// bounds.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& names) {
  std::string_view nearest;
  std::size_t best = name.size() / 2 + 2;
  for (const std::string_view other : names) {
    const std::size_t distance = codec::edits_between(name, other);
    if (distance >= best) continue;
    best = distance;
    nearest = other;
  }
  return nearest;
}

}  // namespace

Error no_such(std::string_view what, std::string_view name,
              const std::vector<std::string_view>& names) {
  std::string message = "there is no " + std::string(what) + " \"" + std::string(name) + "\"";
  const std::string_view near = nearest(name, names);
  if (!near.empty()) message += "; did you mean \"" + std::string(near) + "\"?";
  return Error{ErrorCode::not_found, std::move(message), {}};
}

}  // namespace cairn::engine
