// The maintenance thread of an open database. It waits for two kinds of work:
//
// - A commit has left an index to build or save, or a home a checkpoint: it builds and saves vector segments.
// - Options::expiry_interval has passed: it erases expired records, in short transactions that take the writer lock only if
//   nobody holds it or waits for it. After 60 times the interval, which is an hour by default, it erases the entries of
//   clients that are too old.
#include "engine/database/client_entries.hpp"
#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/home/home.hpp"
#include "engine/segment/segment_set.hpp"
#include "engine/store/background_threads.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/system/clock.hpp"
#include "engine/system/within_memory.hpp"
#include "engine/write/expired_records.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <system_error>

namespace cairn::engine {
namespace {

using codec::EntityKind;

/// Records that a step erases at most: about ten milliseconds of work, for which a writer may have to wait.
constexpr std::size_t records_a_step = 1'000;
/// When to try again if the writer lock was not free.
constexpr std::chrono::milliseconds retry_after{1'000};

/// How often old entries of clients are erased.
std::chrono::milliseconds between_looks(const Options& options) {
  constexpr int intervals = 60;
  constexpr std::chrono::milliseconds most = std::chrono::hours(24) * 365;
  return intervals * std::min(bounded(options.expiry_interval), most);
}

/// The result of a step: more records may be expired, all expired records are erased, or the writer lock was not free.
enum class Outcome : std::uint8_t { more, all, busy };

/// True if there are expired records. Checked first, so that a database without any never takes the writer lock.
Result<bool> has_expired(Core& core, std::int64_t now, const ExpiryPlace& place) {
  const GraphView view(core.store(), core.cache(), core.state());
  const ExpirySource source{core.store(), view};
  CAIRN_ASSIGN(const auto nodes, expired_between(source, EntityKind::node, place.from[0], now, 1));
  if (!nodes.empty()) return true;
  CAIRN_ASSIGN(const auto relationships,
               expired_between(source, EntityKind::relationship, place.from[1], now, 1));
  return !relationships.empty();
}

/// Erases up to `records_a_step` expired records in one transaction. `place` is where the search continues in the next step.
Result<Outcome> erase_some(Core& core, ExpiryPlace& place) {
  const std::int64_t now = system_time();
  CAIRN_ASSIGN(const bool is_needed, has_expired(core, now, place));
  if (!is_needed) return Outcome::all;
  // A pointer that does not own the core: the maintenance thread must not destroy the core, which waits for this thread.
  const std::shared_ptr<Core> borrowed(std::shared_ptr<Core>(), &core);
  const auto writer = TransactionWriter::begin_if_free(borrowed);
  if (writer == nullptr) return Outcome::busy;
  CAIRN_ASSIGN(const ErasedRecords erased, writer->erase_expired(now, records_a_step, place));
  CAIRN_TRY(writer->commit());
  return erased.total() < records_a_step ? Outcome::all : Outcome::more;
}

Error no_memory() { return {ErrorCode::resource_limit, "the process has no more memory", {}}; }

bool erases_by_itself(const Options& options) {
  return options.mode == OpenMode::read_write && options.expiry_interval.count() > 0;
}

/// Schedules the steps of erasing expired records. Threads: the maintenance thread only.
class BackgroundExpiry {
 public:
  using Clock = std::chrono::steady_clock;

  /// The first step is due one interval after the construction.
  explicit BackgroundExpiry(const Options& options);

  /// When the next step is due; nullopt if this database never erases in the background.
  [[nodiscard]] std::optional<Clock::time_point> due() const noexcept {
    return is_on_ ? std::optional(due_) : std::nullopt;
  }
  /// Erases records if a step is due, and schedules the next step.
  void step(Core& core);

 private:
  void forget_clients(Core& core);

  bool is_on_;
  Clock::duration interval_;
  Clock::time_point due_;
  Clock::duration between_looks_;
  Clock::time_point clients_due_;
  ExpiryPlace place_;  // where the current run over all expired records continues
};

BackgroundExpiry::BackgroundExpiry(const Options& options)
    : is_on_(erases_by_itself(options)),
      interval_(bounded(options.expiry_interval)),
      due_(Clock::now() + interval_),
      between_looks_(between_looks(options)),
      clients_due_(Clock::now() + between_looks_) {}

void BackgroundExpiry::forget_clients(Core& core) {
  const Clock::time_point now = Clock::now();
  if (now < clients_due_) return;
  clients_due_ = now + between_looks_;
  static_cast<void>(
      within_memory([&] { return forget_old_clients(core, {}, system_time()); }, no_memory));
}

// Errors are ignored: the next commit or erase_expired() will report the same problem to the program.
void BackgroundExpiry::step(Core& core) {
  const Clock::time_point begun = Clock::now();
  if (!is_on_ || begun < due_) return;
  forget_clients(core);
  const auto outcome = within_memory([&] { return erase_some(core, place_); }, no_memory);
  const Clock::time_point ended = Clock::now();
  if (!outcome || *outcome == Outcome::all) {
    place_ = {};
    due_ = ended + interval_;
  } else if (*outcome == Outcome::more) {
    due_ = ended + (ended - begun);  // leaves half of the time to other writers
  } else {
    due_ = ended + std::min<Clock::duration>(interval_, retry_after);
  }
}

}  // namespace

Status Core::start_maintenance() {
  try {
    maintenance_ = std::jthread([this](const std::stop_token& stop) { run_maintenance(stop); });
  } catch (const std::system_error& problem) {
    return no_thread(problem.what());
  }
  return {};
}

std::optional<bool> Core::wait_for_work(const std::stop_token& stop,
                                        std::optional<std::chrono::steady_clock::time_point> due) {
  std::unique_lock lock(maintenance_mutex_);
  const auto has_work = [&] { return work_; };
  const bool woken = due ? work_arrived_.wait_until(lock, stop, *due, has_work)
                         : work_arrived_.wait(lock, stop, has_work);
  if (!woken && stop.stop_requested()) return std::nullopt;
  work_ = false;
  return woken;
}

void Core::run_maintenance(const std::stop_token& stop) {
  BackgroundExpiry expiry(options_);
  while (const auto work = wait_for_work(stop, expiry.due())) {
    if (!stop.stop_requested()) expiry.step(*this);
    if (!*work) continue;
    // A failed build or save only costs speed: the vectors stay in the delta. The next open or checkpoint tries again and
    // reports the error.
    const Status done = within_memory([&] { return maintain(stop); }, no_memory);
    if (!done)
      messages_.tell(
          LogLevel::error, "index",
          "a vector index could not be built or saved in the background: " + done.error().message);
  }
}

Status Core::maintain(const std::stop_token& stop) {
  // Builds at idle priority, so that searches and commits get the processors first.
  BuildThreads workers = [&] { return stop.stop_requested(); };
  workers.is_idle = true;
  workers.hurried = [&] { return hurried_ > 0 || stop.stop_requested(); };
  CAIRN_TRY(seal(workers));
  // The segment is not saved if the thread must end: the checkpoint of close() saves it. Without a checkpoint, the next
  // open rebuilds the segment.
  if (stop.stop_requested()) return {};
  CAIRN_TRY(save_vectors());
  if (!home_ || !home_->is_checkpoint_due()) return {};
  if (const Status shipped = ship_checkpoint(); !shipped)
    messages_.tell(LogLevel::error, "checkpoint",
                   "a checkpoint could not be uploaded to the home: " + shipped.error().message);
  return {};
}

void Core::save_segments() {
  if (store_->has_failed()) return;
  const Status saved =
      within_memory([&] { return segment_files_.save(*state()->segments); }, no_memory);
  if (!saved)
    messages_.tell(LogLevel::warning, "index",
                   "segments could not be saved, and are built again after the next opening: " +
                       saved.error().message);
}

// Wakes the thread if it waits. A running build ends at its next check for a stop. Workers finish their tasks for
// statements on snapshots, however long these run; the destructor of the pool waits for the workers.
void Core::stop_threads() {
  maintenance_.request_stop();
  segment_builder_.stop();
  workers_.stop();
  if (maintenance_.joinable()) maintenance_.join();
}

}  // namespace cairn::engine
