// Warns about names that no record has. In Cypher a misspelt name is not an error, but matches nothing. Names that the
// statement itself creates get no warning. The check reads the catalog and never a record.
#include "query/plan/name_warnings.hpp"

#include "query/bind/bound_query.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

// A name with its kind, as found in the statement.
using Mention = std::pair<codec::CatalogKind, std::string>;

// Visits the clauses of a query and records the names that they read and create.
class Mentions {
 public:
  void read(const Clause& clause) {
    std::visit([&](const auto& content) { visit(content); }, clause);
  }
  // Returns the names that the query reads but does not create.
  [[nodiscard]] std::set<Mention> wanted() const {
    std::set<Mention> result;
    for (const Mention& one : read_)
      if (!made_.contains(one)) result.insert(one);
    return result;
  }
  /// Nested fields that the query reads, as keys.
  [[nodiscard]] const std::set<std::vector<std::string>>& fields() const noexcept {
    return fields_;
  }
  /// Names that the query tests as a label or type.
  [[nodiscard]] const std::set<std::string>& labels() const noexcept { return labels_; }
  /// Warnings that need no catalog.
  [[nodiscard]] const std::set<std::string>& remarks() const noexcept { return remarks_; }
  [[nodiscard]] bool makes(codec::CatalogKind kind, const std::string& name) const {
    return made_.contains({kind, name});
  }

 private:
  // Slots whose property names are checked. The path is empty if the slot has an entity. If the slot has an element of
  // a list property, the path is the path of the list. Keys of other maps are not checked.
  using Owners = std::map<Slot, std::vector<std::string>>;

  // Returns the owners after a projection, where item i has slot i. Only items that are plain variables remain
  // owners.
  static Owners projected(const Owners& owners, const std::vector<const Expression*>& items) {
    Owners result;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i] == nullptr || items[i]->kind != ExpressionKind::variable) continue;
      const auto found = owners.find(items[i]->slot);
      if (found != owners.end()) result.emplace(static_cast<Slot>(i), found->second);
    }
    return result;
  }

  void visit(const MatchClause& match) {
    visit_paths(match.paths);
    for (const ExpressionPtr& conjunct : match.conjuncts) visit(conjunct);
    if (match.search) visit(*match.search);
  }
  // Names of indexes are not checked here: a search reports them as errors.
  void visit(const SearchClause& search) {
    for (const SearchRetriever& retriever : search.retrievers) {
      for (const std::string& type : retriever.types)
        read_.insert({codec::CatalogKind::relationship_type, type});
      for (const ExpressionPtr* input : {&retriever.query, &retriever.ef_search, &retriever.weight})
        visit(*input);
    }
    for (const ExpressionPtr& conjunct : search.conjuncts) visit(conjunct);
    for (const ExpressionPtr* input :
         {&search.fusion_k, &search.candidates, &search.within, &search.min_score, &search.limit})
      visit(*input);
  }
  /// After a projection, slot i is item i. If the projection aggregates, its items are evaluated on a row that begins
  /// with the keys of the group.
  void visit(const ProjectClause& project) {
    for (const ExpressionPtr& key : project.keys) visit(key);
    for (const AggregateCall& call : project.aggregates)
      for (const ExpressionPtr& argument : call.arguments) visit(argument);
    const Owners input = owners_;
    std::vector<const Expression*> keys;
    for (const ExpressionPtr& key : project.keys) keys.push_back(key.get());
    if (project.aggregating) owners_ = projected(owners_, keys);
    std::vector<const Expression*> items;
    for (const ProjectionItem& item : project.items) {
      visit(item.expression);
      items.push_back(item.expression.get());
    }
    owners_ = projected(owners_, items);
    visit_order(project, input);
    visit(project.where);
  }
  /// The row that is sorted has the output columns first. The slots of the input follow, unless the projection
  /// aggregates or is DISTINCT.
  void visit_order(const ProjectClause& project, const Owners& input) {
    const Owners output = owners_;
    if (!project.aggregating && !project.distinct)
      for (const auto& [slot, path] : input)
        owners_.emplace(slot + static_cast<Slot>(project.items.size()), path);
    for (const SortKey& key : project.order) visit(key.expression);
    owners_ = output;
  }
  void visit(const UnwindClause& unwind) {
    visit(unwind.list);
    owners_.erase(unwind.slot);
  }
  void visit(const CreateClause& create) {
    for (const PathPattern& path : create.paths) make(path);
  }
  /// MERGE creates what it does not find, so none of its names is certainly a mistake.
  void visit(const MergeClause& merge) {
    make(merge.path);
    make(merge.on_create);
    make(merge.on_match);
  }
  void visit(const SetClause& set) { make(set.items); }
  void visit(const CallClause& call) {
    for (const ExpressionPtr& argument : call.arguments) visit(argument);
    for (const ExpressionPtr& conjunct : call.conjuncts) visit(conjunct);
  }
  /// Imported variables have the same slots as outside. Variables declared inside end with the subquery.
  void visit(const CallSubqueryClause& call) {
    Owners outside = owners_;
    for (const SingleQuery& part : call.subquery->subquery->parts) {
      owners_ = outside;
      for (const Clause& clause : part.clauses) read(clause);
    }
    owners_ = std::move(outside);
    for (const Slot slot : call.columns) owners_.erase(slot);
  }
  void visit(const std::unique_ptr<ForeachClause>& each) {
    for (const Clause& clause : each->updates) read(clause);
  }
  template <class Other>
  void visit(const Other&) {}

  // Labels of a MATCH are conditions, so only types are recorded here.
  void visit_paths(const std::vector<PathPattern>& paths) {
    for (const PathPattern& path : paths) {
      for (const NodePattern& node : path.nodes) owners_[node.slot] = {};
      for (const RelationshipPattern& step : path.relationships) {
        owners_[step.slot] = {};
        for (const std::string& type : step.types)
          read_.insert({codec::CatalogKind::relationship_type, type});
      }
    }
  }

  /// Walks into subqueries and pattern comprehensions too, because their patterns declare variables.
  void visit(const ExpressionPtr& expression) {
    if (!expression) return;
    walk(*expression, [&](const Expression& part) {
      if (part.kind == ExpressionKind::has_label) labels_.insert(part.name);
      if (part.match) visit_paths(part.match->paths);
      if (part.kind == ExpressionKind::property) visit_property(part);
      if (part.kind == ExpressionKind::filter_test) visit_field(part);
      visit_text_test(part);
    });
  }

  // A text test with an operand that is not a text is null, so no row passes it.
  void visit_text_test(const Expression& test) {
    const char* word = nullptr;
    if (test.kind == ExpressionKind::contains) word = "CONTAINS";
    if (test.kind == ExpressionKind::starts_with) word = "STARTS WITH";
    if (test.kind == ExpressionKind::ends_with) word = "ENDS WITH";
    if (word == nullptr || test.children[1]->kind != ExpressionKind::literal) return;
    const Value& operand = test.children[1]->value;
    if (operand.is_null() || operand.string() != nullptr) return;
    const std::string text = operand.to_text();
    remarks_.insert(std::string(word) + " " + text +
                    " is never true, because it compares texts; write '" + text + "' for the text" +
                    (test.kind == ExpressionKind::contains
                         ? ", or " + text + " IN ... for an element of a list"
                         : ""));
  }

  // Records a property of a node or relationship of a pattern. The keys of other maps are not checked.
  void visit_property(const Expression& access) {
    const Expression& owner = *access.children[0];
    if (owner.kind != ExpressionKind::variable) return;
    const auto found = owners_.find(owner.slot);
    if (found != owners_.end() && found->second.empty())
      read_.insert({codec::CatalogKind::property, access.name});
  }

  // Records the field of a filter test. The owner is a record or an element of a list within a record.
  void visit_field(const Expression& test) {
    const Expression& owner = *test.children[0];
    if (owner.kind != ExpressionKind::variable) return;
    const auto found = owners_.find(owner.slot);
    if (found == owners_.end()) return;
    std::vector<std::string> path = found->second;
    path.insert(path.end(), test.names.begin(), test.names.end());
    read_.insert({codec::CatalogKind::property, path.front()});
    if (test.test == FilterOperator::any_element) owners_[test.slot] = path;
    if (path.size() > 1) fields_.insert(std::move(path));
  }

  /// Records the names that a pattern creates. Created names get no warning, because a MERGE or CREATE of the first
  /// record is ordinary.
  void make(const PathPattern& path) {
    for (const NodePattern& node : path.nodes) {
      for (const std::string& label : node.labels) made_.insert({codec::CatalogKind::label, label});
      visit(node.labels_by_value);
      make(node.properties);
      owners_[node.slot] = {};
    }
    for (const RelationshipPattern& step : path.relationships) {
      for (const std::string& type : step.types)
        made_.insert({codec::CatalogKind::relationship_type, type});
      visit(step.type_by_value);
      make(step.properties);
      owners_[step.slot] = {};
    }
  }
  void make(const ExpressionPtr& record) {
    if (!record) return;
    if (const Expression* properties = properties_of(record))
      for (const std::string& name : properties->names)
        made_.insert({codec::CatalogKind::property, name});
    visit(record);
  }
  /// SET n = {a: 1} creates `a`. The keys of SET n = $map are unknown. The keys of a map as a value, as in
  /// SET n.a = {b: 1}, are not names of properties.
  void make(const std::vector<SetItem>& items) {
    for (const SetItem& item : items) {
      for (const std::string& label : item.labels) made_.insert({codec::CatalogKind::label, label});
      made_.insert({codec::CatalogKind::property, item.property});
      if (!item.value) continue;
      const bool is_record =
          item.kind == SetItem::Kind::replace_all || item.kind == SetItem::Kind::merge_all;
      if (is_record && item.value->kind == ExpressionKind::map)
        for (const std::string& name : item.value->names)
          made_.insert({codec::CatalogKind::property, name});
      visit(item.value);
    }
  }

  std::set<Mention> read_;
  std::set<Mention> made_;
  std::set<std::vector<std::string>> fields_;  // nested fields
  Owners owners_;                              // slots whose properties are checked
  std::set<std::string> remarks_;
  std::set<std::string> labels_;  // labels or types
};

/// Returns the text of a warning, with the most similar known name.
std::string warning(std::string_view what, const std::string& name, const engine::Catalog& catalog,
                    codec::CatalogKind kind) {
  const auto known = catalog.names(kind);
  std::vector<std::string_view> candidates;
  for (const auto& [id, text] : known) candidates.push_back(text);
  std::string text = "no record has the " + std::string(what) + " " + name;
  const std::string_view nearest = nearest_name(name, candidates);
  if (!nearest.empty()) text += "; did you mean " + std::string(nearest) + "?";
  return text;
}

// Returns a warning if no record has the nested path although records have its first key. The catalog lists only
// indexed paths. So there is a warning only if all paths of the database are indexed.
std::optional<std::string> unknown_nested(const std::vector<std::string>& keys,
                                          const engine::Catalog& catalog) {
  const std::string path = engine::join_path(keys);
  if (!catalog.has_all_paths() || catalog.find_path(codec::EntityKind::node, path) ||
      catalog.find_path(codec::EntityKind::relationship, path))
    return std::nullopt;
  std::vector<std::string_view> candidates;
  for (const auto& [id, entry] : catalog.paths()) candidates.push_back(entry.text);
  const std::string_view nearest = nearest_name(path, candidates);
  return "no record has the property " + path +
         (nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?");
}

/// Skips fields whose first key is unknown, because that property already has a warning.
void warn_of_fields(const Mentions& mentions, const engine::Catalog& catalog,
                    std::vector<std::string>& warnings) {
  for (const std::vector<std::string>& field : mentions.fields()) {
    if (!catalog.find_property(field.front())) continue;
    if (auto warning = unknown_nested(field, catalog)) warnings.push_back(*std::move(warning));
  }
}

// A test such as r:KNOWS is about a label or a type. A name that is known as either gets no warning.
void warn_of_labels(const Mentions& mentions, const engine::Catalog& catalog,
                    std::vector<std::string>& warnings) {
  for (const std::string& name : mentions.labels())
    if (!catalog.find_label(name) && !catalog.find_type(name) &&
        !mentions.makes(codec::CatalogKind::label, name))
      warnings.push_back(warning("label", name, catalog, codec::CatalogKind::label));
}

}  // namespace

std::optional<std::string> unknown_field(const std::vector<std::string>& keys,
                                         const engine::Catalog& catalog) {
  if (!catalog.find_property(keys.front()))
    return warning("property", keys.front(), catalog, codec::CatalogKind::property);
  return keys.size() == 1 ? std::nullopt : unknown_nested(keys, catalog);
}

// Skips fields within any_element: they belong to list elements, which the catalog does not list.
std::vector<std::string> unknown_names(const Filter& filter, const engine::Catalog& catalog) {
  std::vector<std::string> warnings;
  const auto add = [&](std::string text) {
    if (std::ranges::find(warnings, text) == warnings.end()) warnings.push_back(std::move(text));
  };
  if (filter.op == FilterOperator::has_label) {
    const std::string* label = filter.value.string();
    if (label != nullptr && !catalog.find_label(*label))
      add(warning("label", *label, catalog, codec::CatalogKind::label));
  } else if (const auto keys = parse_field_path(filter.field); keys && !filter.field.empty()) {
    if (auto text = unknown_field(*keys, catalog)) add(*std::move(text));
  }
  if (filter.op == FilterOperator::any_element) return warnings;
  for (const Filter& one : filter.filters)
    for (std::string& text : unknown_names(one, catalog)) add(std::move(text));
  return warnings;
}

std::vector<std::string> unknown_names(const RecallOptions& options,
                                       const engine::Catalog& catalog) {
  std::vector<std::string> warnings = unknown_names(options.filter, catalog);
  for (const RecallBoost& boost : options.boosts)
    for (std::string& text : unknown_names(boost.filter, catalog))
      warnings.push_back(std::move(text));
  for (const std::string& type : options.features.relationship_types)
    if (!catalog.find_type(type))
      warnings.push_back(
          warning("relationship type", type, catalog, codec::CatalogKind::relationship_type));
  const RecallFeatures defaults;
  for (const auto list : {&RecallFeatures::group_properties, &RecallFeatures::order_properties,
                          &RecallFeatures::author_properties})
    for (const std::string& property : options.features.*list)
      if (options.features.*list != defaults.*list && !catalog.find_property(property))
        warnings.push_back(warning("property", property, catalog, codec::CatalogKind::property));
  return warnings;
}

std::vector<std::string> unknown_names(const Query& query, const engine::Catalog& catalog) {
  Mentions mentions;
  for (const SingleQuery& part : query.parts)
    for (const Clause& clause : part.clauses) mentions.read(clause);
  std::vector<std::string> warnings(mentions.remarks().begin(), mentions.remarks().end());
  warn_of_labels(mentions, catalog, warnings);
  warn_of_fields(mentions, catalog, warnings);
  for (const auto& [kind, name] : mentions.wanted())
    if (!catalog.find(kind, name))
      warnings.push_back(
          warning(kind == codec::CatalogKind::property ? "property" : "relationship type", name,
                  catalog, kind));
  return warnings;
}

}  // namespace cairn::query
