#include "query/cluster/tenant_home.hpp"

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/home/home_address.hpp"
#include "engine/home/home_names.hpp"
#include "query/cluster/left_replicas.hpp"

#include <cairn/options.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace cairn::query::cluster {
namespace {

namespace fs = std::filesystem;

/// How long an owner relies on a head that it has read. Also how long another node reads its replica after it has
/// seen the owner alive.
constexpr std::chrono::seconds vouching_time{2};
/// The time within which a health page has to answer.
constexpr std::chrono::milliseconds health_time{2'000};
/// Few, because each state of a replica has caches of its own, but --memory-mb counts a replica as
/// one home.
constexpr std::size_t most_replica_states = 3;
/// For this time after a home was taken over, no node takes it over because of a timeout. Otherwise two nodes that
/// cannot reach each other would take over the home again and again.
constexpr std::chrono::seconds settling_time{5};

Error is_leaving(const std::string& home) {
  return {ErrorCode::busy,
          "another node has taken over the home " + home +
              ", and statements on this node still use its copy; try again",
          {}};
}

/// Returns the database with shared ownership of the replica to which it belongs.
std::shared_ptr<Database> beside(std::shared_ptr<HomeFollower> replica,
                                 std::shared_ptr<Database> database) {
  struct Owned {
    std::shared_ptr<HomeFollower> replica;
    std::shared_ptr<Database> database;  // destroyed first
  };
  const auto owned = std::make_shared<Owned>(Owned{std::move(replica), std::move(database)});
  return {owned, owned->database.get()};
}

Error is_unknown(const std::string& tenant) {
  return {ErrorCode::not_found,
          "the tenant \"" + tenant +
              "\" has no database: correct the name, or make the database by a writing transaction "
              "with "
              "a token of the role admin, or with a writing token for this namespace",
          {}};
}

}  // namespace

Result<std::shared_ptr<TenantHome>> TenantHome::make(const NodeSettings& settings,
                                                     const std::string& tenant) {
  CAIRN_ASSIGN(auto watch,
               engine::HomeWatch::open(engine::HomeAddress{settings.homes, {}, tenant}.text()));
  CAIRN_ASSIGN(const std::string root, engine::home_name::root(tenant));
  fs::path directory = (settings.directory / root).parent_path();
  return std::shared_ptr<TenantHome>(
      new TenantHome(settings, tenant, std::move(directory), std::move(watch)));
}

// Takes the time before the request as the time of the look, because the answer may be late, and this process may be
// stopped meanwhile.
Result<std::optional<codec::HomeHead>> TenantHome::look() {
  const auto before = looked_at_;
  const auto begin = Clock::now();
  CAIRN_ASSIGN(auto head, watch_.look());
  looked_at_ = begin;
  const std::uint64_t epoch = head ? head->epoch : 0;
  const bool is_new = epoch_ != 0 && epoch != epoch_ && looked_at_ - before < settling_time;
  if (is_new) epoch_since_ = looked_at_;
  epoch_ = epoch;
  is_there_ = head.has_value();
  database_id_ = head ? head->database_id : std::string();
  return head;
}

// If the store does not answer, returns an error, because it is unknown whether this node still
// owns the home.
Result<bool> TenantHome::is_mine() {
  if (!database_ || !Access::core(*database_)->owns_home()) return false;
  if (Clock::now() - looked_at_ < vouching_time) return true;
  CAIRN_ASSIGN(const auto head, look());
  return head && head->owner.opening == opening_;
}

// An owner without an address is not a node but a separate program, which answers no clients.
bool TenantHome::may_take(const codec::HomeHead& head) const {
  const NodeAddress owner = NodeAddress::parse(head.owner.address);
  if (head.owner.opening == 0 || owner.bolt == settings_.self.bolt) return true;
  const Health health = owner.health.empty() ? Health::gone : ask_health(owner.health, health_time);
  if (health != Health::silent) return health == Health::gone;
  return epoch_since_ == Clock::time_point{} || Clock::now() - epoch_since_ > settling_time;
}

Result<std::optional<NodeAddress>> TenantHome::other_owner() {
  const auto begin = Clock::now();
  owner_seen_at_.reset();
  CAIRN_ASSIGN(const auto head, look());
  if (!head || head->deleted_at != 0 || may_take(*head)) return std::optional<NodeAddress>();
  owner_seen_at_ = begin;
  return std::optional(NodeAddress::parse(head->owner.address));
}

void TenantHome::drop() noexcept {
  if (database_) dropped_ = database_;
  database_.reset();
  is_open_.store(replica_ != nullptr);
}

// Takes over the home. Reads the head afterwards, because another node may have taken over the home
// again at once.
Status TenantHome::open() {
  const engine::HomeAddress address{settings_.homes, settings_.self.text(), tenant_};
  if (!dropped_.expired()) return is_leaving(address.name());
  std::error_code problem;
  fs::create_directories(directory_.parent_path(), problem);
  if (problem)
    return Error{ErrorCode::io_error,
                 "cannot create the directory " + directory_.parent_path().string() + ": " +
                     problem.message(),
                 {}};
  Options options;
  options.home = address.text();
  options.home_history = settings_.home_history;
  options.memory_bytes = settings_.home_memory_bytes;
  options.vector_memory_bytes = 0;
  CAIRN_ASSIGN(Database database, Database::open(directory_, options));
  database_ = std::make_shared<Database>(std::move(database));
  const auto head = look();
  const bool is_own = head && *head && (*head)->owner.address == settings_.self.text();
  if (!is_own) {
    drop();
    return head ? is_leaving(address.name()) : head.error();
  }
  opening_ = (*head)->owner.opening;
  return {};
}

// other_owner() has read the head.
Status TenantHome::take(bolt::MayMake may_make) {
  if (!is_there_ && may_make == bolt::MayMake::no) return is_unknown(tenant_);
  replica_.reset();
  is_open_.store(false);
  CAIRN_TRY(settings_.make_room(is_open_));
  const Status opened = open();
  is_open_.store(database_ != nullptr);
  return opened;
}

Status TenantHome::open_replica() {
  FollowerOptions options;
  options.memory_bytes = settings_.home_memory_bytes;
  options.most_states = most_replica_states;
  CAIRN_ASSIGN(auto replica,
               HomeFollower::open(engine::HomeAddress{settings_.homes, {}, tenant_}.text(),
                                  fs::path(directory_) += replica_suffix, options));
  replica_ = std::make_shared<HomeFollower>(std::move(replica));
  last_replica_ = replica_;
  return {};
}

// If the previous replica is still read, it is used again, because it has the directory.
Result<std::shared_ptr<HomeFollower>> TenantHome::replica() {
  if (replica_) return replica_;
  CAIRN_TRY(settings_.make_room(is_open_));
  replica_ = last_replica_.lock();
  const Status opened = replica_ ? Status() : open_replica();
  is_open_.store(replica_ != nullptr);
  if (!opened) return opened.error();
  return replica_;
}

// A read needs only the commits that its client has seen, and the replica has or waits for these. A client that has
// seen only other databases may have seen a newer home of this tenant, so then the owner is asked.
bool TenantHome::may_read_on(const bolt::TenantEntry& entry) const {
  const bool knows_it = std::ranges::any_of(
      entry.seen, [this](const bolt::SeenCommit& each) { return each.database == database_id_; });
  return (knows_it || entry.seen.empty()) && entry.is_reading && replica_ && owner_seen_at_ &&
         Clock::now() - *owner_seen_at_ < vouching_time;
}

std::uint64_t TenantHome::last_seen(const std::vector<bolt::SeenCommit>& seen) const {
  std::uint64_t last = 0;
  for (const bolt::SeenCommit& each : seen)
    if (each.database == database_id_) last = std::max(last, each.commit);
  return last;
}

// Reads a replica without the mutex, because the read may wait for a commit. The replica stays open as long as one of its
// states is read. After an error, the next read looks again who owns the home.
Result<bolt::TenantPlace> TenantHome::enter(const bolt::TenantEntry& entry) {
  std::unique_lock lock(mutex_);
  last_use_.store(Clock::now());
  CAIRN_ASSIGN(const bool has_it, is_mine());
  if (has_it) return bolt::TenantPlace{database_, settings_.self.bolt};
  drop();
  if (!may_read_on(entry)) {
    CAIRN_ASSIGN(auto owner, other_owner());
    if (owner && !entry.is_reading) return bolt::TenantPlace{nullptr, std::move(owner->bolt)};
    if (!owner) {
      CAIRN_TRY(take(entry.may_make));
      return bolt::TenantPlace{database_, settings_.self.bolt};
    }
  }
  CAIRN_ASSIGN(const auto replica, this->replica());
  const std::uint64_t seen = last_seen(entry.seen);
  lock.unlock();
  auto read = replica->read({.at_least = seen});
  if (!read) {
    lock.lock();
    owner_seen_at_.reset();
    return read.error();
  }
  return bolt::TenantPlace{beside(replica, std::move(read->database)), settings_.self.bolt};
}

Result<std::string> TenantHome::server() {
  const std::lock_guard lock(mutex_);
  CAIRN_ASSIGN(const bool has_it, is_mine());
  if (has_it) return settings_.self.bolt;
  CAIRN_ASSIGN(auto owner, other_owner());
  return owner ? std::move(owner->bolt) : settings_.self.bolt;
}

void TenantHome::close_if_idle() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || replica_.use_count() > 1 || database_.use_count() > 1) return;
  replica_.reset();
  if (!database_) return drop();
  static_cast<void>(database_->close());
  drop();
}

Status TenantHome::close() {
  const std::lock_guard lock(mutex_);
  replica_.reset();
  if (!database_) {
    drop();
    return {};
  }
  const Status closed = database_->close();
  const bool has_failed = !closed && !was_taken();
  drop();
  return has_failed ? closed : Status();
}

// If the store does not answer, returns false.
bool TenantHome::was_taken() {
  const auto head = look();
  return head && (!*head || (*head)->owner.opening != opening_);
}

}  // namespace cairn::query::cluster
