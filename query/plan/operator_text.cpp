// Prints each kind of operator as one line, in the words of the query language if possible. Tests compare these lines
// with tests/golden/explain, so a change here changes golden files.

#include "query/plan/plan_text.hpp"

#include <cairn/vector_search.hpp>

#include <array>
#include <optional>

namespace cairn::query {
namespace {

std::string node_text(const std::string& name) { return "(" + name + ")"; }

// Prints hops as in a pattern: "*2..4".
std::string hops_text(const HopRange& hops) {
  if (hops.most && *hops.most == hops.least) return "*" + std::to_string(hops.least);
  return "*" + std::to_string(hops.least) + ".." + (hops.most ? std::to_string(*hops.most) : "");
}

// Prints the types of a pattern: ":A|B".
std::string types_text(const std::vector<std::string>& types) {
  std::string text;
  for (const std::string& type : types) text += (text.empty() ? ":" : "|") + type;
  return text;
}

// Prints the search options of an index retriever that the statement gives.
std::string way_text(const SearchRetriever& retriever, std::string_view statement) {
  static constexpr std::array<std::string_view, 4> classes = {" accuracy fast", " accuracy default",
                                                              " accuracy high", " exactly"};
  std::string text = retriever.plain ? " plain" : "";
  if (retriever.accuracy) text += classes[static_cast<std::size_t>(*retriever.accuracy)];
  if (retriever.ef_search) text += " ef " + text_of(*retriever.ef_search, statement);
  return text;
}

// Prints, for example: "graph (m)-[:RELATED*1..2]-()".
std::string graph_retriever_text(const SearchRetriever& retriever, const std::string& searched,
                                 std::string_view statement) {
  const bool is_left = retriever.direction == PatternDirection::left;
  const bool is_right = retriever.direction == PatternDirection::right;
  return "graph " + node_text(searched) + (is_left ? "<-" : "-") + "[" +
         types_text(retriever.types) + hops_text(retriever.hops) + "]" + (is_right ? "->" : "-") +
         node_text(retriever.seed ? text_of(*retriever.seed, statement) : "");
}

/// Prints, for example: "vectors in v for $q exactly, weight 2".
std::string retriever_text(const SearchRetriever& retriever, const std::string& searched,
                           std::string_view statement) {
  const std::string weight =
      retriever.weight ? ", weight " + text_of(*retriever.weight, statement) : std::string();
  if (retriever.kind == RetrieverKind::graph)
    return graph_retriever_text(retriever, searched, statement) + weight;
  static constexpr std::array<std::string_view, 5> kinds = {"vectors in ", "texts in ", "", "",
                                                            "recall in "};
  return std::string(kinds[static_cast<std::size_t>(retriever.kind)]) + retriever.index + " for " +
         text_of(*retriever.query, statement) + way_text(retriever, statement) + weight;
}

// The words of FUSE in the query language.
std::string_view fusion_text(Fusion::Kind fusion) {
  using Kind = Fusion::Kind;
  switch (fusion) {
    case Kind::reciprocal_rank:
      return "rank";
    case Kind::weighted_sum:
      return "weighted sum";
    case Kind::z_score:
      return "zscore";
    case Kind::max_norm:
      return "max norm";
    case Kind::min_max:
      return "min max";
  }
  return "";
}

// Prints, for example: "SearchVectors m in v exactly" or "SearchHybrid m by max norm".
std::string search_text(const SearchClause& clause, std::string_view statement) {
  if (clause.is_hybrid)
    return "SearchHybrid " + clause.variable + " by " + std::string(fusion_text(clause.fusion));
  const SearchRetriever& retriever = clause.retrievers.front();
  static constexpr std::array<std::string_view, 5> kinds = {"SearchVectors ", "SearchTexts ", "",
                                                            "", "SearchRanked "};
  return std::string(kinds[static_cast<std::size_t>(retriever.kind)]) + clause.variable + " in " +
         retriever.index + way_text(retriever, statement);
}

// Prints the bounds of a search: " within 0.3 limit 5".
std::string cut_text(const SearchClause& clause, std::string_view statement) {
  const auto part = [&](const char* word, const ExpressionPtr& value) {
    return value ? word + text_of(*value, statement) : std::string();
  };
  return part(" within ", clause.within) + part(" least score ", clause.min_score) +
         part(" limit ", clause.limit);
}

// Prints, for example: " least and greatest p, least q".
std::string extremes_text(const ScanNodes& scan) {
  std::string text;
  for (const auto& [property, least, greatest] : scan.extremes)
    text += std::string(text.empty() ? "" : ",") + (least ? " least" : "") +
            (least && greatest ? " and" : "") + (greatest ? " greatest" : "") + " " + property;
  return text;
}

// Prints, for example: " nearest in names to $q at least 0.6".
std::string nearest_text(const std::optional<SimilarityTopN>& nearest, std::string_view statement) {
  if (!nearest || nearest->index.empty()) return "";
  const std::string least =
      nearest->least != nullptr ? " at least " + text_of(*nearest->least, statement) : "";
  return " nearest in " + nearest->index + " to " + text_of(*nearest->query, statement) + least;
}

// Prints a step in the direction of the walk, so the node where the walk starts is on the left. The arrow may
// therefore differ from the statement.
std::string walk_text(const Walk& walk) {
  const RelationshipPattern& pattern = *walk.pattern;
  const std::string types = types_text(pattern.types);
  const std::string hops = pattern.hops ? hops_text(*pattern.hops) : "";
  const std::string step = "[" + pattern.name + types + hops + "]";
  const bool points_right = (pattern.direction == PatternDirection::right) != walk.reversed;
  const bool is_any = pattern.direction == PatternDirection::any;
  return node_text(walk.from_name) + (is_any || points_right ? "-" : "<-") + step +
         (is_any || !points_right ? "-" : "->") + node_text(walk.to_name);
}

// Joins the texts of all items with ", ".
template <class Items, class Text>
std::string join(const Items& items, const Text& text) {
  std::string line;
  for (const auto& item : items) line += (line.empty() ? "" : ", ") + text(item);
  return line;
}

// Prints one line for each kind of operator.
class OperatorText {
 public:
  OperatorText(std::string_view statement, const SlotNames& names)
      : statement_(statement), names_(names) {}

  std::string operator()(const ScanNodes& scan) const {
    const std::string first = scan.first ? " first by " + scan.first->property +
                                               (scan.first->descending ? " descending" : "")
                                         : "";
    return "ScanNodes " + node_text(scan.name) + first + extremes_text(scan) +
           nearest_text(scan.nearest, statement_);
  }
  /// Prints FindEnds if the relationship is already bound: then the operator only reads the two ends from the record.
  std::string operator()(const ScanRelationships& scan) const {
    return (scan.is_bound ? "FindEnds " : "ScanRelationships ") + walk_text(scan.walk) +
           nearest_text(scan.nearest, statement_);
  }
  std::string operator()(const Expand& expand) const {
    std::string meetings;
    for (const Walk& walk : expand.meetings)
      meetings += (meetings.empty() ? " where " : ", ") + walk_text(walk);
    return expand_text(expand.is_counted ? "ExpandCounted" : "Expand", expand.walk) + meetings;
  }
  std::string operator()(const ExpandVariable& expand) const {
    std::string tests;
    for (const auto* list : {&expand.relationships, &expand.nodes})
      for (const ElementTest& test : *list)
        tests += (tests.empty() ? ", each " : ", ") + std::string(test.wanted ? "" : "NOT ") +
                 text_of(*test.condition, statement_);
    return expand_text(expand.ends_only ? "ExpandReach" : "ExpandVariable", expand.walk) + tests;
  }
  std::string operator()(const FindShortest& find) const {
    const std::string checks =
        find.conjuncts.empty() ? "" : ", check " + conditions(find.conjuncts);
    const std::string count = find.path->is_selected ? std::to_string(find.path->count) +
                                                           (find.all ? " groups " : " paths ")
                                                     : "";
    return (find.all ? "FindAllShortest " : "FindShortest ") + count + walk_text(find.walk) +
           checks;
  }
  std::string operator()(const BindPath& bind) const { return "BindPath " + bind.path->name; }
  std::string operator()(const SemiJoinFilter& keep) const { return "SemiJoinFilter " + keep.name; }
  /// The conditions after "check" have no index. The search checks them on records before it ranks.
  std::string operator()(const SearchVectors& search) const {
    const std::string checks =
        search.conjuncts.empty() ? "" : ", check " + conditions(search.conjuncts);
    return search_text(*search.clause, statement_) + cut_text(*search.clause, statement_) + checks;
  }
  std::string operator()(const LateFilterWarning&) const { return "LateFilterWarning"; }
  std::string operator()(const Select& select) const {
    return "Select " + conditions(select.conjuncts);
  }
  std::string operator()(const Project& project) const {
    std::string line;
    for (const ProjectionItem& item : project.clause->items)
      if (!item.name.empty()) line += (line.empty() ? "" : ", ") + item_text(item);
    return "Project " + line;
  }
  /// Prints, for example: "Aggregate count(*), sum(n.x) by n.kind".
  std::string operator()(const Aggregate& aggregate) const {
    const auto& keys = aggregate.clause->keys;
    const std::string by =
        join(keys, [&](const ExpressionPtr& key) { return text_of(*key, statement_); });
    return "Aggregate " +
           join(aggregate.clause->aggregates, [&](const auto& call) { return call_text(call); }) +
           (keys.empty() ? "" : " by " + by);
  }
  std::string operator()(const Distinct&) const { return "Distinct"; }
  /// Prints SortFirst if the sort keeps only the rows that a later LIMIT needs.
  std::string operator()(const Sort& sort) const {
    return (sort.is_limited ? "SortFirst " : "Sort ") +
           join(sort.clause->order, [&](const SortKey& key) {
             return text_of(*key.expression, statement_) + (key.descending ? " descending" : "");
           });
  }
  std::string operator()(const Skip& skip) const {
    return "Skip " + text_of(*skip.count, statement_);
  }
  std::string operator()(const Limit& limit) const {
    return "Limit " + text_of(*limit.count, statement_);
  }
  std::string operator()(const TrimColumns&) const { return "TrimColumns"; }
  std::string operator()(const Unwind& unwind) const {
    return "Unwind " + text_of(*unwind.clause->list, statement_);
  }
  std::string operator()(const Optional&) const { return "Optional"; }
  std::string operator()(const CountRows& count) const {
    return "CountRows " + node_text(count.name);
  }
  /// Groups without a count only list distinct values.
  std::string operator()(const IndexGroupCount& count) const {
    const bool lists = count.is_grouped && count.columns.empty();
    return (lists ? "ListValues " : "IndexGroupCount ") + node_text(count.name) + " by " +
           count.property;
  }
  std::string operator()(const CreatePattern& create) const {
    return "Create " + join(create.clause->paths, [](const PathPattern& path) {
             return std::to_string(path.nodes.size()) + " node" +
                    (path.nodes.size() == 1 ? "" : "s");
           });
  }
  std::string operator()(const SetProperties&) const { return "Set"; }
  std::string operator()(const MergePattern&) const { return "Merge"; }
  std::string operator()(const DeleteEntities& erase) const {
    return erase.clause->detach ? "DetachDelete" : "Delete";
  }
  std::string operator()(const Foreach&) const { return "Foreach"; }
  std::string operator()(const CallSubquery& call) const {
    const auto& columns = call.clause->subquery->subquery->parts.front().columns;
    std::string name = "CallSubquery";
    if (call.is_writing && call.clause->in_transactions) name += " IN TRANSACTIONS";
    if (call.clause->on_error == OnError::go_on) name += " ON ERROR CONTINUE";
    if (call.clause->on_error == OnError::stop) name += " ON ERROR BREAK";
    return columns.empty() ? name : name + " " + join(columns, [](const auto& one) { return one; });
  }
  /// Prints the call as in the statement. Without parentheses there, the arguments are parameters and are not
  /// printed.
  std::string operator()(const CallProcedure& call) const {
    if (call.clause->implicit_arguments) return "Call " + call.clause->procedure;
    return "Call " + call.clause->procedure + "(" +
           join(call.clause->arguments,
                [&](const ExpressionPtr& argument) { return text_of(*argument, statement_); }) +
           ")";
  }

 private:
  // A column without AS has the text of its expression, including blanks, as its name. Then AS is not printed.
  std::string item_text(const ProjectionItem& item) const {
    const std::string text = text_of(*item.expression, statement_);
    const bool is_named = item.name.find_first_of(" \n\r\t(.") == std::string::npos;
    if (text == "...") return item.name;
    return is_named && text != item.name ? text + " AS " + item.name : text;
  }
  // The suffix Into means that both ends are bound.
  static std::string expand_text(const std::string& name, const Walk& walk) {
    return name + (walk.to_is_bound ? "Into " : " ") + walk_text(walk);
  }
  // Joins the conditions with AND.
  std::string conditions(const std::vector<const Expression*>& list) const {
    std::string line;
    for (const Expression* one : list)
      line += (line.empty() ? "" : " AND ") + text_of(*one, statement_, names_);
    return line;
  }
  // Prints an aggregate as in the statement.
  std::string call_text(const AggregateCall& call) const {
    if (call.function == nullptr) return "count(*)";
    return std::string(call.function->name) + (call.distinct ? "(DISTINCT " : "(") +
           join(call.arguments,
                [&](const ExpressionPtr& argument) { return text_of(*argument, statement_); }) +
           ")";
  }

  std::string_view statement_;
  const SlotNames& names_;
};

}  // namespace

std::string describe(const Operator& one, std::string_view statement, const SlotNames& names) {
  return std::visit(OperatorText(statement, names), one.content);
}

// A search with a single retriever is printed on the line of its operator.
std::vector<std::string> retriever_lines(const Operator& one, std::string_view statement) {
  std::vector<std::string> lines;
  const auto* search = std::get_if<SearchVectors>(&one.content);
  if (search == nullptr || !search->clause->is_hybrid) return lines;
  for (const SearchRetriever& retriever : search->clause->retrievers)
    lines.push_back(retriever_text(retriever, search->clause->variable, statement));
  return lines;
}

// Operators that are not listed have no filter of their own.
OperatorFilter filter_of(const Operator& one) {
  return std::visit(
      Overload{
          [](const ScanNodes& scan) { return OperatorFilter{&scan.filter, scan.name}; },
          [](const ScanRelationships& scan) {
            return OperatorFilter{&scan.filter, scan.walk.pattern->name};
          },
          [](const SemiJoinFilter& keep) { return OperatorFilter{&keep.filter, keep.name}; },
          [](const SearchVectors& search) {
            return OperatorFilter{&search.filter, search.clause->variable};
          },
          [](const CountRows& count) { return OperatorFilter{&count.filter, count.name}; },
          [](const IndexGroupCount& count) { return OperatorFilter{&count.filter, count.name}; },
          [](const auto&) { return OperatorFilter{}; },
      },
      one.content);
}

// Prints conditions for EXPLAIN. Labels and property maps of a pattern become conditions that have no text in the
// statement, so their text is composed. All other conditions are printed as written.

namespace {

// Returns the name of the variable in a slot, or "_" if it has no name.
std::string name_in(const SlotNames& names, Slot slot) {
  const auto found = names.find(slot);
  return found == names.end() || found->second.empty() ? "_" : found->second;
}

// Prints variable.key.key. Returns nullopt if the expression is not a property of a variable of the pattern.
std::optional<std::string> property_text(const Expression& expression, const SlotNames& names) {
  const auto path = property_path(expression);
  if (!path || !names.contains(path->slot)) return std::nullopt;
  std::string text = name_in(names, path->slot);
  for (const std::string& key : path->keys) text += "." + key;
  return text;
}

}  // namespace

SlotNames names_of(const PatternSource& pattern) {
  SlotNames names;
  for (const PathPattern& path : pattern.paths) {
    for (const NodePattern& node : path.nodes) names[node.slot] = node.name;
    for (const RelationshipPattern& step : path.relationships) names[step.slot] = step.name;
  }
  return names;
}

std::string text_of(const Expression& condition, std::string_view statement,
                    const SlotNames& names) {
  if (condition.kind == ExpressionKind::has_label &&
      condition.children[0]->kind == ExpressionKind::variable)
    return name_in(names, condition.children[0]->slot) + ":" + condition.name;
  if (condition.kind == ExpressionKind::equal)
    if (const auto property = property_text(*condition.children[0], names))
      return *property + " = " + text_of(*condition.children[1], statement);
  return text_of(condition, statement);
}

}  // namespace cairn::query
