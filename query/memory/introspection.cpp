// Lists which fields exist and which values they have. The answers come from indexes; no record is read.

#include "query/memory/memory_impl.hpp"
#include "query/memory/record_writer.hpp"

#include <cairn/facets.hpp>
#include <cairn/filter.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::memory {
namespace {

// "a.b" for the keys a and b. A dot within a key is not marked.
std::string joined_path(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : ".") + key;
  return text;
}

/// The filter of a selection. Its warnings are dropped, because these answers have no place for them.
Result<Filter> filter_of(const Memory::Impl& impl, const Snapshot& snapshot,
                         const SearchRequest& selection) {
  CAIRN_ASSIGN(const Selection selected, select_records(impl, selection));
  std::vector<std::string> warnings;
  return filter_of(impl, snapshot, selection, selected, warnings);
}

/// The names of the metadata of a selection, sorted. `name_of` makes a name of the keys of a path. Parts of the record
/// itself (kind, content, embedding) are not metadata.
template <class NameOf>
Result<std::vector<std::string>> names_in_use(const Memory::Impl& impl,
                                              const SearchRequest& selection, KeyDepth depth,
                                              const NameOf& name_of) {
  CAIRN_ASSIGN(const Snapshot snapshot, impl.snapshot(selection.include_deleted));
  CAIRN_ASSIGN(const Filter filter, filter_of(impl, snapshot, selection));
  CAIRN_ASSIGN(const auto paths, property_paths(snapshot, filter, impl.statement_options()));
  std::set<std::string> names;
  for (const std::vector<std::string>& path : paths) {
    const bool is_part = path.size() == 1 && query::is_record_part(path.front());
    const bool is_too_deep = depth == KeyDepth::top_level && path.size() > 1;
    if (!is_part && !is_too_deep) names.insert(name_of(path));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace

Result<std::vector<std::string>> Memory::metadata_keys(std::string_view session,
                                                       KeyDepth depth) const {
  SearchRequest selection;
  selection.session = session;
  return again([&] { return names_in_use(*impl_, selection, depth, joined_path); });
}

Result<std::vector<std::string>> Memory::metadata_fields(const SearchRequest& selection,
                                                         KeyDepth depth) const {
  return again([&] { return names_in_use(*impl_, selection, depth, path_of_keys); });
}

// Uses the counts of faceted search, without a limit.
Result<Distribution> Memory::value_distribution(std::string_view field,
                                                const SearchRequest& selection) const {
  return again([&]() -> Result<Distribution> {
    CAIRN_ASSIGN(const Snapshot snapshot, impl_->snapshot(selection.include_deleted));
    CAIRN_ASSIGN(const Filter filter, filter_of(*impl_, snapshot, selection));
    constexpr std::size_t all = 0;
    const FacetRequest request{query::without_metadata(field), false, all};
    CAIRN_ASSIGN(Facet facet, count_values(snapshot, request, filter, impl_->statement_options()));
    Distribution distribution;
    for (FacetValue& one : facet.values)
      distribution.values.emplace_back(std::move(one.value), one.count);
    distribution.nulls = facet.nulls;
    distribution.missing = facet.missing;
    return distribution;
  });
}

}  // namespace cairn::memory
