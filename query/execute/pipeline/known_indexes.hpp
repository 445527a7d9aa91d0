#pragma once
// Which indexes the caller of a statement may see. Indexes belong to the whole database. But an index that the memory
// calls or `cairn ingest` make with the first record of any namespace would reveal that such a record exists.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {
struct IndexEntry;
}  // namespace cairn::codec

namespace cairn::query {

struct ExecutionContext;

/// True unless the index was made by a memory call or `cairn ingest`, the caller may not use all namespaces, and it
/// sees no record with a label of the index (such an index exists only because of records in other namespaces).
/// Cost: for such a caller and such an index, the intersection of two sets.
[[nodiscard]] Result<bool> may_know(ExecutionContext& context, const codec::IndexEntry& index);

/// Like may_know(), but the caller must see a record that has a vector in the index; otherwise its model is that of
/// another namespace. Cost: as may_know().
[[nodiscard]] Result<bool> may_know_model(ExecutionContext& context,
                                          const codec::IndexEntry& index);

/// Checks that the vectors of the index are of the model. Passes also if the caller may not know the model, as it sees
/// no vector of the index. Errors: those of engine::check_model().
[[nodiscard]] Status check_known_model(ExecutionContext& context, const codec::IndexEntry& index,
                                       std::string_view model);

/// Returns the index with a name, or nullopt if there is none that the caller may know.
[[nodiscard]] Result<std::optional<std::uint32_t>> find_known_index(ExecutionContext& context,
                                                                    std::string_view name);

/// Returns the names of the indexes that the caller may know, for suggestions.
[[nodiscard]] Result<std::vector<std::string>> known_index_names(ExecutionContext& context);

/// Returns the error message for a name of which the caller knows no index, with the most similar name that it knows.
[[nodiscard]] Result<std::string> no_such_index(ExecutionContext& context, std::string_view name);

/// True if a visible record has a value at the path, written as in the catalog. For a path that is not in the catalog:
/// true if records may have values there, and the caller may use all namespaces.
[[nodiscard]] Result<bool> is_used_path(ExecutionContext& context, codec::EntityKind kind,
                                        const std::string& path);

/// True if a visible record has one of the ids.
[[nodiscard]] Result<bool> any_visible(ExecutionContext& context, codec::EntityKind kind,
                                       const codec::Bitmap& ids);

}  // namespace cairn::query
