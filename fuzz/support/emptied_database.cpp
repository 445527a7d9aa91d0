#include "fuzz/support/emptied_database.hpp"

#include "fuzz/support/expect.hpp"
#include "fuzz/support/small_database.hpp"
#include "query/memory/statements.hpp"

#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::fuzz {
namespace {

constexpr std::uint64_t most_commits = 3'000;

void must_run(Database& database, const std::string& statement) {
  const auto rows = execute(database, statement);
  expect(rows.has_value(), statement + (rows ? "" : rows.error().message));
}

/// Erases records of every namespace, hidden ones included, which no statement can do.
/// Relationships are erased with their nodes.
void erase_records(Database& database) {
  const Snapshot snapshot = database.snapshot().value();
  Transaction transaction = database.begin().value();
  const std::vector<std::string> names = name_spaces(snapshot).value();
  for (const std::string& name : names) {
    const Status erased = visit_nodes(
        snapshot, name, [&](NodeId id) { return transaction.erase_node_and_relationships(id); });
    expect(erased.has_value(), erased ? "" : erased.error().message);
  }
  expect(transaction.commit().has_value());
}

}  // namespace

void EmptiedDatabase::open() {
  database_.reset();
  const auto path = directory_ / std::to_string(opened_++);
  if (opened_ > 1) std::filesystem::remove_all(directory_ / std::to_string(opened_ - 2));
  auto opened = Database::open(path, small_options());
  expect(opened.has_value(), opened ? "" : opened.error().message);
  database_ = std::move(*opened);
  clean_commit_ = 0;
}

void EmptiedDatabase::drop_indexes() {
  const auto indexes = database_->snapshot().value().indexes().value();
  for (const IndexDescription& index : indexes)
    if (!index.options.contains("automatic"))
      must_run(*database_, "DROP INDEX " + query::quoted_name(index.name));
}

void EmptiedDatabase::empty() {
  if (!database_ || clean_commit_ > most_commits) open();
  const std::uint64_t commit = database_->snapshot().value().commit_number();
  if (commit == clean_commit_) return;
  erase_records(*database_);
  drop_indexes();
  clean_commit_ = database_->snapshot().value().commit_number();
}

}  // namespace cairn::fuzz
