#pragma once
// recall() as a message: its arguments as values, for both ends.

#include "engine/database/call_values.hpp"

#include <cairn/recall.hpp>

#include <string_view>

namespace cairn::query {

[[nodiscard]] Map recall_map(std::string_view question, const RecallOptions& options);
/// All but the question. Errors: as of filter_from(); io_error.
[[nodiscard]] Result<RecallOptions> read_recall(engine::CallReader& reader);

}  // namespace cairn::query
