#pragma once
// One call of recall(): candidates by text, then the levers, each a step over the same candidates.

#include "codec/id_set.hpp"
#include "engine/view.hpp"
#include "query/execute/execution_context.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {

class RecallRun {
 public:
  /// `index` is a full-text index of nodes, by its number in the view's catalog.
  /// `allowed` are the nodes that may be seen and pass the filter.
  RecallRun(ExecutionContext& context, std::uint32_t index, const RecallOptions& options,
            codec::IdSet allowed)
      : context_(context),
        view_(context.graph.view()),
        index_(index),
        entry_(view_.catalog().indexes().at(index)),
        options_(options),
        members_(std::move(allowed)) {}

  [[nodiscard]] Result<std::vector<RecallHit>> run(std::string_view question);

 private:
  /// What may be found at all: allowed, and in the index.
  [[nodiscard]] Status restrict_ids();
  [[nodiscard]] Status find_by_text(std::string_view question);
  /// The texts of the first hits, joined, give more words to ask for.
  [[nodiscard]] Status add_feedback(std::string_view question);
  [[nodiscard]] Result<std::string> shared_words(std::string_view question) const;
  /// Raise the texts of what has a value or a date that the question names.
  [[nodiscard]] Status lift_named(std::string_view question);
  [[nodiscard]] std::vector<std::uint32_t> mention_paths() const;
  /// Appends what a property's index finds, if it finds exactly that.
  [[nodiscard]] Status look_up(std::uint32_t path, engine::IndexLookup::Operation operation,
                               const Value& low, const Value& high,
                               std::vector<codec::IdSet>& found);
  void lift(const codec::IdSet& ids, double share);
  [[nodiscard]] Status spread();
  [[nodiscard]] Status spread_from(std::uint64_t id, double score);
  [[nodiscard]] Result<std::vector<std::uint64_t>> neighbours(std::uint64_t id);
  [[nodiscard]] Status add_groups();
  [[nodiscard]] Result<std::vector<std::string>> group_names(
      const std::vector<std::uint64_t>& ids) const;
  [[nodiscard]] std::vector<RecallHit> ranked() const;
  [[nodiscard]] Status diversify(std::vector<RecallHit>& hits) const;
  [[nodiscard]] Result<std::string> text_of(std::uint64_t id) const;
  [[nodiscard]] Result<std::set<std::string>> terms_of(std::uint64_t id) const;
  [[nodiscard]] Result<engine::TextHits> search(std::string_view text, std::size_t k) const;

  ExecutionContext& context_;
  const engine::View& view_;
  std::uint32_t index_;
  const codec::IndexEntry& entry_;
  const RecallOptions& options_;
  codec::IdSet members_;  ///< no other record is given, counts, or leads to one
  std::unordered_map<std::uint64_t, RecallHit> hits_;
  std::vector<std::uint64_t> by_text_;           ///< best text first
  std::vector<std::uint32_t> types_;             ///< to go along, ascending; none: all
  const codec::IdSet* relationships_ = nullptr;  ///< that may be seen; null: all
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> neighbours_;
};

}  // namespace cairn::query
