// A scrub, step by step. Nothing remembers how far it came: a crash leaves a whole database and no receipt, and the next
// scrub finds by the tables and segments what is still to be done.
//
//   results     of statements of attached processes, which are in `meta` until the next one
//   commit      names that no record has go from the catalog; logs of full-text indexes are merged, as an older segment has
//               the words that a newer one erases. Whatever was erased before is erased up to here
//   snapshots   older ones see what was erased: waited for
//   vectors     segments with erased vectors are built again and saved
//   postings    that became empty are erased by their keys
//   snapshots   those from before that
//   tables      flushed, and those rewritten that hold what was erased or replaced (store/table_scrub.cpp)
//   manifest    a new one, as it names keys; the flush has begun a new log
//   files       all that was replaced is gone from the directory
//   receipt
#include "engine/database/scrub.hpp"

#include "codec/backup_manifest.hpp"
#include "codec/meta.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/system/clock.hpp"
#include "engine/write/unused_names.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace cairn::engine {
namespace {

/// A client asks for the result of its commit at once where the host ends; a result is stored for this long, in microseconds.
constexpr std::int64_t time_of_answers = 2'000'000;

Error cancelled() {
  return {ErrorCode::cancelled,
          "the scrub was stopped; what was erased may still be in the files: scrub again",
          {}};
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (text.empty() ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace

Result<ScrubReceipt> Scrub::run() {
  CAIRN_TRY(core_->process().check());
  CAIRN_TRY(check_mode());
  const auto one_at_a_time = core_->lock_backups();
  receipt_.database_id = core_->database_id();
  receipt_.by = options_.by;
  receipt_.begun_at = system_time();
  CAIRN_TRY(check_files());
  CAIRN_TRY(step("commit"));
  CAIRN_TRY(erase_client_results());
  CAIRN_TRY(commit());
  CAIRN_TRY(wait_for_snapshots());
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
  receipt_.ended_at = system_time();
  return std::move(receipt_);
}

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
    return Error{ErrorCode::unsupported,
                 "a scrub rewrites the files of the directory, and what was erased would stay in "
                 "objects of the home " +
                     core_->options().home +
                     "; export the database, import it into a new home, and erase the objects of "
                     "this one, with their older versions where the store keeps them",
                 {}};
  return {};
}

Status Scrub::check_files() const {
  CAIRN_ASSIGN(std::vector<std::string> files, core_->store().erase_replaced_files(0));
  std::erase_if(files, [](const std::string& name) { return !name.ends_with(".aside"); });
  if (files.empty()) return {};
  return Error{ErrorCode::conflict,
               "an opening has set files aside in " + (core_->directory() / "store").string() +
                   " that may have what was erased: " + joined(files) +
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
  CAIRN_ASSIGN(const UnusedNames names, writer->commit_for_scrub());
  receipt_.names = names.erased;
  receipt_.names_unknown = names.unknown;
  receipt_.commit = core_->state()->commit;
  return {};
}

Status Scrub::erase_client_results() {
  while (true) {
    CAIRN_ASSIGN(const auto notes, core_->notes(codec::client_entries));
    std::vector<std::string> old;
    bool are_all_old = true;
    for (const Note& note : notes) {
      const auto entry = codec::decode_client_entry(note.value);
      if (entry && entry->committed_at > receipt_.begun_at) continue;
      if (!entry || entry->committed_at + time_of_answers < system_time())
        old.push_back(note.key);
      else
        are_all_old = false;
    }
    CAIRN_TRY(core_->erase_notes(old));
    if (are_all_old) return {};
    CAIRN_TRY(pause());
  }
}

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
              " what was erased: of " + joined(names) +
              "; end the snapshots, transactions and unread rows that hold them, then scrub again",
          {}};
}

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

// A join would leave an emptied posting with its key, and only the next one would drop that. Its erasure goes with it.
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

// What is written after the flush goes to another log.
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

Status Scrub::wait_for_files() {
  const auto until = Clock::now() + options_.wait_for_readers;
  while (true) {
    CAIRN_ASSIGN(const auto files, core_->store().erase_replaced_files(last_log_));
    if (files.empty()) return {};
    if (Clock::now() >= until)
      return Error{ErrorCode::busy,
                   "files that hold what was erased are still read: " + joined(files) + " in " +
                       (core_->directory() / "store").string() +
                       "; end the searches and unread rows that read them, then scrub again",
                   {}};
    CAIRN_TRY(pause());
  }
}

Status Scrub::list_backups() {
  CAIRN_ASSIGN(const auto notes, core_->notes(codec::backup_notes));
  for (const Note& note : notes) {
    CAIRN_ASSIGN(const auto backup, codec::decode_backup_note(note.key, note.value));
    receipt_.backups.push_back({backup.path, backup.commit, backup.made_at});
  }
  return {};
}

}  // namespace cairn::engine
