#pragma once
// recall() as a message: its arguments and its result as values, for both ends.

#include "engine/database/call_values.hpp"

#include <cairn/recall.hpp>

#include <string_view>
#include <vector>

namespace cairn::query {

[[nodiscard]] Map recall_map(std::string_view question, const RecallOptions& options);
/// All but the question. Errors: as of filter_from(); io_error.
[[nodiscard]] Result<RecallOptions> read_recall(engine::CallReader& reader);

[[nodiscard]] Value hits_value(const std::vector<Hit>& hits);
[[nodiscard]] Result<std::vector<Hit>> read_hits(const Value& value);

}  // namespace cairn::query
