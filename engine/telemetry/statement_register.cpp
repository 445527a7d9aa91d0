// The register has pointers to the statements that run. A statement enters and leaves it under a lock, and reports
// itself only on request.

#include "engine/telemetry/statement_register.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {

std::vector<ListedStatement> StatementRegister::list(const NameSpaces& caller) const {
  const std::lock_guard lock(mutex_);
  std::vector<ListedStatement> listed;
  for (const Place* place : running_)
    if (place->is_seen_by(caller)) listed.push_back(place->listed());
  return listed;
}

std::optional<ListedStatement> StatementRegister::stop(std::uint64_t number,
                                                       const NameSpaces& caller) {
  std::stop_source source(std::nostopstate);
  std::optional<ListedStatement> listed;
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find(running_, number, [](const Place* one) { return one->number_; });
    if (found == running_.end() || !(*found)->is_seen_by(caller)) return std::nullopt;
    source = (*found)->stop_;
    (*found)->was_ended_ = true;
    listed = (*found)->listed();
  }
  // Outside of the lock, because this runs what waits for the stop.
  source.request_stop();
  return listed;
}

// The callback is made with the token of the caller before the statement gets the new one.
StatementRegister::Place::Place(StatementRegister* all, std::string_view text,
                                StatementOptions& options)
    : all_(all),
      text_(text),
      options_(options),
      stop_(all != nullptr ? std::stop_source() : std::stop_source(std::nostopstate)),
      asked_(options.cancel, Forward{&stop_}) {
  if (all_ == nullptr) return;
  options.cancel = stop_.get_token();
  started_ = std::chrono::steady_clock::now();
  started_at_ = std::chrono::duration_cast<std::chrono::microseconds>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
  const std::lock_guard lock(all_->mutex_);
  number_ = ++all_->last_number_;
  all_->running_.push_back(this);
}

StatementRegister::Place::~Place() { leave(); }

bool StatementRegister::Place::leave() noexcept {
  StatementRegister* const all = std::exchange(all_, nullptr);
  if (all == nullptr) return was_ended_;
  const std::lock_guard lock(all->mutex_);
  std::erase(all->running_, this);
  return was_ended_;
}

// A caller sees a statement only if it may use every namespace that the statement may use.
bool StatementRegister::Place::is_seen_by(const NameSpaces& caller) const {
  if (!caller) return true;
  const NameSpaces& own = options_.listed_name_spaces;
  const auto may_use = [&](const std::string& name) {
    return std::ranges::find(*caller, name) != caller->end();
  };
  return own && may_use(options_.name_space) && std::ranges::all_of(*own, may_use);
}

ListedStatement StatementRegister::Place::listed() const {
  return {number_,
          std::string(text_),
          options_.caller.empty() ? options_.author : options_.caller,
          options_.name_space,
          started_at_,
          std::chrono::steady_clock::now() - started_,
          stop_.stop_requested()};
}

}  // namespace cairn::engine
