#include "engine/index/posting_overlay.hpp"

#include <algorithm>
#include <map>

namespace cairn::engine {
namespace {

constexpr std::size_t bytes_per_posting = sizeof(PostingOverlay::Posting) + 96;  // node and name

bool by_name(const std::string* a, const std::string* b) { return *a < *b; }

}  // namespace

void PostingOverlay::change(std::string_view posting, Change change) {
  auto found = postings_.find(posting);
  if (found == postings_.end()) {
    found = postings_.try_emplace(std::string(posting)).first;
    fresh_.push_back(&found->first);
    memory_bytes_ += bytes_per_posting + posting.size();
  }
  // Many calls change one id twice in a row: set and set again.
  auto& changes = found->second.changes;
  if (!changes.empty() && changes.back().id == change.id &&
      found->second.applied < changes.size()) {
    changes.back() = change;
    return;
  }
  changes.push_back(change);
  memory_bytes_ += sizeof(Change);
}

void PostingOverlay::catch_up(Posting& posting) {
  if (posting.applied == posting.changes.size()) return;
  std::map<std::uint64_t, bool> last;  // of each id
  for (; posting.applied < posting.changes.size(); ++posting.applied) {
    const Change& change = posting.changes[posting.applied];
    last[change.id] = change.added;
  }
  std::vector<std::uint64_t> added, removed;
  for (const auto& [id, is_added] : last) (is_added ? added : removed).push_back(id);
  posting.merged = codec::subtract(codec::unite(*posting.merged, codec::IdSet::from_sorted(added)),
                                   codec::IdSet::from_sorted(removed));
}

std::vector<std::string_view> PostingOverlay::changed_in(const KeyRange& range) {
  std::sort(fresh_.begin(), fresh_.end(), by_name);
  const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
  sorted_.insert(sorted_.end(), fresh_.begin(), fresh_.end());
  std::inplace_merge(sorted_.begin(), sorted_.begin() + middle, sorted_.end(), by_name);
  fresh_.clear();
  auto name = std::lower_bound(sorted_.begin(), sorted_.end(), range.first,
                               [](const std::string* a, const std::string& b) { return *a < b; });
  std::vector<std::string_view> names;
  for (; name != sorted_.end() && range.contains(**name); ++name) names.emplace_back(**name);
  return names;
}

}  // namespace cairn::engine
