// Which fields there are, and which values they have: answered from the catalog and the indexes.
// No record is read: names are in the catalog, and whether a visible record has one is an
// intersection of its index with the records' ids.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <set>
#include <utility>

namespace cairn::memory {
namespace {

using codec::Bitmap;
using codec::EntityKind;

/// The index knows long names by their beginning: of these the records decide.
Result<Bitmap> with_property(const engine::View& view, const Bitmap& ids, std::string_view name,
                             const Value& wanted) {
  const auto key = view.catalog().find_property(name);
  if (!key) return Bitmap();
  const std::vector<std::uint64_t> candidates = ids.to_vector();
  CAIRN_ASSIGN(const auto values, view.properties(EntityKind::node, candidates, *key));
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == wanted) kept.push_back(candidates[i]);
  return Bitmap::from_sorted(kept);
}

/// By the value index; records are read only where it does not say for certain.
Result<Bitmap> members_of_session(const engine::View& view, std::string_view session,
                                  const Bitmap& records) {
  const auto path = view.catalog().find_path(EntityKind::node, "sessionId");
  if (!path) return Bitmap();
  engine::IndexPredicate question;
  question.path = *path;
  question.operation = engine::IndexPredicate::Operation::equals;
  question.low = session;
  CAIRN_ASSIGN(const auto found, view.lookup(question));
  Bitmap members = codec::intersect(records, found.ids);
  if (found.exact) return members;
  return with_property(view, members, "sessionId", question.low);
}

// The ids of all records, or of those of one session.
Result<Bitmap> records_of(const Memory::Impl& impl, const engine::View& view,
                          std::string_view session) {
  const auto label = view.catalog().find_label(memory_label);
  const auto name_space = impl.name_space(view);
  if (!label || !name_space) return Bitmap();
  CAIRN_ASSIGN(Bitmap ids, view.labelled(*label));
  CAIRN_ASSIGN(const Bitmap visible, view.visible(EntityKind::node, {*name_space, impl.now()}));
  ids = codec::intersect(ids, visible);
  if (session.empty()) return ids;
  return members_of_session(view, session, ids);
}

// "a.b" for the keys a and b; a dot within a key shows as it is.
std::string joined_path(std::string_view stored) {
  std::string text;
  for (const std::string& key : engine::split_path(stored)) text += (text.empty() ? "" : ".") + key;
  return text;
}

/// Whether one of the records has the path at all, by the index of those that have it.
Result<bool> occurs(const engine::View& view, std::uint32_t path, const Bitmap& records) {
  engine::IndexPredicate question;
  question.path = path;
  CAIRN_ASSIGN(const auto found, view.lookup(question));
  return codec::intersection_cardinality(found.ids, records) > 0;
}

}  // namespace

// Parts of the record itself (kind, content, embedding) are no metadata. In the order of the names.
Result<std::vector<std::string>> Memory::metadata_keys(std::string_view session,
                                                       KeyDepth depth) const {
  CAIRN_ASSIGN(const auto view, impl_->view(false));
  CAIRN_ASSIGN(const Bitmap records, records_of(*impl_, *view, session));
  std::set<std::string> keys;
  for (const auto& [id, entry] : view->catalog().paths()) {
    if (entry.kind != EntityKind::node || query::is_record_part(entry.text)) continue;
    if (depth == KeyDepth::top_level && engine::is_nested_path(entry.text)) continue;
    CAIRN_ASSIGN(const bool is_used, occurs(*view, id, records));
    if (is_used) keys.insert(joined_path(entry.text));
  }
  return std::vector<std::string>(keys.begin(), keys.end());
}

namespace {

// A selection that is all records, or those of a session, needs no statement.
bool has_no_conditions(const SearchRequest& request) {
  return request.kinds.empty() && request.where.empty() && !request.include_deleted &&
         to_value(request.filter) == to_value(Filter());
}

Result<Bitmap> records_of(const Memory::Impl& impl, const engine::View& view,
                          const SearchRequest& selection) {
  if (has_no_conditions(selection)) return records_of(impl, view, selection.session);
  CAIRN_ASSIGN(const auto ids, selected_ids(impl, view, selection));
  std::vector<std::uint64_t> values;
  for (const NodeId id : ids) values.push_back(id.value);
  return Bitmap::from_sorted(values);
}

}  // namespace

// By the counts of faceted search, without a limit.
Result<Distribution> Memory::value_distribution(std::string_view field,
                                                const SearchRequest& selection) const {
  CAIRN_ASSIGN(const auto view, impl_->view(selection.include_deleted));
  CAIRN_ASSIGN(const Bitmap records, records_of(*impl_, *view, selection));
  const StatementOptions options = impl_->statement_options();
  const Parameters none;
  query::ExecutionContext context(*view, nullptr, none, options, impl_->now());
  constexpr std::string_view prefix = "metadata.";
  if (field.starts_with(prefix)) field.remove_prefix(prefix.size());
  CAIRN_ASSIGN(auto facet, query::count_facet(context, records, {std::string(field), false, 0}));
  Distribution distribution;
  for (FacetValue& one : facet.values)
    distribution.values.emplace_back(std::move(one.value), one.count);
  distribution.nulls = facet.nulls;
  distribution.missing = facet.missing;
  return distribution;
}

}  // namespace cairn::memory
