#pragma once
// How the model tests read: a reading statement runs on a snapshot or inside a transaction, and its rows become lines
// of text whose order does not matter.

#include "tests/model/model_graph.hpp"

#include <cairn/statement.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// Runs a statement on whatever is looked at.
using Reader = std::function<Result<Rows>(std::string_view text, const Parameters& parameters,
                                          const StatementOptions& options)>;
/// The snapshot or transaction must outlive the reader.
[[nodiscard]] Reader reader_of(const Snapshot& snapshot);
[[nodiscard]] Reader reader_of(Transaction& transaction);

/// What disagrees, in words; nothing where all agrees.
using Difference = std::optional<std::string>;
using Lines = std::vector<std::string>;

/// All rows, each a line of its cells; nodes and relationships with everything they hold.
[[nodiscard]] Result<std::vector<std::vector<Value>>> read_rows(
    const Reader& reader, std::string_view text, const Parameters& parameters = {},
    const StatementOptions& options = {});
[[nodiscard]] Result<Lines> read_lines(const Reader& reader, std::string_view text,
                                       const Parameters& parameters = {},
                                       const StatementOptions& options = {});

/// The lines in which two bags differ, `about` in front.
[[nodiscard]] Difference compare_lines(std::string_view about, Lines expected, Lines found);
/// Whether a statement's rows are the expected lines.
[[nodiscard]] Difference expect_lines(const Reader& reader, std::string_view text,
                                      const Parameters& parameters, Lines expected,
                                      const StatementOptions& options = {});

[[nodiscard]] std::string describe(const Error& error);
/// The error of a result, empty where it holds a value.
template <class T>
[[nodiscard]] std::string problem_of(const Result<T>& result) {
  return result ? std::string() : describe(result.error());
}
[[nodiscard]] std::string describe(const ModelNode& node);
[[nodiscard]] std::string describe(const ModelRelationship& relationship);
[[nodiscard]] std::string describe(const Value& cell);
/// A parameter list for messages.
[[nodiscard]] std::string describe(const Parameters& parameters);

}  // namespace cairn::test
