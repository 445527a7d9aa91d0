// Every change of a writing transaction goes through change(): it holds the turn (the writer lock) during the change, checks
// the limits, and remembers failures. The states of a transaction:
//
// open --change refused, nothing changed--> open
// open --any other error--> failed --only rollback--> ended
// open --turn lost because of idleness--> open, but every change and statement returns busy
// open --commit / rollback / destructor--> ended
//
// One thread at a time uses a writer. Another writer may only take the writer lock away; the mutex of the lock guards
// this. base_ is the newest state when the turn was taken. Nobody else commits meanwhile, so base_ stays the newest:
// writes do not conflict.
#include "engine/database/transaction_writer.hpp"

#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/telemetry/statement_register.hpp"
#include "engine/write/definitions.hpp"
#include "engine/write/index_request.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

Error ended() {
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", {}};
}

/// True for errors after which the transaction may continue, as nothing was changed.
bool leaves_intact(ErrorCode code) {
  return code == ErrorCode::invalid_argument || code == ErrorCode::type_error ||
         code == ErrorCode::not_found || code == ErrorCode::already_exists;
}

Error terminated() {
  return {ErrorCode::cancelled,
          "the transaction was cancelled while its commit filled a full-text index; nothing of it "
          "was written",
          {}};
}

/// Limits the time to fill a full-text index, but only if the caller has set a timeout: the default is not meant for
/// builds.
Status check_time(const TransactionWriter::Caller& caller) {
  const auto limit = caller.options->timeout;
  if (!caller.begun || limit == StatementOptions().timeout) return {};
  if (std::chrono::steady_clock::now() - *caller.begun <= bounded(limit)) return {};
  return Error{ErrorCode::resource_limit,
               "the statement reached its limit of " + std::to_string(limit.count()) +
                   " ms while its commit filled a full-text index, and nothing of it was written; "
                   "raise StatementOptions::timeout (--timeout) if it should go on",
               {}};
}

/// Leaves a turn that was entered, at the end of its scope.
class InsideLock {
 public:
  InsideLock(WriterLock& turn, WriterLock::Number number) : turn_(turn), number_(number) {}
  InsideLock(const InsideLock&) = delete;
  InsideLock& operator=(const InsideLock&) = delete;
  ~InsideLock() { turn_.leave(number_); }

 private:
  WriterLock& turn_;
  WriterLock::Number number_;
};

}  // namespace

Result<std::shared_ptr<const void>> TransactionWriter::hold_turn() {
  if (!open_) return ended();
  CAIRN_TRY(core_->turn().enter(turn_));
  return std::shared_ptr<const void>(std::make_shared<const InsideLock>(core_->turn(), turn_));
}

Error is_read_only() {
  return {ErrorCode::unsupported, "the database is open read-only; open it for writing", {}};
}

Result<std::unique_ptr<TransactionWriter>> TransactionWriter::begin(
    const std::shared_ptr<Core>& core, const std::stop_token& cancel) {
  if (core->options().mode == OpenMode::read_only) return is_read_only();
  if (core->turn().is_held_by_this_thread()) {
    return Error{ErrorCode::busy,
                 "this thread has a writing transaction open already; commit it or roll it back "
                 "before the next one begins, or write through it",
                 {}};
  }
  WriterLock::Clock::duration waited{};
  const auto turn = core->turn().take(core->options().writer_timeout, &waited, cancel);
  if (waited.count() > 0) {
    core->telemetry().writer_waits.add();
    core->telemetry().writer_wait_time.add(waited);
  }
  if (turn) return std::unique_ptr<TransactionWriter>(new TransactionWriter(core, *turn));
  Error error = turn.error();
  if (error.code == ErrorCode::cancelled) return error;
  const std::string progress = core->state()->text_progress->text();
  if (!progress.empty()) error.message += "; " + progress + ", and writers wait for it";
  return error;
}

std::unique_ptr<TransactionWriter> TransactionWriter::begin_if_free(
    const std::shared_ptr<Core>& core) {
  const auto turn = core->turn().take_if_free();
  if (!turn) return nullptr;
  return std::unique_ptr<TransactionWriter>(new TransactionWriter(core, *turn));
}

TransactionWriter::TransactionWriter(const std::shared_ptr<Core>& core, WriterLock::Number turn)
    // The turn is taken already, so the state read here stays the newest as long as the turn is held.
    : core_(core),
      turn_(turn),
      base_(core->state()),
      catalog_(base_->catalog, core->options().max_paths),
      view_(core->store(), core->cache(), base_, &write_set_, &catalog_),
      editor_(write_set_, catalog_, view_.records(), view_.adjacency_reader(), core->ids(),
              core->options()) {}

TransactionWriter::~TransactionWriter() { end(); }

// Does not release the turn in a forked child: its mutex may have been locked by another thread at the fork, and would never
// be unlocked.
void TransactionWriter::end() noexcept {
  if (open_ && core_->process().is_this()) core_->turn().release(turn_);
  open_ = false;
}

Status TransactionWriter::check_usable() const {
  if (!open_) return ended();
  if (!failure_) return {};
  Error error = *failure_;
  error.message = "the transaction failed before and can only be rolled back: " + error.message;
  return error;
}

Status TransactionWriter::check_size() const {
  const std::size_t limit = core_->options().transaction_bytes;
  if (write_set_.memory_bytes() <= limit) return {};
  return Error{
      ErrorCode::resource_limit,
      "the transaction holds more than " + std::to_string(limit) +
          " bytes of changes (Options::transaction_bytes, --transaction-mib); commit in "
          "smaller pieces, import with a smaller --batch, or make an index before its data",
      {}};
}

template <class Change>
auto TransactionWriter::change(Change&& change) -> decltype(change()) {
  CAIRN_TRY(check_usable());
  // The turn cannot be lost from here on, until `inside` leaves it.
  CAIRN_TRY(core_->turn().enter(turn_));
  const InsideLock inside(core_->turn(), turn_);
  auto result = change();
  if (result) {
    // The change is in the write set already, so a transaction that is too large can only be rolled back.
    if (auto size = check_size(); !size) result = size.error();
  }
  if (!result && !leaves_intact(result.error().code)) failure_ = result.error();
  return result;
}

void TransactionWriter::fail(const Error& reason) {
  if (!failure_) failure_ = reason;
}

Result<std::uint64_t> TransactionWriter::create_node(std::span<const std::string> labels,
                                                     const Properties& properties,
                                                     std::string_view external_id) {
  return change([&] { return editor_.create_node(labels, properties, external_id, std::nullopt); });
}

Result<std::uint64_t> TransactionWriter::create_node(const NewNode& node) {
  return change([&] {
    return editor_.create_node(node.labels, node.properties, node.external_id, node.expires_at);
  });
}

Result<PutNode> TransactionWriter::put_node(const NewNode& node) {
  return change([&] { return editor_.put_node(node); });
}

Result<std::uint64_t> TransactionWriter::create_relationship(std::uint64_t source,
                                                             std::string_view type,
                                                             std::uint64_t target,
                                                             const Properties& properties) {
  return change(
      [&] { return editor_.create_relationship(source, type, target, properties, std::nullopt); });
}

Result<std::uint64_t> TransactionWriter::create_relationship(const NewRelationship& made) {
  return change([&] {
    return editor_.create_relationship(made.source.value, made.type, made.target.value,
                                       made.properties, made.expires_at);
  });
}

Result<std::uint64_t> TransactionWriter::restore_node(std::span<const std::string> labels,
                                                      const Properties& properties,
                                                      std::string_view external_id,
                                                      const SystemFields& fields) {
  return change([&] { return editor_.restore_node(labels, properties, external_id, fields); });
}

Result<std::uint64_t> TransactionWriter::restore_relationship(std::uint64_t source,
                                                              std::string_view type,
                                                              std::uint64_t target,
                                                              const Properties& properties,
                                                              const SystemFields& fields) {
  return change(
      [&] { return editor_.restore_relationship(source, type, target, properties, fields); });
}

Result<Value> TransactionWriter::stored_form(codec::EntityKind kind,
                                             std::span<const std::string> labels_or_type,
                                             std::string_view name, const Value& value) {
  return change([&] { return editor_.stored_form(kind, labels_or_type, name, value); });
}

Status TransactionWriter::set_property(codec::EntityKind kind, std::uint64_t id,
                                       std::string_view name, const Value& value) {
  return change([&] { return editor_.set_property(kind, id, name, value); });
}

Status TransactionWriter::update_properties(codec::EntityKind kind, std::uint64_t id,
                                            const Properties& properties) {
  return change([&] { return editor_.update_properties(kind, id, properties); });
}

Status TransactionWriter::set_properties(codec::EntityKind kind, std::uint64_t id,
                                         const Properties& properties) {
  return change([&] { return editor_.set_properties(kind, id, properties); });
}

Result<bool> TransactionWriter::add_label(std::uint64_t node, std::string_view label) {
  return change([&] { return editor_.add_label(node, label); });
}

Result<bool> TransactionWriter::remove_label(std::uint64_t node, std::string_view label) {
  return change([&] { return editor_.remove_label(node, label); });
}

Status TransactionWriter::erase_node(std::uint64_t node) {
  return change([&] { return editor_.erase_node(node); });
}

Status TransactionWriter::erase_relationship(std::uint64_t relationship) {
  return change([&] { return editor_.erase_relationship(relationship); });
}

Status TransactionWriter::erase_attached(std::uint64_t relationship) {
  return change([&] { return editor_.erase_attached(relationship); });
}

Status TransactionWriter::set_deleted(codec::EntityKind kind, std::uint64_t id,
                                      std::optional<std::int64_t> at) {
  return change([&] { return editor_.set_deleted(kind, id, at); });
}

Status TransactionWriter::set_expiry(codec::EntityKind kind, std::uint64_t id,
                                     std::optional<std::int64_t> at) {
  return change([&] { return editor_.set_expiry(kind, id, at); });
}

Result<ErasedRecords> TransactionWriter::erase_expired(std::int64_t now, std::size_t limit) {
  ExpiryPlace place;
  return erase_expired(now, limit, place);
}

Result<ErasedRecords> TransactionWriter::erase_expired(std::int64_t now, std::size_t limit,
                                                       ExpiryPlace& place) {
  const ExpirySource source{core_->store(), view_, !write_set_.empty()};
  return change([&] { return erase_expired_records(source, editor_, now, limit, place); });
}

Status TransactionWriter::use_place(const WritePlace& place) {
  return change([&] { return editor_.use_place(place); });
}

Result<std::string> TransactionWriter::use_model(std::string_view index,
                                                 const EmbeddingModel& model) {
  auto warning = change([&] { return declare_model(index, model, view_, write_set_, catalog_); });
  if (warning && !warning->empty()) core_->messages().tell(LogLevel::warning, "index", *warning);
  return warning;
}

Status TransactionWriter::erase_name_space(std::uint32_t number) {
  return change([&] {
    catalog_.erase_name_space(number);
    return Status();
  });
}

Status TransactionWriter::create_index(const IndexRequest& request,
                                       const std::function<Status()>& pulse) {
  return change([&] {
    return define_index(request, view_, catalog_, editor_, [&]() -> Status {
      if (pulse) CAIRN_TRY(pulse());
      return check_size();
    });
  });
}

Status TransactionWriter::drop_index(std::string_view name) {
  return change([&] { return undefine_index(name, catalog_); });
}

Status TransactionWriter::create_constraint(const ConstraintRequest& request,
                                            const std::function<Status()>& pulse) {
  return change([&] {
    return define_constraint(request, {view_, write_set_, catalog_, editor_, editor_.now()},
                             [&]() -> Status {
                               CAIRN_TRY(pulse());
                               return check_size();
                             });
  });
}

Status TransactionWriter::drop_constraint(std::string_view name) {
  return change([&] { return undefine_constraint(name, catalog_); });
}

Status TransactionWriter::check_constraints(const std::function<Status()>& pulse) {
  if (write_set_.constrained_entities().empty()) return {};
  return change([&] { return check_changed_records(view_, write_set_, editor_.now(), pulse); });
}

// A transaction without changes just ends, without using a commit number.
Status TransactionWriter::commit() {
  if (open_ && !failure_ && !has_changes()) {
    end();
    return {};
  }
  if (editor_.has_left_sessions()) CAIRN_TRY(change([&] { return editor_.erase_left_sessions(); }));
  CAIRN_TRY(check_constraints([] { return Status(); }));
  if (note_) write_set_.put(Family::meta, note_->first, note_->second);
  auto committed = change([&] { return commit_changes(); });
  if (committed) end();
  return committed;
}

// Only a commit that fills a full-text index takes long. Such a commit is listed as a running statement and can be
// terminated.
Status TransactionWriter::commit_changes() {
  if (!fills_text_index()) return core_->commit(view_, write_set_, catalog_);
  StatementOptions options = caller_ ? *caller_->options : StatementOptions();
  const StatementRegister::Place place(
      &core_->running_statements(), caller_ ? caller_->text : std::string_view("COMMIT"), options);
  const auto pulse = [&]() -> Status {
    if (options.cancel.stop_requested()) return terminated();
    return caller_ ? check_time(*caller_) : Status();
  };
  const TextProgress::Asking asking(*base_->text_progress, pulse);
  return core_->commit(view_, write_set_, catalog_);
}

bool TransactionWriter::fills_text_index() const {
  if (!catalog_.is_changed()) return false;
  return std::ranges::any_of(catalog_.current().indexes(), [&](const auto& numbered) {
    return is_text(numbered.second) && !base_->texts.contains(numbered.first);
  });
}

Result<ScrubCommit> TransactionWriter::commit_for_scrub() {
  auto committed = change([&]() -> Result<ScrubCommit> {
    CAIRN_ASSIGN(const UnusedNames names, erase_unused_names(core_->store(), view_, catalog_));
    CAIRN_TRY(core_->commit(view_, write_set_, catalog_, TextFolding::all));
    // The number is read with the writer lock held, because a later commit may erase data that this commit did not
    // examine.
    return ScrubCommit{names, core_->state()->commit};
  });
  if (committed) end();
  return committed;
}

void TransactionWriter::rollback() noexcept { end(); }

}  // namespace cairn::engine
