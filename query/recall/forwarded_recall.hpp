#pragma once
// The arguments of recall() as a map, to send them between processes. Both ends use these functions.

#include "engine/database/call_values.hpp"

#include <cairn/options.hpp>
#include <cairn/recall.hpp>
#include <cairn/snapshot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Converts the question and all options.
[[nodiscard]] Map recall_map(std::string_view question, const RecallOptions& options);
/// Converts the options back; the caller reads the question. Errors: as filter_from(); io_error if a value is missing
/// or has another type.
[[nodiscard]] Result<RecallOptions> read_recall(engine::CallReader& reader);

/// Returns the texts that a scorer with these options would get: those of the `rerank_hits` best hits. It scores them in
/// the process that asks. Errors: those of recall().
[[nodiscard]] Result<Value> recalled_texts(const Snapshot& snapshot, engine::CallReader& arguments,
                                           const StatementOptions& statement_options);
/// Converts them back. Errors: io_error for another value.
[[nodiscard]] Result<std::vector<std::string>> read_recalled_texts(const Value& texts);

}  // namespace cairn::query
