// Queries: order of clauses, UNION, UNWIND, and commands on the schema.
//
// The clauses of a part are bound in order, each in the scope that the previous clause leaves. WITH and RETURN replace
// the scope; all other clauses add to it.

#include "query/bind/ast_walk.hpp"
#include "query/bind/binder.hpp"
#include "query/bind/scope.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

enum class Role { reading, projection, final_projection, updating, call };

/// The role of a clause decides what may come before and after it. CALL has a role of its own: it may end a query,
/// because it may write. All clauses that are not listed are updating clauses.
struct RoleOf {
  Role operator()(const ast::Project& clause) const {
    return clause.is_return ? Role::final_projection : Role::projection;
  }
  Role operator()(std::monostate) const { return Role::reading; }
  Role operator()(const ast::Match&) const { return Role::reading; }
  Role operator()(const ast::Unwind&) const { return Role::reading; }
  Role operator()(const ast::Call&) const { return Role::call; }
  Role operator()(const ast::Box<ast::CallSubquery>&) const { return Role::call; }
  template <class Update>
  Role operator()(const Update&) const {
    return Role::updating;
  }
};

Role role_of(const ast::Clause& clause) { return std::visit(RoleOf{}, clause.content); }

// A CALL { } writes if its query writes. The batches of one that handles errors have transactions in any case.
bool is_writing(const Clause& clause) {
  const auto* call = std::get_if<CallSubqueryClause>(&clause);
  if (call != nullptr)
    return call->subquery->subquery->is_writing || call->on_error != OnError::fail;
  return std::holds_alternative<CreateClause>(clause) ||
         std::holds_alternative<MergeClause>(clause) || std::holds_alternative<SetClause>(clause) ||
         std::holds_alternative<DeleteClause>(clause) ||
         std::holds_alternative<std::unique_ptr<ForeachClause>>(clause);
}

bool commits_in_batches(const Clause& clause) {
  const auto* call = std::get_if<CallSubqueryClause>(&clause);
  return call != nullptr && call->in_transactions;
}

bool is_writing(const SingleQuery& query) {
  return std::ranges::any_of(query.clauses,
                             [](const Clause& clause) { return is_writing(clause); });
}

/// Returns the names of the columns; an empty list without a RETURN.
std::vector<std::string> columns_of(const std::vector<Clause>& clauses) {
  std::vector<std::string> columns;
  if (const auto* project = std::get_if<ProjectClause>(&clauses.back())) {
    for (const ProjectionItem& item : project->items) columns.push_back(item.name);
  }
  return columns;
}

template <class Drop>
SchemaCommand drop_of(const Drop& drop, SchemaCommand::Kind kind) {
  SchemaCommand command;
  command.kind = kind;
  command.name = drop.name.text;
  command.if_exists_or_not = drop.if_exists;
  return command;
}

}  // namespace

// Commands on the schema have no variables; their options may use parameters only.
Result<BoundStatement> Binder::bind_statement(const ast::Statement& statement) {
  BoundStatement bound;
  bound.mode = static_cast<StatementMode>(static_cast<std::uint8_t>(statement.mode));
  if (const ast::Name& name = statement.database; !name.empty())
    bound.database = UsedDatabase{name.text, source_.range(name.begin, name.end)};
  if (const auto* query = std::get_if<ast::Query>(&statement.content)) {
    CAIRN_ASSIGN(bound.content, bind_query(*query, QueryUse::statement));
    bound.filter_parameters = std::move(filter_parameters_);
    bound.calls = std::move(calls_);
    return bound;
  }
  Scope nothing;
  const Restored<Scope*> over_nothing(scope_, &nothing);
  CAIRN_ASSIGN(bound.content, bind_command(statement));
  return bound;
}

Result<SchemaCommand> Binder::bind_command(const ast::Statement& statement) {
  const auto bind_content = [this](const auto& command) -> Result<SchemaCommand> {
    if constexpr (std::is_same_v<std::decay_t<decltype(command)>, ast::Query>)
      return SchemaCommand();  // bind_statement() binds queries
    else
      return bind_schema(command);
  };
  return std::visit(bind_content, statement.content);
}

Result<SchemaCommand> Binder::bind_schema(const ast::DropIndex& command) {
  return drop_of(command, SchemaCommand::Kind::drop_index);
}

Result<SchemaCommand> Binder::bind_schema(const ast::DropConstraint& command) {
  return drop_of(command, SchemaCommand::Kind::drop_constraint);
}

Result<SchemaCommand> Binder::bind_schema(const ast::DropNameSpace& command) {
  return drop_of(command, SchemaCommand::Kind::drop_name_space);
}

// Each part of a UNION starts with the variables of the outer query, or with none. The parts must have the same
// columns in the same order. In EXISTS and COUNT all parts may have no columns, because only the rows count.
Result<Query> Binder::bind_query(const ast::Query& query, QueryUse use) {
  Query bound;
  is_standalone_call_ = use == QueryUse::statement && query.rest.empty() &&
                        query.first.size() == 1 && role_of(query.first.front()) == Role::call;
  CAIRN_ASSIGN(auto first, bind_single(query.first, use));
  bound.is_writing = is_writing(first);
  bound.parts.push_back(std::move(first));
  bound.distinct = !query.rest.empty() && !query.rest.front().is_all;
  for (const ast::UnionPart& part : query.rest) {
    if (part.is_all != query.rest.front().is_all) {
      return error(part, "UNION and UNION ALL cannot be mixed in one query");
    }
    CAIRN_ASSIGN(auto next, bind_single(part.clauses, use));
    const bool needs_columns = use == QueryUse::statement || use == QueryUse::collect;
    if (next.columns != bound.parts.front().columns || (needs_columns && next.columns.empty())) {
      return error(part,
                   "the queries joined by UNION must return the same columns in the same "
                   "order");
    }
    bound.is_writing = bound.is_writing || is_writing(next);
    bound.parts.push_back(std::move(next));
  }
  if (use == QueryUse::statement) CAIRN_TRY(check_batches(query, bound));
  return bound;
}

// The outer part of such a statement has no transaction that could commit its own changes.
Status Binder::check_batches(const ast::Query& query, const Query& bound) const {
  const std::vector<Clause>& clauses = bound.parts.front().clauses;
  const auto calls = std::ranges::find_if(clauses, commits_in_batches);
  if (bound.parts.size() > 1) {
    const auto part = std::ranges::find_if(bound.parts, [](const SingleQuery& one) {
      return std::ranges::any_of(one.clauses, commits_in_batches);
    });
    if (part == bound.parts.end()) return {};
    return error(
        query.rest.front(),
        "UNION is not possible with CALL { } IN TRANSACTIONS; run a statement for each part");
  }
  if (calls == clauses.end()) return {};
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    if (&clauses[i] == &*calls) continue;
    if (commits_in_batches(clauses[i]))
      return error(query.first[i],
                   "a statement has one CALL { } IN TRANSACTIONS; put both subqueries into one, or "
                   "run a statement for each");
    if (is_writing(clauses[i]))
      return error(query.first[i],
                   "a change outside of CALL { } IN TRANSACTIONS would belong to none of its "
                   "transactions; move it into the subquery, or into a statement of its own");
  }
  return {};
}

// Binds one part of a query. Rows of a subquery begin with the outer row; a CALL sees only the imported variables of
// this row. The names that a subquery mentions are collected first, so that its projections can carry outer variables
// on.
//
// Slots of a subquery follow the slots of the outer row. The outer row is made wide enough for the first part, whose row
// starts as a copy of the outer row.
Result<SingleQuery> Binder::bind_single(const std::vector<ast::Clause>& clauses, QueryUse use) {
  CAIRN_TRY(check_order(clauses));
  CAIRN_TRY(check_end(clauses, use));
  Scope* outer = scope_;
  Scope own;
  NameSet names;
  const bool sees_outer = outer != nullptr && use != QueryUse::importing;
  if (sees_outer) {
    own = Scope(outer, 0, outer->width());
    collect_names(clauses, names);
  } else if (outer != nullptr) {
    own = imported_by_with(clauses.front(), *outer);
  }
  const Restored<Scope*> inside(scope_, &own);
  const Restored<const NameSet*> wanted(outer_names_, sees_outer ? &names : nullptr);
  SingleQuery query;
  for (const ast::Clause& clause : clauses) {
    CAIRN_ASSIGN(Clause bound, bind_any_clause(clause));
    query.clauses.push_back(std::move(bound));
    if (outer != nullptr) outer->reserve(own.width());
  }
  query.columns = columns_of(query.clauses);
  if (use == QueryUse::collect && query.columns.size() != 1) {
    return error(clauses.back(), "COLLECT needs a RETURN of exactly one column");
  }
  return query;
}

// Names that a clause declares locally are removed at its end.
Result<Clause> Binder::bind_any_clause(const ast::Clause& clause) {
  if (++clauses_ > most_clauses) {
    return too_many(clause, "a statement has at most " + std::to_string(most_clauses) + " clauses");
  }
  const std::size_t locals = locals_.size();
  auto bound =
      std::visit([&](const auto& content) { return bind_clause(content, clause); }, clause.content);
  locals_.resize(locals);
  return bound;
}

// openCypher's rule: reading clauses, then updating clauses, then WITH or RETURN. Otherwise it would be undefined
// whether a MATCH after a CREATE sees the created records.
Status Binder::check_order(const std::vector<ast::Clause>& clauses) const {
  bool is_updated = false;
  for (const ast::Clause& clause : clauses) {
    const Role role = role_of(clause);
    if (role == Role::final_projection && &clause != &clauses.back()) {
      return error(*(&clause + 1), "RETURN ends a query; only UNION can follow");
    }
    if (role == Role::updating && in_expression_) {
      return error(clause, "a subquery in an expression can only read; it cannot change anything");
    }
    if (is_updated && (role == Role::reading || role == Role::call)) {
      return error(clause, "a WITH must stand between updating and reading again: WITH *");
    }
    is_updated = role == Role::updating || (is_updated && role != Role::projection);
  }
  return {};
}

// A query that neither returns nor changes anything is refused as a mistake.
Status Binder::check_end(const std::vector<ast::Clause>& clauses, QueryUse use) const {
  const ast::Clause& last = clauses.back();
  const Role role = role_of(last);
  const bool may_read = use == QueryUse::exists || use == QueryUse::count;
  if (role == Role::projection) {
    return error(last, "a query cannot end with WITH; end it with RETURN");
  }
  // A CALL with YIELD reads and therefore cannot end a query, except as the only clause of the statement. Then its
  // columns are the result.
  const auto* call = std::get_if<ast::Call>(&last.content);
  const bool is_alone = clauses.size() == 1 && use == QueryUse::statement;
  const bool yields = call != nullptr && !call->yield.items.empty() && !is_alone;
  const auto* subquery = std::get_if<ast::Box<ast::CallSubquery>>(&last.content);
  const bool gives_rows = yields || (subquery != nullptr && returns_rows(**subquery));
  if ((role == Role::reading || gives_rows) && !may_read) {
    return error(last, "a query ends with RETURN, or with a clause that changes something");
  }
  return {};
}

Result<Clause> Binder::bind_clause(std::monostate, const ast::Clause& whole) {
  return error(whole, "a clause is missing here");
}

// The list is bound before the name is declared, so the list cannot refer to the name. UNWIND x AS x is refused,
// because x is defined already.
Result<Clause> Binder::bind_clause(const ast::Unwind& clause, const ast::Clause&) {
  UnwindClause unwind;
  CAIRN_ASSIGN(Typed list, bind(clause.list));
  if (scope_->find(clause.variable.text)) return already_bound(clause.variable);
  unwind.list = std::move(list.expression);
  // UNWIND of a value that is not a list returns the value itself.
  const StaticType element = list.type.is_list() ? list.type.element() : StaticType();
  unwind.slot = scope_->declare(clause.variable.text, element).slot;
  unwind.width = scope_->width();
  return Clause(std::move(unwind));
}

// CREATE INDEX and CREATE CONSTRAINT. Labels and properties remain text, because they may not exist yet. The engine
// checks labels, properties and options when the command runs. The binder checks that all properties are of the
// variable of FOR.

namespace {

// Joins a property path with dots.
std::string joined(const std::vector<ast::Name>& path) {
  std::string result;
  for (const ast::Name& part : path) {
    if (!result.empty()) result += '.';
    result += part.text;
  }
  return result;
}

/// The common parts of CREATE INDEX and CREATE CONSTRAINT.
template <class Create>
SchemaCommand command_of(const Create& create, SchemaCommand::Kind kind) {
  SchemaCommand bound;
  bound.kind = kind;
  bound.name = create.name.text;
  bound.if_exists_or_not = create.if_not_exists;
  bound.on_relationship = create.target.on_relationship;
  for (const ast::Name& name : create.target.names) bound.labels_or_types.push_back(name.text);
  return bound;
}

/// Returns the error for a constraint such as IS NODE KEY on relationships; empty if the constraint fits.
std::string misfit(const ast::CreateConstraint& command) {
  using Type = ast::ConstraintType;
  const bool is_key = command.type == Type::node_key || command.type == Type::relationship_key;
  const bool of_nodes = command.type == Type::node_key || command.type == Type::node_unique;
  const bool of_relationships =
      command.type == Type::relationship_key || command.type == Type::relationship_unique;
  const bool on_relationship = command.target.on_relationship;
  if (on_relationship ? !of_nodes : !of_relationships) return "";
  const std::string type = is_key ? "KEY" : "UNIQUE";
  return "IS " + std::string(of_nodes ? "NODE " : "RELATIONSHIP ") + type + " is for " +
         (of_nodes ? "nodes, and this is a type of relationships: write IS RELATIONSHIP "
                   : "relationships, and this is a label of nodes: write IS NODE ") +
         type;
}

}  // namespace

// The variable only connects ON with FOR, so it has no slot.
Result<SchemaCommand> Binder::bind_schema(const ast::CreateIndex& command) {
  using Kind = SchemaCommand::Kind;
  static constexpr Kind kinds[] = {Kind::create_range_index, Kind::create_vector_index,
                                   Kind::create_full_text_index, Kind::create_text_index};
  if (command.type == ast::IndexType::point) {
    return error(
        command.target.variable,
        "there is no point index, because there is no type POINT; store the coordinates as "
        "numbers in properties, which are indexed already");
  }
  SchemaCommand bound = command_of(command, kinds[static_cast<std::size_t>(command.type)]);
  CAIRN_ASSIGN(bound.properties, bind_schema_properties(command.target, command.properties));
  if (command.type == ast::IndexType::vector && bound.properties.size() != 1) {
    return error(command.properties[1].variable,
                 "a vector index has one property; make one for each property");
  }
  CAIRN_ASSIGN(bound.options, bind_optional(command.options));
  return bound;
}

Result<SchemaCommand> Binder::bind_schema(const ast::CreateLookupIndex& command) {
  const ast::LookupTarget& target = command.target;
  const std::string_view function = target.on_relationship ? "type" : "labels";
  if (lexical::lower_case(target.function.text) != function) {
    return error(target.function,
                 "a lookup index of " +
                     std::string(target.on_relationship ? "relationships" : "nodes") + " is over " +
                     std::string(function) + "(" + target.variable.text + "), not " +
                     target.function.text + "()");
  }
  if (target.argument.text != target.variable.text) {
    return error(target.argument, "`" + target.argument.text + "` is not the variable of FOR, `" +
                                      target.variable.text + "`");
  }
  SchemaCommand bound;
  bound.kind = SchemaCommand::Kind::create_lookup_index;
  bound.name = command.name.text;
  bound.if_exists_or_not = command.if_not_exists;
  bound.on_relationship = target.on_relationship;
  CAIRN_ASSIGN(bound.options, bind_optional(command.options));
  return bound;
}

Result<SchemaCommand> Binder::bind_schema(const ast::CreateDatabase& command) {
  SchemaCommand bound;
  bound.kind = SchemaCommand::Kind::create_database;
  bound.name = command.name.text;
  bound.if_exists_or_not = command.if_not_exists;
  return bound;
}

// A program that drops a database may expect less than that all records are erased at once.
Result<SchemaCommand> Binder::bind_schema(const ast::DropDatabase& command) {
  return error(command.name, "a database is a namespace here: write DROP NAMESPACE " +
                                 command.name.text + ", which erases all its records");
}

// Neo4j's index options of a constraint are accepted and have no effect, because constraints here have no
// options.
Result<SchemaCommand> Binder::bind_schema(const ast::CreateConstraint& command) {
  using Kind = SchemaCommand::Kind;
  static constexpr Kind kinds[] = {Kind::create_unique_constraint,   Kind::create_key_constraint,
                                   Kind::create_not_null_constraint, Kind::create_unique_constraint,
                                   Kind::create_key_constraint,      Kind::create_unique_constraint,
                                   Kind::create_key_constraint};
  SchemaCommand bound = command_of(command, kinds[static_cast<std::size_t>(command.type)]);
  if (const std::string problem = misfit(command); !problem.empty())
    return error(command.target.names.front(), problem);
  if (command.target.names.size() != 1)
    return error(command.target.names[1],
                 "a constraint has one label or type; make one for each of them");
  for (const ast::IndexProperty& property : command.properties)
    if (property.path.size() != 1)
      return error(property.path[1],
                   "a constraint applies to a whole property, and not to a part of its value");
  CAIRN_ASSIGN(bound.properties, bind_schema_properties(command.target, command.properties));
  CAIRN_ASSIGN(bound.options, bind_optional(command.options));
  return bound;
}

// Returns the property paths as dotted texts.
Result<std::vector<std::string>> Binder::bind_schema_properties(
    const ast::IndexTarget& target, const std::vector<ast::IndexProperty>& properties) {
  std::vector<std::string> names;
  for (const ast::IndexProperty& property : properties) {
    if (property.variable.text != target.variable.text)
      return undefined(property.variable, property.variable.text);
    names.push_back(joined(property.path));
  }
  return names;
}

}  // namespace cairn::query
