#include "engine/database/background_expiry.hpp"

#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/system/clock.hpp"
#include "engine/system/within_memory.hpp"

#include <algorithm>
#include <memory>

namespace cairn::engine {
namespace {

using codec::EntityKind;

// Some ten milliseconds of work, for which a writer may have to wait.
constexpr std::size_t records_a_step = 1'000;
// If the writer lock was not free.
constexpr std::chrono::milliseconds retry_after{1'000};

enum class Outcome : std::uint8_t { more, all, busy };

// Checked first, so that a database without expired records never takes the writer lock.
Result<bool> has_expired(Core& core, std::int64_t now, const ExpiryPlace& place) {
  const GraphView view(core.store(), core.cache(), core.state());
  const ExpirySource source{core.store(), view};
  CAIRN_ASSIGN(const auto nodes, expired_between(source, EntityKind::node, place.from[0], now, 1));
  if (!nodes.empty()) return true;
  CAIRN_ASSIGN(const auto relationships,
               expired_between(source, EntityKind::relationship, place.from[1], now, 1));
  return !relationships.empty();
}

Result<Outcome> erase_some(Core& core, ExpiryPlace& place) {
  const std::int64_t now = system_time();
  CAIRN_ASSIGN(const bool is_needed, has_expired(core, now, place));
  if (!is_needed) return Outcome::all;
  // No owner: the thread ends before the core does, and must not be the one to destroy it.
  const std::shared_ptr<Core> borrowed(std::shared_ptr<Core>(), &core);
  const auto writer = TransactionWriter::begin_if_free(borrowed);
  if (writer == nullptr) return Outcome::busy;
  CAIRN_ASSIGN(const std::size_t erased, writer->erase_expired(now, records_a_step, place));
  CAIRN_TRY(writer->commit());
  return erased < records_a_step ? Outcome::all : Outcome::more;
}

Error no_memory() { return {ErrorCode::resource_limit, "the process has no more memory", {}}; }

bool erases_by_itself(const Options& options) {
  return options.mode == OpenMode::read_write && options.expiry_interval.count() > 0;
}

}  // namespace

BackgroundExpiry::BackgroundExpiry(const Options& options)
    : is_on_(erases_by_itself(options)),
      interval_(bounded(options.expiry_interval)),
      due_(Clock::now() + interval_) {}

// An error is dropped here: the next commit or erase_expired() meets it too.
void BackgroundExpiry::step(Core& core) {
  const Clock::time_point begun = Clock::now();
  if (!is_on_ || begun < due_) return;
  const auto outcome = within_memory([&] { return erase_some(core, place_); }, no_memory);
  const Clock::time_point ended = Clock::now();
  if (!outcome || *outcome == Outcome::all) {
    place_ = {};
    due_ = ended + interval_;
  } else if (*outcome == Outcome::more) {
    due_ = ended + (ended - begun);  // half of the time is left to others
  } else {
    due_ = ended + std::min<Clock::duration>(interval_, retry_after);
  }
}

}  // namespace cairn::engine
