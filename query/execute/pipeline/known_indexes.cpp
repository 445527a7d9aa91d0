// Which indexes a caller may know. The rule is that of SHOW INDEXES.
#include "query/execute/pipeline/known_indexes.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/plan/indexes_of_calls.hpp"
#include "query/syntax/nearest_name.hpp"

namespace cairn::query {
namespace {

/// True if a visible record has one of the labels or types of the index and, unless `among` is nullptr, is one of these.
Result<bool> has_visible_record(ExecutionContext& context, const codec::IndexEntry& index,
                                const codec::Bitmap* among = nullptr) {
  const auto names = index.entity == codec::EntityKind::node
                         ? codec::CatalogKind::label
                         : codec::CatalogKind::relationship_type;
  for (const std::uint32_t number : index.labels_or_types) {
    const std::string name = context.graph.catalog().name(names, number);
    CAIRN_ASSIGN(const codec::Bitmap* const labelled, context.graph.labelled(index.entity, name));
    codec::Bitmap ids = among == nullptr ? *labelled : codec::intersect(*labelled, *among);
    if (const std::string_view other = label_apart(name); !other.empty()) {
      CAIRN_ASSIGN(const codec::Bitmap* const apart, context.graph.labelled(index.entity, other));
      ids = codec::subtract(ids, *apart);
    }
    CAIRN_ASSIGN(const bool is_used, any_visible(context, index.entity, ids));
    if (is_used) return true;
  }
  return false;
}

/// Returns the ids of the records, visible or not, that have a value at a path; nullopt if the path has no index.
Result<std::optional<codec::Bitmap>> ids_with(ExecutionContext& context, codec::EntityKind kind,
                                              const std::string& path) {
  const auto indexed = context.graph.catalog().find_path(kind, path);
  if (!indexed) return std::optional<codec::Bitmap>();
  engine::IndexPredicate present;
  present.kind = kind;
  present.path = *indexed;
  CAIRN_ASSIGN(engine::LookupResult found, context.graph.view().lookup(present));
  return std::optional(std::move(found.ids));
}

}  // namespace

Result<bool> any_visible(ExecutionContext& context, codec::EntityKind kind,
                         const codec::Bitmap& ids) {
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.restriction(kind));
  return visible == nullptr ? !ids.empty() : codec::intersection_cardinality(ids, *visible) > 0;
}

// Finding the visible values at a path without an index would mean reading every record. Such a path exists only if
// max_paths refused one (has_all_paths() is false); it is shown only to callers that may use all namespaces.
Result<bool> is_used_path(ExecutionContext& context, codec::EntityKind kind,
                          const std::string& path) {
  CAIRN_ASSIGN(const auto ids, ids_with(context, kind, path));
  if (ids) return any_visible(context, kind, *ids);
  return !context.graph.catalog().has_all_paths() && !context.options.listed_name_spaces;
}

Result<bool> may_know(ExecutionContext& context, const codec::IndexEntry& index) {
  if (!context.options.listed_name_spaces || !is_made_by_calls(index.name)) return true;
  return has_visible_record(context, index);
}

Result<bool> may_know_model(ExecutionContext& context, const codec::IndexEntry& index) {
  if (!context.options.listed_name_spaces || !is_made_by_calls(index.name)) return true;
  const engine::Catalog& catalog = context.graph.catalog();
  const std::string property = catalog.name(codec::CatalogKind::property, index.properties.front());
  CAIRN_ASSIGN(const auto ids, ids_with(context, index.entity, engine::join_path({property})));
  if (!ids) return false;
  return has_visible_record(context, index, &*ids);
}

Status check_known_model(ExecutionContext& context, const codec::IndexEntry& index,
                         std::string_view model) {
  const Status fits = engine::check_model(index, model);
  if (fits) return {};
  CAIRN_ASSIGN(const bool knows_model, may_know_model(context, index));
  return knows_model ? fits : Status();
}

Result<std::optional<std::uint32_t>> find_known_index(ExecutionContext& context,
                                                      std::string_view name) {
  using Found = std::optional<std::uint32_t>;
  const Found id = context.graph.catalog().find_index(name);
  if (!id) return Found();
  CAIRN_ASSIGN(const bool is_known, may_know(context, context.graph.catalog().indexes().at(*id)));
  return is_known ? id : Found();
}

Result<std::vector<std::string>> known_index_names(ExecutionContext& context) {
  std::vector<std::string> names;
  for (const auto& [id, index] : context.graph.catalog().indexes()) {
    CAIRN_ASSIGN(const bool is_known, may_know(context, index));
    if (is_known) names.push_back(index.name);
  }
  return names;
}

Result<std::string> no_such_index(ExecutionContext& context, std::string_view name) {
  CAIRN_ASSIGN(const auto known, known_index_names(context));
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view nearest = nearest_name(name, names);
  std::string message = "there is no index \"" + std::string(name) + "\"";
  if (!nearest.empty()) message += "; did you mean \"" + std::string(nearest) + "\"?";
  return message;
}

}  // namespace cairn::query
