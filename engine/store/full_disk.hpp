#pragma once
// FullDisk: tracks whether RocksDB has stopped writing because the disk is full. Private to this folder.

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include <atomic>

namespace cairn::engine {

/// RocksDB stops all writes if a flush, a new log or the manifest finds no disk space. It can continue once the disk
/// has space again:
///
///   writes --no space--> stopped --DB::Resume(), before the next write--> writes
///
/// RocksDB's own attempts to resume, every few seconds, are disabled because they would interfere. If another error
/// occurred as well, nothing is resumed.
///
/// Only the thread that flushes may stop RocksDB. If another thread stops RocksDB 7.8 while a flush waits for its
/// thread, RocksDB loses this flush and later waits for it forever. So an error of one of our own threads is only noted
/// for the caller (Asking). An error of a compaction is not passed on either, also if its record in the manifest found
/// no space. If a new log finds no space, writes continue in the old one.
///
/// After an error of the manifest RocksDB deletes no files, because the failed record may nevertheless be in the
/// manifest. It deletes files again once a flush has written a new manifest.
/// Threads: any; RocksDB calls it from its own threads.
class FullDisk final : public rocksdb::EventListener {
 public:
  /// Marks a call of RocksDB by this thread. An error for lack of space is not passed to RocksDB then; the caller
  /// checks was_refused() instead.
  class Asking {
   public:
    Asking() noexcept { asking_ = this; }
    ~Asking() { asking_ = nullptr; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    [[nodiscard]] bool was_refused() const noexcept { return was_refused_; }

   private:
    friend class FullDisk;
    bool was_refused_ = false;
  };

  /// True if RocksDB has stopped only because the disk is full.
  [[nodiscard]] bool has_stopped() const noexcept { return is_full_ && !has_failed_; }
  /// Sets the state around an attempt to resume.
  void set_stopped(bool is_full) noexcept { is_full_ = is_full; }
  /// To be called after DB::Resume(), which lets RocksDB delete files again.
  void forget_kept_files() noexcept { keeps_files_ = 0; }

  void OnFlushBegin(rocksdb::DB* /*database*/, const rocksdb::FlushJobInfo& /*job*/) override {
    flushes_ = true;
  }
  void OnFlushCompleted(rocksdb::DB* database, const rocksdb::FlushJobInfo& /*job*/) override {
    for (int times = keeps_files_.exchange(0); times > 0; --times)
      database->EnableFileDeletions(false).PermitUncheckedError();
  }

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (!error->IsNoSpace()) {
      has_failed_ = true;
      return;
    }
    const bool is_of_manifest = reason == rocksdb::BackgroundErrorReason::kManifestWrite ||
                                reason == rocksdb::BackgroundErrorReason::kManifestWriteNoWAL;
    const bool is_of_compaction = reason == rocksdb::BackgroundErrorReason::kCompaction ||
                                  (is_of_manifest && !flushes_ && asking_ == nullptr);
    if (is_of_manifest && !flushes_) ++keeps_files_;
    // No caller waits for a compaction, and RocksDB retries it every second. DB::Resume() would wait for that retry,
    // and each write with it.
    if (is_of_compaction) {
      *error = rocksdb::Status::OK();
      return;
    }
    if (asking_ != nullptr) {
      asking_->was_refused_ = true;
      *error = rocksdb::Status::OK();
      return;
    }
    is_full_ = true;
    // RocksDB treats an error of a new log as fatal, because the old log may have lost buffered data. Our logs buffer
    // nothing.
    if (error->severity() > rocksdb::Status::kHardError)
      *error = rocksdb::Status(*error, rocksdb::Status::kHardError);
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status error,
                            bool* auto_recovery) override {
    if (error.IsNoSpace()) *auto_recovery = false;
  }

 private:
  static inline thread_local Asking* asking_ = nullptr;
  static inline thread_local bool flushes_ = false;  // true in a thread of RocksDB that flushes

  std::atomic<bool> is_full_ = false;
  std::atomic<bool> has_failed_ = false;  // another error has occurred
  std::atomic<int> keeps_files_ = 0;      // how often deletions of files were disabled in RocksDB
};

}  // namespace cairn::engine
