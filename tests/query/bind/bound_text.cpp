#include "tests/query/bind/bound_text.hpp"

#include <cairn/vector_search.hpp>

#include <string_view>

namespace cairn::test {
namespace {

using namespace query;

constexpr std::string_view kind_names[] = {"literal",
                                           "parameter",
                                           "variable",
                                           "property",
                                           "subscript",
                                           "slice",
                                           "list",
                                           "map",
                                           "map_projection",
                                           "-",
                                           "+",
                                           "+",
                                           "-",
                                           "*",
                                           "/",
                                           "%",
                                           "^",
                                           "||",
                                           "=",
                                           "<>",
                                           "<",
                                           "<=",
                                           ">",
                                           ">=",
                                           "NOT ",
                                           "AND",
                                           "OR",
                                           "XOR",
                                           "IN",
                                           "STARTS WITH",
                                           "ENDS WITH",
                                           "CONTAINS",
                                           "=~",
                                           "IS NULL",
                                           "IS NOT NULL",
                                           "has_label",
                                           "has_any_label",
                                           "has_labels",
                                           "is_node",
                                           "CASE",
                                           "call",
                                           "comprehension",
                                           "all",
                                           "any",
                                           "none",
                                           "single",
                                           "reduce",
                                           "EXISTS",
                                           "pattern",
                                           "EXISTS",
                                           "COUNT",
                                           "COLLECT"};

std::string slot_text(Slot slot) { return "#" + std::to_string(slot); }

std::string text(const ExpressionPtr& expression) {
  return expression ? bound_text(*expression) : "";
}

template <class Items, class Print>
std::string joined(const Items& items, std::string_view separator, Print print) {
  std::string result;
  for (const auto& item : items) {
    if (!result.empty()) result += separator;
    result += print(item);
  }
  return result;
}

std::string all(const std::vector<ExpressionPtr>& expressions, std::string_view separator) {
  return joined(expressions, separator, [](const ExpressionPtr& each) { return text(each); });
}

std::string names_text(const std::vector<std::string>& names, std::string_view separator) {
  return joined(names, separator, [](const std::string& name) { return name; });
}

std::string query_text(const Query& query, std::string_view separator);
std::string clause_text(const Clause& clause);

std::string optional_part(std::string_view keyword, const ExpressionPtr& expression) {
  return expression ? std::string(keyword) + text(expression) : "";
}

std::string node_text(const NodePattern& node) {
  std::string result = "(" + slot_text(node.slot);
  if (node.is_bound) result += "!";
  for (const std::string& label : node.labels) result += ":" + label;
  result += optional_part(":$", node.labels_by_value);
  return result + optional_part(" ", node.properties) + ")";
}

std::string hops_text(const RelationshipPattern& relationship) {
  if (!relationship.hops) return {};
  const auto& hops = *relationship.hops;
  std::string result = "*" + std::to_string(hops.least) + "..";
  if (hops.most) result += std::to_string(*hops.most);
  if (relationship.each.empty()) return result;
  return result + " each " + slot_text(relationship.element_slot) + " " +
         all(relationship.each, "; ");
}

std::string relationship_text(const RelationshipPattern& relationship) {
  std::string inside = slot_text(relationship.slot);
  if (relationship.is_bound) inside += "!";
  if (!relationship.types.empty()) inside += ":" + names_text(relationship.types, "|");
  inside += optional_part(":$", relationship.type_by_value);
  inside += hops_text(relationship) + optional_part(" ", relationship.properties);
  const bool left = relationship.direction == PatternDirection::left;
  const bool right = relationship.direction == PatternDirection::right;
  return (left ? "<-[" : "-[") + inside + (right ? "]->" : "]-");
}

std::string path_text(const PathPattern& path) {
  static constexpr std::string_view searches[] = {"", "shortest ", "all_shortest "};
  std::string result;
  if (path.slot) result = slot_text(*path.slot) + " = ";
  result += searches[static_cast<std::size_t>(path.search)];
  if (path.is_selected) result += "selected " + std::to_string(path.count) + " ";
  result += node_text(path.nodes.front());
  for (std::size_t i = 0; i < path.relationships.size(); ++i) {
    result += relationship_text(path.relationships[i]) + node_text(path.nodes[i + 1]);
  }
  return result;
}

std::string paths_text(const std::vector<PathPattern>& paths) {
  return joined(paths, ", ", path_text);
}

std::string way_text(const SearchRetriever& retriever) {
  std::string result = retriever.plain ? " plain" : "";
  const bool is_exact = retriever.accuracy == VectorAccuracy::exact;
  if (is_exact) result += " exact";
  result += optional_part(" ef ", retriever.ef_search);
  if (retriever.accuracy && !is_exact)
    result += " accuracy " + std::to_string(static_cast<int>(*retriever.accuracy));
  return result;
}

std::string retriever_text(const SearchRetriever& retriever) {
  if (retriever.kind != RetrieverKind::graph)
    return (retriever.kind == RetrieverKind::text ? "fulltext " : "") + retriever.index + " for " +
           text(retriever.query);
  std::string types;
  for (const std::string& type : retriever.types) types += ":" + type;
  return "graph " + std::to_string(static_cast<int>(retriever.direction)) + types + " " +
         std::to_string(retriever.hops.least) + ".." + std::to_string(*retriever.hops.most) +
         optional_part(" from ", retriever.seed);
}

std::string search_text(const SearchClause& search) {
  std::string result = " search " + slot_text(search.slot) + " in ";
  for (const SearchRetriever& retriever : search.retrievers) {
    if (&retriever != &search.retrievers.front()) result += ", ";
    result += retriever_text(retriever);
    if (search.is_hybrid)
      result += way_text(retriever) + optional_part(" weight ", retriever.weight);
  }
  using Fusion = Fusion::Kind;
  if (search.is_hybrid && search.fusion == Fusion::reciprocal_rank) result += " fuse rrf";
  if (search.is_hybrid && search.fusion == Fusion::z_score) result += " fuse zscore";
  if (search.is_hybrid && search.fusion == Fusion::max_norm) result += " fuse max_norm";
  if (search.is_hybrid && search.fusion == Fusion::min_max) result += " fuse min_max";
  result += optional_part(" k ", search.fusion_k);
  if (!search.conjuncts.empty()) result += " where " + all(search.conjuncts, "; ");
  if (!search.is_hybrid) result += way_text(search.retrievers.front());
  result +=
      optional_part(" candidates ", search.candidates) + optional_part(" within ", search.within) +
      optional_part(" least score ", search.min_score) + optional_part(" limit ", search.limit);
  if (search.score) result += " score " + slot_text(*search.score);
  if (search.parts) result += " parts " + slot_text(*search.parts);
  return result;
}

std::string match_text(const MatchClause& match) {
  std::string result = paths_text(match.paths);
  if (match.search) result += search_text(*match.search);
  if (!match.conjuncts.empty()) result += " where " + all(match.conjuncts, "; ");
  return result;
}

std::string width_text(std::uint32_t width) { return " width " + std::to_string(width); }

std::string set_item_text(const SetItem& item) {
  using Kind = SetItem::Kind;
  const std::string target = text(item.target);
  switch (item.kind) {
    case Kind::property:
      return target + "." + item.property + " = " + text(item.value);
    case Kind::replace_all:
      return target + " = " + text(item.value);
    case Kind::merge_all:
      return target + " += " + text(item.value);
    case Kind::labels:
      return target + " + :" + names_text(item.labels, ":");
    case Kind::remove_property:
      return target + " - ." + item.property;
    case Kind::remove_labels:
      return target + " - :" + names_text(item.labels, ":");
    case Kind::expiry:
      return target + (item.value ? "@expires_at = " + text(item.value) : " - @expires_at");
  }
  return {};
}

std::string set_items_text(const std::vector<SetItem>& items) {
  return joined(items, ", ", set_item_text);
}

struct ClauseText {
  std::string operator()(const MatchClause& clause) const {
    std::string introduced = joined(clause.introduced, " ", slot_text);
    return (clause.optional ? "optional match " : "match ") + match_text(clause) + " gives " +
           introduced + width_text(clause.width);
  }
  std::string operator()(const UnwindClause& clause) const {
    return "unwind " + text(clause.list) + " as " + slot_text(clause.slot) +
           width_text(clause.width);
  }
  std::string operator()(const ProjectClause& clause) const {
    std::string result = clause.is_return ? "return" : "with";
    if (clause.distinct) result += " distinct";
    if (clause.aggregating) {
      result += " keys (" + all(clause.keys, ", ") + ") aggregates (" +
                joined(clause.aggregates, ", ", aggregate_text) + ")";
    }
    result += " " + joined(clause.items, ", ", [](const ProjectionItem& item) {
                return text(item.expression) + " as " + (item.name.empty() ? "-" : item.name);
              });
    if (!clause.order.empty()) {
      result += " order " + joined(clause.order, ", ", [](const SortKey& key) {
                  return text(key.expression) + (key.descending ? " desc" : "");
                });
    }
    return result + optional_part(" skip ", clause.skip) + optional_part(" limit ", clause.limit) +
           optional_part(" where ", clause.where) + " width " + std::to_string(clause.input_width) +
           " -> " + std::to_string(clause.width);
  }
  std::string operator()(const CreateClause& clause) const {
    return "create " + paths_text(clause.paths) + width_text(clause.width);
  }
  std::string operator()(const SetClause& clause) const {
    return "set " + set_items_text(clause.items) + width_text(clause.width);
  }
  std::string operator()(const MergeClause& clause) const {
    std::string result = "merge " + path_text(clause.path);
    if (!clause.on_create.empty()) result += " on create " + set_items_text(clause.on_create);
    if (!clause.on_match.empty()) result += " on match " + set_items_text(clause.on_match);
    return result + " gives " + joined(clause.introduced, " ", slot_text) +
           width_text(clause.width);
  }
  std::string operator()(const DeleteClause& clause) const {
    return (clause.detach ? "detach delete " : "delete ") + all(clause.targets, ", ") +
           width_text(clause.width);
  }
  std::string operator()(const CallClause& clause) const {
    std::string result = "call " + clause.procedure;
    result += clause.implicit_arguments ? "" : "(" + all(clause.arguments, ", ") + ")";
    for (const CallClause::Yield& yield : clause.yields) {
      result += " " + yield.column + " as " + slot_text(yield.slot);
    }
    if (!clause.conjuncts.empty()) result += " where " + all(clause.conjuncts, "; ");
    return result + width_text(clause.width);
  }
  std::string operator()(const CallSubqueryClause& clause) const {
    return "call {" + query_text(*clause.subquery->subquery, "; ") + "}" +
           (clause.columns.empty() ? "" : " gives " + joined(clause.columns, " ", slot_text)) +
           (clause.in_transactions ? " in transactions" : "") + errors_text(clause) +
           width_text(clause.width);
  }
  std::string operator()(const std::unique_ptr<ForeachClause>& clause) const {
    return "foreach " + slot_text(clause->slot) + " in " + text(clause->list) + " (" +
           joined(clause->updates, "; ", clause_text) + ")" + width_text(clause->width);
  }

 private:
  static std::string errors_text(const CallSubqueryClause& clause) {
    static constexpr const char* texts[] = {"", " on error continue", " on error break"};
    return texts[static_cast<std::size_t>(clause.on_error)] +
           (clause.status ? " status " + slot_text(*clause.status) : std::string());
  }
  static std::string aggregate_text(const AggregateCall& call) {
    if (call.function == nullptr) return "count(*)";
    return std::string(call.function->name) + (call.distinct ? "(distinct " : "(") +
           all(call.arguments, ", ") + ")";
  }
};

std::string clause_text(const Clause& clause) { return std::visit(ClauseText{}, clause); }

std::string query_text(const Query& query, std::string_view separator) {
  const std::string between =
      std::string(separator) + (query.distinct ? "union" : "union all") + std::string(separator);
  return joined(query.parts, between, [&](const SingleQuery& part) {
    return joined(part.clauses, separator, clause_text);
  });
}

std::string map_text(const Expression& map, std::size_t first_child) {
  std::string result;
  for (std::size_t i = 0; i < map.names.size(); ++i) {
    if (!result.empty()) result += ", ";
    result += map.names[i] + ": " + text(map.children[first_child + i]);
  }
  return result;
}

std::string local_text(const Expression& expression) {
  const auto& children = expression.children;
  std::string result = slot_text(expression.slot) + " in " + text(children[0]);
  if (children.size() > 1) result += optional_part(" where ", children[1]);
  if (children.size() > 2) result += optional_part(" | ", children[2]);
  return result;
}

std::string infix_text(const Expression& expression) {
  const auto name = kind_names[static_cast<std::size_t>(expression.kind)];
  return "(" + all(expression.children, " " + std::string(name) + " ") + ")";
}

std::string schema_text(const SchemaCommand& command) {
  static constexpr std::string_view kinds[] = {"create range index",
                                               "create vector index",
                                               "create fulltext index",
                                               "create unique constraint",
                                               "create key constraint",
                                               "create not null constraint",
                                               "drop index",
                                               "drop constraint",
                                               "drop namespace",
                                               "create text index",
                                               "create lookup index",
                                               "create database"};
  std::string result(kinds[static_cast<std::size_t>(command.kind)]);
  if (!command.name.empty()) result += " " + command.name;
  if (command.if_exists_or_not) result += " if so";
  if (command.properties.empty()) return result;
  return result + (command.on_relationship ? " on relationships :" : " on nodes :") +
         names_text(command.labels_or_types, "|") + " (" + names_text(command.properties, ", ") +
         ")" + optional_part(" options ", command.options);
}

}  // namespace

std::string bound_text(const Expression& expression) {
  using enum ExpressionKind;
  const auto& children = expression.children;
  const auto name = std::string(kind_names[static_cast<std::size_t>(expression.kind)]);
  switch (expression.kind) {
    case literal:
      return expression.value.to_text();
    case parameter:
      return "$" + expression.name;
    case variable:
      return slot_text(expression.slot);
    case property:
      return text(children[0]) + "." + expression.name;
    case subscript:
      return text(children[0]) + "[" + text(children[1]) + "]";
    case slice:
      return text(children[0]) + "[" + text(children[1]) + ".." + text(children[2]) + "]";
    case list:
      return "[" + all(children, ", ") + "]";
    case map:
      return "{" + map_text(expression, 0) + "}";
    case map_projection:
      return text(children[0]) + "{" + (expression.flag ? ".*, " : "") + map_text(expression, 1) +
             "}";
    case negate:
    case plus_sign:
    case logical_not:
      return name + text(children[0]);
    case is_null:
    case is_not_null:
      return "(" + text(children[0]) + " " + name + ")";
    case has_label:
      return text(children[0]) + ":" + expression.name;
    case has_any_label:
      return text(children[0]) + ":%";
    case has_labels:
      return text(children[0]) + (expression.flag ? ":$any(" : ":$(") + text(children[1]) + ")";
    case is_node:
      return name + "(" + text(children[0]) + ")";
    case case_when:
      return "CASE(" + all(children, ", ") + ")";
    case function_call:
      return std::string(expression.function->name) + "(" + all(children, ", ") + ")";
    case list_comprehension:
      return "[" + local_text(expression) + "]";
    case all_of:
    case any_of:
    case none_of:
    case single_of:
      return name + "(" + local_text(expression) + ")";
    case reduce:
      return "reduce(" + slot_text(expression.slot2) + " = " + text(children[0]) + ", " +
             slot_text(expression.slot) + " in " + text(children[1]) + " | " + text(children[2]) +
             ")";
    case pattern_exists:
    case pattern_comprehension:
      return name + "{" + match_text(*expression.match) +
             (children.empty() ? "" : " | " + text(children[0])) + "}";
    case exists_subquery:
    case count_subquery:
    case collect_subquery:
      return name + "{" + query_text(*expression.subquery, "; ") + "}";
    default:
      return infix_text(expression);
  }
}

std::string bound_text(const BoundStatement& statement) {
  static constexpr std::string_view modes[] = {"", "explain\n", "profile\n"};
  std::string result(modes[static_cast<std::size_t>(statement.mode)]);
  if (const auto* query = std::get_if<Query>(&statement.content)) {
    return result + query_text(*query, "\n") + (query->is_writing ? "\nwriting" : "");
  }
  return result + schema_text(std::get<SchemaCommand>(statement.content));
}

}  // namespace cairn::test
