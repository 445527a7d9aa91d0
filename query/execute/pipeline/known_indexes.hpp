#pragma once
// The indexes that the caller of a statement may know. Indexes are the schema of the whole database, but those that the
// memory calls and `cairn ingest` make with the first record of any namespace tell that such a record exists.

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

/// False for an index that calls have made, if the caller may not use all namespaces and sees no record with a label of
/// the index. It is there because another namespace has such records.
/// Cost: for such a caller and such an index, the intersection of two sets.
[[nodiscard]] Result<bool> may_know(ExecutionContext& context, const codec::IndexEntry& index);

/// False for an index that calls have made, if the caller may not use all namespaces and sees no vector of the index. Its
/// model is that of the vectors of another namespace. Cost: as may_know().
[[nodiscard]] Result<bool> may_know_model(ExecutionContext& context,
                                          const codec::IndexEntry& index);

/// Checks that the vectors of the index are of the model. Passes if the caller may not know the model: it finds nothing
/// in the index. Errors: those of engine::check_model().
[[nodiscard]] Status check_known_model(ExecutionContext& context, const codec::IndexEntry& index,
                                       std::string_view model);

/// Returns the index with a name, or nullopt if there is none that the caller may know.
[[nodiscard]] Result<std::optional<std::uint32_t>> find_known_index(ExecutionContext& context,
                                                                    std::string_view name);

/// Returns the names of the indexes that the caller may know, for suggestions.
[[nodiscard]] Result<std::vector<std::string>> known_index_names(ExecutionContext& context);

/// Returns an error message for a name that no index has which the caller may know, with the most similar of their names.
[[nodiscard]] Result<std::string> no_such_index(ExecutionContext& context, std::string_view name);

/// True if a visible record has a value at the path, which is in the notation of the catalog. Then the caller may know the
/// automatic index of the path.
[[nodiscard]] Result<bool> is_used_path(ExecutionContext& context, codec::EntityKind kind,
                                        const std::string& joined);

/// True if a visible record has one of the ids.
[[nodiscard]] Result<bool> any_visible(ExecutionContext& context, codec::EntityKind kind,
                                       const codec::Bitmap& ids);

}  // namespace cairn::query
