// Limits of one statement: time, memory, rows, and a token to cancel it. The executing code checks
// them step by step, and no other thread is involved. So a statement ends between two steps, in a
// consistent state. Each message names the option that would raise the limit.
#include "query/execute/budget.hpp"

#include "engine/system/bounded_duration.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

/// Makes the error for a limit. The message names the member of StatementOptions and the option of
/// the program `cairn`, because only the caller knows whether the statement is worth a higher
/// limit.
Error limit_error(std::string_view name, std::string_view option, const std::string& limit) {
  return {ErrorCode::resource_limit,
          "the statement reached its limit of " + limit + "; raise StatementOptions::" +
              std::string(name) + " (" + std::string(option) + ") if it should go on",
          std::nullopt};
}

constexpr std::size_t lease_bytes = 64 * 1'024;

}  // namespace

bool SharedMemory::take(std::size_t bytes) noexcept {
  std::size_t now = free();
  do {
    if (now < bytes) return false;
  } while (!free_.compare_exchange_weak(now, now - bytes, std::memory_order_relaxed));
  std::size_t least = this->least();
  while (now - bytes < least &&
         !least_.compare_exchange_weak(least, now - bytes, std::memory_order_relaxed)) {
  }
  return true;
}

// Time counts only between resume() and pause(), while rows are computed. The caller's time between
// two rows does not count.
Budget::Budget(const StatementOptions& options)
    : cancel_(options.cancel),
      left_(engine::bounded(options.timeout)),
      limit_(left_),
      resumed_(Clock::now()),
      memory_bytes_(options.memory_bytes),
      leased_bytes_(memory_bytes_),
      max_rows_(options.max_rows) {}

// The time limit of a further thread is that of the statement, whose clock runs meanwhile.
Budget::Budget(const StatementOptions& options, const Budget& whole, SharedMemory& room)
    : cancel_(options.cancel),
      left_(whole.left()),
      limit_(whole.limit_),
      resumed_(Clock::now()),
      memory_bytes_(whole.memory_bytes_),
      leased_bytes_(0),
      max_rows_(whole.max_rows_),
      room_(&room) {}

void Budget::share_memory(SharedMemory& room) noexcept {
  room.set(memory_bytes_ - used_bytes_);
  leased_bytes_ = used_bytes_;
  room_ = &room;
}

// The budget of a further thread returns its leased memory. The budget of the statement has the
// whole limit again.
void Budget::end_sharing() noexcept {
  if (room_ == nullptr) return;
  room_->give_back(leased_bytes_);
  peak_bytes_ = std::max(peak_bytes_, memory_bytes_ - room_->least());
  leased_bytes_ = memory_bytes_;
  room_ = nullptr;
}

Status Budget::lease(std::size_t bytes) {
  CAIRN_TRY(check_room(bytes));
  const std::size_t missing = used_bytes_ + bytes - leased_bytes_;
  const std::size_t wanted = std::max(missing, lease_bytes);
  const std::size_t taken = room_->take(wanted) ? wanted : missing;
  if (taken != wanted && !room_->take(taken)) return no_room();
  leased_bytes_ += taken;
  return {};
}

void Budget::return_lease() noexcept {
  if (leased_bytes_ - used_bytes_ <= 4 * lease_bytes) return;
  const std::size_t given = leased_bytes_ - used_bytes_ - lease_bytes;
  leased_bytes_ -= given;
  room_->give_back(given);
}

void Budget::resume() { resumed_ = Clock::now(); }

void Budget::pause() { left_ -= Clock::now() - resumed_; }

// step() calls this only after enough steps, because reading the clock costs more than a row.
// Cancellation is checked before the clock, so that a cancelled statement reports the cancellation.
Status Budget::check() {
  // A parameter may contain a list twice, this list another list twice, and so on. A walk over such
  // a value takes exponential time, so a single step() with too many steps is an error.
  constexpr std::uint64_t most_at_once = std::uint64_t{1} << 22;  // 4 GiB at 1 KiB per step
  const bool is_endless = std::exchange(steps_, 0) > most_at_once;
  if (is_endless)
    return Error{
        ErrorCode::resource_limit,
        "a value is too large to process: a list or map that it contains several times counts each "
        "time; pass a parameter without such repetition",
        {}};
  if (cancel_.stop_requested())
    return Error{ErrorCode::cancelled, "the statement was cancelled", std::nullopt};
  if (Clock::now() - resumed_ <= left_) return {};
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(limit_);
  return limit_error("timeout", "--timeout", std::to_string(limit.count()) + " ms");
}

Status Budget::no_room() const {
  return limit_error("memory_bytes", "--memory",
                     std::to_string(memory_bytes_) + " bytes of memory");
}

// Written so that no sum can overflow. Operators report their memory; see holding.cpp.
Status Budget::check_room(std::size_t bytes) const {
  if (bytes <= leased_bytes_ && used_bytes_ <= leased_bytes_ - bytes) return {};
  if (room_ == nullptr || bytes > memory_bytes_) return no_room();
  return used_bytes_ + bytes - leased_bytes_ <= room_->free() ? Status() : no_room();
}

// Shared content takes no additional memory, but code that walks the value visits it each time. So
// this limit bounds the time of any single walk.
Status Budget::check_extent(std::uint64_t bytes) const {
  return bytes <= memory_bytes_ ? Status() : no_room();
}

// A charge that is refused changes nothing, so it must not be released.
Status Budget::charge(std::size_t bytes) {
  if (bytes > leased_bytes_ || used_bytes_ > leased_bytes_ - bytes) {
    if (room_ == nullptr) return no_room();
    CAIRN_TRY(lease(bytes));
  }
  used_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
  return {};
}

// A holder may free content before it calls unshare(). Other content may then have the same
// address. The larger of the two is charged, because only one of them exists.
Status Budget::share(const void* content, std::uint64_t identity, std::size_t bytes) {
  Shared& shared = shared_[content];
  if (bytes > shared.bytes) {
    const Status charged = charge(bytes - shared.bytes);
    if (!charged && shared.keepers == 0) shared_.erase(content);
    CAIRN_TRY(charged);
    shared.bytes = bytes;
  }
  shared.identity = identity;
  ++shared.keepers;
  return {};
}

// The identity differs if the address was freed and reused in the meantime.
std::size_t Budget::share_again(const void* content, std::uint64_t identity) noexcept {
  const auto found = shared_.find(content);
  if (found == shared_.end() || found->second.identity != identity) return 0;
  ++found->second.keepers;
  return found->second.bytes;
}

bool Budget::knows(const void* content, std::uint64_t identity) const noexcept {
  const auto found = shared_.find(content);
  return found != shared_.end() && found->second.identity == identity;
}

// The content may be freed already, so only its address is used.
void Budget::unshare(const void* content) noexcept {
  const auto found = shared_.find(content);
  if (found == shared_.end() || --found->second.keepers > 0) return;
  release(found->second.bytes);
  shared_.erase(found);
}

// Counts rows returned to the caller, not intermediate rows.
Status Budget::count_row() {
  if (++rows_ <= max_rows_) return {};
  return limit_error("max_rows", "--max-rows", std::to_string(max_rows_) + " rows");
}

}  // namespace cairn::query
