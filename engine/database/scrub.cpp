// A scrub removes erased and replaced data from the files. Its progress is not stored: after a crash the database is intact
// but has no receipt. The next scrub finds the remaining work by looking at the tables and segments. The steps:
//
//   commit      erases names that no record uses from the catalog, and merges the logs of full-text indexes: an older
//               segment has words that a newer one erases. Everything erased before this commit will be removed
//   results     erases stored results of earlier commits of clients, which are in `meta`; those of statements that have not
//               ended stay
//   snapshots   waits until no reader holds an older snapshot, which would see erased data
//   segments    drops segments of properties and relationships, and erases their files
//   vectors     rebuilds and saves vector segments with erased vectors
//   postings    erases the keys of postings that became empty
//   snapshots   waits for snapshots from before that step
//   tables      flushes, and rewrites the tables that have erased or replaced data (store/table_scrub.cpp)
//   manifest    starts a new manifest, as the old one has keys of erased data. The flush has started a new log
//   files       waits until all replaced files are deleted
//   receipt     notes that the scrub is complete
#include "codec/backup_manifest.hpp"
#include "codec/meta.hpp"
#include "engine/database/held_snapshots.hpp"
#include "engine/database/local_handles.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/system/clock.hpp"
#include "engine/write/unused_names.hpp"

#include <cairn/scrub.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace cairn::engine {
namespace {

/// How long the result of a client's commit must be stored, in microseconds. If the host ends, the client asks the next host
/// for the result at once.
constexpr std::int64_t time_of_answers = 2'000'000;

Error cancelled() {
  return {ErrorCode::cancelled,
          "the scrub was stopped; erased data may still be in the files: scrub again",
          {}};
}

/// Returns up to five names, and how many more there are.
std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (text.empty() ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

/// How long a statement that commits in batches may pause between two of them before a scrub erases its entry.
constexpr std::int64_t longest_pause = 600'000'000;  // in microseconds

/// True for the entry of a statement that commits in batches and may still go on. Without the entry, a client that repeats
/// the statement would commit the same batches again. It has counts, its client's names and a digest, but no rows.
bool may_go_on(const Note& note) {
  const auto entry = codec::decode_client_entry(note.value);
  return entry && entry->is_unfinished && entry->committed_at + longest_pause >= system_time();
}

/// One scrub of an open database.
class Scrub {
 public:
  /// `options` and `cancel` must outlive the object.
  Scrub(std::shared_ptr<Core> core, const ScrubOptions& options, const std::stop_token& cancel)
      : core_(std::move(core)), options_(options), cancel_(cancel) {}

  /// Runs the scrub. Call it once. Errors: as Database::scrub().
  [[nodiscard]] Result<ScrubReceipt> run();

 private:
  using Clock = std::chrono::steady_clock;

  /// Errors: conflict, unsupported, if a database in this mode cannot be scrubbed.
  [[nodiscard]] Status check_mode() const;
  /// Errors: conflict if an earlier open has renamed damaged files to *.aside, which may have erased data.
  [[nodiscard]] Status check_files() const;
  /// Reports that a step begins. Errors: cancelled.
  [[nodiscard]] Status step(std::string name);
  [[nodiscard]] Status commit();
  /// Erases the stored results of commits that were made before this scrub's own.
  [[nodiscard]] Status erase_client_results();
  /// Waits until nobody holds a snapshot that is older than the newest one. Errors: busy after a timeout.
  [[nodiscard]] Status wait_for_snapshots();
  [[nodiscard]] Status erase_emptied();
  [[nodiscard]] Status rewrite_tables();
  /// Waits until all replaced files are deleted. Errors: busy after a timeout.
  [[nodiscard]] Status wait_for_files();
  /// Notes from which commit on backups are clean, once this scrub is complete.
  [[nodiscard]] Status note_begin();
  [[nodiscard]] Status note_end();
  [[nodiscard]] Result<std::optional<codec::ScrubNote>> earlier_note() const;
  /// Lists the backups that may have erased data, all but those that note_begin() found to be clean.
  [[nodiscard]] Status list_backups();
  /// Makes the error for snapshots that are still held.
  [[nodiscard]] Error held(const std::vector<HeldSnapshot>& snapshots) const;
  /// Sleeps for a few milliseconds. Errors: cancelled.
  [[nodiscard]] Status pause() const;

  const std::shared_ptr<Core> core_;  // owners: handles and this
  const ScrubOptions& options_;
  const std::stop_token& cancel_;
  std::vector<Note> results_;  // stored results of the commits that the receipt covers
  // Number of the newest log before the flush; it and older logs must be deleted.
  std::uint64_t last_log_ = 0;
  // Backups of this commit and of later ones have nothing that was erased.
  std::uint64_t clean_from_ = 0;
  ScrubProgress progress_;
  ScrubReceipt receipt_;
};

Result<ScrubReceipt> Scrub::run() {
  CAIRN_TRY(core_->process().check());
  CAIRN_TRY(check_mode());
  const auto one_at_a_time = core_->lock_backups();
  receipt_.database_id = core_->database_id();
  receipt_.by = options_.by;
  receipt_.begun_at = system_time();
  CAIRN_TRY(check_files());
  CAIRN_TRY(step("commit"));
  CAIRN_TRY(commit());
  CAIRN_TRY(erase_client_results());
  CAIRN_TRY(note_begin());
  CAIRN_TRY(wait_for_snapshots());
  CAIRN_TRY(core_->scrub_segments());
  CAIRN_TRY(step("vectors"));
  CAIRN_ASSIGN(receipt_.vector_segments, core_->scrub_vectors(cancel_));
  CAIRN_TRY(step("postings"));
  CAIRN_TRY(erase_emptied());
  CAIRN_TRY(wait_for_snapshots());
  CAIRN_TRY(step("tables"));
  CAIRN_TRY(rewrite_tables());
  CAIRN_TRY(step("files"));
  CAIRN_TRY(wait_for_files());
  CAIRN_TRY(list_backups());
  CAIRN_TRY(note_end());
  receipt_.ended_at = system_time();
  return std::move(receipt_);
}

// A scrub must be able to rewrite every file that may hold erased data.
Status Scrub::check_mode() const {
  if (core_->options().mode == OpenMode::bulk_load)
    return Error{ErrorCode::conflict,
                 "a bulk load ends only when its database is closed; close it, open it again, then "
                 "scrub it",
                 {}};
  if (core_->options().mode == OpenMode::read_only)
    return Error{ErrorCode::unsupported,
                 "a scrub rewrites files, and the database is open read-only; open it for writing",
                 {}};
  if (!core_->options().home.empty())
    return Error{
        ErrorCode::unsupported,
        "a database with a home cannot be scrubbed: a scrub rewrites only the files of the "
        "directory, and erased data would stay in objects of the home " +
            core_->options().home +
            "; export the database, import it into a new home, and erase the objects of "
            "this one, with their older versions where the store keeps them",
        {}};
  return {};
}

// A file that an opening has set aside is no longer known to the store, so no scrub would rewrite it.
Status Scrub::check_files() const {
  CAIRN_ASSIGN(std::vector<std::string> files, core_->store().erase_replaced_files(0));
  std::erase_if(files, [](const std::string& name) { return !name.ends_with(".aside"); });
  if (files.empty()) return {};
  return Error{ErrorCode::conflict,
               "an opening has set files aside in " + (core_->directory() / "store").string() +
                   " that may have erased data: " + joined(files) +
                   "; delete them or move them elsewhere, then scrub again",
               {}};
}

Status Scrub::step(std::string name) {
  if (cancel_.stop_requested()) return cancelled();
  progress_.step = std::move(name);
  if (options_.on_progress) options_.on_progress(progress_);
  return {};
}

Status Scrub::pause() const {
  constexpr auto interval = std::chrono::milliseconds(5);
  std::this_thread::sleep_for(interval);
  return cancel_.stop_requested() ? cancelled() : Status();
}

Status Scrub::commit() {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core_));
  CAIRN_ASSIGN(results_, core_->notes(codec::client_entries));
  std::erase_if(results_, may_go_on);
  CAIRN_ASSIGN(const ScrubCommit committed, writer->commit_for_scrub());
  receipt_.names = committed.names.erased;
  receipt_.names_unknown = committed.names.unknown;
  receipt_.commit = committed.commit;
  return {};
}

// A stored result may have rows of records that its commit erased, so all results of commits that the receipt covers must
// go. Waits until they are old enough that no process asks for them again. A result that has been replaced meanwhile is of a
// later commit.
Status Scrub::erase_client_results() {
  const auto until = Clock::now() + std::chrono::microseconds(time_of_answers);
  while (true) {
    const bool are_all_old = Clock::now() >= until;
    const auto is_new = [&](const Note& note) {
      const auto entry = codec::decode_client_entry(note.value);
      return !are_all_old && entry && entry->committed_at + time_of_answers >= system_time();
    };
    const auto old = std::stable_partition(results_.begin(), results_.end(), is_new);
    CAIRN_TRY(core_->erase_unchanged_notes({old, results_.end()}));
    results_.erase(old, results_.end());
    if (results_.empty()) return {};
    CAIRN_TRY(pause());
  }
}

// Names the snapshots by their commits and ages, so that the user finds who holds them.
Error Scrub::held(const std::vector<HeldSnapshot>& snapshots) const {
  std::vector<std::string> names;
  constexpr std::int64_t second = 1'000'000;
  const std::int64_t now = system_time();
  for (const HeldSnapshot& snapshot : snapshots)
    names.push_back("commit " + std::to_string(snapshot.commit) + ", which was the newest " +
                    std::to_string((now - snapshot.published_at) / second) + " s ago");
  return {ErrorCode::busy,
          std::to_string(names.size()) +
              (names.size() == 1 ? " snapshot still sees" : " snapshots still see") +
              " erased data: of " + joined(names) +
              "; end the snapshots, transactions and unread rows that hold them, then scrub again",
          {}};
}

// An older snapshot keeps erased data in the store. Waits until all have ended, or until the limit,
// with an error that names them.
Status Scrub::wait_for_snapshots() {
  CAIRN_TRY(step("snapshots"));
  const std::uint64_t newest = core_->newest_snapshot();
  const auto until = Clock::now() + options_.wait_for_readers;
  while (true) {
    const auto snapshots = core_->held_before(newest);
    if (snapshots.empty()) return {};
    if (Clock::now() >= until) return held(snapshots);
    CAIRN_TRY(pause());
  }
}

// A compaction would leave an emptied posting with its key, and only the next compaction would drop the key. Erasing the key
// before the tables are rewritten removes both at once.
Status Scrub::erase_emptied() {
  for (const Family family : {Family::index, Family::text}) {
    const auto erase = [&](const std::vector<std::string>& keys) -> Status {
      CAIRN_TRY(step("postings"));
      return core_->erase_emptied(family, keys);
    };
    CAIRN_TRY(core_->store().visit_reduced(family, erase));
  }
  return {};
}

// Writes after the flush of scrub_tables() go to a new log.
Status Scrub::rewrite_tables() {
  CAIRN_ASSIGN(last_log_, core_->store().current_log());
  const auto tell = [&](const ScrubbedTables& done) {
    progress_.tables = done.tables;
    progress_.bytes = done.bytes;
    return step("tables");
  };
  CAIRN_ASSIGN(const ScrubbedTables done, core_->store().scrub_tables(tell));
  receipt_.tables = done.tables;
  receipt_.table_bytes = done.bytes;
  CAIRN_TRY(step("manifest"));
  return core_->store().renew_manifest();
}

// A replaced file stays on disk until its last reader has closed it.
Status Scrub::wait_for_files() {
  const auto until = Clock::now() + options_.wait_for_readers;
  while (true) {
    CAIRN_ASSIGN(const auto files, core_->store().erase_replaced_files(last_log_));
    if (files.empty()) return {};
    if (Clock::now() >= until)
      return Error{ErrorCode::busy,
                   "files with erased data are still being read: " + joined(files) + " in " +
                       (core_->directory() / "store").string() +
                       "; end the searches and unread rows that read them, then scrub again",
                   {}};
    CAIRN_TRY(pause());
  }
}

Result<std::optional<codec::ScrubNote>> Scrub::earlier_note() const {
  CAIRN_ASSIGN(const auto notes, core_->notes(codec::scrub_note_key));
  if (notes.empty()) return std::nullopt;
  CAIRN_ASSIGN(const auto note, codec::decode_scrub_note(notes.front().value));
  return note.is_complete ? std::optional(note) : std::nullopt;
}

// A backup copies tables, so it also has the bytes of data that was erased before the backup. A backup is clean only if
// it was made after a complete scrub, and nothing was committed between that scrub and this one.
Status Scrub::note_begin() {
  CAIRN_ASSIGN(const auto earlier, earlier_note());
  const bool goes_on = earlier && earlier->commit + 1 == receipt_.commit;
  clean_from_ = goes_on ? earlier->clean_from : receipt_.commit;
  const auto note = [&] {
    return codec::encode(codec::ScrubNote{clean_from_, receipt_.commit, false});
  };
  if (goes_on) {
    CAIRN_ASSIGN(const bool is_there,
                 core_->write_note(codec::scrub_note_key, note(), NoteBefore::present));
    if (is_there) return {};
    // The scrub note is gone: another note was erased or replaced after the scrub note was read.
    clean_from_ = receipt_.commit;
  }
  CAIRN_TRY(core_->write_note(codec::scrub_note_key, note()));
  return {};
}

// Completes the scrub note, unless it is gone: a change that erases or replaces another note erases the scrub note too.
Status Scrub::note_end() {
  const codec::ScrubNote note{clean_from_, receipt_.commit, true};
  CAIRN_TRY(core_->write_note(codec::scrub_note_key, codec::encode(note), NoteBefore::present));
  return {};
}

Status Scrub::list_backups() {
  CAIRN_ASSIGN(const auto notes, core_->notes(codec::backup_notes));
  for (const Note& note : notes) {
    CAIRN_ASSIGN(const auto backup, codec::decode_backup_note(note.key, note.value));
    if (backup.commit < clean_from_)
      receipt_.backups.push_back({backup.path, backup.commit, backup.made_at});
  }
  return {};
}

}  // namespace
}  // namespace cairn::engine

namespace cairn {

Result<ScrubReceipt> LocalDatabase::scrub(const ScrubOptions& options,
                                          const std::stop_token& cancel) {
  return engine::Scrub(core_, options, cancel).run();
}

}  // namespace cairn
