// Commits, checkpoints and closing of an open database. Invariants:
//
// - The published State is of one commit: its store snapshot, catalog, counters, vectors and texts agree.
// - A published State never changes. Its pointer is replaced under publish_mutex_; a reader holds the pointer and no lock.
// - A commit is in the store before it is published, and in every index before a reader can see it.
// - The file COMMIT never names a commit that the store does not have on disk.
//
// engine/README.md defines the order of locks. A commit runs on the thread of its caller, with the writer lock held. Vector
// segments are built and saved on the maintenance thread (core_maintenance.cpp), or on the thread of a checkpoint.
#include "engine/database/core.hpp"

#include "codec/keys.hpp"
#include "codec/meta.hpp"
#include "engine/check/integrity_check.hpp"
#include "engine/fulltext/text_cache.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/external_id_hints.hpp"
#include "engine/home/home.hpp"
#include "engine/segment/segment_set.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/sorted_file.hpp"
#include "engine/system/within_memory.hpp"

#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>

namespace cairn::engine {
namespace {

/// Returns the number of nodes and relationships that a transaction created, changed or erased.
std::uint64_t records_in(const WriteSet& write_set) {
  std::uint64_t count = 0;
  for (const Family family : {Family::nodes, Family::relationships})
    for (const auto& [key, value] : write_set.changes(family))
      count += codec::is_hot_record_key(key) ? 1 : 0;
  return count;
}

/// Returns settings for a build on the calling thread that a stop ends.
BuildThreads workers_until(const std::stop_token& cancel) {
  if (!cancel.stop_possible()) return {};
  return [&cancel] { return cancel.stop_requested(); };
}

/// Locks a mutex, or returns without the lock once the workers are stopped. Waiting may take minutes, while a segment is
/// built.
std::unique_lock<std::mutex> lock_unless_stopped(std::mutex& mutex, const BuildThreads& workers) {
  constexpr auto interval = std::chrono::milliseconds(5);
  if (!workers.stop) return std::unique_lock(mutex);
  std::unique_lock lock(mutex, std::try_to_lock);
  while (!lock.owns_lock() && !workers.stop()) {
    std::this_thread::sleep_for(interval);
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

/// While this object exists, processes that wait for the lock see that the holder is closing the database. The notice
/// ends before the lock is released, because a snapshot may keep the database open for any time.
class ClosingNotice {
 public:
  /// `lock` is nullptr for a reader, whose lock has no text.
  ClosingNotice(const LockFile* lock, const std::string& database_id)
      : lock_(lock), database_id_(database_id) {
    if (lock_ != nullptr) static_cast<void>(lock_->sign(""));
  }
  ClosingNotice(const ClosingNotice&) = delete;
  ClosingNotice& operator=(const ClosingNotice&) = delete;
  ~ClosingNotice() {
    if (lock_ != nullptr) static_cast<void>(lock_->sign(database_id_));
  }

 private:
  const LockFile* lock_;
  const std::string& database_id_;
};

/// Returns the vector and full-text indexes that a commit makes, such as `index "a", index "b"`. Empty for most commits.
std::string made_indexes(const Catalog& before, const Catalog& after) {
  std::string names;
  for (const auto& [id, index] : after.indexes())
    if (index.kind != codec::IndexKind::range && !before.indexes().contains(id))
      names += (names.empty() ? "index \"" : ", index \"") + index.name + "\"";
  return names;
}

}  // namespace

// The background threads use other members, so they end before any member is destroyed.
// Stopping the threads and closing the store may take long, so the lock file tells waiting processes that the database
// is closing.
Core::~Core() {
  if (!is_read_only()) static_cast<void>(lock_.sign(""));
  stop_threads();
}

// In a forked child the core stays in memory until the child ends. Only its copy of the lock file is closed: the lock
// belongs to the parent.
void Core::let_go(Core* core) {
  if (core->process_.is_this()) {
    delete core;
    return;
  }
  const LockFile closed = std::move(core->lock_);
}

StatePtr Core::state() const {
  const std::lock_guard lock(publish_mutex_);
  return state_;
}

void Core::publish(std::shared_ptr<State> next) {
  const std::lock_guard lock(publish_mutex_);
  held_.note(next->store, next->commit);
  state_ = std::move(next);
}

// Holds the lock of vectors_ for the same reason as republish_vectors().
Status Core::write_between_commits(StoreBatch& batch, WriteMode mode) {
  CAIRN_TRY(store_->write(batch, mode));
  const auto lock = vectors_.lock();
  auto next = std::make_shared<State>(*state());
  next->store = store_->snapshot();
  publish(std::move(next));
  return {};
}

void Core::republish_vectors() {
  // Commits publish under the lock of vectors_ too, so no newer state can be published between this copy and publish().
  auto next = std::make_shared<State>(*state());
  next->vectors = vectors_.states();
  publish(std::move(next));
}

// Messages are sent without holding commit_mutex_. A slow log sink still delays this commit and others that wait for the
// writer lock.
Status Core::commit(const GraphView& view, const WriteSet& write_set, const CatalogEditor& catalog,
                    TextFolding folding) {
  CAIRN_TRY(process_.check());
  const std::string made =
      messages_.are_heard() ? made_indexes(*view.state().catalog, catalog.current()) : "";
  if (!made.empty())
    messages_.tell(LogLevel::info, "index", made + " is being built from the existing records");
  const TimedBlock timed(telemetry_->commit_time);
  const Status committed = commit_now(view, write_set, catalog, folding);
  if (!committed) {
    telemetry_->failed_commits.add();
    messages_.tell(LogLevel::error, "commit", "a commit failed: " + committed.error().message);
  } else if (!made.empty()) {
    messages_.tell(LogLevel::info, "index",
                   made + " was made in " + duration_text(timed.elapsed()));
  }
  return committed;
}

// If memory runs out after the store has the commit, but before it is published, the next commit would reuse its number. So
// all further commits are refused then.
Status Core::commit_now(const GraphView& view, const WriteSet& write_set,
                        const CatalogEditor& catalog, TextFolding folding) {
  const std::lock_guard one_at_a_time(commit_mutex_);
  if (failure_) return *failure_;
  return within_memory([&] { return write_and_publish(view, write_set, catalog, folding); },
                       [&] { return end_commits(); });
}

Error Core::end_commits() {
  if (!failure_) failure_ = std::move(no_memory_);
  return *failure_;
}

Status Core::write_and_publish(const GraphView& view, const WriteSet& write_set,
                               const CatalogEditor& catalog, TextFolding folding) {
  auto committed = committer_.commit(view, write_set, catalog, folding);
  if (!committed) {
    view.state().text_progress->end();
    // If the log failed, it may have the commit or not; only opening the database again shows. For other errors, such as a
    // full disk, nothing was written.
    if (!store_->has_failed()) return committed.error();
    failure_ = committed.error();
    failure_->message += "; the database takes no more commits until it is opened again";
    return committed.error();
  }
  telemetry_->commits.add();
  telemetry_->records.add(records_in(write_set));
  telemetry_->bytes.add(committed->bytes);
  bool due = false;
  const bool are_first_texts = view.state().texts.empty() && !committed->state->texts.empty();
  {
    const auto lock = vectors_.lock();
    // The vector indexes get the changes before the state is published, so that a reader of the commit finds its vectors.
    // Both are under one lock: otherwise a finished build could publish the older state over the newer one.
    is_following_ = true;
    vectors_.follow(committed->state, committed->vectors);
    committed->state->vectors = vectors_.states();
    committed->state->segments->follow(committed->state->commit, write_set);
    publish(committed->state);
    is_following_ = false;
    due = vectors_.next_sealing().has_value() || (home_ && home_->is_checkpoint_due());
  }
  // The index is published, so SHOW INDEXES lists it from now on.
  view.state().text_progress->end();
  // After the publication: a reader of the new commit has cache misses until then, but never sees outdated postings.
  cache_.advance(committed->state->commit, committed->postings);
  if (are_first_texts) share_memory();
  if (due) {
    const std::lock_guard lock(maintenance_mutex_);
    work_ = true;
    work_arrived_.notify_one();
  }
  return {};
}

Status Core::check_published() const {
  if (!is_following_) return {};
  return Error{ErrorCode::resource_limit,
               "the process ran out of memory in a commit; open the database again",
               {}};
}

Status Core::seal(const BuildThreads& workers) {
  const std::unique_lock one_at_a_time = lock_unless_stopped(sealing_mutex_, workers);
  while (!workers.stop || !workers.stop()) {
    std::optional<VectorIndexManager::Sealing> sealing;
    {
      const auto lock = vectors_.lock();
      CAIRN_TRY(check_published());
      sealing = vectors_.next_sealing();
    }
    if (!sealing) return {};
    // Takes seconds to minutes, without the lock of vectors_: commits add to the delta meanwhile.
    CAIRN_TRY(build(*sealing, workers));
    const auto lock = vectors_.lock();
    CAIRN_TRY(check_published());
    vectors_.adopt(*sealing);
    republish_vectors();
    share_memory();
  }
  return {};
}

Status Core::build(VectorIndexManager::Sealing& sealing, const BuildThreads& workers) {
  const StatePtr now = state();
  const auto entry = now->catalog->indexes().find(sealing.id);
  const std::string index =
      entry == now->catalog->indexes().end() ? "" : " of index \"" + entry->second.name + "\"";
  messages_.tell(
      LogLevel::info, "index",
      "a segment" + index + " is built, of " + std::to_string(sealing.from->size()) + " vectors");
  const auto begun = std::chrono::steady_clock::now();
  CAIRN_TRY(VectorIndexManager::build(sealing, workers));
  const std::string took = duration_text(std::chrono::steady_clock::now() - begun);
  messages_.tell(LogLevel::info, "index", "the segment" + index + " ended after " + took);
  return {};
}

Result<std::uint64_t> Core::save_vectors() {
  const std::lock_guard one_at_a_time(sealing_mutex_);
  // Read before saving. The indexes have this commit, as they get a commit before it is published. Later ones may be saved
  // too.
  const std::uint64_t commit = state()->commit;
  const Status saved = vectors_.save(commit);
  // The states are published even after an error: saved indexes may have mapped their vectors, and the old states hold
  // memory.
  const auto lock = vectors_.lock();
  CAIRN_TRY(check_published());
  republish_vectors();
  share_memory();
  CAIRN_TRY(saved);
  return commit;
}

// The block cache gets the memory that vectors, text postings and segments leave, but at least a quarter.
void Core::share_memory() {
  // An eighth is for the posting cache.
  const std::size_t total = options_.memory_bytes - options_.memory_bytes / 8;
  std::size_t others = vectors_.memory_bytes() + state()->segments->memory_bytes();
  if (!state()->texts.empty()) others += options_.memory_bytes / 8;
  // Without a block cache every read would go to the disk.
  const std::size_t least = total / 4;
  store_->limit_cache(others + least < total ? total - others : least);
}

Status Core::write_commit_file(std::uint64_t commit) const {
  return write_file(directory_ / metadata_file::commit,
                    codec::encode(codec::CommitFile{database_id_, commit}));
}

Status Core::checkpoint(const std::stop_token& cancel) {
  CAIRN_TRY(process_.check());
  if (is_read_only()) return {};
  // One checkpoint at a time: every checkpoint writes the file COMMIT, whose number must never decrease.
  const std::lock_guard one_at_a_time(checkpoint_mutex_);
  messages_.tell(LogLevel::info, "checkpoint", "a checkpoint begins");
  const TimedBlock timed(telemetry_->checkpoint_time);
  const Status saved = save_all(cancel);
  telemetry_->checkpoints.add();
  const std::string took = duration_text(timed.elapsed());
  if (saved)
    messages_.tell(LogLevel::info, "checkpoint", "the checkpoint ended after " + took);
  else if (saved.error().code == ErrorCode::cancelled)
    messages_.tell(LogLevel::info, "checkpoint", "the checkpoint was stopped after " + took);
  else
    messages_.tell(LogLevel::error, "checkpoint",
                   "the checkpoint failed after " + took + ": " + saved.error().message);
  return saved;
}

// The steps of a checkpoint:
//
//   seal        builds the vector segments that are due, so that their files are as new as possible
//   save        writes vector files. The log is synced before the first file, and trimmed after the last
//   flush       writes memtables to table files: everything up to `commit`, even writes without a log
//   join        allows compactions again to merge small files of texts that a bulk load left, in the background
//   COMMIT      is written after the flush, as its commit must be on disk
//   segments    writes the segments of properties and relationships that have no file. Last, because they can be built
//               again: they must not take the room on the disk that the steps before need
//
// A crash between two steps leaves older files and a lower number in COMMIT. The next open brings the files up to date.
Status Core::save_all(const std::stop_token& cancel) {
  // Nothing may be saved after a failure of the log, nor into a directory that is not ours any more. sync_log() says why.
  if (store_->has_failed()) return store_->sync_log();
  // The maintenance thread may be building at idle priority with sealing_mutex_ held. It checks hurried_ and raises its
  // priority.
  ++hurried_;
  const Status sealed = seal(workers_until(cancel));
  --hurried_;
  CAIRN_TRY(sealed);
  if (cancel.stop_requested())
    return Error{ErrorCode::cancelled, "the checkpoint was stopped before it saved anything", {}};
  CAIRN_ASSIGN(const std::uint64_t commit, save_vectors());
  // After the flush everything up to `commit` is on disk, whatever Options::durability says.
  CAIRN_TRY(store_->flush());
  SortedFile::let_gather(*store_, Family::text, false);
  CAIRN_TRY(write_commit_file(commit));
  save_segments();
  return {};
}

// A forked child saves nothing: unsaved changes belong to the parent.
Status Core::close() {
  if (!process_.is_this()) return {};
  const ClosingNotice notice(is_read_only() ? nullptr : &lock_, database_id_);
  stop_threads();
  if (options_.mode == OpenMode::bulk_load) return end_bulk_load();
  CAIRN_TRY(checkpoint());
  return leave_home();
}

void Core::close_for_successor() {
  if (!process_.is_this()) return;
  const ClosingNotice notice(is_read_only() ? nullptr : &lock_, database_id_);
  stop_threads();
}

// The file BULK is erased last, once everything is on disk. Commits are refused from here on: an open transaction would
// commit without a log and without that file, so a crash would lose the commit unnoticed.
Status Core::end_bulk_load() {
  const std::lock_guard no_commits(commit_mutex_);
  CAIRN_TRY(checkpoint());
  if (!failure_) {
    failure_ = Error{ErrorCode::conflict,
                     "the bulk load ended when its database was closed; open the database again "
                     "and begin a new transaction",
                     {}};
  }
  return erase_file(directory_ / metadata_file::bulk);
}

std::uint64_t Core::memory_bytes(const State& now) const {
  std::uint64_t bytes = store_->memory_bytes() + cache_.memory_bytes() +
                        now.text_cache->memory_bytes() + now.id_hints->memory_bytes() +
                        now.segments->memory_bytes();
  for (const auto& [id, vectors] : now.vectors) bytes += vectors->memory_bytes();
  for (const auto& [id, text] : now.texts) bytes += text.log.memory_bytes();
  return bytes;
}

Result<std::vector<Finding>> Core::check(std::size_t limit) {
  return check_integrity(*store_, cache_, state(), limit);
}

// Reads the size of every file in the directory, so it is too slow to be called for each statement.
DatabaseStatistics Core::statistics() const {
  using codec::EntityKind;
  const StatePtr now = state();
  const auto count = [&](Counter counter, EntityKind kind) {
    return static_cast<std::uint64_t>(now->counters.of(counter, kind));
  };
  DatabaseStatistics result;
  result.nodes = count(Counter::live, EntityKind::node);
  result.relationships = count(Counter::live, EntityKind::relationship);
  result.vectors =
      count(Counter::vectors, EntityKind::node) + count(Counter::vectors, EntityKind::relationship);
  result.commits = now->commit;
  result.format_version = codec::format_version;
  result.database_id = database_id_;
  result.memory_bytes = memory_bytes(*now);
  // Files may be erased by compactions meanwhile, and then do not count. If a directory is erased, the walk ends early.
  std::error_code error;
  std::filesystem::recursive_directory_iterator file(directory_, error), end;
  for (; !error && file != end; file.increment(error)) {
    std::error_code gone;
    const auto bytes = file->is_regular_file(gone) ? file->file_size(gone) : 0;
    if (!gone) result.disk_bytes += bytes;
  }
  return result;
}

}  // namespace cairn::engine
