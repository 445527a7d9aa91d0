#pragma once
// Home: a database's home as its owner has it. Drives Ownership over an object store, ships what the store writes, and makes
// checkpoints.

#include "codec/home_head.hpp"
#include "engine/home/object_store.hpp"
#include "engine/home/ownership.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A file of a checkpoint.
struct CheckpointFile {
  std::string name;              ///< in the database: COMMIT, store/..., vector/...
  std::filesystem::path source;  ///< where it is, unless there is `content`
  std::uint64_t bytes = 0;       ///< the first ones of `source`
  std::optional<std::string> content{};
  /// Other content never has this name, as long as this process has the database open.
  bool is_unchanging = false;
};

/// How long an owner asks a store that does not answer.
inline constexpr std::chrono::milliseconds home_patience{20'000};

/// Threads: ship() and checkpoint() from any; the others before there are several.
class Home {
 public:
  /// Which home may be taken over.
  struct Wanted {
    std::string database_id{};      ///< of the database in it, if not empty
    std::string new_database_id{};  ///< what it gets where nobody has made it
    bool may_make = true;           ///< where nobody has
  };
  /// Take over the home of the empty tenant at `address`, or make it.
  /// Errors: those of open_object_store() and probe(); conflict, where it is not as wanted, and not_found, where it is not
  /// there; busy, where the store does not answer; corruption of what is there.
  [[nodiscard]] static Result<std::unique_ptr<Home>> open(
      std::string_view address, const Wanted& wanted,
      std::chrono::milliseconds patience = home_patience);

  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  [[nodiscard]] const std::string& address() const noexcept { return store_->place(); }
  /// Whether nothing was ever committed to it.
  [[nodiscard]] bool is_empty() const noexcept { return records_.empty() && !has_checkpoint(); }
  [[nodiscard]] bool has_checkpoint() const noexcept { return checkpoint_.has_value(); }
  /// The commit of the newest checkpoint, 0 without one.
  [[nodiscard]] std::uint64_t checkpoint_commit() const noexcept {
    return checkpoint_ ? checkpoint_->commit : 0;
  }
  /// Whether a copy with everything up to `place` lacks nothing but what replay() brings.
  [[nodiscard]] bool can_follow(const codec::HomePlace& place) const noexcept;
  /// Write the files of the newest checkpoint into a directory that has none of them, synced.
  /// Errors: corruption, naming the object that is missing or damaged; as reads of the store.
  [[nodiscard]] Status fetch(const std::filesystem::path& directory) const;
  /// Apply the commits that the copy lacks. Once.
  [[nodiscard]] Status replay(RocksStore& copy);

  /// Make changes true; see RocksStore::ship_with(). Errors: busy, where somebody has taken over, and nothing happened;
  /// io_error, where the store did not say whether it happened. Both end the ownership.
  [[nodiscard]] Result<codec::HomePlace> ship(std::string changes, std::uint64_t commit);
  /// Whether this still may commit, as far as it knows.
  [[nodiscard]] bool is_owner() const;
  /// Whether the next owner would have much to replay.
  [[nodiscard]] bool is_checkpoint_due() const noexcept;
  /// Whether anything was shipped that no checkpoint has.
  [[nodiscard]] bool has_news() const noexcept { return new_records_ > 0; }
  /// The files hold everything up to `place`, and nothing else. Uploads those that the last checkpoint has not; commits go
  /// on meanwhile. Then erases what nobody needs any more; what of that fails stays as litter. One at a time.
  /// Errors: as ship(), and those of reading the files.
  [[nodiscard]] Status checkpoint(const codec::HomePlace& place, std::uint64_t commit,
                                  const std::vector<CheckpointFile>& files);
  /// Leave it to nobody. Errors: as ship().
  [[nodiscard]] Status release();

 private:
  Home(std::unique_ptr<ObjectStore> store, std::string root, std::uint64_t opening,
       const std::string& new_database_id, std::chrono::milliseconds patience);
  /// Before anybody loses the home for it.
  [[nodiscard]] Status check_head(const Wanted& wanted) const;
  [[nodiscard]] Status take_over();
  [[nodiscard]] Status load_checkpoint();
  /// Until the machine has nothing to ask. mutex_ is held, or nobody else is there.
  void drive();
  [[nodiscard]] HomeAnswer ask(const HomeRequest& request);
  /// What the machine's standing means to who waits for it. Success where it is `wanted`.
  [[nodiscard]] Status standing_error(Ownership::Standing wanted) const;

  /// That an object which is there has these bytes. Errors: busy where it has others.
  [[nodiscard]] Status check_same(const std::string& name, std::string_view bytes);
  [[nodiscard]] Status upload_new(const std::string& name, std::string_view bytes);
  [[nodiscard]] Result<codec::HomePart> part_of(const CheckpointFile& file);
  [[nodiscard]] Status publish(const codec::HomePlace& place, std::uint64_t records,
                               std::uint64_t bytes);
  void erase_let_go(const codec::HomeCheckpoint& kept);

  std::unique_ptr<ObjectStore> store_;
  std::string root_;  // of all names in the store
  std::uint64_t opening_ = 0;
  std::chrono::milliseconds patience_;
  std::string database_id_;
  std::optional<codec::HomeCheckpoint> checkpoint_;  // the newest
  std::vector<codec::CommitRecord> records_;         // behind it, until replay()
  std::vector<std::string> unchanging_;              // names whose content checkpoint_ has
  std::uint64_t parts_ = 0;                          // that this opening made
  std::atomic<std::uint64_t> new_records_ = 0;       // that no checkpoint has
  std::atomic<std::uint64_t> new_bytes_ = 0;
  mutable std::mutex mutex_;  // guards all below
  Ownership machine_;
  std::optional<Error> why_;  // of the last `unknown`
  std::uint64_t nonces_ = 0;
};

}  // namespace cairn::engine
