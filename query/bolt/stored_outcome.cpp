// An entry of the column family `meta` has the number of a client's last commit, and its result. All commits of the client up
// to this number were made. Each request of a driver has an entry of its own.
#include "query/bolt/stored_outcome.hpp"

#include "codec/checksum.hpp"
#include "codec/meta.hpp"
#include "codec/packstream_values.hpp"
#include "codec/request_name.hpp"
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/client_entries.hpp"
#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "query/batched_run.hpp"
#include "query/functions/time_zone.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query::bolt {
namespace {

/// Limit of nesting of an outcome: 128 levels of a value, and 16 levels around the value.
constexpr std::size_t most_levels = 144;
constexpr std::size_t most_bytes = std::size_t{2} << 30;
constexpr std::chrono::minutes time_between_looks{1};
constexpr std::size_t most_databases = 10'000;
/// A result that was stored.
class StoredRows final : public Rows::Impl {
 public:
  StoredRows(std::vector<std::string> columns, RowsResults results, List rows)
      : columns_(std::move(columns)), results_(std::move(results)), rows_(std::move(rows)) {}

  const std::vector<std::string>& columns() const noexcept override { return columns_; }
  Result<std::optional<std::span<const Value>>> next() override {
    using Next = std::optional<std::span<const Value>>;
    if (next_ == rows_.size()) return Next();
    return Next(rows_[next_++].as_list());
  }
  const Changes& changes() const noexcept override { return results_.changes; }
  const std::vector<std::string>& warnings() const override { return results_.warnings; }
  std::string plan() const override { return results_.plan; }

 private:
  std::vector<std::string> columns_;
  RowsResults results_;
  List rows_;
  std::size_t next_ = 0;
};

std::int64_t microseconds_of(OldRequests::Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

constexpr const char* rows_entry = "committed_rows";
constexpr const char* transactions_entry = "committed_transactions";
constexpr const char* failed_entry = "failed_rows";  // absent if none failed

/// The number of transactions in a partial outcome; 0 in another one.
std::uint64_t transactions_of(const Value& outcome) {
  engine::CallReader reader(outcome);
  if (reader.find(transactions_entry) == nullptr) return 0;
  return static_cast<std::uint64_t>(reader.integer(transactions_entry));
}

/// The error of a request that an earlier run has begun, and may be running.
Error is_begun(const std::string& partial) {
  return {ErrorCode::conflict,
          "an earlier request with this cairn_request_id has not reached its end: " + partial +
              "; if it is still running (SHOW TRANSACTIONS), it commits the others, so do not run "
              "the whole statement again",
          {}};
}

}  // namespace

// A transaction without changes makes no commit, and leaves the entry of the previous commit unchanged. Such a
// transaction is reported as not made, so its client repeats it, which is harmless.
Result<std::optional<Value>> find_outcome(const Database& database, const CommitNote& note) {
  const auto core = Access::core(database);
  const std::string key = codec::client_entry_key(note.client);
  CAIRN_ASSIGN(const auto stored, core->note(key));
  if (!stored) return std::optional<Value>();
  CAIRN_ASSIGN(const codec::ClientEntry entry, codec::decode_client_entry(*stored));
  if (entry.count < static_cast<std::uint64_t>(note.count)) return std::optional<Value>();
  codec::PackStreamReader reader(entry.result);
  const codec::PackStreamLimits limits{most_levels, most_bytes, true};
  CAIRN_ASSIGN(Value outcome, codec::read_value(reader, limits, named_zone_offset));
  return std::optional(std::move(outcome));
}

CommitNote note_of_request(std::string_view token, std::string_view name_space,
                           std::string_view id) {
  return {codec::request_name(token, name_space, id), 1};
}

std::string digest_of(std::string_view statement, const Parameters& parameters) {
  std::string bytes;
  codec::PackStreamWriter writer(bytes);
  codec::write_whole_value(writer, Value(List{Value(std::string(statement)), Value(parameters)}));
  const codec::Hash128 hash = codec::hash128(bytes);
  return std::to_string(hash.low) + "-" + std::to_string(hash.high);
}

Result<Rows> stored_rows(const Value& outcome, const std::string& digest) {
  engine::CallReader reader(outcome);
  const Value* const stored = reader.find(digest_entry);
  if (stored == nullptr || *stored != Value(digest))
    return Error{
        ErrorCode::invalid_argument,
        "an earlier request with this cairn_request_id committed another statement or other "
        "parameters; nothing was written: use a cairn_request_id for one statement only",
        {}};
  if (const auto partial = partial_text(outcome)) return is_begun(*partial);
  std::vector<std::string> columns = reader.texts("columns");
  RowsResults results = results_of(reader.map("results"));
  CAIRN_TRY(reader.check());
  // The rows are absent if they were too large (outcome_of()).
  if (reader.find("rows") == nullptr)
    return Error{
        ErrorCode::conflict,
        "an earlier request with this cairn_request_id committed the statement: its changes are "
        "stored, but its rows are lost; read the rows with another statement, and do not run this "
        "statement again",
        {}};
  return Access::handle(std::make_unique<StoredRows>(std::move(columns), std::move(results),
                                                     List(reader.list("rows"))));
}

Map partial_outcome(const BatchProgress& progress) {
  Map outcome{{rows_entry, static_cast<std::int64_t>(progress.rows)},
              {transactions_entry, static_cast<std::int64_t>(progress.transactions)}};
  if (progress.failed_rows > 0)
    outcome.emplace(failed_entry, static_cast<std::int64_t>(progress.failed_rows));
  return outcome;
}

std::optional<std::string> partial_text(const Value& outcome) {
  BatchProgress progress;
  progress.transactions = transactions_of(outcome);
  if (progress.transactions == 0) return std::nullopt;
  engine::CallReader reader(outcome);
  progress.rows = static_cast<std::uint64_t>(reader.integer(rows_entry));
  if (reader.find(failed_entry) != nullptr)
    progress.failed_rows = static_cast<std::uint64_t>(reader.integer(failed_entry));
  return committed_text(progress) + " and stay";
}

// Without the outcome of the batches before, another run of the request would commit their rows again.
Status check_progress(const std::optional<Value>& outcome, const BatchProgress& progress) {
  if (!outcome && progress.transactions == 0) return {};
  if (!outcome)
    return Error{ErrorCode::conflict,
                 "the entry of this cairn_request_id, which says how much is committed, was erased "
                 "while the statement ran; run a statement for the other rows, with another "
                 "cairn_request_id",
                 {}};
  const auto partial = partial_text(*outcome);
  if (partial && transactions_of(*outcome) == progress.transactions) return {};
  return partial ? is_begun(*partial)
                 : Error{ErrorCode::conflict,
                         "another run of a request with this cairn_request_id has ended meanwhile; "
                         "send the request again to get its result",
                         {}};
}

Error is_committed() {
  return {
      ErrorCode::already_exists,
      "an earlier request with this cairn_request_id committed the transaction; nothing was "
      "written "
      "again: continue as after a commit, or use another cairn_request_id for another transaction",
      {}};
}

Status forget_old_requests(const Database& database, OldRequests::Clock::time_point now) {
  const auto core = Access::core(database);
  if (core == nullptr || core->options().mode != OpenMode::read_write) return {};
  return engine::forget_old_clients(*core, codec::request_names, microseconds_of(now));
}

void OldRequests::forget(const Database& database, Clock::time_point now) {
  const auto core = Access::core(database);
  if (core == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    if (due_.size() > most_databases) due_.clear();
    const auto [due, is_new] = due_.try_emplace(core->database_id(), now);
    if (!is_new && now < due->second) return;
    due->second = now + time_between_looks;
  }
  static_cast<void>(forget_old_requests(database, now));
}

}  // namespace cairn::query::bolt
