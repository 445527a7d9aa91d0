#pragma once
// Runs statements with CALL { } IN TRANSACTIONS, which commit once for each batch of rows.

#include "query/execute/pipeline/batch_commits.hpp"
#include "query/rows_impl.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cairn::query {

struct BoundStatement;

/// True if the statement commits in batches and is not only explained. It runs on a database only, and not within a
/// transaction.
[[nodiscard]] bool commits_in_batches(const BoundStatement& statement);

/// In the error of such a statement, these words precede what was committed.
inline constexpr std::string_view before_this = "; before this, ";
/// "2000 rows were committed in 2 transactions (500 other rows failed)".
[[nodiscard]] std::string committed_text(const BatchProgress& progress);

/// Runs such a statement. `text` is its text, and The functions in `commits` are called at each commit.
/// Errors: those of the statement and of its commits. Rows that were committed before the error stay committed, and the
/// error says how many.
[[nodiscard]] Result<std::unique_ptr<MadeRows>> run_in_batches(
    const BoundStatement& statement, std::string_view text, Database& database,
    const Parameters& parameters, const StatementOptions& options, BatchCommits& commits);

}  // namespace cairn::query
