// Propagates the scores of texts to their neighbours in the graph.
//
// README.md explains under "Neighbours contribute words, not scores" why scores are propagated word by word.

#include "engine/system/limits.hpp"
#include "query/recall/recall_features.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Number of best hits that propagate their scores. Later hits have little to contribute.
constexpr std::size_t spreading_hits = 50;

/// For each record: its scores by word of the question, in the order of the words.
using WordScores = std::unordered_map<std::uint64_t, std::vector<double>>;

// The memory of the scores of one record. A question may have very many words.
std::size_t bytes_of_scores(const SearchedWords& words) {
  constexpr std::size_t of_entry = 96;  // in a hash table
  return of_entry + words.size() * sizeof(double);
}

// Splits the text scores of candidates by word, and adds their memory to `held`. Runs one search for each word, over these
// records only. The scores of a record are scaled to the sum of its text score: parts that feedback or a date have added
// are distributed over the words in proportion.
Result<WordScores> score_words(const RecallSearch& search, const SearchedWords& words,
                               const codec::Bitmap& records, const Candidates& candidates,
                               engine::Charge& held) {
  CAIRN_TRY(held.add(records.cardinality() * bytes_of_scores(words)));
  WordScores scores;
  records.for_each([&](std::uint64_t id) { scores[id].resize(words.size()); });
  for (std::size_t word = 0; word < words.size(); ++word) {
    CAIRN_ASSIGN(const auto found, search.find(words[word], records.cardinality(), records));
    for (const engine::TextHit& hit : found.hits) scores[hit.id][word] = hit.score;
  }
  for (auto& [id, row] : scores) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& score : row)
      if (sum > 0) score *= candidates.hits.at(id).text / sum;
  }
  return scores;
}

// Returns for each reached record the best propagated score of each word, and adds their memory to `held`.
Result<WordScores> best_scores(const ReachedRecords& reached,
                               const std::vector<std::uint64_t>& texts, const WordScores& own,
                               std::size_t bytes_of_record, engine::Charge& held) {
  WordScores best;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::vector<double>& given = own.at(texts[i]);
    for (const ReachedRecord& to : reached[i]) {
      if (!best.contains(to.id)) CAIRN_TRY(held.add(bytes_of_record));
      std::vector<double>& row = best[to.id];
      row.resize(given.size());
      for (std::size_t word = 0; word < row.size(); ++word)
        row[word] = std::max(row[word], given[word] * to.share);
    }
  }
  return best;
}

// Breadth first, so that each record is reached once and on a shortest path. No path leads over records that the filter
// excludes.
Result<std::vector<ReachedRecord>> reached_from(std::uint64_t id, const RecallFeatures& features,
                                                RecallNeighbours& neighbours) {
  std::vector<ReachedRecord> reached;
  std::set<std::uint64_t> seen = {id};
  std::vector<std::uint64_t> edge = {id};
  double share = 1;
  for (std::size_t hop = 0; hop < features.hops && !edge.empty(); ++hop) {
    share *= features.propagation_weight;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t from : edge) {
      CAIRN_ASSIGN(const auto others, neighbours.of(from));
      for (const std::uint64_t other : others) {
        if (!seen.insert(other).second) continue;
        next.push_back(other);
        reached.push_back({other, share});
      }
    }
    edge = std::move(next);
  }
  return reached;
}

// Returns the groups of the records in their order.
Result<std::vector<std::vector<std::uint64_t>>> sorted_groups(const std::vector<std::uint64_t>& ids,
                                                              const RecallGroups& groups,
                                                              std::vector<std::size_t>& group_of) {
  CAIRN_ASSIGN(const auto all, groups.of(ids, group_of));
  CAIRN_ASSIGN(const auto properties, groups.order_properties(ids));
  std::vector<std::vector<std::uint64_t>> sorted;
  std::uint64_t room = most_ordered;
  for (const codec::Bitmap& one : all) {
    CAIRN_ASSIGN(sorted.emplace_back(), groups.in_order(one, properties, room));
  }
  return sorted;
}

// Each record reaches those up to `hops` places before and after it in its group.
Result<ReachedRecords> reached_in_groups(ExecutionContext& context, const RecallFeatures& features,
                                         const RecallGroups& groups,
                                         const std::vector<std::uint64_t>& ids) {
  std::vector<std::size_t> group_of;
  CAIRN_ASSIGN(const auto sorted, sorted_groups(ids, groups, group_of));
  ReachedRecords reached(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<std::uint64_t>& row = sorted[group_of[i]];
    CAIRN_TRY(context.budget.step(1 + row.size() / 64));
    const auto place =
        static_cast<std::size_t>(std::find(row.begin(), row.end(), ids[i]) - row.begin());
    double share = 1;
    for (std::size_t hop = 1; hop <= std::min(features.hops, row.size()); ++hop) {
      share *= features.propagation_weight;
      if (place >= hop && place < row.size()) reached[i].push_back({row[place - hop], share});
      if (place + hop < row.size()) reached[i].push_back({row[place + hop], share});
    }
  }
  return reached;
}

bool is_any(const ReachedRecords& reached) {
  return std::ranges::any_of(reached, [](const auto& from_text) { return !from_text.empty(); });
}

// Returns the records whose scores by word are needed: the texts, and the reached records with a text score.
codec::Bitmap scored_records(const ReachedRecords& reached, const Candidates& candidates) {
  std::vector<std::uint64_t> scored(
      candidates.by_text.begin(),
      candidates.by_text.begin() + static_cast<std::ptrdiff_t>(reached.size()));
  for (const auto& from_text : reached)
    for (const ReachedRecord& to : from_text)
      if (const auto hit = candidates.hits.find(to.id);
          hit != candidates.hits.end() && hit->second.text > 0)
        scored.push_back(to.id);
  return codec::Bitmap::from_unsorted(std::move(scored));
}

}  // namespace

Result<std::optional<ReachedRecords>> reached_records(ExecutionContext& context,
                                                      const RecallFeatures& features,
                                                      RecallNeighbours& neighbours,
                                                      const RecallGroups& groups,
                                                      const std::vector<std::uint64_t>& texts) {
  std::optional<ReachedRecords> reached;
  if (!neighbours.follows()) return reached;
  reached.emplace();
  const std::vector<std::uint64_t> best(
      texts.begin(),
      texts.begin() + static_cast<std::ptrdiff_t>(std::min(spreading_hits, texts.size())));
  for (const std::uint64_t id : best) {
    CAIRN_ASSIGN(reached->emplace_back(), reached_from(id, features, neighbours));
  }
  if (is_any(*reached)) return reached;
  if (!features.relationship_types.empty() || features.order_properties.empty())
    return std::optional<ReachedRecords>();
  CAIRN_ASSIGN(reached, reached_in_groups(context, features, groups, best));
  return reached;
}

// A record gains the words that it lacks, and nothing for words that it has itself. Two neighbouring hits with the same
// word contribute no more than one.
//
//    propagation(r) = sum over words of max(0, best neighbour's score for the word * share - own score for it)
Status propagate(const RecallSearch& search, const SearchedWords& words,
                 const ReachedRecords& reached, Candidates& candidates) {
  engine::Charge held(&search.limits());
  CAIRN_ASSIGN(const WordScores own,
               score_words(search, words, scored_records(reached, candidates), candidates, held));
  candidates.has_neighbours = is_any(reached);
  CAIRN_ASSIGN(const WordScores best,
               best_scores(reached, candidates.by_text, own, bytes_of_scores(words), held));
  for (const auto& [id, row] : best) {
    RankedRecord& hit = candidates.at(id);
    const auto has = own.find(id);
    for (std::size_t word = 0; word < row.size(); ++word)
      hit.propagation += std::max(0.0, row[word] - (has == own.end() ? 0 : has->second[word]));
  }
  return candidates.charge();  // the scores by word are still in memory
}

}  // namespace cairn::query
