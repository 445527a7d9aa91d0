#pragma once
// Texts tested value by value: a property that holds few different texts is tested once for each of
// them, not once for each record.

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

/// What is tested, and on which records.
struct TextScan {
  codec::EntityKind kind = codec::EntityKind::node;
  const std::vector<std::string>& keys;   ///< the property path
  const codec::Bitmap* within = nullptr;  ///< all that the answer is asked of; null: every record
};

/// The ids with a text that passes, or nothing where the index does not tell or the records are read
/// for less: a visit of every different text. Texts of which the index knows the beginning only are
/// found whether they pass or not, and the selection is inexact. A test that fails gives nothing, so
/// that the record's own check fails. Errors: those of the budget and of the store.
[[nodiscard]] Result<std::optional<Selection>> find_texts(GraphReader& graph, Budget& budget,
                                                          const TextScan& scan,
                                                          const TextTest& passes);

}  // namespace cairn::query
