#include "tools/mcp/protocol/pending_changes.hpp"

namespace cairn::tools::mcp {

PendingChanges::PendingChanges(Changes* changes, std::function<void()> on_change)
    : changes_(changes), on_change_(std::move(on_change)) {
  if (changes_ != nullptr)
    number_ = changes_->add_listener([this](const Change& change) { add(change); });
}

PendingChanges::~PendingChanges() {
  if (changes_ != nullptr) changes_->remove_listener(number_);
}

std::vector<Change> PendingChanges::take() {
  const std::scoped_lock lock(mutex_);
  std::vector<Change> taken;
  for (const auto& [kind, uri] : pending_) taken.push_back({kind, uri});
  pending_.clear();
  return taken;
}

void PendingChanges::add(const Change& change) {
  bool is_first = false;
  {
    const std::scoped_lock lock(mutex_);
    is_first = pending_.empty();
    pending_.emplace(change.kind, change.uri);
  }
  if (is_first) on_change_();
}

}  // namespace cairn::tools::mcp
