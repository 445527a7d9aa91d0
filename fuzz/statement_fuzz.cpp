// Runs a statement under limits on a small database. It returns at most the allowed number of rows,
// never reports a damaged database, and returns the same on a snapshot and in a transaction. A
// writing statement is rolled back and run again: it must return the same and leave no change.
// EXPLAIN runs nothing.

#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "fuzz/support/small_database.hpp"

#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>

#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

/// Returns the names and counts of everything in a snapshot.
std::string summary_of(const Snapshot& snapshot) {
  std::string text = std::to_string(snapshot.commit_number());
  for (const auto& counts :
       {snapshot.labels(), snapshot.relationship_types(), snapshot.properties()})
    for (const NameCount& entry : counts.value())
      text += " " + entry.name + ":" + std::to_string(entry.count);
  const auto indexes = snapshot.indexes().value();
  for (const IndexDescription& index : indexes) text += " " + index.name;
  return text;
}

Outcome run_in_transaction(const Statement& statement, TransactionMode mode) {
  auto transaction = shared_database().begin(mode);
  expect(transaction.has_value());
  return outcome_of(statement.run(*transaction, sample_parameters(), tight_limits()));
}

/// Compares the results on a snapshot and in a transaction.
void check_reading(const Statement& statement, const std::string& text) {
  const Snapshot snapshot = shared_database().snapshot().value();
  const Outcome once = outcome_of(statement.run(snapshot, sample_parameters(), tight_limits()));
  const Outcome again = run_in_transaction(statement, TransactionMode::read);
  if (is_repeatable(text)) expect_alike(once, again, text);
}

// Ids are not assigned twice, so only the number of rows is compared.
void check_writing(const Statement& statement, const std::string& text) {
  static const std::string before = summary_of(shared_database().snapshot().value());
  const Outcome once = run_in_transaction(statement, TransactionMode::write);
  const Outcome again = run_in_transaction(statement, TransactionMode::write);
  if (is_repeatable(text) && !once.is_limited() && !again.is_limited()) {
    expect(once.error.has_value() == again.error.has_value(), text);
    expect(once.rows.size() == again.rows.size() && once.changes == again.changes, text);
  }
  expect(summary_of(shared_database().snapshot().value()) == before, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_statement_bytes) return -1;
  const std::string text(text_of(data, size));
  const auto statement = Statement::parse(text);
  if (!statement) return 0;
  statement->is_writing() ? check_writing(*statement, text) : check_reading(*statement, text);
  const Snapshot snapshot = shared_database().snapshot().value();
  if (const auto plan = Statement::parse("EXPLAIN " + text))
    static_cast<void>(outcome_of(plan->run(snapshot, sample_parameters(), tight_limits())));
  return 0;
}
