#pragma once
// Passages: the records around hits, in the order of their groups, within a budget of tokens.

#include "codec/catalog_entry.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/recall/recall_records.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace cairn::query {

/// The most records on each side of a hit: the limit of RecallOptions::context, and of a passage that is a whole group.
inline constexpr std::size_t most_context_per_side = 1'000;

/// The records around a hit.
struct Passage {
  std::size_t hit = 0;                      ///< place of the hit among the hits
  std::vector<std::uint64_t> records = {};  ///< see Hit::passage
  std::size_t left_out = 0;                 ///< see Hit::left_out
};

/// Makes the passages that the options ask for.
class RecallPassages {
 public:
  /// `index` is the full-text index of the texts. The references must outlive the object.
  RecallPassages(ExecutionContext& context, const codec::IndexEntry& index,
                 const RecallOptions& options, RecallNeighbours& neighbours,
                 const RecallGroups& groups)
      : context_(context),
        index_(index),
        options_(options),
        neighbours_(neighbours),
        groups_(groups) {}

  /// True if the options ask for passages.
  [[nodiscard]] bool are_wanted() const;
  /// Returns the passages of hits, best first: at most RecallOptions::limit, and none for a hit in the passage of a
  /// better one.
  [[nodiscard]] Result<std::vector<Passage>> around(const std::vector<std::uint64_t>& hits);

 private:
  [[nodiscard]] bool is_whole_group() const { return options_.expand == PassageExtent::session; }
  /// Removes the records of a passage that do not fit into `left` tokens, and reduces `left`.
  [[nodiscard]] Status shorten(std::uint64_t hit, std::vector<std::uint64_t>& passage,
                               std::size_t& left) const;
  [[nodiscard]] Result<bool> spend_tokens(std::uint64_t id, std::size_t& tokens_left) const;
  [[nodiscard]] Result<std::vector<std::uint64_t>> around_by_relationships(
      std::uint64_t id, const std::vector<std::string>& properties,
      const std::set<std::uint64_t>& taken);

  ExecutionContext& context_;
  const codec::IndexEntry& index_;
  const RecallOptions& options_;
  RecallNeighbours& neighbours_;
  const RecallGroups& groups_;
};

}  // namespace cairn::query
