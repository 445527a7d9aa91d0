#pragma once
// TenantHome: the home of one tenant as one node sees it: open here, at another node, or at none.
//
// open here    requests use the database. A request reads the head again if the last look is 2 s old, so that an owner
//              that was paused and replaced meanwhile does not continue to answer
// elsewhere    the head names another node that is alive. Requests go to that node, except for reads, which a replica
//              answers. A read looks at the head and at the health page of that node if the last look is 2 s old
// at none      the head has no owner, or its owner is gone: this node takes over

#include "engine/home/home_watch.hpp"
#include "engine/system/waking_clock.hpp"
#include "query/bolt/tenants.hpp"
#include "query/cluster/health_page.hpp"

#include <cairn/database.hpp>
#include <cairn/follower.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::cluster {

/// The settings that all homes of a node share.
struct NodeSettings {
  std::string homes;                                   ///< address of the store
  std::filesystem::path directory;                     ///< of the copies
  NodeAddress self;                                    ///< at which other nodes reach this node
  std::size_t home_memory_bytes = 0;                   ///< Options::memory_bytes of each home
  std::optional<std::chrono::seconds> home_history{};  ///< of each home
  /// Closes other homes if too many are open, and sets `is_open`, which belongs to the home that is about to open.
  /// Errors: busy if all other homes are in use.
  std::function<Status(std::atomic<bool>& is_open)> make_room = [](std::atomic<bool>& is_open) {
    is_open.store(true);
    return Status();
  };
};

/// The home of one tenant. Threads: any.
class TenantHome {
 public:
  using Clock = engine::WakingClock;

  [[nodiscard]] static Result<std::shared_ptr<TenantHome>> make(const NodeSettings& settings,
                                                                const std::string& tenant);

  /// See bolt::Tenants. Waits while another thread opens the home.
  [[nodiscard]] Result<bolt::TenantPlace> enter(const bolt::TenantEntry& entry);
  [[nodiscard]] Result<std::string> server();

  /// True if the home is open or is being opened.
  [[nodiscard]] bool is_open() const noexcept { return is_open_.load(); }
  [[nodiscard]] Clock::time_point last_use() const noexcept { return last_use_.load(); }
  /// Releases the home and closes the database, or closes the replica, if nobody uses them. Does not wait while
  /// another thread uses the mutex, as during an opening.
  void close_if_idle();
  /// Releases the home, even if it is in use. Errors: as Database::close(), if this node still owns the
  /// home.
  [[nodiscard]] Status close();

 private:
  TenantHome(const NodeSettings& settings, std::string tenant, std::filesystem::path directory,
             engine::HomeWatch watch)
      : settings_(settings),
        tenant_(std::move(tenant)),
        directory_(std::move(directory)),
        watch_(std::move(watch)) {}

  /// Reads the head, and records when a change of its epoch was noticed.
  [[nodiscard]] Result<std::optional<codec::HomeHead>> look();
  /// True if the database is open and this node still owns its home.
  [[nodiscard]] Result<bool> is_mine();
  /// True if this node may take over from the owner that the head names.
  [[nodiscard]] bool may_take(const codec::HomeHead& head) const;
  /// Returns the owner to which requests go; nullopt if this node may take over.
  [[nodiscard]] Result<std::optional<NodeAddress>> other_owner();
  /// True if a read is answered by the replica without asking whether the owner still lives.
  [[nodiscard]] bool may_read_on(const bolt::TenantEntry& entry) const;
  /// Takes over the home after other_owner(). Errors: not_found if the home does not exist and must not be made; as
  /// Database::open().
  [[nodiscard]] Status take(bolt::MayMake may_make);
  /// True if the head says that this node does not own the home any more.
  [[nodiscard]] bool was_taken();
  [[nodiscard]] Status open();
  /// Returns the replica of a home that another node owns, opened at its first use.
  [[nodiscard]] Result<std::shared_ptr<HomeFollower>> replica();
  [[nodiscard]] Status open_replica();
  /// The newest commit of this home among those that a client has seen.
  [[nodiscard]] std::uint64_t last_seen(const std::vector<bolt::SeenCommit>& seen) const;
  void drop() noexcept;

  const NodeSettings& settings_;
  const std::string tenant_;
  const std::filesystem::path directory_;
  std::atomic<bool> is_open_ = false;
  std::atomic<Clock::time_point> last_use_{Clock::time_point{}};
  std::mutex mutex_;  // guards the members below
  engine::HomeWatch watch_;
  bool is_there_ = false;    // whether the home had a head at the last look
  std::uint64_t epoch_ = 0;  // of that head
  std::string database_id_;  // of that head
  Clock::time_point looked_at_;
  Clock::time_point epoch_since_;                   // when a change of the epoch was noticed
  std::optional<Clock::time_point> owner_seen_at_;  // when another owner was last seen alive
  std::shared_ptr<Database> database_;
  // Owners: this object, running reads, and the states that are read. Null while database_ is set.
  std::shared_ptr<HomeFollower> replica_;
  std::weak_ptr<HomeFollower> last_replica_;  // may still be read although it was replaced
  std::weak_ptr<Database> dropped_;           // a database that is used although its home was lost
  std::uint64_t opening_ = 0;                 // number of the opening of database_, as in the head
};

}  // namespace cairn::query::cluster
