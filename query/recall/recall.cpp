// The public calls recall() and similar_words(): choose the index, read the clock and convert the results.

#include "engine/database/access.hpp"
#include "engine/database/handles.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/system/clock.hpp"
#include "engine/view/view.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/execute/row_loader.hpp"
#include "query/ranking/forwarded_hits.hpp"
#include "query/recall/forwarded_recall.hpp"
#include "query/recall/recall_order.hpp"
#include "query/recall/recall_run.hpp"

#include <cairn/recall.hpp>
#include <cairn/similar_words.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace cairn {
namespace {

// recall() searches full-text indexes of nodes.
bool is_candidate(const codec::IndexEntry& index) {
  return index.kind == codec::IndexKind::full_text && index.entity == codec::EntityKind::node;
}

/// Returns the index with this name; for an empty name, the only full-text index of nodes. The caller must be allowed to
/// know it.
Result<std::uint32_t> find_index(query::ExecutionContext& context, const std::string& name) {
  std::optional<std::uint32_t> found;
  for (const auto& [id, index] : context.graph.catalog().indexes()) {
    if (!is_candidate(index) || (!name.empty() && index.name != name)) continue;
    CAIRN_ASSIGN(const bool is_known, query::may_know(context, index));
    if (!is_known) continue;
    if (found)
      return Error{ErrorCode::invalid_argument,
                   "there are several full-text indexes of nodes; name one in `index`",
                   {}};
    found = id;
  }
  if (found) return *found;
  return Error{ErrorCode::not_found,
               name.empty()
                   ? "there is no full-text index of nodes; make one with CREATE FULLTEXT INDEX"
                   : "there is no full-text index of nodes \"" + name + "\"",
               {}};
}

/// Loads the nodes of the hits in one read, and charges their size to the memory budget.
Status add_nodes(query::ExecutionContext& context, std::vector<Hit>& hits) {
  std::vector<std::uint64_t> ids;
  for (const Hit& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(auto nodes, context.graph.view().load_nodes(ids));
  for (std::size_t i = 0; i < hits.size(); ++i) {
    hits[i].node = std::move(nodes[i]);
    if (hits[i].node) CAIRN_TRY(context.budget.charge(query::entity_bytes(Value(*hits[i].node))));
  }
  return query::add_passage_nodes(context, hits);
}

/// Converts ranked records to hits. In the explanation, the only retriever contributes the whole score.
std::vector<Hit> hits_of(const std::vector<query::RankedRecord>& records) {
  std::vector<Hit> hits;
  for (const query::RankedRecord& record : records) {
    Explanation explanation;
    explanation.retrievers = {{RetrieverKind::text, hits.size() + 1, record.score, record.score}};
    explanation.fused = explanation.raw = record.score;
    explanation.features = record;
    Hit& hit = hits.emplace_back(Hit{record.id, record.score});
    hit.explanation = std::make_shared<const Explanation>(std::move(explanation));
    hit.passage = record.passage;
    hit.left_out = record.left_out;
  }
  return hits;
}

}  // namespace

// Evaluates the filter to a set of ids first. All later steps work within this set.
Result<query::Recalled> query::recall_within(ExecutionContext& context, std::string_view question,
                                             const RecallOptions& options) {
  CAIRN_ASSIGN(const std::uint32_t index, find_index(context, options.index));
  CAIRN_TRY(validate(options.filter));
  CAIRN_ASSIGN(codec::Bitmap allowed, filter_ids(context, options.filter));
  RecallRun run(context, index, options, std::move(allowed));
  Recalled found;
  CAIRN_ASSIGN(found.hits, run.run(question));
  CAIRN_ASSIGN(found.warnings, run.warnings(question));
  return found;
}

Result<std::vector<query::RecallPart>> query::recall_parts(ExecutionContext& context,
                                                           const RecallOptions& options) {
  CAIRN_ASSIGN(const std::uint32_t index, find_index(context, options.index));
  CAIRN_TRY(validate(options.filter));
  CAIRN_ASSIGN(codec::Bitmap allowed, filter_ids(context, options.filter));
  return RecallRun(context, index, options, std::move(allowed)).describe();
}

Result<std::vector<query::Passage>> query::passages_within(ExecutionContext& context,
                                                           const RecallOptions& options,
                                                           const codec::Bitmap& allowed,
                                                           const std::vector<std::uint64_t>& hits) {
  CAIRN_ASSIGN(const std::uint32_t index, find_index(context, options.index));
  return RecallRun(context, index, options, allowed).passages_around(hits);
}

// Reads each passage separately, so that the memory limit ends the loading before all passages are read.
Status query::add_passage_nodes(ExecutionContext& context, std::vector<Hit>& hits) {
  for (Hit& hit : hits) {
    CAIRN_ASSIGN(auto nodes, context.graph.view().load_nodes(hit.passage));
    for (auto& node : nodes) {
      if (!node) continue;
      CAIRN_TRY(context.budget.charge(entity_bytes(Value(*node))));
      hit.passage_nodes.push_back(*std::move(node));
    }
  }
  return {};
}

namespace {

/// Recalls in the process that has the database open. The scorer of `rerank` stays in this process: it gets the texts of the
/// best hits, and a second recall on the same snapshot orders the hits by its scores.
Result<Value> recall_there(engine::Forwarding& way, std::string_view question,
                           const RecallOptions& options, StatementOptions statement_options) {
  Map arguments = query::recall_map(question, options);
  if (!options.rerank.score) return way.call("recall", std::move(arguments), statement_options);
  CAIRN_TRY(query::check_reranking(options.rerank));
  if (!statement_options.now) statement_options.now = engine::system_time();
  arguments.emplace("rerank_hits", engine::number_value(options.rerank.hits));
  CAIRN_ASSIGN(const Value found, way.call("recall_texts", arguments, statement_options));
  CAIRN_ASSIGN(const auto texts, query::read_recalled_texts(found));
  const auto texts_from = [&](std::size_t first, std::size_t size) {
    const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(first);
    return Result<std::vector<std::string>>(
        std::vector<std::string>(begin, begin + static_cast<std::ptrdiff_t>(size)));
  };
  CAIRN_ASSIGN(const auto scores,
               query::scores_of(options.rerank, question, texts.size(), texts_from));
  arguments.erase("rerank_hits");
  arguments.emplace("rerank_scores", List(scores.begin(), scores.end()));
  return way.call("recall", std::move(arguments), statement_options);
}

}  // namespace

// Runs in an execution context of its own. Its limits and its clock come from `statement_options`.
Result<std::vector<Hit>> recall(const Snapshot& snapshot, std::string_view question,
                                const RecallOptions& options,
                                const StatementOptions& statement_options) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_ASSIGN(const Value hits, recall_there(*way, question, options, statement_options));
    return query::read_hits(hits);
  }
  const auto view = Access::view(snapshot);
  const std::int64_t now = statement_options.now ? *statement_options.now : engine::system_time();
  const Parameters parameters;
  query::ExecutionContext context(*view, nullptr, parameters, statement_options, now);
  CAIRN_ASSIGN(const auto found, query::recall_within(context, question, options));
  std::vector<Hit> hits = hits_of(found.hits);
  if (options.with_nodes) CAIRN_TRY(add_nodes(context, hits));
  return hits;
}

// Finds words whose vectors are near to the words of the question, for RecallOptions::expansion.

// English stop words of the question are skipped, and its own words are not returned. A word that is near several
// words of the question gets the greatest of their similarities. Equal shares are in alphabetical order, since the
// map is sorted and the sort is stable.
std::vector<RecallWord> similar_words(const WordVectors& vectors, std::string_view question,
                                      const SimilarWordsOptions& options) {
  std::set<std::string> asked;
  for (const engine::WordRange& range : engine::break_words(question)) {
    std::string word = engine::fold_word(question.substr(range.begin, range.end - range.begin));
    if (!engine::is_stop_word("english", word)) asked.insert(std::move(word));
  }
  std::map<std::string, double> shares;
  for (const std::string& word : asked) {
    for (const auto& near : vectors.nearest_words(word, options.per_word, options.among)) {
      const std::string folded = engine::fold_word(near.word);
      if (near.similarity < options.least || asked.contains(folded)) continue;
      double& share = shares[folded];
      share = std::max(share, std::min(near.similarity, 1.0));
    }
  }
  std::vector<RecallWord> words;
  for (const auto& [word, share] : shares) words.push_back({word, share});
  std::stable_sort(words.begin(), words.end(),
                   [](const RecallWord& a, const RecallWord& b) { return a.share > b.share; });
  return words;
}

}  // namespace cairn
