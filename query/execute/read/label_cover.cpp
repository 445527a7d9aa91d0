// One warning for each retriever whose index can have no hit by the labels or types of the pattern. An
// index that covers a name that is asked for is believed without a look; only else the ids are
// intersected, since a record may have several labels.
#include "query/execute/read/label_cover.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

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

// Names that make a record fit, those under NOT left out.
void collect_wanted(const Expression& condition, bool negated, Names& wanted) {
  if (condition.kind == ExpressionKind::has_label && !negated) wanted.insert(condition.name);
  const bool flips = condition.kind == ExpressionKind::logical_not;
  for (const ExpressionPtr& child : condition.children)
    if (child) collect_wanted(*child, negated != flips, wanted);
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? ":" : "|") + name;
  return text;
}

class LabelCover {
 public:
  /// Types have no logic of their own in a pattern: any of them fits.
  LabelCover(ExecutionContext& context, const SearchVectors& search)
      : context_(context), search_(search), kind_(search.filter.kind) {
    for (const Expression* condition : search.labels) collect_wanted(*condition, false, wanted_);
    if (search.types != nullptr) wanted_.insert(search.types->begin(), search.types->end());
    has_conditions_ = !search.labels.empty() || (search.types != nullptr && !search.types->empty());
  }

  /// Nothing to say where the pattern names no label, or where a record of the index passes.
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
    warn_once(context_, warning(retriever, covered, entry.kind));
    return {};
  }

 private:
  // What the labels let through: by indexes alone, so at least that much.
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

  std::string warning(const SearchRetriever& retriever, const Names& covered,
                      codec::IndexKind kind) const {
    const bool is_node = kind_ == codec::EntityKind::node;
    const std::string what = is_node ? "node" : "relationship";
    std::string text = "index \"" + retriever.index + "\" covers " + joined(covered) + ", and no " +
                       what + " of it passes the " + (is_node ? "label" : "type");
    text += wanted_.empty() ? "s that `" + search_.clause->variable + "` may not have"
                            : " " + joined(wanted_) + " of `" + search_.clause->variable + "`";
    text += ": the search finds nothing by it; ";
    const std::string other = other_index(kind);
    if (!other.empty()) return text + "search in index \"" + other + "\", which covers that";
    return text + "name " + joined(covered) + " in the pattern, or make an index of what it names";
  }

  // An index of the same kind with a label that is asked for.
  std::string other_index(codec::IndexKind kind) const {
    const engine::Catalog& catalog = context_.graph.catalog();
    for (const auto& [id, entry] : catalog.indexes()) {
      if (entry.kind != kind || entry.entity != kind_) continue;
      const Names covered = covered_by(catalog, entry);
      if (std::ranges::any_of(covered, [&](const auto& name) { return wanted_.contains(name); }))
        return entry.name;
    }
    return {};
  }

  ExecutionContext& context_;
  const SearchVectors& search_;
  codec::EntityKind kind_;
  Names wanted_;
  bool has_conditions_ = false;
  std::optional<codec::Bitmap> passing_;
};

}  // namespace

// Retrievers without an index are those by the graph.
Status warn_of_uncovered(ExecutionContext& context, const SearchVectors& search,
                         std::span<const std::optional<SearchIndex>> indexes, Row row) {
  LabelCover cover(context, search);
  for (std::size_t i = 0; i < indexes.size(); ++i)
    if (indexes[i])
      CAIRN_TRY(cover.check(search.clause->retrievers[i],
                            context.graph.catalog().indexes().at(indexes[i]->id), row));
  return {};
}

}  // namespace cairn::query
