// SEARCH: evaluates the filter to a set of ids first, and every retriever searches only these ids.
// So the number of hits reaches the limit if there are enough matches.
//
// If the filter is the same for all rows, up to 64 rows are searched together: the filter is
// evaluated once, and the index scans its data once for all of them. Each row returns its hits,
// best first. The set of ids and the hits are held in memory, and the hits are charged. Hits are
// recorded in the context if a LateFilterWarning asks for them.

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/read/search_arguments.hpp"
#include "query/execute/row_batch.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/operator_content.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// The first part of the file warns if an index cannot have hits for the labels or types of the
// pattern: an index of :Memory finds no (n:Note) unless some node has both labels. There is one
// warning per retriever. If the index covers a requested name, nothing else is checked. Otherwise
// the sets of ids are intersected, because a record may have several labels.

using Names = std::set<std::string, std::less<>>;

codec::CatalogKind name_kind(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? codec::CatalogKind::label
                                         : codec::CatalogKind::relationship_type;
}

Names covered_by(const engine::Catalog& catalog, const codec::IndexEntry& entry) {
  Names names;
  for (const std::uint32_t id : entry.labels_or_types)
    names.insert(catalog.name(name_kind(entry.entity), id));
  return names;
}

// Collects the names that make a record match, except those under NOT.
void collect_wanted(const Expression& condition, bool negated, Names& wanted) {
  if (condition.kind == ExpressionKind::has_label && !negated) wanted.insert(condition.name);
  const bool flips = condition.kind == ExpressionKind::logical_not;
  for (const ExpressionPtr& child : condition.children)
    if (child) collect_wanted(*child, negated != flips, wanted);
}

// Returns the names as in a pattern: ":A|B".
std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? ":" : "|") + name;
  return text;
}

// Checks whether an index can have hits for the labels or types of a search.
class LabelCover {
 public:
  /// The types of a relationship pattern are alternatives: any of them matches.
  LabelCover(ExecutionContext& context, const SearchVectors& search)
      : context_(context), search_(search), kind_(search.filter.kind) {
    for (const Expression* condition : search.labels) collect_wanted(*condition, false, wanted_);
    if (search.types != nullptr) wanted_.insert(search.types->begin(), search.types->end());
    has_conditions_ = !search.labels.empty() || (search.types != nullptr && !search.types->empty());
  }

  /// Adds a warning, unless the pattern names no label or the index has a record that passes.
  Status check(const SearchRetriever& retriever, const codec::IndexEntry& entry, Row row) {
    const Names covered = covered_by(context_.graph.catalog(), entry);
    const bool is_named = std::ranges::any_of(
        covered, [&](const std::string& name) { return wanted_.contains(name); });
    if (!has_conditions_ || is_named) return {};
    CAIRN_TRY(find_passing(row));
    for (const std::string& name : covered) {
      CAIRN_ASSIGN(const codec::Bitmap* members, context_.graph.labelled(kind_, name));
      if (codec::intersection_cardinality(*passing_, *members) > 0) return {};
    }
    CAIRN_ASSIGN(std::string text, warning(retriever, covered, entry.kind));
    warn_once(context_, std::move(text));
    return {};
  }

 private:
  // Finds a superset of the records with matching labels, from indexes only.
  Status find_passing(Row row) {
    if (passing_) return {};
    std::vector<const Expression*> conditions = search_.labels;
    const FilterPlan plan = plan_filter(search_.clause->slot, kind_, conditions);
    FilterEvaluator filter(context_.evaluator, plan);
    CAIRN_ASSIGN(const FilterEvaluator::Found* found, filter.find(row));
    passing_ = found->ids;
    if (search_.types == nullptr || search_.types->empty()) return {};
    codec::Bitmap typed;
    for (const std::string& type : *search_.types) {
      CAIRN_ASSIGN(const codec::Bitmap* members, context_.graph.labelled(kind_, type));
      typed = codec::unite(typed, *members);
    }
    passing_ = codec::intersect(*passing_, typed);
    return {};
  }

  // Names the index, the labels that do not fit, and what to do.
  Result<std::string> warning(const SearchRetriever& retriever, const Names& covered,
                              codec::IndexKind kind) const {
    const bool is_node = kind_ == codec::EntityKind::node;
    const std::string what = is_node ? "node" : "relationship";
    std::string text = "index \"" + retriever.index + "\" covers " + joined(covered) + ", and no " +
                       what + " in it matches the " + (is_node ? "label" : "type");
    text += wanted_.empty() ? "s that `" + search_.clause->variable + "` may not have"
                            : " " + joined(wanted_) + " of `" + search_.clause->variable + "`";
    text += ", so the search finds nothing in it; ";
    CAIRN_ASSIGN(const std::string other, other_index(kind));
    if (!other.empty())
      return text + "search in index \"" + other + "\", which covers a name of the pattern";
    return text + "name " + joined(covered) +
           " in the pattern, or create an index of the names in the pattern";
  }

  // Returns an index of the same kind that covers a requested label and that the caller may know,
  // or "".
  Result<std::string> other_index(codec::IndexKind kind) const {
    const engine::Catalog& catalog = context_.graph.catalog();
    for (const auto& [id, entry] : catalog.indexes()) {
      if (entry.kind != kind || entry.entity != kind_) continue;
      const Names covered = covered_by(catalog, entry);
      CAIRN_ASSIGN(const bool is_known, may_know(context_, entry));
      if (is_known &&
          std::ranges::any_of(covered, [&](const auto& name) { return wanted_.contains(name); }))
        return entry.name;
    }
    return std::string();
  }

  ExecutionContext& context_;
  const SearchVectors& search_;
  codec::EntityKind kind_;
  Names wanted_;
  bool has_conditions_ = false;
  std::optional<codec::Bitmap> passing_;
};

/// Warns about each retriever whose index has no entity with the labels or types of the search.
/// `indexes` has one entry per retriever, nullopt for graph retrievers.
/// Cost: a few set operations; none if the index covers a requested label.
Status warn_of_uncovered(ExecutionContext& context, const SearchVectors& search,
                         std::span<const std::optional<SearchIndex>> indexes, Row row) {
  LabelCover cover(context, search);
  for (std::size_t i = 0; i < indexes.size(); ++i)
    if (indexes[i])
      CAIRN_TRY(cover.check(search.clause->retrievers[i],
                            context.graph.catalog().indexes().at(indexes[i]->id), row));
  return {};
}

class SearchVectorsOperator final : public FanOutOperator {
 public:
  SearchVectorsOperator(const SearchVectors& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        clause_(*content.clause),
        kind_(content.filter.kind),
        filter_(parts.context.evaluator, content.filter),
        is_shared_(shares_filter(content)),
        held_(parts.context.budget),
        held_ahead_(parts.context.budget) {}

 protected:
  /// Does not search ahead for a batch of a single row.
  Status begin(Row row) override {
    hits_ = {};
    held_.begin_again();
    next_ = 0;
    CAIRN_TRY(find_indexes());
    if (!has_checked_labels_) CAIRN_TRY(warn_of_uncovered(context_, content_, indexes_, row));
    has_checked_labels_ = true;
    CAIRN_TRY(is_shared_ && batch().size() > 1 ? take_ahead() : search(row));
    return tell_hits();
  }

  /// Returns hits best first. All hits of a row are held, at most LIMIT.
  Result<bool> emit(Row row, RowBatch& out) override {
    for (; next_ < hits_.size() && !out.full(); ++next_) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      made[clause_.slot] = entity_value(kind_, hits_[next_].id);
      if (clause_.score) made[*clause_.score] = hits_[next_].score;
      if (clause_.parts) CAIRN_TRY(out.put(made[*clause_.parts], hits_[next_].parts));
    }
    return next_ < hits_.size();
  }

 private:
  Status tell_hits() {
    const auto wanted = context_.hits.find(&clause_);
    if (wanted == context_.hits.end()) return {};
    FoundHits& found = wanted->second;
    for (const SearchHit& hit : hits_)
      if (found.ids.insert(hit.id).second) CAIRN_TRY(found.held.add_bytes(set_entry_bytes));
    return {};
  }

  // Looks up the indexes by name, because the catalog may have changed since the last row.
  Status find_indexes() {
    indexes_.clear();
    for (const SearchRetriever& retriever : clause_.retrievers) {
      CAIRN_ASSIGN(auto index,
                   find_retriever_index(context_, retriever, {clause_.variable, kind_}));
      indexes_.push_back(index);
    }
    return {};
  }

  /// Evaluates the arguments for a row and sets the present indexes. A single vector retriever
  /// applies MIN SCORE and WITHIN itself.
  Result<SearchArguments> arguments_of(Row row) {
    CAIRN_ASSIGN(SearchArguments arguments, evaluate_search(evaluator(), clause_, row));
    std::vector<Retriever>& retrievers = arguments.request.retrievers;
    for (std::size_t i = 0; i < retrievers.size(); ++i)
      if (indexes_[i]) retrievers[i].question.index = indexes_[i]->id;
    if (!clause_.is_hybrid && retrievers.front().kind == RetrieverKind::vector) {
      retrievers.front().question.min_score = arguments.min_score;
      retrievers.front().question.within = arguments.within;
    }
    return arguments;
  }

  /// MIN SCORE is applied after the search, so fewer than k hits may remain.
  Status search(Row row) {
    CAIRN_ASSIGN(const SearchArguments arguments, arguments_of(row));
    if (!asks(arguments.request)) return {};
    CAIRN_ASSIGN(const std::optional<codec::Bitmap> allowed, allowed_ids(row));
    const codec::Bitmap* ids = allowed ? &*allowed : nullptr;
    CAIRN_TRY(clause_.is_hybrid ? search_retrievers(arguments.request, ids)
                                : search_one(arguments.request, ids));
    if (arguments.min_score)
      std::erase_if(hits_, [&](const SearchHit& hit) { return hit.score < *arguments.min_score; });
    return {};
  }

  /// False if all queries are null or if LIMIT is 0.
  static bool asks(const SearchRequest& request) {
    const bool is_null = std::ranges::all_of(request.retrievers, &Retriever::is_null);
    return !is_null && request.limit > 0;
  }

  // True for a single vector search whose filter is the same for all rows: the filter reads no
  // other variable and has no function like rand().
  static bool shares_filter(const SearchVectors& content) {
    const SearchClause& clause = *content.clause;
    if (clause.is_hybrid || clause.retrievers.front().kind != RetrieverKind::vector ||
        content.is_bound)
      return false;
    const auto is_same = [&](const Expression* condition) {
      SlotSet slots = free_slots(*condition);
      slots.erase(clause.slot);
      return slots.empty() && is_deterministic(*condition);
    };
    return std::ranges::all_of(content.conjuncts, is_same) &&
           std::ranges::all_of(content.filter.conjuncts, [&](const FilterConjunct& conjunct) {
             return !conjunct.node->depends_on_row &&
                    std::ranges::all_of(conjunct.sources, is_same);
           });
  }

  // Returns the hits of the current row from those searched ahead. Hits that were searched ahead
  // are discarded at the start of a batch and after a write (epoch). The number of rows searched
  // together grows from 8 to 32 and 64 within a batch.
  Status take_ahead() {
    if (place() == 0 || epoch_ != graph().epoch()) ahead_.clear();
    if (place() == 0) most_ahead_ = first_ahead;
    if (ahead_.empty()) CAIRN_TRY(search_ahead());
    const std::size_t bytes = bytes_of(ahead_.front());
    CAIRN_TRY(take_hits(ahead_.front()));
    ahead_.pop_front();
    held_ahead_.give_back(bytes);
    return {};
  }

  static std::size_t bytes_of(const RetrieverHits& found) {
    return found.items.capacity() * sizeof(RankedId);
  }

  // If the arguments of one row are invalid, tries fewer rows, so that earlier rows still get their
  // hits.
  Status search_ahead() {
    held_ahead_.clear();
    std::size_t count = std::min(most_ahead_, batch().size() - place());
    epoch_ = graph().epoch();
    auto found = search_rows(count);
    for (; !found && count > 1; found = search_rows(count)) count /= 2;
    if (!found) return found.error();
    most_ahead_ = std::min(most_ahead_ * 4, last_ahead);
    for (const RetrieverHits& one : *found) CAIRN_TRY(held_ahead_.add_bytes(bytes_of(one)));
    ahead_.assign(std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
    return {};
  }

  /// Searches for `count` rows from the current one on. The filter is evaluated with the current
  /// row, although it does not read the row.
  Result<std::vector<RetrieverHits>> search_rows(std::size_t count) {
    std::vector<SearchRequest> requests;
    for (std::size_t i = 0; i < count; ++i) {
      CAIRN_TRY(budget().step(64));
      CAIRN_ASSIGN(SearchArguments one, arguments_of(batch()[place() + i]));
      requests.push_back(std::move(one.request));
    }
    if (std::ranges::none_of(requests, asks)) return std::vector<RetrieverHits>(count);
    CAIRN_ASSIGN(const std::optional<codec::Bitmap> allowed, allowed_ids(batch()[place()]));
    std::vector<BatchedQuestion> questions;
    for (const SearchRequest& one : requests)
      questions.push_back({&one.retrievers.front(), one.limit});
    CAIRN_ASSIGN(auto found,
                 search_vectors_batch(context_, questions, allowed ? &*allowed : nullptr));
    for (RetrieverHits& one : found)
      if (!one.executor.empty() && count > 1)
        one.executor += ", " + std::to_string(count) + " at once";
    return found;
  }

  Status search_one(const SearchRequest& request, const codec::Bitmap* allowed) {
    const Retriever& retriever = request.retrievers.front();
    CAIRN_ASSIGN(RetrieverHits found, search_index(context_, retriever, request.limit, allowed));
    return take_hits(found);
  }

  /// Takes the hits of a single retriever. Its score is the whole score.
  Status take_hits(RetrieverHits& found) {
    own_meter().remark = std::move(found.executor);
    CAIRN_TRY(held_.add_bytes(found.items.size() * sizeof(SearchHit)));
    hits_.reserve(found.items.size());
    for (const RankedId& item : found.items) hits_.push_back({item.id, item.score, {}});
    return clause_.parts ? add_parts() : Status();
  }

  // The breakdown of a search with one retriever has one entry per hit.
  Status add_parts() {
    Retriever retriever;
    retriever.kind = clause_.retrievers.front().kind;
    retriever.name = clause_.retrievers.front().index;
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      hits_[i].parts = List{retriever_part(retriever, i + 1, hits_[i].score, hits_[i].score)};
      CAIRN_TRY(held_.add_one(hits_[i].parts));
    }
    return {};
  }

  Status search_retrievers(const SearchRequest& request, const codec::Bitmap* allowed) {
    CAIRN_ASSIGN(RequestHits found,
                 run_retrievers(context_, request, allowed, clause_.parts.has_value()));
    hits_ = std::move(found.hits);
    CAIRN_TRY(held_.add_bytes(hits_.capacity() * sizeof(SearchHit)));
    for (const SearchHit& hit : hits_) CAIRN_TRY(held_.add_one(hit.parts));
    own_meter().retrievers = std::move(found.profiles);
    return {};
  }

  // Returns the ids that may be hits, or nullopt if all may. Filtering comes before the search,
  // because a hit that fails a later filter would have displaced another hit.
  //    no filter, all visible     nullopt: the index needs no list of ids
  //    no filter, some hidden     the visible ids
  //    a filter                   the ids that pass, including checks on records
  Result<std::optional<codec::Bitmap>> allowed_ids(Row row) {
    const bool is_free = content_.filter.conjuncts.empty() && content_.conjuncts.empty();
    if (is_free && !content_.is_bound) {
      CAIRN_ASSIGN(const codec::Bitmap* restriction, graph().restriction(kind_));
      return restriction == nullptr ? std::nullopt : std::optional(*restriction);
    }
    std::optional<codec::Bitmap> within;
    if (content_.is_bound) within = bound_id(row);
    CAIRN_ASSIGN(codec::Bitmap passing,
                 filter_ids(context_, content_.filter, filter_, content_.conjuncts, row,
                            within ? &*within : nullptr));
    return std::optional(std::move(passing));
  }

  /// If the variable is bound before, the search only scores its entity. There are no hits if it is
  /// null.
  codec::Bitmap bound_id(Row row) const {
    codec::Bitmap one;
    const auto entity = entity_of(row[clause_.slot]);
    if (entity && entity->kind == kind_) one.add(entity->id);
    return one;
  }

  const SearchVectors& content_;
  const SearchClause& clause_;
  codec::EntityKind kind_;
  FilterEvaluator filter_;
  std::vector<std::optional<SearchIndex>> indexes_;  // by retriever; nullopt: a graph retriever
  std::vector<SearchHit> hits_;
  std::size_t next_ = 0;
  bool has_checked_labels_ = false;

  // Searching many rows together is cheaper per row. Beginning with few rows serves statements that
  // need only few.
  static constexpr std::size_t first_ahead = 8, last_ahead = 64;
  bool is_shared_;
  Holding held_;                     // of hits_
  Holding held_ahead_;               // of ahead_
  std::deque<RetrieverHits> ahead_;  // hits of the current row and the rows after it
  std::size_t most_ahead_ = first_ahead;
  std::uint64_t epoch_ = 0;  // epoch of the graph for ahead_
};

}  // namespace

OperatorPtr make_operator(const SearchVectors& content, Parts parts) {
  return std::make_unique<SearchVectorsOperator>(content, std::move(parts));
}

}  // namespace cairn::query
