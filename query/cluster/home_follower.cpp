// A follower has one directory for each state that somebody still reads. New commits make the next one beside it.
#include "codec/byte_io.hpp"
#include "engine/database/followed_state.hpp"
#include "engine/store/lock_file.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/system/waking_clock.hpp"

#include <cairn/follower.hpp>

#include <algorithm>
#include <mutex>
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

constexpr const char* states_of_follower = "states";
/// A commit that is not there yet is looked for again after this.
constexpr milliseconds first_pause{10};
/// So long after a look that failed nobody looks again. Readers that waited for it would else fail one after the other.
constexpr milliseconds pause_after_failure{250};
/// So many commits are applied to the files of one checkpoint; then the newest checkpoint is fetched.
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

/// True if the store or the disk may answer the next time.
bool is_of_store(const Error& error) {
  return error.code == ErrorCode::busy || error.code == ErrorCode::io_error;
}

/// Records without a number are pieces of the next commit.
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
  /// A directory that goes away with it, and the database in it.
  struct State {
    State(fs::path made, std::shared_ptr<const engine::LockFile> held)
        : lock(std::move(held)), directory(std::move(made)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
      database.reset();
      std::error_code ignored;
      fs::remove_all(directory, ignored);
    }
    const std::shared_ptr<const engine::LockFile> lock;  // owners: the follower and its states
    const fs::path directory;
    std::optional<Database> database;
    std::uint64_t commit = 0;
  };

  Impl(std::string_view address, fs::path states, const FollowerOptions& options,
       engine::LockFile lock)
      : address_(address),
        states_(std::move(states)),
        options_{options.memory_bytes, engine::bounded(options.look_interval)},
        lock_(std::make_shared<engine::LockFile>(std::move(lock))) {}

  [[nodiscard]] std::shared_ptr<State> next_state();
  /// Fetches the newest state.
  [[nodiscard]] Status fetch();
  /// Makes the newest state the current one. Afterwards looked_at_ is the time at which the call began, unless there were too
  /// many commits for one call.
  [[nodiscard]] Status look();
  [[nodiscard]] Status advance(const std::vector<codec::CommitRecord>& records);
  [[nodiscard]] Status open_database(State& state) const;
  /// True if a look is due for a read that began at `begin`, and has waited for `waited` since it asked last.
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
  std::mutex
      mutex_;  // guards what follows; held during a look, which so serves all who wait for it
  std::unique_ptr<engine::Home> home_;
  codec::HomePlace next_;      // the slot behind the current state
  std::uint64_t applied_ = 0;  // commits since the last fetch
  std::uint64_t made_ = 0;     // number of states
  std::shared_ptr<State> state_;
  Clock::time_point looked_at_;
  std::optional<Error> failure_;  // of the last look
  Clock::time_point failed_at_;
};

Result<std::unique_ptr<HomeFollower::Impl>> HomeFollower::Impl::open(
    std::string_view address, const fs::path& directory, const FollowerOptions& options) {
  std::error_code problem;
  fs::create_directories(directory, problem);
  CAIRN_ASSIGN(auto lock,
               engine::LockFile::take(directory / "LOCK", engine::LockFile::Sharing::exclusive));
  CAIRN_TRY(make_empty(directory / states_of_follower));
  std::unique_ptr<Impl> impl(
      new Impl(address, directory / states_of_follower, options, std::move(lock)));
  CAIRN_TRY(impl->fetch());
  return impl;
}

auto HomeFollower::Impl::next_state() -> std::shared_ptr<State> {
  return std::make_shared<State>(states_ / std::to_string(++made_), lock_);
}

Status HomeFollower::Impl::open_database(State& state) const {
  Options options;
  options.mode = OpenMode::read_only;
  options.memory_bytes = options_.memory_bytes;
  CAIRN_ASSIGN(state.database, Database::open(state.directory, options));
  return {};
}

Status HomeFollower::Impl::fetch() {
  const auto begin = Clock::now();
  auto state = next_state();
  CAIRN_ASSIGN(auto fetched, engine::fetch_followed(address_, state->directory));
  CAIRN_TRY(open_database(*state));
  state->commit = fetched.commit;
  home_ = std::move(fetched.home);
  next_ = fetched.next;
  state_ = std::move(state);
  applied_ = 0;
  looked_at_ = begin;
  return {};
}

Status HomeFollower::Impl::advance(const std::vector<codec::CommitRecord>& records) {
  auto state = next_state();
  CAIRN_ASSIGN(state->commit,
               engine::advance_followed(state_->directory, state->directory, records));
  if (state->commit != records.back().commit)
    return codec::corruption("the home " + address_ + " has commits that do not follow each other");
  CAIRN_TRY(open_database(*state));
  state_ = std::move(state);
  applied_ += records.size();
  return {};
}

Status HomeFollower::Impl::look() {
  const auto begin = Clock::now();
  CAIRN_ASSIGN(auto news, home_->read_on(next_));
  if (!news) return fetch();
  leave_pieces(news->records, news->next);
  if (applied_ + news->records.size() > most_applied) return fetch();
  if (!news->records.empty()) CAIRN_TRY(advance(news->records));
  next_ = news->next;
  if (news->is_newest) looked_at_ = begin;
  return {};
}

// A look of another reader that waits serves this one too.
bool HomeFollower::Impl::is_due(const ReadContract& contract, Clock::time_point begin,
                                milliseconds waited) const {
  const auto now = Clock::now();
  if (failure_ && now - failed_at_ < pause_after_failure) return false;
  if (!is_young(contract, begin)) return true;
  if (state_->commit < contract.at_least)
    return looked_at_ < begin || (waited.count() > 0 && now - looked_at_ >= waited);
  return now - looked_at_ > options_.look_interval;
}

// What was acknowledged before a look began is in the state that it left.
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
  if (failure_) message += "; the store: " + failure_->message;
  message += "; try again, or read at the owner";
  return {ErrorCode::busy, std::move(message), {}};
}

FollowedDatabase HomeFollower::Impl::current() const {
  const auto age = std::chrono::ceil<milliseconds>(Clock::now() - looked_at_);
  return {std::shared_ptr<Database>(state_, &*state_->database), state_->commit, age};
}

// A store that does not answer matters only to a reader whose demands are not met.
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
        if (!looked && !is_of_store(looked.error())) return looked.error();
        if (!looked) {
          failure_ = looked.error();
          failed_at_ = Clock::now();
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
