#include "query/attach/commits_under_way.hpp"

#include <algorithm>

namespace cairn::query::attach {

Status CommitsUnderWay::begin(const bolt::CommitNote& note) {
  const std::lock_guard lock(mutex_);
  Client& client = clients_[note.client];
  if (note.count > client.given_up) {
    client.under_way = note.count;
    return {};
  }
  return Error{ErrorCode::conflict, "the client has given this commit up", {}};
}

void CommitsUnderWay::end(const bolt::CommitNote& note) noexcept {
  const std::lock_guard lock(mutex_);
  const auto client = clients_.find(note.client);
  if (client == clients_.end() || client->second.under_way != note.count) return;
  client->second.under_way = 0;
  if (client->second.given_up == 0) clients_.erase(client);
  ended_.notify_all();
}

Status CommitsUnderWay::give_up(const bolt::CommitNote& note, const std::stop_token& cancel) {
  std::unique_lock lock(mutex_);
  Client& client = clients_[note.client];
  client.given_up = std::max(client.given_up, note.count);
  const auto has_ended = [&client, &note] {
    return client.under_way == 0 || client.under_way > note.count;
  };
  if (ended_.wait(lock, cancel, has_ended)) return {};
  return Error{ErrorCode::cancelled, "the question was cancelled", {}};
}

}  // namespace cairn::query::attach
