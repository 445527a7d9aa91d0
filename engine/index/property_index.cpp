// Questions of the planner and of operators, answered by what lookup_plan.cpp says. The one thing
// the plan cannot know is whether entries of a nested path come from maps in lists; then they are a
// superset ("some map has it"), and the answer is inexact whatever its parts said.
#include "engine/index/property_index.hpp"

#include "engine/index/index_entries.hpp"
#include "engine/index/lookup_plan.hpp"
#include "engine/view/lookup_result.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

// Enough to be exact for a range of few values, and about 0.1 ms where there are more.
constexpr std::size_t sampled_keys = 128;

/// Where the store cannot tell the size of a range: the share that planners of other databases
/// assume for a comparison.
constexpr double assumed_share = 0.3;

}  // namespace

Result<bool> PropertyIndex::runs_through_list(const IndexPredicate& question) const {
  const codec::PathEntry* path = catalog_.path(question.path);
  if (path == nullptr || !is_nested_path(path->text)) return false;
  std::vector<std::string> keys = split_path(path->text);
  // From the nearest path above to the property itself: a list anywhere on the way makes it a
  // superset.
  for (keys.pop_back(); !keys.empty(); keys.pop_back()) {
    const auto above = catalog_.find_path(question.kind, join_path(keys));
    if (!above) return true;  // not indexed, so nothing is known
    CAIRN_ASSIGN(const auto lists, postings_.posting(presence_posting(
                                       question.kind, *above, codec::EntryKind::element_presence,
                                       codec::OrderedTag::map)));
    if (!lists.empty()) return true;
  }
  return false;
}

Result<LookupResult> PropertyIndex::lookup(const IndexPredicate& question) const {
  LookupResult result;
  std::vector<codec::Bitmap> sets;
  for (const LookupPart& part : plan_lookup(question)) {
    CAIRN_ASSIGN(auto ids,
                 part.single ? postings_.posting(part.range.first) : postings_.range(part.range));
    // A part that found nothing has nothing to be compared with records.
    if (ids.empty()) continue;
    result.exact = result.exact && part.exact;
    sets.push_back(std::move(ids));
  }
  if (sets.empty()) return result;
  CAIRN_ASSIGN(const bool superset, runs_through_list(question));
  result.exact = result.exact && !superset;
  result.ids = sets.size() == 1 ? std::move(sets.front()) : codec::unite_all(sets);
  return result;
}

Result<InstantColumn::Ptr> PropertyIndex::instants(codec::EntityKind kind, std::uint32_t path,
                                                   double spent) const {
  IndexPredicate question;
  question.kind = kind;
  question.path = path;
  CAIRN_ASSIGN(const bool superset, runs_through_list(question));
  if (superset) return InstantColumn::Ptr();
  const KeyRange range =
      range_of_prefix(codec::index_prefix(kind, path, codec::EntryKind::instant, ""));
  const std::string texts =
      presence_posting(kind, path, codec::EntryKind::presence, codec::OrderedTag::string);
  return postings_.instants(range, texts, spent);
}

// Parts are added up, although an id may be in two of them: planning needs the order of magnitude.
Result<View::Estimate> PropertyIndex::estimate(const IndexPredicate& question) const {
  View::Estimate total;
  for (const LookupPart& part : plan_lookup(question)) {
    if (part.single) {
      CAIRN_ASSIGN(const auto ids, postings_.posting(part.range.first));
      total.rows += static_cast<double>(ids.cardinality());
      total.keys += static_cast<double>(ids.chunks().size());
      continue;
    }
    CAIRN_ASSIGN(const auto some, estimate_range(question, part.range));
    total.rows += some.rows;
    total.keys += some.keys;
  }
  return total;
}

Result<View::Estimate> PropertyIndex::estimate_range(const IndexPredicate& question,
                                                     const KeyRange& range) const {
  CAIRN_ASSIGN(const auto sample, postings_.sample(range, sampled_keys));
  // The walk is a lower bound, and the whole answer where it came to the end.
  const auto seen = static_cast<double>(sample.ids);
  if (sample.complete) return View::Estimate{seen, static_cast<double>(sample.keys)};
  // kind 1, path 4, entry 1, then the tag: a key's fixed places.
  const auto entry = static_cast<codec::EntryKind>(range.first[5]);
  if (entry == codec::EntryKind::presence) {
    CAIRN_ASSIGN(const auto ids, postings_.range(range));
    return View::Estimate{static_cast<double>(ids.cardinality()), seen};
  }
  // The share of the range in the bytes of all entries of its type, times their number.
  const bool is_scalar = entry == codec::EntryKind::scalar;
  const auto tag = is_scalar ? static_cast<codec::OrderedTag>(range.first[6])
                             : codec::OrderedTag::string;  // instants are those of strings
  const KeyRange whole =
      range_of_prefix(std::string_view(range.first).substr(0, is_scalar ? 7 : 6));
  const auto all_bytes = static_cast<double>(postings_.approximate_bytes(whole));
  const auto bytes = static_cast<double>(postings_.approximate_bytes(range));
  const double share = all_bytes > 0 ? std::min(1.0, bytes / all_bytes) : assumed_share;
  CAIRN_ASSIGN(const auto typed,
               postings_.posting(presence_posting(question.kind, question.path,
                                                  codec::EntryKind::presence, tag)));
  // Rows by the share of the type's records, keys by the ids a key that the walk saw.
  const double rows = std::max(seen, static_cast<double>(typed.cardinality()) * share);
  return View::Estimate{rows, rows * static_cast<double>(sample.keys) / std::max(seen, 1.0)};
}

}  // namespace cairn::engine
