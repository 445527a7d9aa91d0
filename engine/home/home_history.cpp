// Reading what a home keeps, without owning it.
#include "codec/byte_io.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"

#include <cairn/home.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// True for the errors of a reader whose objects the owner has erased meanwhile: an object is missing, or a state was
/// dropped.
bool may_be_of_old_head(const Error& error) {
  return error.code == ErrorCode::corruption || error.code == ErrorCode::not_found;
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

// An owner may replace the head meanwhile, and erase what the earlier head referred to. Then the new head is read. An
// erased commit looks like the end of the log, so what was read counts only if the head is the same afterwards.
template <class Read>
auto Home::read_settled(const Read& read) -> decltype(read()) {
  constexpr int most_tries = 5;
  for (int i = 0; i < most_tries; ++i) {
    CAIRN_ASSIGN(auto head, read_head());
    if (!head)
      return Error{ErrorCode::not_found,
                   "there is no database in the home " + address() + "; check the address",
                   {}};
    seen_ = *std::move(head);
    database_id_ = seen_->database_id;
    auto result = read();
    if (!result && !may_be_of_old_head(result.error())) return result;
    CAIRN_ASSIGN(const bool is_other, has_moved());
    if (!is_other) return result;
  }
  return Error{ErrorCode::busy,
               "the owner of the home " + address() +
                   " replaced its head each time while the home was read; try again",
               {}};
}

Result<bool> Home::has_moved() const {
  CAIRN_ASSIGN(const auto head, read_head());
  return !head || *head != *seen_;
}

Result<HomeHistory> Home::history(std::string_view address, std::chrono::milliseconds patience) {
  CAIRN_ASSIGN(const auto home, connect(address, "", patience));
  return home->read_settled([&] { return home->read_history(); });
}

// An epoch of the chain without a fence belongs to the owner, or to an owner whose successor is still taking over.
// Later epochs had no commits when the end of this epoch was read.
Result<std::vector<codec::CommitRecord>> Home::read_chain() const {
  std::vector<codec::CommitRecord> records;
  for (codec::HomePlace slot : seen_->chain) {
    for (;; ++slot.slot) {
      CAIRN_ASSIGN(auto record, read_record(slot));
      if (!record) return records;
      if (record->kind == codec::RecordKind::fence) break;
      records.push_back(*std::move(record));
    }
  }
  return records;
}

Result<HomeHistory> Home::read_history() const {
  const codec::HomeHead& head = *seen_;
  HomeHistory history;
  history.database_id = head.database_id;
  history.owner = head.owner.node;
  for (const codec::HomePlace& place : head.checkpoints) {
    CAIRN_ASSIGN(const auto checkpoint, read_checkpoint(place));
    history.states.push_back(state_of(checkpoint));
    history.kept_for = std::chrono::seconds(checkpoint.history);
  }
  CommitList commits;
  if (!head.checkpoints.empty()) {
    CAIRN_ASSIGN(const auto records, read_log(head.checkpoints.front(), head.checkpoints.back()));
    for (const codec::CommitRecord& record : records) commits.add(record);
  }
  CAIRN_ASSIGN(const auto records, read_chain());
  for (const codec::CommitRecord& record : records) commits.add(record);
  history.commits = commits.take();
  return history;
}

Result<std::unique_ptr<Home>> Home::look(std::string_view address, const HomePoint& point,
                                         std::chrono::milliseconds patience) {
  if (point.commit && point.time)
    return Error{ErrorCode::invalid_argument,
                 "a state of a home is named by a commit or by a time, not by both",
                 {}};
  CAIRN_ASSIGN(auto home, connect(address, "", patience));
  CAIRN_TRY(home->read_settled([&] { return home->find_state(point); }));
  return home;
}

// A damaged checkpoint is skipped, because the previous checkpoint and the log after it lead to the same state.
Status Home::find_state(const HomePoint& point) {
  checkpoint_.reset();
  checkpoint_error_.reset();
  records_.clear();
  passed_over_ = 0;
  last_commit_ = point.commit;
  if (point.time) {
    CAIRN_ASSIGN(last_commit_, commit_at(*point.time));
  }
  CAIRN_TRY(load_checkpoint());
  if (!last_commit_ || checkpoint_commit() <= *last_commit_) {
    CAIRN_ASSIGN(records_, read_chain());
  }
  if (!last_commit_ || reaches(*last_commit_)) return {};
  CAIRN_TRY(fall_back());
  if (reaches(*last_commit_)) return {};
  if (!checkpoint_ && checkpoint_error_) return *checkpoint_error_;
  return Error{ErrorCode::not_found,
               "the home " + address() + " does not keep the state of commit " +
                   std::to_string(*last_commit_) +
                   "; `cairn home history` and home_history() list those that it keeps",
               {}};
}

// Passes over damaged checkpoints, and over those of an older layout, which do not say when they were made.
Result<std::uint64_t> Home::commit_at(std::int64_t time) const {
  for (auto place = seen_->checkpoints.rbegin(); place != seen_->checkpoints.rend(); ++place) {
    const auto checkpoint = read_checkpoint(*place);
    if (!checkpoint && checkpoint.error().code != ErrorCode::corruption) return checkpoint.error();
    if (checkpoint && checkpoint->made_at != 0 && checkpoint->made_at <= time)
      return checkpoint->commit;
  }
  return Error{ErrorCode::not_found,
               "the home " + address() +
                   " keeps no state from this time or earlier; `cairn home history` and "
                   "home_history() list the states that it keeps",
               {}};
}

// True if the checkpoint and the records after it lead to exactly this commit.
bool Home::reaches(std::uint64_t commit) const {
  if (checkpoint_ && checkpoint_->commit >= commit) return checkpoint_->commit == commit;
  if (!checkpoint_ && (has_checkpoint() || commit == 0)) return false;
  return std::ranges::any_of(
      records_, [&](const codec::CommitRecord& record) { return record.commit == commit; });
}

}  // namespace engine

Result<HomeHistory> home_history(std::string_view address) {
  return engine::Home::history(address);
}

}  // namespace cairn
