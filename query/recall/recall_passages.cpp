// Passages: the records around each hit, in the order of their group.
//
//    for each hit, best first: the records around it -> those of them that fit into `max_tokens`
//    then: adjacent passages are merged, if there is a budget
//
// A record is in only one passage: that of the best hit near to it. So the budget counts each record once. A hit that
// did not fit into the passage of a better hit may still have a passage of its own.

#include "query/recall/recall_passages.hpp"

#include "engine/system/limits.hpp"

#include <cairn/memory/output.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Memory of one record: of its place in an OrderedGroup, or of its entries in a passage and in the sets of `around()`.
constexpr std::size_t bytes_of_place = 64;

/// The records of a group in their order.
struct OrderedGroup {
  std::vector<std::uint64_t> ids;
  std::unordered_map<std::uint64_t, std::size_t> places;
};

/// Returns the record at `place`, up to `most` records before it and up to `most` after it; each side stops before a
/// taken record.
std::vector<std::uint64_t> part_around(const std::vector<std::uint64_t>& ids, std::size_t place,
                                       std::size_t most, const std::set<std::uint64_t>& taken) {
  std::size_t first = place, last = place;
  while (first > 0 && place - first < most && !taken.contains(ids[first - 1])) --first;
  while (last + 1 < ids.size() && last - place < most && !taken.contains(ids[last + 1])) ++last;
  return {ids.begin() + static_cast<std::ptrdiff_t>(first),
          ids.begin() + static_cast<std::ptrdiff_t>(last + 1)};
}

/// The position of a passage in its group.
struct PlacedPassage {
  std::size_t group = 0;
  std::size_t first = 0;    ///< position of the first record in the group
  std::size_t passage = 0;  ///< index of the passage
};

/// Merges the passages of one group that follow each other without a gap. The best of them gets all records.
std::vector<Passage> joined(std::vector<Passage> passages, std::vector<PlacedPassage> placed) {
  std::ranges::sort(placed, [](const PlacedPassage& a, const PlacedPassage& b) {
    return a.group != b.group ? a.group < b.group : a.first < b.first;
  });
  std::set<std::size_t> gone;
  for (std::size_t begin = 0; begin < placed.size();) {
    std::vector<std::uint64_t> records = passages[placed[begin].passage].records;
    std::size_t best = placed[begin].passage, left_out = passages[best].left_out;
    std::size_t next = begin + 1;
    for (; next < placed.size() && placed[next].group == placed[begin].group &&
           placed[next].first == placed[begin].first + records.size();
         ++next) {
      const Passage& one = passages[placed[next].passage];
      records.insert(records.end(), one.records.begin(), one.records.end());
      left_out += one.left_out;
      best = std::min(best, placed[next].passage);
    }
    for (; begin < next; ++begin)
      if (placed[begin].passage != best) gone.insert(placed[begin].passage);
    passages[best].records = std::move(records);
    passages[best].left_out = left_out;
  }
  std::vector<Passage> kept;
  for (std::size_t i = 0; i < passages.size(); ++i)
    if (!gone.contains(i)) kept.push_back(std::move(passages[i]));
  return kept;
}

/// Returns the places of the passages that come from a group. Empty passages and those of hits without a group are left
/// out. `group` has the group of each hit.
std::vector<PlacedPassage> placed_in_groups(const std::vector<Passage>& passages,
                                            const std::vector<std::uint64_t>& hits,
                                            const std::vector<std::size_t>& group,
                                            const std::vector<OrderedGroup>& ordered) {
  std::vector<PlacedPassage> placed;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const std::size_t number = group[passages[i].hit];
    const auto& places = ordered[number].places;
    if (!passages[i].records.empty() && places.contains(hits[passages[i].hit]))
      placed.push_back({number, places.at(passages[i].records.front()), i});
  }
  return placed;
}

/// Counts the records that are in no passage. Each record counts for the best passage that had no room for it.
void count_left_out(const std::vector<std::vector<std::uint64_t>>& uncut,
                    std::set<std::uint64_t> taken, std::vector<Passage>& passages) {
  for (std::size_t i = 0; i < passages.size(); ++i)
    for (const std::uint64_t id : uncut[i])
      if (taken.insert(id).second) ++passages[i].left_out;
}

}  // namespace

bool RecallPassages::are_wanted() const {
  return options_.context > 0 || is_whole_group() || options_.max_tokens > 0;
}

// Finds the passage of a record without a group, by a breadth-first search along relationships. Takes the nearest
// records, at most as many as from a group. Looks for a whole group only along relationships that the caller names,
// because other relationships may lead anywhere.
Result<std::vector<std::uint64_t>> RecallPassages::around_by_relationships(
    std::uint64_t id, const std::vector<std::string>& properties,
    const std::set<std::uint64_t>& taken) {
  const bool is_named = !options_.features.relationship_types.empty();
  const std::size_t steps = is_whole_group() && is_named ? most_context_per_side : options_.context;
  std::vector<std::uint64_t> passage = {id};
  std::set<std::uint64_t> seen = {id};
  std::size_t begin = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t end = passage.size();
    for (; begin < end; ++begin) {
      CAIRN_ASSIGN(const auto others, neighbours_.of(passage[begin]));
      CAIRN_TRY(context_.budget.step(1 + others.size()));
      for (const std::uint64_t other : others)
        if (!taken.contains(other) && seen.insert(other).second && passage.size() <= 2 * steps)
          passage.push_back(other);
      if (passage.size() > 2 * steps) break;
    }
    if (begin == passage.size() || passage.size() > 2 * steps) break;
  }
  std::sort(passage.begin(), passage.end());
  CAIRN_TRY(groups_.sort(properties, passage));
  return passage;
}

// Charges the memory of the text while its tokens are counted. If the text fits, subtracts its tokens from
// `tokens_left`.
Result<bool> RecallPassages::spend_tokens(std::uint64_t id, std::size_t& tokens_left) const {
  if (tokens_left == 0) return false;
  CAIRN_ASSIGN(const auto texts, indexed_texts(context_.graph.view(), index_, std::span(&id, 1)));
  const std::string& text = texts.front();
  engine::Charge held(&context_.budget);
  CAIRN_TRY(held.add(text.size()));
  CAIRN_TRY(context_.budget.step(1 + text.size() / 256));
  const std::size_t tokens = memory::estimate_tokens(text);
  if (tokens > tokens_left) return false;
  tokens_left -= tokens;
  return true;
}

// The hit comes first, then the records next to it, before and after it in turn. Each side ends at the first record
// that does not fit, so a passage has no gaps.
Status RecallPassages::shorten(std::uint64_t hit, std::vector<std::uint64_t>& passage,
                               std::size_t& left) const {
  const auto place =
      static_cast<std::size_t>(std::find(passage.begin(), passage.end(), hit) - passage.begin());
  CAIRN_ASSIGN(const bool is_in, spend_tokens(hit, left));
  std::size_t first = place, end = is_in ? place + 1 : place;
  for (bool before = is_in, after = is_in; before || after;) {
    before = before && first > 0;
    if (before) {
      CAIRN_ASSIGN(before, spend_tokens(passage[first - 1], left));
      if (before) --first;
    }
    after = after && end < passage.size();
    if (after) {
      CAIRN_ASSIGN(after, spend_tokens(passage[end], left));
      if (after) ++end;
    }
  }
  passage = {passage.begin() + static_cast<std::ptrdiff_t>(first),
             passage.begin() + static_cast<std::ptrdiff_t>(end)};
  return {};
}

// Best hits first, so that each record is in the passage of the best hit near to it.
Result<std::vector<Passage>> RecallPassages::around(const std::vector<std::uint64_t>& hits) {
  std::vector<std::size_t> group;
  CAIRN_ASSIGN(const auto groups, groups_.of(hits, group));
  CAIRN_ASSIGN(const auto properties, groups_.order_properties(hits));
  const std::size_t most = is_whole_group() ? most_context_per_side : options_.context;
  std::vector<OrderedGroup> ordered(groups.size());
  std::uint64_t room = most_ordered;
  engine::Charge held(&context_.budget);
  std::set<std::uint64_t> taken;
  std::set<std::uint64_t> passed_over;  // records for which the passage of a better hit had no room
  std::vector<Passage> passages;
  // By passage: all of its records before shorten(); empty if all fit.
  std::vector<std::vector<std::uint64_t>> uncut;
  std::size_t left = options_.max_tokens;
  for (std::size_t i = 0; i < hits.size() && passages.size() < options_.limit; ++i) {
    if (taken.contains(hits[i]) || (left == 0 && passed_over.contains(hits[i]))) continue;
    OrderedGroup& one = ordered[group[i]];
    if (one.ids.empty()) {
      CAIRN_TRY(held.add(groups[group[i]].cardinality() * bytes_of_place));
      CAIRN_ASSIGN(one.ids, groups_.in_order(groups[group[i]], properties, room));
      for (std::size_t place = 0; place < one.ids.size(); ++place)
        one.places.emplace(one.ids[place], place);
    }
    Passage passage{i};
    if (const auto place = one.places.find(hits[i]); place != one.places.end()) {
      passage.records = part_around(one.ids, place->second, most, taken);
    } else {
      CAIRN_ASSIGN(passage.records, around_by_relationships(hits[i], properties, taken));
    }
    CAIRN_TRY(context_.budget.step(1 + passage.records.size()));
    std::vector<std::uint64_t> whole;
    if (options_.max_tokens > 0) {
      whole = passage.records;
      CAIRN_TRY(shorten(hits[i], passage.records, left));
      if (passage.records.empty() && passed_over.contains(hits[i])) continue;
      if (passage.records.size() == whole.size()) whole.clear();
      passed_over.insert(whole.begin(), whole.end());
    }
    CAIRN_TRY(held.add((passage.records.size() + whole.size()) * bytes_of_place));
    taken.insert(passage.records.begin(), passage.records.end());
    passages.push_back(std::move(passage));
    uncut.push_back(std::move(whole));
  }
  count_left_out(uncut, std::move(taken), passages);
  if (options_.max_tokens == 0 || most == 0) return passages;
  auto placed = placed_in_groups(passages, hits, group, ordered);
  return joined(std::move(passages), std::move(placed));
}

}  // namespace cairn::query
