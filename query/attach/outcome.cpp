// An entry holds the number of the client's last commit and its result. A commit with that number or a lower one was
// made.
#include "query/attach/outcome.hpp"

#include "codec/meta.hpp"
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/core.hpp"
#include "query/bolt/stored_outcome.hpp"

#include <utility>

namespace cairn::query::attach {

Result<bolt::CommitNote> note_from(const Map& arguments) {
  engine::CallReader reader(arguments);
  bolt::CommitNote note{reader.text("client"), reader.integer("count")};
  CAIRN_TRY(reader.check());
  return note;
}

Status forget_clients(const Database& database, const std::vector<std::string>& names) {
  std::vector<std::string> keys;
  for (const std::string& name : names) keys.push_back(codec::client_entry_key(name));
  return Access::core(database)->erase_notes(keys);
}

// An entry that cannot be decoded is erased as well.
Status forget_clients_before(const Database& database, std::int64_t moment) {
  const auto core = Access::core(database);
  CAIRN_ASSIGN(const auto notes, core->notes(codec::client_entries));
  std::vector<std::string> keys;
  for (const engine::Note& note : notes) {
    const auto entry = codec::decode_client_entry(note.value);
    if (!entry || entry->committed_at < moment) keys.push_back(note.key);
  }
  return core->erase_notes(keys);
}

Result<std::unique_ptr<AttachedRows>> rows_of_outcome(const Value& outcome) {
  if (const auto partial = bolt::partial_text(outcome))
    return Error{
        ErrorCode::conflict,
        "the answer was lost, because the host or the connection ended while the statement "
        "ran: " +
            *partial + ", the others were not: do not run the whole statement again",
        {}};
  engine::CallReader reader(outcome);
  std::vector<std::string> columns = reader.texts("columns");
  Work::Portion all;
  all.results = bolt::results_of(reader.map("results"));
  CAIRN_TRY(reader.check());
  // The rows are absent if they were too large (bolt::outcome_of()).
  if (reader.find("rows") == nullptr)
    return Error{
        ErrorCode::conflict,
        "the host ended after the statement was committed: its changes are stored, but its rows "
        "are lost; read the rows with another statement, and do not run this statement again",
        {}};
  for (const Value& row : reader.list("rows"))
    if (row.list() != nullptr) all.rows.push_back(*row.list());
  return std::make_unique<AttachedRows>(std::move(columns), std::move(all));
}

}  // namespace cairn::query::attach
