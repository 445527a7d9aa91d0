#pragma once
// Tests texts value by value: if a property has few distinct texts, each is tested only once.

#include "query/execute/budget.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/path_index.hpp"

#include <cairn/result.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

using TextTest = std::function<Result<bool>(const std::string& text)>;

/// The path to test, and the candidate records.
struct TextScan {
  codec::EntityKind kind = codec::EntityKind::node;
  const std::vector<std::string>& keys;   ///< the property path
  const codec::Bitmap* within = nullptr;  ///< candidates; nullptr: all records
};

/// Returns the ids with a text that passes. Returns nullopt if the index cannot answer or has many
/// long texts, if reading the records is cheaper than visiting every distinct text, or if a test
/// has an error, which the check on records then reports. The index has only the beginning of long
/// texts, so these are always included, and the selection is inexact.
/// Errors: those of the budget and of the store.
[[nodiscard]] Result<std::optional<Selection>> find_texts(GraphReader& graph, Budget& budget,
                                                          const TextScan& scan,
                                                          const TextTest& passes);

}  // namespace cairn::query
