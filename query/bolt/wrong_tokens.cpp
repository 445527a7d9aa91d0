#include "query/bolt/wrong_tokens.hpp"

#include <algorithm>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t most_addresses = 4'096;
constexpr std::chrono::minutes remembered{1};

}  // namespace

bool WrongTokens::is_refused(const std::string& address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  forget_old(now);
  const auto found = tries_.find(address);
  return found != tries_.end() && found->second.size() >= most_;
}

// Attempts beyond the limit add no information, so only the latest ones are stored.
void WrongTokens::note(const std::string& address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  forget_old(now);
  auto& tries = tries_[address];
  tries.push_back(now);
  if (tries.size() > std::max<std::size_t>(most_, 1)) tries.erase(tries.begin());
  if (tries_.size() <= most_addresses) return;
  const auto latest = [](const auto& entry) { return entry.second.back(); };
  tries_.erase(std::ranges::min_element(tries_, {}, latest));
}

// Precondition: the caller holds the mutex.
void WrongTokens::forget_old(Clock::time_point now) {
  const auto is_old = [now](Clock::time_point tried) { return now - tried >= remembered; };
  for (auto& [address, tries] : tries_) std::erase_if(tries, is_old);
  std::erase_if(tries_, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace cairn::query::bolt
