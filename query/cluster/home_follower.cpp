// A follower keeps one copy of the home, an open store that gets the commits as they appear. A state is a database that sees
// the store as of one commit. A copy that cannot be advanced any more is replaced by a new copy in another directory. The
// old copy is erased when nobody reads its states.
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/database/followed_state.hpp"
#include "engine/database/local_handles.hpp"
#include "engine/store/lock_file.hpp"
#include "engine/store/lock_place.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/system/process.hpp"
#include "engine/system/waking_clock.hpp"
#include "query/cluster/left_replicas.hpp"
#include "query/memory_calls/install.hpp"

#include <cairn/follower.hpp>

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cairn {

namespace {

namespace fs = std::filesystem;
using Clock = engine::WakingClock;
using std::chrono::milliseconds;

using query::cluster::copies_of_follower;
/// The first pause before another look for a commit that has not appeared yet.
constexpr milliseconds first_pause{10};
/// The pause after a failed look at the home. Without a pause, all readers that waited for this look would look again,
/// one after the other, and fail too.
constexpr milliseconds pause_after_failure{250};
/// The most commits that are applied to the files of one checkpoint. Beyond this number, the newest checkpoint is
/// fetched, because it has newer vector files.
constexpr std::uint64_t most_applied = 10'000;

Status make_empty(const fs::path& directory) {
  std::error_code problem;
  fs::remove_all(directory, problem);
  if (!problem) fs::create_directories(directory, problem);
  if (!problem) return {};
  return Error{ErrorCode::io_error,
               "cannot make the directory " + directory.string() + ": " + problem.message(),
               {}};
}

/// True if a later attempt may succeed, because the fault is one of the object store or of the disk.
bool may_pass(const Error& error) {
  return error.code == ErrorCode::busy || error.code == ErrorCode::io_error ||
         error.code == ErrorCode::resource_limit;
}

/// Removes the pieces of an incomplete commit from the end. Such records have no number.
void leave_pieces(std::vector<codec::CommitRecord>& records, codec::HomePlace& next) {
  while (!records.empty() && records.back().commit == 0) {
    next = {records.back().epoch, records.back().slot};
    records.pop_back();
  }
}

}  // namespace

class HomeFollower::Impl {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open(std::string_view address,
                                                          const fs::path& directory,
                                                          const FollowerOptions& options);
  [[nodiscard]] Result<FollowedDatabase> read(const ReadContract& contract);

 private:
  /// A copy of the home. The destructor erases its directory.
  struct Copy {
    Copy(fs::path made, const Impl& owner)
        : lock(owner.lock_), place(owner.place_), directory(std::move(made)) {}
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    // In a forked child the files are those of the parent, and the store has no threads. In a directory that was replaced
    // they may belong to another follower.
    ~Copy() {
      if (!process.is_this()) {
        static_cast<void>(store.release());
        return;
      }
      store.reset();
      std::error_code ignored;
      if (place && place->is_in_place()) fs::remove_all(directory, ignored);
    }
    const std::shared_ptr<const engine::LockFile> lock;  // owners: the follower and its copies
    const std::optional<engine::LockPlace> place;
    const fs::path directory;
    const engine::Process process;  // that made the copy
    std::unique_ptr<engine::RocksStore> store;
  };
  /// A commit of a copy, and the database that sees it.
  struct State {
    std::shared_ptr<Copy> copy;  // owners: the follower and the states; outlives the database
    std::uint64_t commit = 0;
    std::optional<Database> database;
  };

  Impl(std::string_view address, fs::path states, const FollowerOptions& options,
       engine::LockFile lock)
      : address_(address),
        states_(std::move(states)),
        options_{options.memory_bytes, engine::bounded(options.look_interval), options.most_states},
        lock_(std::make_shared<engine::LockFile>(std::move(lock))),
        place_(engine::LockPlace::of(states_.parent_path() / query::cluster::lock_of_follower)) {}

  /// Errors: io_error if the directory was deleted or replaced: then nothing may be written by its path.
  [[nodiscard]] Status check_place() const;
  /// Fetches the newest state as another copy, and shows it.
  [[nodiscard]] Status fetch();
  /// Makes the newest state the current one. Sets looked_at_ to the time at which the call began, unless there were too many
  /// commits for one call.
  [[nodiscard]] Status look();
  /// Adds commits to the copy. If the disk is full, the copy stays, and next_ is the slot of the first commit that was
  /// not added. After any other error, the copy is not used any more.
  [[nodiscard]] Status advance(const std::vector<codec::CommitRecord>& records);
  /// Makes the newest commit of the copy the current state. Errors: busy if readers hold too many states.
  [[nodiscard]] Status show();
  [[nodiscard]] Status check_room();
  [[nodiscard]] Result<Database> open_database() const;
  /// True if a look is due for a read that began at `begin`, and that has waited for `waited` since its last call of
  /// this function.
  [[nodiscard]] bool is_due(const ReadContract& contract, Clock::time_point begin,
                            milliseconds waited) const;
  [[nodiscard]] bool is_young(const ReadContract& contract, Clock::time_point begin) const;
  [[nodiscard]] bool meets(const ReadContract& contract, Clock::time_point begin) const;
  [[nodiscard]] Error unmet(const ReadContract& contract) const;
  [[nodiscard]] FollowedDatabase current() const;

  const std::string address_;
  const fs::path states_;
  const FollowerOptions options_;
  const std::shared_ptr<const engine::LockFile> lock_;
  const std::optional<engine::LockPlace> place_;
  std::mutex mutex_;  // guards the members below; held while a look serves all waiting readers
  std::unique_ptr<engine::Home> home_;
  std::shared_ptr<Copy> copy_;  // nullptr after an advance that failed
  std::uint64_t copied_ = 0;    // the newest commit of copy_
  codec::HomePlace next_;       // the slot after that commit
  std::uint64_t applied_ = 0;   // commits since the last fetch
  std::uint64_t made_ = 0;      // number of copies
  std::shared_ptr<State> state_;
  std::vector<std::weak_ptr<State>> states_open_;  // state_, and older states that are still read
  Clock::time_point looked_at_;
  std::optional<Error> failure_;  // of the last look
  Clock::time_point failed_at_;
};

Result<std::unique_ptr<HomeFollower::Impl>> HomeFollower::Impl::open(
    std::string_view address, const fs::path& directory, const FollowerOptions& options) {
  std::error_code problem;
  fs::create_directories(directory, problem);
  CAIRN_ASSIGN(auto lock, engine::LockFile::take(directory / query::cluster::lock_of_follower,
                                                 engine::LockFile::Sharing::exclusive));
  CAIRN_TRY(make_empty(directory / copies_of_follower));
  std::unique_ptr<Impl> impl(
      new Impl(address, directory / copies_of_follower, options, std::move(lock)));
  CAIRN_TRY(impl->fetch());
  return impl;
}

Result<Database> HomeFollower::Impl::open_database() const {
  Options options;
  options.mode = OpenMode::read_only;
  options.memory_bytes = options_.memory_bytes;
  options.vector_memory_bytes = 0;  // mapped, as the files of a copy never change
  CAIRN_ASSIGN(auto core,
               engine::Core::open_fixed(copy_->directory, options, copy_->store->fixed()));
  Database database = Access::handle(std::make_shared<LocalDatabase>(std::move(core)));
  query::install_memory_calls(database, nullptr, {});
  return database;
}

Status HomeFollower::Impl::check_place() const {
  if (place_ && place_->is_in_place()) return {};
  return Error{ErrorCode::io_error,
               "directory " + states_.parent_path().string() +
                   " of the replica was deleted or replaced while process " +
                   std::to_string(engine::process_id()) +
                   " has it open; nothing more is written; open the replica again",
               {}};
}

Status HomeFollower::Impl::fetch() {
  const auto begin = Clock::now();
  auto copy = std::make_shared<Copy>(states_ / std::to_string(++made_), *this);
  engine::StoreOptions settings;
  settings.memory_bytes = options_.memory_bytes;
  CAIRN_ASSIGN(auto fetched, engine::fetch_followed(address_, copy->directory, settings));
  copy->store = std::move(fetched.store);
  copy_ = std::move(copy);
  copied_ = fetched.commit;
  home_ = std::move(fetched.home);
  next_ = fetched.next;
  applied_ = 0;
  CAIRN_TRY(show());
  looked_at_ = begin;
  return {};
}

Status HomeFollower::Impl::advance(const std::vector<codec::CommitRecord>& records) {
  const engine::FollowedAdvance advanced = engine::advance_followed(*copy_->store, records);
  for (const codec::CommitRecord& record : std::span(records).first(advanced.records))
    if (record.commit != 0) copied_ = record.commit;
  applied_ += advanced.records;
  if (advanced.status) return {};
  const bool is_full = advanced.status.error().code == ErrorCode::resource_limit;
  if (!is_full || copy_->store->has_failed()) copy_.reset();
  if (advanced.records < records.size())
    next_ = {records[advanced.records].epoch, records[advanced.records].slot};
  return advanced.status;
}

// A current state that nobody reads does not count, because the next state replaces it.
Status HomeFollower::Impl::check_room() {
  std::erase_if(states_open_, [](const auto& state) { return state.expired(); });
  const std::size_t unread = state_.use_count() == 1 ? 1 : 0;
  const std::size_t read = states_open_.size() - unread;
  if (read < std::max<std::size_t>(options_.most_states, 1)) return {};
  return Error{ErrorCode::busy,
               "readers hold " + std::to_string(read) + " states of the replica of " + address_ +
                   ", and the follower opens no more (FollowerOptions::most_states); end their "
                   "transactions, "
                   "or read at the owner",
               {}};
}

Status HomeFollower::Impl::show() {
  if (state_ && state_->copy == copy_ && state_->commit == copied_) return {};
  CAIRN_TRY(check_room());
  CAIRN_ASSIGN(Database database, open_database());
  state_ = std::make_shared<State>(State{copy_, copied_, std::move(database)});
  states_open_.push_back(state_);
  return {};
}

// Also shows a state that could not be shown before, even if there is no new commit.
Status HomeFollower::Impl::look() {
  CAIRN_TRY(check_place());
  if (!copy_) return fetch();
  const auto begin = Clock::now();
  CAIRN_ASSIGN(auto news, home_->read_on(next_));
  if (!news) return fetch();
  leave_pieces(news->records, news->next);
  if (applied_ + news->records.size() > most_applied) return fetch();
  if (!news->records.empty()) CAIRN_TRY(advance(news->records));
  next_ = news->next;
  CAIRN_TRY(show());
  if (news->is_newest) looked_at_ = begin;
  return {};
}

// A look that another reader has made since `begin` counts for this reader too.
bool HomeFollower::Impl::is_due(const ReadContract& contract, Clock::time_point begin,
                                milliseconds waited) const {
  const auto now = Clock::now();
  if (failure_ && now - failed_at_ < pause_after_failure) return false;
  if (!is_young(contract, begin)) return true;
  if (state_->commit < contract.at_least)
    return looked_at_ < begin || (waited.count() > 0 && now - looked_at_ >= waited);
  return now - looked_at_ > options_.look_interval;
}

// The state after a look contains everything that was acknowledged before the look began.
bool HomeFollower::Impl::is_young(const ReadContract& contract, Clock::time_point begin) const {
  return !contract.max_staleness || looked_at_ >= begin - engine::bounded(*contract.max_staleness);
}

bool HomeFollower::Impl::meets(const ReadContract& contract, Clock::time_point begin) const {
  return state_->commit >= contract.at_least && is_young(contract, begin);
}

Error HomeFollower::Impl::unmet(const ReadContract& contract) const {
  std::string message = "the replica of " + address_ + " has commits up to " +
                        std::to_string(state_->commit) + ", and the read demands ";
  message += state_->commit < contract.at_least
                 ? "commit " + std::to_string(contract.at_least)
                 : "all of " + std::to_string(contract.max_staleness->count()) + " ms ago";
  if (failure_) message += "; the last look failed: " + failure_->message;
  message += "; try again, or read at the owner";
  return {ErrorCode::busy, std::move(message), {}};
}

FollowedDatabase HomeFollower::Impl::current() const {
  const auto age = std::chrono::ceil<milliseconds>(Clock::now() - looked_at_);
  return {std::shared_ptr<Database>(state_, &*state_->database), state_->commit, age};
}

// If the store does not answer or the disk is full, only readers whose contract the current state does not
// meet get an error.
Result<FollowedDatabase> HomeFollower::Impl::read(const ReadContract& contract) {
  const auto begin = Clock::now();
  const milliseconds patience = engine::bounded(contract.patience);
  const milliseconds longest_pause = std::max(options_.look_interval, first_pause);
  milliseconds pause = first_pause;
  for (milliseconds waited{0};; pause = std::min(2 * pause, longest_pause)) {
    {
      const std::lock_guard lock(mutex_);
      if (is_due(contract, begin, waited)) {
        failure_.reset();
        const Status looked = look();
        if (!looked) {
          failure_ = looked.error();
          failed_at_ = Clock::now();
          if (!may_pass(*failure_)) return *failure_;
        }
      }
      if (meets(contract, begin)) return current();
      if (Clock::now() - begin + pause > patience) return unmet(contract);
    }
    std::this_thread::sleep_for(pause);
    waited = pause;
  }
}

HomeFollower::HomeFollower(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HomeFollower::HomeFollower(HomeFollower&&) noexcept = default;
HomeFollower& HomeFollower::operator=(HomeFollower&&) noexcept = default;
HomeFollower::~HomeFollower() = default;

Result<HomeFollower> HomeFollower::open(std::string_view address, const fs::path& directory,
                                        const FollowerOptions& options) {
  CAIRN_ASSIGN(auto impl, Impl::open(address, directory, options));
  return HomeFollower(std::move(impl));
}

Result<FollowedDatabase> HomeFollower::read(const ReadContract& contract) {
  return impl_->read(contract);
}

}  // namespace cairn
