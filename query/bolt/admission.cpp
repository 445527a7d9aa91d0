#include "query/bolt/admission.hpp"

#include <unistd.h>

#include <algorithm>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t most_addresses = 4'096;
constexpr std::chrono::minutes remembered{1};

}  // namespace

std::optional<Error> refused_in_crowd(const std::vector<std::string>& peers,
                                      const std::string& peer, std::size_t most) {
  const std::size_t share = std::max<std::size_t>(most / 3, 1);
  std::map<std::string, std::size_t> counts;
  for (const std::string& one : peers) ++counts[one];
  const std::string host =
      "process " + std::to_string(::getpid()) + ", which has the database open,";
  if (peer != "0" && counts[peer] >= share)
    return Error{ErrorCode::resource_limit,
                 host + " serves " + std::to_string(share) + " connections of process " + peer +
                     " and no more: each open transaction, snapshot and unread result uses one; "
                     "end some of these",
                 {}};
  if (peers.size() < most) return std::nullopt;
  const auto largest =
      std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  return Error{ErrorCode::resource_limit,
               host + " serves " + std::to_string(most) + " connections and no more; " +
                   std::to_string(largest->second) + " of them belong to " +
                   (largest->first == "0" ? "processes of other containers: end those"
                                          : "process " + largest->first + ": end that process") +
                   ", or its transactions, snapshots and unread results",
               {}};
}

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
