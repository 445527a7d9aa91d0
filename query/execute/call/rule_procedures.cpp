// Tagging rules in statements. This file converts arguments and results; query/tags (tag_runs)
// plans and writes the runs. Rules and runs are ordinary nodes, so they count in Changes.
#include "codec/bitmap.hpp"
#include "engine/view/view.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/charged_rows.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/value_forms.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/tags/tag_runs.hpp"

#include <cairn/filter.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;
using memory::TagRule;
using memory::TagRun;

constexpr const char* record_label = "Memory";

Value number(std::uint64_t count) { return Value(static_cast<std::int64_t>(count)); }

// Reads the options of db.rules.put().
Status read_options(const Value& options, TagRule& rule) {
  if (options.map() == nullptr) return wrong_argument("the options must be a map", options);
  for (const auto& [name, value] : *options.map()) {
    if (name != "fields" && name != "kinds")
      return Error{ErrorCode::invalid_argument,
                   "a rule has no option `" + name + "`; the options are `fields` and `kinds`",
                   std::nullopt};
    CAIRN_ASSIGN((name == "fields" ? rule.fields : rule.kinds), texts_of("`" + name + "`", value));
  }
  return {};
}

/// Returns the visible nodes with the label `Memory` that pass the filter, in the order of their
/// ids.
Result<std::vector<NodeId>> selected(ExecutionContext& context, Arguments arguments) {
  Filter records = Filter::has_label(record_label);
  if (!arguments.empty() && !arguments[0].is_null()) {
    CAIRN_ASSIGN(Filter own, filter_from(arguments[0]));
    if (may_tell_names(context.options))
      for (std::string& warning : unknown_names(own, context.graph.catalog()))
        warn_once(context, std::move(warning));
    records = Filter::all_of({std::move(records), std::move(own)});
  }
  CAIRN_ASSIGN(const codec::Bitmap ids, filter_ids(context, records));
  CAIRN_TRY(context.budget.step(16 * ids.cardinality()));
  std::vector<NodeId> nodes;
  ids.for_each([&](std::uint64_t id) { nodes.push_back(NodeId{id}); });
  return nodes;
}

/// Plans a run without writing anything. apply_rules() writes exactly this plan.
Result<TagRun> planned(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto records, selected(context, arguments));
  return plan_tag_run(context.graph.view(), context.options, records);
}

/// Returns one row per rule. Each row also has the figures of the whole run.
Rows counts_of(const TagRun& run) {
  Rows rows;
  const Value id = run.id ? number(run.id->value) : Value();
  for (const memory::TagRuleCount& count : run.rules)
    rows.push_back({Value(count.rule), number(count.matched), number(count.newly_tagged),
                    number(run.records), number(run.matched), number(run.changes.size()), id});
  return rows;
}

}  // namespace

// db.rules.list
Result<Rows> list_rules(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const auto rules, read_tag_rules(context.graph.view(), context.options));
  Rows rows;
  for (const TagRule& rule : rules)
    rows.push_back({Value(rule.name), Value(rule.pattern), list_of_texts(rule.tags),
                    list_of_texts(rule.fields), list_of_texts(rule.kinds)});
  return rows;
}

// Sets five properties: name, pattern, tags, fields, kinds.
Result<Rows> put_rule(ExecutionContext& context, Arguments arguments) {
  TagRule rule;
  CAIRN_ASSIGN(rule.name, text_of("the name of a rule", arguments[0]));
  CAIRN_ASSIGN(rule.pattern, text_of("the pattern of a rule", arguments[1]));
  CAIRN_ASSIGN(rule.tags, texts_of("the tags of a rule", arguments[2]));
  if (arguments.size() > 3) CAIRN_TRY(read_options(arguments[3], rule));
  CAIRN_ASSIGN(const bool is_new, put_tag_rule(*context.writer, context.options, rule));
  context.graph.forget();
  context.changes.nodes_created += is_new ? 1 : 0;
  context.changes.properties_set += 5;
  return Rows();
}

// Tags that the rule has added remain.
Result<Rows> drop_rule(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const std::string name, text_of("the name of a rule", arguments[0]));
  CAIRN_ASSIGN(const bool erased, erase_tag_rule(*context.writer, context.options, name));
  if (!erased)
    return Error{ErrorCode::not_found,
                 "there is no rule \"" + name + "\"; db.rules.list() names them", std::nullopt};
  context.graph.forget();
  ++context.changes.nodes_deleted;
  return Rows();
}

// Shows the plan of apply_rules() without writing.
Result<Rows> preview_rules(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const TagRun run, planned(context, arguments));
  ChargedRows rows(context.budget);
  for (const memory::TagChange& change : run.changes)
    CAIRN_TRY(rows.add(
        {entity_value(codec::EntityKind::node, change.id.value), list_of_texts(change.added)}));
  return rows.take();
}

// db.rules.count
Result<Rows> count_rules(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const TagRun run, planned(context, arguments));
  return counts_of(run);
}

// A run that changes nothing creates no node. Each change creates one relationship and sets three
// properties.
Result<Rows> apply_rules(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(TagRun run, planned(context, arguments));
  CAIRN_TRY(write_tag_run(*context.writer, run, context.now));
  if (run.id) {
    ++context.changes.nodes_created;
    context.changes.relationships_created += run.changes.size();
    context.changes.properties_set += 1 + 3 * run.changes.size();
  }
  context.graph.forget();
  return counts_of(run);
}

// Counts two properties for each record: its tags and its modification time. The statement's cached
// sets are dropped, because the writer does not update them.
Result<Rows> undo_rules(ExecutionContext& context, Arguments arguments) {
  const auto run = whole_number(arguments[0]);
  if (!run || *run < 0)
    return wrong_argument("a run must be a number that db.rules.apply() returned", arguments[0]);
  CAIRN_ASSIGN(const std::uint64_t records,
               undo_tag_run(*context.writer, context.options,
                            NodeId{static_cast<std::uint64_t>(*run)}, context.now));
  ++context.changes.nodes_deleted;
  context.changes.relationships_deleted += records;
  context.changes.properties_set += 2 * records;
  context.graph.forget();
  return Rows{{number(records)}};
}

}  // namespace cairn::query
