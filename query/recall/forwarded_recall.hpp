#pragma once
// The arguments of recall() as a map, to send them between processes. Both ends use these functions.

#include "engine/database/call_values.hpp"

#include <cairn/recall.hpp>

#include <string_view>

namespace cairn::query {

/// Converts the question and all options.
[[nodiscard]] Map recall_map(std::string_view question, const RecallOptions& options);
/// Converts the options back; the caller reads the question. Errors: as filter_from(); io_error if a value is missing
/// or has another type.
[[nodiscard]] Result<RecallOptions> read_recall(engine::CallReader& reader);

}  // namespace cairn::query
