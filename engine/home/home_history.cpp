// Reading what a home keeps, without owning it.
#include "codec/byte_io.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"

#include <cairn/home.hpp>

#include <memory>
#include <string>
#include <utility>

namespace cairn {
namespace engine {
namespace {

/// A checkpoint of the home as programs see it.
HomeState state_of(const codec::HomeCheckpoint& checkpoint) {
  HomeState state;
  state.commit = checkpoint.commit;
  state.made_at = checkpoint.made_at;
  for (const codec::HomePart& part : checkpoint.parts) {
    state.bytes += part.bytes;
    if (part.at == 0) ++state.files;
  }
  return state;
}

/// Adds records to commits. A record with the number 0 is a piece of the next commit.
class CommitList {
 public:
  void add(const codec::CommitRecord& record) {
    bytes_ += record.changes.size();
    if (record.commit == 0) return;
    commits_.push_back({record.commit, std::exchange(bytes_, 0)});
  }
  [[nodiscard]] std::vector<HomeCommit> take() { return std::move(commits_); }

 private:
  std::vector<HomeCommit> commits_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

// An owner may replace the head meanwhile, and erase what the earlier one referred to. Then its new head is read.
Result<HomeHistory> Home::history(std::string_view address, std::chrono::milliseconds patience) {
  constexpr int most_tries = 5;
  CAIRN_ASSIGN(auto store, open_object_store(address));
  CAIRN_ASSIGN(std::string root, home_name::root(""));
  // The number of an opening is only used by owners.
  Home home(std::move(store), std::move(root), 1, "", patience);
  CAIRN_ASSIGN(auto head, home.read_head());
  for (int i = 0;; ++i) {
    if (!head)
      return Error{ErrorCode::not_found, "there is no database in the home " + home.address(), {}};
    auto history = home.read_history(*head);
    if (history || history.error().code != ErrorCode::corruption || i == most_tries) return history;
    const std::uint64_t revision = head->revision;
    CAIRN_ASSIGN(head, home.read_head());
    if (head && head->revision == revision) return history;
  }
}

// An epoch of the chain without a fence is that of the owner, or of one whose successor is still taking over.
Result<HomeHistory> Home::read_history(const codec::HomeHead& head) {
  database_id_ = head.database_id;
  HomeHistory history;
  history.database_id = head.database_id;
  history.owner = head.owner.node;
  for (const codec::HomePlace& place : head.checkpoints) {
    CAIRN_ASSIGN(const auto checkpoint, read_checkpoint(place));
    history.states.push_back(state_of(checkpoint));
  }
  CommitList commits;
  if (!head.checkpoints.empty()) {
    CAIRN_ASSIGN(const auto records, read_log(head.checkpoints.front(), head.checkpoints.back()));
    for (const codec::CommitRecord& record : records) commits.add(record);
  }
  for (codec::HomePlace slot : head.chain) {
    for (;; ++slot.slot) {
      CAIRN_ASSIGN(const auto record, read_record(slot));
      if (!record || record->kind == codec::RecordKind::fence) break;
      commits.add(*record);
    }
  }
  history.commits = commits.take();
  return history;
}

}  // namespace engine

Result<HomeHistory> home_history(std::string_view address) {
  return engine::Home::history(address);
}

}  // namespace cairn
