#pragma once
// Home: the owner's side of a database's home in an object store. Drives the protocol of Ownership, ships commits,
// and writes checkpoints.

#include "codec/home_head.hpp"
#include "engine/home/home_address.hpp"
#include "engine/home/kept_states.hpp"
#include "engine/home/object_store.hpp"
#include "engine/home/ownership.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/home.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {

/// A file of the database that a checkpoint contains.
struct CheckpointFile {
  std::string name;              ///< relative to the database: COMMIT, store/..., vector/...
  std::filesystem::path source;  ///< the path of the file; unused if there is `content`
  std::uint64_t bytes = 0;       ///< how many bytes of `source` count, from its beginning
  std::optional<std::string> content{};  ///< the content, for a file that changes on disk
  /// True if the file never changes: no other content gets this name while this process has the database open.
  bool is_unchanging = false;
};

/// How long an owner retries a request that the store does not answer.
inline constexpr std::chrono::milliseconds home_patience{20'000};

/// A checkpoint is due after this many commits or bytes.
inline constexpr std::uint64_t most_new_records = 256;
inline constexpr std::uint64_t most_new_bytes = std::uint64_t{8} << 20;

/// The place of a copy that has the first state of a new home. The checkpoint of this state and its parts are in epoch
/// 0. Each attempt draws their slots, so that objects of an earlier attempt are never taken for them.
inline constexpr codec::HomePlace first_place{1, 0};

/// The maximum size of a part in bytes. A larger file has several parts, so that only one of them is in memory at a
/// time.
inline constexpr std::uint64_t most_part_bytes = std::uint64_t{16} << 20;

/// The home of one database. Threads: ship(), checkpoint(), is_owner(), seems_owner() and is_checkpoint_due() from any
/// thread. The other calls only while no second thread uses the home.
class Home {
 public:
  /// The conditions for opening a home.
  struct Wanted {
    std::string database_id{};      ///< the id of the expected database; empty: any database
    std::string new_database_id{};  ///< the id for a new home
    bool may_make = true;           ///< whether to create the home if it does not exist
  };
  /// Takes over the home at `address` (home_address.hpp), or creates it.
  /// Errors: as open_object_store() and probe(); conflict if the home has another database; not_found if it
  /// does not exist and may not be created; busy if the store does not answer; corruption if the home is damaged, also if it
  /// has other objects but no head; format_too_new.
  [[nodiscard]] static Result<std::unique_ptr<Home>> open(
      std::string_view address, const Wanted& wanted,
      std::chrono::milliseconds patience = home_patience);

  /// Reads what the home at `address` keeps; see home_history().
  [[nodiscard]] static Result<HomeHistory> history(
      std::string_view address, std::chrono::milliseconds patience = home_patience);

  /// Finds the state at `point` of the home at `address` without owning the home. Then fetch(), fall_back() and replay()
  /// restore it. Errors: as history(), not_found also if the home does not keep that state.
  [[nodiscard]] static Result<std::unique_ptr<Home>> look(
      std::string_view address, const HomePoint& point,
      std::chrono::milliseconds patience = home_patience);
  /// After look(): true if the head was replaced meanwhile, so that objects of the state may be erased.
  [[nodiscard]] Result<bool> has_moved() const;

  /// After replay(): the first slot after the replayed commits.
  [[nodiscard]] codec::HomePlace next_slot() const;
  /// Commits after a state, and the first slot after these commits.
  struct NewCommits {
    std::vector<codec::CommitRecord> records{};
    codec::HomePlace next{};
    bool is_newest = true;  ///< no commit acknowledged before the call is missing
  };
  /// After look(): reads the commits from the slot `next` on, up to the newest. Ends earlier if there are many, because
  /// an owner may commit faster than they are read. Returns nullopt if the home does not keep all of them any more.
  /// Errors: read errors; not_found if the home was deleted; corruption. Cost: two requests, and one for each commit.
  [[nodiscard]] Result<std::optional<NewCommits>> read_on(codec::HomePlace next) const;

  /// Prepares a new home at `address` for publish_first(). Writes nothing. Errors: already_exists if there is a home;
  /// as open().
  [[nodiscard]] static Result<std::unique_ptr<Home>> prepare(
      std::string_view address, const std::string& database_id,
      std::chrono::milliseconds patience = home_patience);
  /// Creates the home, without an owner. Its first checkpoint, in epoch 0, consists of `files`, which hold all commits
  /// up to `commit`. After an error there is no home, unless the store does not answer. Errors: already_exists if
  /// another process made a home meanwhile; as checkpoint().
  [[nodiscard]] Status publish_first(std::uint64_t commit,
                                     const std::vector<CheckpointFile>& files);

  /// Deletes a home; see delete_home().
  [[nodiscard]] static Status erase(std::string_view address, std::string_view database_id,
                                    OwnedHome owned,
                                    std::chrono::milliseconds patience = home_patience);

  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  [[nodiscard]] const std::string& address() const noexcept { return address_; }
  /// True if nothing was ever committed to the home.
  [[nodiscard]] bool is_empty() const noexcept { return records_.empty() && !has_checkpoint(); }
  [[nodiscard]] bool has_checkpoint() const noexcept { return !head().checkpoints.empty(); }
  /// The commit number of the checkpoint that fetch() downloads, or 0 if there is none.
  [[nodiscard]] std::uint64_t checkpoint_commit() const noexcept {
    return checkpoint_ ? checkpoint_->commit : 0;
  }
  /// True if replay() can bring a copy with all commits up to `place` up to date. Otherwise the copy has to be
  /// replaced by fetch().
  [[nodiscard]] bool can_follow(const codec::HomePlace& place) const noexcept;
  /// True if the home lacks commits of a copy with all commits up to `place`; see Ownership::is_behind(). Such a copy
  /// must not be erased.
  [[nodiscard]] bool is_behind(const codec::HomePlace& place) const noexcept {
    return machine_.is_behind(place);
  }
  /// Downloads the files of the newest checkpoint, or of the one that fall_back() chose, into a directory that has none
  /// of these files, and syncs them.
  /// Errors: corruption, which names the object that is missing or damaged; read errors of the store.
  [[nodiscard]] Status fetch(const std::filesystem::path& directory) const;
  /// After corruption in fetch(), turns to the next older checkpoint, and reads the commits after it. Returns false if
  /// the home keeps no older one. Errors: corruption, which names the commit that is missing or damaged; read errors.
  [[nodiscard]] Result<bool> fall_back();
  /// Applies the commits that the copy lacks. Call it once.
  [[nodiscard]] Status replay(RocksStore& copy);

  /// Ships the changes of a commit to the home; see RocksStore::ship_with(). Returns their place.
  /// Errors: busy if another node has taken over, and the commit did not happen; io_error if the store did not report
  /// whether it happened. After either error this node no longer owns the home.
  [[nodiscard]] Result<codec::HomePlace> ship(std::string changes, std::uint64_t commit);
  /// True if this node still may commit, as far as it knows.
  [[nodiscard]] bool is_owner() const;
  /// Like is_owner(), but does not wait for a commit that is being shipped: meanwhile this node counts as the owner.
  [[nodiscard]] bool seems_owner() const;
  /// True if the next owner would have many commits to replay.
  [[nodiscard]] bool is_checkpoint_due() const noexcept;
  /// True if commits were shipped that no checkpoint contains, or the newest checkpoint has another history than
  /// keep_states() has set.
  [[nodiscard]] bool has_news() const noexcept {
    return new_records_ > 0 ||
           (history_ && checkpoint_ &&
            static_cast<std::uint64_t>(history_->count()) != checkpoint_->history);
  }
  /// From the next checkpoint on, the states of the last `history` stay in the home; 0: only the state before the
  /// newest. Without a call, the history of the newest checkpoint applies.
  void keep_states(std::chrono::seconds history) { history_ = history; }
  /// Writes a checkpoint of `files`, which must hold all commits up to `place` and no later one. Uploads the files
  /// that the store lacks, while commits go on. The previous checkpoint stays, so that fall_back() finds it, and so do the
  /// states of keep_states(). Then erases the objects that no head needs. One call at a time.
  /// Errors: as ship(); read errors of the files.
  [[nodiscard]] Status checkpoint(const codec::HomePlace& place, std::uint64_t commit,
                                  const std::vector<CheckpointFile>& files);
  /// Returns the warnings about the last checkpoints, and clears them.
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  /// Gives up the home, which then has no owner. Errors: as ship().
  [[nodiscard]] Status release();

 private:
  Home(std::unique_ptr<ObjectStore> store, const HomeAddress& address, std::string root,
       std::uint64_t opening, const std::string& new_database_id,
       std::chrono::milliseconds patience);
  /// Opens the store at `address`. Sends no request.
  [[nodiscard]] static Result<std::unique_ptr<Home>> connect(std::string_view address,
                                                             const std::string& database_id,
                                                             std::chrono::milliseconds patience);
  /// Checks the conditions of `wanted` before the takeover, so that a refused opening does not take the home from its
  /// owner.
  [[nodiscard]] Status check_head(const Wanted& wanted) const;
  /// Reads the head. Returns nullopt if the home does not exist. Errors: corruption if it exists and has no head;
  /// not_found if it was deleted.
  [[nodiscard]] Result<std::optional<codec::HomeHead>> read_head() const;
  /// Adds the place and the fix to the error of an object that cannot be read.
  [[nodiscard]] Error unreadable(const Error& error) const;
  /// The error of a home that was deleted.
  [[nodiscard]] Error deleted(const codec::HomeHead& head) const;
  /// The error of an address that has a home.
  [[nodiscard]] Error used() const;
  /// The error of a node that is not the owner any more.
  [[nodiscard]] Error fenced() const;
  /// The head of the owner, or the one that was read without owning the home.
  [[nodiscard]] const codec::HomeHead& head() const noexcept {
    return seen_ ? *seen_ : machine_.head();
  }
  /// Takes over the home, and reads its newest checkpoint.
  [[nodiscard]] Status take_over();
  [[nodiscard]] Status load_checkpoint();
  /// Reads an object. Asks again, up to the time limit, if the store does not answer.
  [[nodiscard]] Result<std::optional<StoredObject>> get(const std::string& name) const;
  [[nodiscard]] Result<codec::HomeCheckpoint> read_checkpoint(const codec::HomePlace& place) const;
  /// Reads a part of checkpoint_, and compares it with its size and hash.
  [[nodiscard]] Result<std::string> read_part(const codec::HomePart& part) const;
  /// Reads the record in a slot. Returns nullopt if the slot is empty.
  [[nodiscard]] Result<std::optional<codec::CommitRecord>> read_record(
      const codec::HomePlace& slot) const;
  /// Replaces the head by one that marks the home as deleted, and returns it. Succeeds too if the home was deleted
  /// before.
  [[nodiscard]] Result<codec::HomeHead> bury(std::string_view database_id, OwnedHome owned);
  /// Creates a fence after the last slot of the epoch, unless the epoch has a fence. Returns its name. `last` is a slot
  /// of the epoch.
  [[nodiscard]] Result<std::string> fence_behind(const codec::HomePlace& last);
  /// Ends all epochs up to `newest`, whose owners may still be active. `names` are all objects of the home. Returns the
  /// fences.
  [[nodiscard]] Result<std::set<std::string>> fence_all(const std::vector<std::string>& names,
                                                        std::uint64_t newest);
  /// Erases all objects but the head and the fences of all epochs up to `fenced`, which stay for owners that may still
  /// be active; 0: no fence stays.
  [[nodiscard]] Status erase_objects(std::uint64_t fenced);
  /// Erases the objects. Returns why some of them may be left; empty if none is left.
  [[nodiscard]] std::string erase_each(const std::vector<std::string>& names);
  /// Reads the head into seen_, and calls `read`, which returns a Result. Does both again if the head was replaced
  /// meanwhile.
  template <class Read>
  [[nodiscard]] auto read_settled(const Read& read) -> decltype(read());
  /// Reads what the head refers to.
  [[nodiscard]] Result<HomeHistory> read_history() const;
  /// Chooses the checkpoint and reads the commits for look().
  [[nodiscard]] Status find_state(const HomePoint& point);
  /// Returns the commit of the newest checkpoint that was made by this time. Errors: not_found.
  [[nodiscard]] Result<std::uint64_t> commit_at(std::int64_t time) const;
  /// True if checkpoint_ and records_ lead to this commit.
  [[nodiscard]] bool reaches(std::uint64_t commit) const;
  /// Reads the commits after the newest checkpoint, while an owner may add others.
  [[nodiscard]] Result<std::vector<codec::CommitRecord>> read_chain() const;
  /// Reads the commits after `from` up to `to`, or up to last_commit_.
  [[nodiscard]] Result<std::vector<codec::CommitRecord>> read_log(const codec::HomePlace& from,
                                                                  const codec::HomePlace& to) const;
  /// Sends the requests of the state machine until it is idle. The caller holds mutex_, unless it is the only user.
  void drive();
  /// Sends one request. An unknown outcome stores its reason in why_.
  [[nodiscard]] HomeAnswer ask(const HomeRequest& request);
  /// Returns success if the machine's standing is `wanted`, else the error for the caller.
  [[nodiscard]] Status standing_error(Ownership::Standing wanted) const;

  /// Checks that the object `name` in the store has these bytes. Errors: busy if it has others.
  [[nodiscard]] Status check_same(const std::string& name, std::string_view bytes);
  /// Creates an object. Succeeds too if the object exists with the same content.
  [[nodiscard]] Status upload_new(const std::string& name, std::string_view bytes);
  /// Appends the pieces of a file to the parts of a checkpoint. Uploads those whose content the last checkpoint lacks.
  [[nodiscard]] Status add_parts(const CheckpointFile& file, std::vector<codec::HomePart>& parts);
  /// Returns the piece of the last checkpoint with this name and position, or nullptr.
  [[nodiscard]] const codec::HomePart* earlier_part(const std::string& name,
                                                    std::uint64_t at) const;
  /// Uploads the files, and the list of them, to which it adds their parts.
  [[nodiscard]] Status upload(const std::vector<CheckpointFile>& files,
                              codec::HomeCheckpoint& list);
  /// Makes the head name the checkpoint at `place`, and before it the kept checkpoints. `records` and `bytes` count the
  /// shipped commits that the new checkpoint contains.
  [[nodiscard]] Status publish(const codec::HomePlace& place, const std::vector<KeptState>& kept,
                               std::uint64_t records, std::uint64_t bytes);
  /// Reads the states that the head names before checkpoint_, if they may be kept, and how long states are kept. Drops
  /// a damaged state.
  /// Errors: as read_checkpoint().
  [[nodiscard]] Status read_kept();
  /// Drops kept states of which a part is not among `names`.
  void drop_lost(const std::vector<std::string>& names);
  /// The states that the head names before the next checkpoint.
  [[nodiscard]] std::vector<KeptState> next_kept() const;
  /// True if the head keeps checkpoint_ beside the next one.
  [[nodiscard]] bool keeps_last() const { return checkpoint_ && keeps_checkpoint_; }
  /// Lists the parts of the home, and at times all of its objects. Forgets parts of the last checkpoint that are not there,
  /// so that they are uploaded again. Returns nothing if the store does not list them.
  [[nodiscard]] std::vector<std::string> look_around();
  /// Warns of objects that are not among `names` and should be.
  void warn_of_losses(const std::vector<std::string>& names, bool has_all);
  /// Erases the objects that the checkpoint `next` has made obsolete, and the litter among `names`.
  void erase_let_go(const codec::HomeCheckpoint& next, const std::vector<KeptState>& kept,
                    const std::vector<std::string>& names);

  std::unique_ptr<ObjectStore> store_;
  std::string address_;  // for messages
  std::string root_;     // prefix of all names in the store
  // Random, and different for each opening of a home. Identifies this owner.
  std::uint64_t opening_ = 0;
  std::chrono::milliseconds patience_;
  std::string database_id_;
  std::optional<codec::HomeHead> seen_;       // the head that was read without owning the home
  codec::HomePlace reached_;                  // up to which replay() has brought a copy
  std::optional<std::uint64_t> last_commit_;  // replay() ends with it; nullopt: the newest one
  // The newest checkpoint that can be read. Its parts are not uploaded again; parts that the store has lost are missing
  // here.
  std::optional<codec::HomeCheckpoint> checkpoint_;
  std::optional<Error> checkpoint_error_;        // why checkpoint_ is not the newest in the home
  bool keeps_checkpoint_ = true;                 // nothing of checkpoint_ is known to be lost
  std::optional<std::chrono::seconds> history_;  // nullopt: not set, and not read yet
  std::vector<KeptState> kept_;  // the states before checkpoint_, ascending, after read_kept()
  bool has_read_kept_ = false;
  std::size_t passed_over_ = 0;               // number of newer checkpoints than checkpoint_
  std::vector<codec::CommitRecord> records_;  // the commits after checkpoint_, until replay()
  // Names of files that checkpoint_ contains and that never change.
  std::vector<std::string> unchanging_;
  std::vector<std::string> warnings_;           // until take_warnings()
  std::uint64_t looks_ = 0;                     // number of calls of look_around()
  bool has_litter_ = false;                     // objects may be left that no head refers to
  std::uint64_t parts_ = 0;                     // number of parts that this opening uploaded
  std::atomic<std::uint64_t> new_records_ = 0;  // shipped commits that no checkpoint contains
  std::atomic<std::uint64_t> new_bytes_ = 0;    // their size
  mutable std::mutex mutex_;                    // guards what follows
  Ownership machine_;
  std::optional<Error> why_;  // the reason of the last unknown outcome
  std::uint64_t nonces_ = 0;  // number of records that were made; makes each record unique
};

}  // namespace cairn::engine
