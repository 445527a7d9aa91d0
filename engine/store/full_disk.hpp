#pragma once
// FullDisk: whether RocksDB has stopped writing for want of room. Private to this folder.

#include <rocksdb/listener.h>

#include <atomic>

namespace cairn::engine {

/// RocksDB stops all writes where a flush, a new log or the manifest found no room. It can go on once there is some:
///
///   writes --no room--> stopped --DB::Resume(), before the next write--> writes
///
/// Its own attempts every few seconds are turned off: they would come between. Where something else failed as well
/// nothing is resumed.
///
/// It does not stop for what a thread of ours meets: RocksDB 7.8 loses a flush that waits for its thread when it
/// stops, and then waits for it for ever. A write goes on in the old log where a new one finds no room.
/// Threads: any; RocksDB calls from its own.
class FullDisk final : public rocksdb::EventListener {
 public:
  /// While it lives, this thread asks RocksDB for something, and looks itself at whether that found room.
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

  [[nodiscard]] bool has_stopped() const noexcept { return is_full_ && !has_failed_; }
  /// Called before and after an attempt to resume.
  void set_stopped(bool is_full) noexcept { is_full_ = is_full; }

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    if (!error->IsNoSpace()) {
      has_failed_ = true;
      return;
    }
    // Nothing waits for a compaction, and RocksDB tries again each second. DB::Resume() would wait for that second,
    // and each write with it.
    if (reason == rocksdb::BackgroundErrorReason::kCompaction) {
      *error = rocksdb::Status::OK();
      return;
    }
    if (asking_ != nullptr) {
      asking_->was_refused_ = true;
      *error = rocksdb::Status::OK();
      return;
    }
    is_full_ = true;
    // A new log that found no room counts as fatal, as the one before might have lost what it held back. Ours holds
    // nothing back.
    if (error->severity() > rocksdb::Status::kHardError)
      *error = rocksdb::Status(*error, rocksdb::Status::kHardError);
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status error,
                            bool* auto_recovery) override {
    if (error.IsNoSpace()) *auto_recovery = false;
  }

 private:
  static inline thread_local Asking* asking_ = nullptr;

  std::atomic<bool> is_full_ = false;
  std::atomic<bool> has_failed_ = false;  // otherwise
};

}  // namespace cairn::engine
