// Limits of one statement: time, memory, rows, and a token to stop it. They are checked where work
// is done, step by step, and not by a thread beside it: a statement is ended between two steps,
// with everything in order. Each message names the option that would raise the limit.
#include "query/execute/budget.hpp"

#include "engine/system/bounded_duration.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

/// Names the option that a caller can raise, as only the caller knows whether the statement is
/// worth it.
/// `option` is that of the program `cairn`.
Error limit_error(std::string_view name, std::string_view option, const std::string& limit) {
  return {ErrorCode::resource_limit,
          "the statement reached its limit of " + limit + "; raise StatementOptions::" +
              std::string(name) + " (" + std::string(option) + ") if it should go on",
          std::nullopt};
}

}  // namespace

// Time runs only between resume() and pause(), while rows are being made: what a caller does
// between two rows is not the statement's.
Budget::Budget(const StatementOptions& options)
    : cancel_(options.cancel),
      left_(engine::bounded(options.timeout)),
      limit_(left_),
      resumed_(Clock::now()),
      memory_bytes_(options.memory_bytes),
      max_rows_(options.max_rows) {}

void Budget::resume() { resumed_ = Clock::now(); }

void Budget::pause() { left_ -= Clock::now() - resumed_; }

// A stop request comes before the clock: who cancels wants to hear just that.
// Called by step() once enough steps have come together, for a look at the clock costs more than a
// row.
Status Budget::check() {
  // A parameter may hold a list twice that holds another one twice, and so on: no walk over that ends.
  constexpr std::uint64_t most_at_once = std::uint64_t{1} << 22;  // 4 GiB
  const bool is_endless = std::exchange(steps_, 0) > most_at_once;
  if (is_endless)
    return Error{
        ErrorCode::resource_limit,
        "a value is too large to be walked, as what its parts share counts each time; pass a "
        "parameter without parts that share others",
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

// Written so that no sum can overflow. Memory is what operators tell; see holding.cpp.
Status Budget::check_room(std::size_t bytes) const {
  if (bytes <= memory_bytes_ && used_bytes_ <= memory_bytes_ - bytes) return {};
  return no_room();
}

// No memory is taken for what is shared, but code that walks the value comes to all of it: this
// bounds the time of any one walk.
Status Budget::check_extent(std::uint64_t bytes) const {
  return bytes <= memory_bytes_ ? Status() : no_room();
}

// Nothing is charged without room for it, so that a refused charge need not be released.
Status Budget::charge(std::size_t bytes) {
  CAIRN_TRY(check_room(bytes));
  used_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
  return {};
}

// A keeper may let content go before its hold on it: another may stand at the address by then, and
// the larger of the two is charged, as only one of them is there.
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

void Budget::unshare(const void* content) noexcept {
  const auto found = shared_.find(content);
  if (found == shared_.end() || --found->second.keepers > 0) return;
  release(found->second.bytes);
  shared_.erase(found);
}

// Rows that are handed out, not those in between.
Status Budget::count_row() {
  if (++rows_ <= max_rows_) return {};
  return limit_error("max_rows", "--max-rows", std::to_string(max_rows_) + " rows");
}

}  // namespace cairn::query
