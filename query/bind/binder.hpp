#pragma once
// Binder: syntax tree to bound statement. Resolves names to slots and functions, expands short forms, and reports every
// error that no run could avoid, with its place in the text. Only parser.cpp calls it.

#include "query/bind/ast_walk.hpp"
#include "query/bind/bound_query.hpp"
#include "query/bind/scope.hpp"
#include "query/builtins/foreign_names.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/source_text.hpp"
#include "query/syntax/syntax_parser.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cairn::query {

/// Sets a variable and restores its previous value at the end of the scope.
template <class T>
class Restored {
 public:
  Restored(T& variable, T value) : variable_(variable), before_(std::move(variable)) {
    variable_ = std::move(value);
  }
  ~Restored() { variable_ = std::move(before_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  T& variable_;
  T before_;
};

/// A bound expression with the type of its values, as far as it is known.
struct Typed {
  ExpressionPtr expression;
  StaticType type;
};

/// Binds one statement. The member functions are grouped by source file; each file handles one kind of syntax.
class Binder {
 public:
  /// `parameters` are the parameters of the run, or nullptr if the statement is only parsed. `registered` are the program's
  /// functions and procedures, or nullptr. `is_procedure` is only used for advice. All references must outlive the binder.
  Binder(const SourceText& source, const ParseLimits& limits,
         const Parameters* parameters = nullptr, const RegisteredCalls* registered = nullptr,
         FilterOperands operands = FilterOperands::literals, IsProcedure is_procedure = nullptr)
      : source_(source),
        most_levels_(bound_levels * limits.nesting_levels),
        parameters_(parameters),
        registered_(registered),
        operands_(operands),
        is_procedure_(is_procedure) {}

  [[nodiscard]] Result<BoundStatement> bind_statement(const ast::Statement& statement);

 private:
  /// Whether a pattern is allowed as an expression: a pattern is a condition and has no value.
  enum class Position { value, predicate };
  /// How a pattern treats names that are not bound. `match` and `comprehension` declare them, `predicate` refuses
  /// them.
  enum class PatternUse { match, predicate, comprehension };
  /// Where a query occurs. `importing`: a CALL { } whose parts import variables by an initial WITH; `call`: any other
  /// CALL { }.
  enum class QueryUse { statement, exists, count, collect, call, importing };

  /// State of an aggregating projection while its items are bound over the group row.
  struct Grouping {
    Scope* input = nullptr;  ///< scope of the input row
    std::vector<AggregateCall> calls;
    Slot first_call = 0;
  };
  /// Columns or keys by the printed text of their expression. An expression with the same text refers to the column.
  using KnownExpressions = std::unordered_map<std::string, Variable>;

  // binder.cpp: errors and helpers
  [[nodiscard]] Error error(const ast::Located& where, std::string_view sentence) const;
  [[nodiscard]] Error too_deep(const ast::Located& where) const;
  [[nodiscard]] Error too_many(const ast::Located& where, std::string_view sentence) const;
  [[nodiscard]] Error undefined(const ast::Located& where, std::string_view name) const;
  [[nodiscard]] Error wrong_type(const ast::Located& where, StaticType type,
                                 std::string_view expected) const;
  [[nodiscard]] Error already_bound(const ast::Name& name) const;
  [[nodiscard]] ExpressionPtr make(ExpressionKind kind, const ast::Located& where) const;
  [[nodiscard]] ExpressionPtr make_variable(Slot slot, const ast::Located& where) const;
  [[nodiscard]] Result<Variable> find_variable(const ast::Name& name) const;
  /// Refuses a new variable if a variable with the same name exists but is not visible here.
  [[nodiscard]] Status check_unseen(const ast::Name& name) const;
  /// Counts the columns to which * expands in the whole statement. Errors: resource_limit.
  [[nodiscard]] Status count_expanded(const ast::Located& where, std::size_t count);

  // bind_expression.cpp
  /// Binds any expression. `position` is passed on to the operands of AND, OR, XOR and NOT.
  Result<Typed> bind(const ast::Expression& expression, Position position = Position::value);
  Result<ExpressionPtr> bind_untyped(const ast::Expression& expression);
  /// Returns nullptr for an empty expression.
  Result<ExpressionPtr> bind_optional(const ast::Expression& expression);
  /// Binds a boolean or null expression; patterns are allowed.
  Result<ExpressionPtr> bind_condition(const ast::Expression& expression);
  /// Binds a condition and appends the operands of its top-level AND one by one.
  Status bind_conjuncts(const ast::Expression& expression, std::vector<ExpressionPtr>& conjuncts);
  /// Returns the column or key with the same text as the expression, if there is one.
  std::optional<Typed> find_known(const ast::Expression& expression) const;
  Result<Typed> bind_part(std::monostate, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::Literal& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::Parameter& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::CountAll& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::Name& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::ListLiteral& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::MapLiteral& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::OperatorChain& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::PrefixOperation& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::SuffixChain& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::MapProjection& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::CaseExpression& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::FunctionCall& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::ListComprehension& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::Quantifier& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::Reduce& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::PathPattern& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::PatternComprehension& part, const ast::Expression& whole);
  Result<Typed> bind_part(const ast::Subquery& part, const ast::Expression& whole);
  template <class T>
  Result<Typed> bind_part(const ast::Box<T>& box, const ast::Expression& whole) {
    return bind_part(*box, whole);
  }
  /// Binds the base of the chain and its first `count` suffixes.
  Result<Typed> bind_suffixes(const ast::SuffixChain& chain, std::size_t count,
                              const ast::Expression& whole);
  /// Finds the longest prefix of the chain that is a known column. Returns its number of suffixes and the column.
  [[nodiscard]] std::optional<std::pair<std::size_t, Variable>> find_known_prefix(
      const ast::SuffixChain& chain, std::size_t count) const;
  Result<Typed> bind_suffix(Typed base, const ast::Suffix& suffix);
  /// Makes `condition` over a slot with `value`, so that the value is evaluated once: any(slot IN [value] WHERE
  /// condition). If the value is a variable, returns the condition over its slot.
  Result<ExpressionPtr> with_value(ExpressionPtr value, const ast::Located& where,
                                   const std::function<Result<ExpressionPtr>(Slot)>& condition);
  Result<Typed> bind_property(Typed base, const ast::Name& property, const ast::Located& where);
  Result<Typed> bind_subscript(Typed base, const ast::Subscript& part, const ast::Suffix& where);
  Status bind_projection_entry(const ast::ProjectionEntry& entry, const ast::Name& variable,
                               Expression& projection);
  Result<StaticType> bind_case_branch(const ast::CaseExpression& part,
                                      const ast::CaseBranch& branch, Slot subject,
                                      Expression& bound);

  // bind_operators.cpp
  Result<Typed> bind_logical(const ast::OperatorChain& chain, const ast::Expression& whole,
                             Position position);
  Status add_logical_operand(const ast::Expression& operand, Position position,
                             Expression& logical);
  Result<Typed> bind_not(const ast::PrefixOperation& part, const ast::Expression& whole,
                         Position position);
  Result<Typed> bind_comparisons(const ast::OperatorChain& chain, const ast::Expression& whole);
  struct ComparisonSides;
  Result<ComparisonSides> bind_comparison_operand(const ast::Expression& operand, bool is_middle);
  Result<Typed> bind_binary(Typed left, const ast::OperatorLink& link,
                            const ast::Expression& first);

  // bind_call.cpp
  Result<Typed> bind_aggregate(const FunctionEntry* function, bool is_distinct,
                               const std::vector<ast::Expression>& arguments,
                               const ast::Expression& whole);
  Result<Typed> bind_exists_function(const ast::FunctionCall& call, const ast::Expression& whole);
  [[nodiscard]] Result<const FunctionEntry*> find_called(const ast::Name& name) const;
  [[nodiscard]] std::string advice_for_unknown(const std::string& name) const;
  Status check_call(const ast::FunctionCall& call, const FunctionEntry& entry) const;
  Status check_argument(const Signature& signature, std::size_t place, StaticType type,
                        const ast::Expression& argument) const;
  Result<Typed> bind_argument(const FunctionEntry& entry, std::size_t place,
                              const ast::Expression& argument);

  // bind_filter.cpp
  /// Returns nullopt if the call is not filter.*(), matches_filter() or at_least().
  Result<std::optional<Typed>> bind_filter_call(const ast::FunctionCall& call,
                                                const ast::Expression& whole);
  Result<ExpressionPtr> bind_filter_test(const ast::FunctionCall& call, std::string_view name,
                                         const ast::Expression& whole);
  Status bind_field(const ast::Expression& field, Expression& test);
  Status bind_filter_options(const ast::Expression& argument, Expression& test);
  Status set_filter_options(const Map& options, const ast::Expression& argument, Expression& test);
  Status bind_filter_operand(const ast::FunctionCall& call, Expression& test);
  Status bind_element_filter(const ast::Expression& argument, Expression& test);
  Result<ExpressionPtr> bind_matches_filter(const ast::FunctionCall& call,
                                            const ast::Expression& whole);
  /// Returns the condition that the record in `owner` passes the constant filter `argument`; the
  /// literal true if the filter has a parameter whose value is not known yet.
  Result<ExpressionPtr> bind_constant_filter(const ast::Expression& argument, Slot owner);
  /// Returns the value of a constant expression; nullopt if it contains a parameter whose value is not known yet.
  Result<std::optional<Value>> constant_value(const Expression& expression,
                                              const ast::Located& where);
  /// Returns a generator of parameters for the operands of the filter in `parameter`, in their order.
  std::function<ExpressionPtr()> operands_of(const Expression& parameter) const;
  Result<ExpressionPtr> bind_at_least(const ast::FunctionCall& call, const ast::Expression& whole);

  // bind_subquery.cpp: subqueries and patterns in expressions
  Result<Typed> bind_pattern_value(const ast::PathPattern& part, const ast::Expression& whole);
  Result<Typed> bind_pattern_condition(const ast::PathPattern& part, const ast::Expression& whole);
  /// A scope for names that one part of an expression declares, such as a comprehension. Aggregates are refused inside,
  /// because they are over rows and not over elements. The destructor removes the names.
  class LocalNames {
   public:
    explicit LocalNames(Binder& binder)
        : frame_(*binder.scope_),
          grouping_(binder.grouping_, nullptr),
          locals_(binder.locals_),
          mark_(binder.locals_.size()) {}
    ~LocalNames() { locals_.resize(mark_); }
    LocalNames(const LocalNames&) = delete;
    LocalNames& operator=(const LocalNames&) = delete;

   private:
    Scope::Frame frame_;
    Restored<Grouping*> grouping_;
    std::vector<std::string_view>& locals_;
    std::size_t mark_;
  };
  /// Declares a variable of the innermost LocalNames.
  Slot declare_local(const ast::Name& name, StaticType type);
  Result<Query> bind_subquery(const ast::Subquery& part, const ast::Expression& whole);
  Result<Query> bind_short_subquery(const ast::Subquery& part, const ast::Expression& whole);

  // bind_pattern.cpp
  /// Declares the variables of a path. `introduced` gets the slots that had no value before.
  Result<PathPattern> declare_path(const ast::PathPattern& path, PatternUse use,
                                   std::vector<Slot>& introduced);
  Result<NodePattern> declare_node(const ast::NodePattern& node, PatternUse use,
                                   std::vector<Slot>& introduced);
  Result<RelationshipPattern> declare_relationship(const ast::RelationshipPattern& relationship,
                                                   PatternUse use, std::vector<Slot>& introduced);
  Status declare_path_variable(const ast::PathPattern& path, PathPattern& bound,
                               std::vector<Slot>& introduced);
  Status check_shortest(const ast::PathPattern& path) const;
  Status check_selected(const ast::PathPattern& path) const;
  Status check_alone(std::span<const ast::PathPattern> paths) const;
  Result<HopRange> bind_hops(const ast::RelationshipPattern& relationship) const;
  static PatternDirection direction_of(const ast::RelationshipPattern& relationship);
  /// Returns the types of :A and :A|B, by which an expansion can look up relationships. Returns an empty list for any
  /// other expression.
  static std::vector<std::string> simple_types(const ast::LabelExpression& types);
  /// Binds labels, properties and WHERE of all elements to conditions on their slots.
  Status bind_path_conditions(const ast::PathPattern& path, PathPattern& bound,
                              std::vector<ExpressionPtr>& conjuncts);
  Status bind_relationship_conditions(const ast::RelationshipDetails& details,
                                      RelationshipPattern& bound,
                                      std::vector<ExpressionPtr>& conjuncts);
  Status bind_properties(const ast::Expression& properties, Slot slot,
                         std::vector<ExpressionPtr>& conjuncts);
  /// Appends a condition; a top-level AND is split into its operands.
  static void add_conjuncts(ExpressionPtr condition, std::vector<ExpressionPtr>& conjuncts);
  Result<ExpressionPtr> label_condition(const ast::LabelExpression& labels, Slot slot,
                                        const ast::Located& where);
  Result<ExpressionPtr> label_value_condition(const ast::LabelExpression& labels, Slot slot,
                                              const ast::Located& where);

  // bind_pattern.cpp: MATCH
  Result<MatchClause> bind_match(std::span<const ast::PathPattern> paths, PatternUse use);
  Result<Clause> bind_clause(const ast::Match& clause, const ast::Clause& whole);

  // bind_search.cpp
  /// Binds the parts that are evaluated before the pattern: retrievers and numbers.
  Result<SearchClause> bind_search_inputs(const ast::Search& search);
  Result<SearchRetriever> bind_retriever(const ast::SearchRetriever& retriever,
                                         const ast::Search& search);
  Status bind_way(const ast::SearchStrategy& way, SearchRetriever& bound);
  Status bind_cut(const ast::Search& search, SearchClause& bound);
  Status bind_graph_retriever(const ast::SearchRetriever& retriever, const ast::Search& search,
                              SearchRetriever& bound);
  Status bind_seed(const ast::Name& name, SearchRetriever& bound);
  [[nodiscard]] Status check_retrievers(const ast::Search& search) const;
  [[nodiscard]] Status check_hybrid(const ast::Search& search) const;
  [[nodiscard]] Status check_single(const ast::Search& search) const;
  [[nodiscard]] Status check_graph_path(const ast::SearchRetriever& retriever,
                                        const ast::Search& search) const;
  Status bind_fusion(const ast::SearchFusion& fusion, SearchClause& bound);
  [[nodiscard]] Error unknown_word(const ast::Name& word, std::string_view sentence,
                                   std::span<const std::string_view> known) const;
  Status bind_search_target(const ast::Search& search, MatchClause& match);
  Status bind_search_output(const ast::Name& name, StaticType type, MatchClause& match,
                            std::optional<Slot>& slot);
  Status bind_search_conditions(const ast::Search& search, MatchClause& match);

  // bind_projection.cpp
  /// A column of WITH or RETURN.
  struct Column {
    const ast::Expression* expression = nullptr;  ///< nullptr: a column of *
    std::string name;
    Variable variable;           ///< of the input row, for *; its type is the type of the column
    std::size_t aggregates = 0;  ///< number of aggregating calls in the expression
    ast::Located where;
  };
  struct Columns {
    std::vector<Column> columns;
    std::size_t aggregates = 0;
    /// Outer variables of a subquery. These variables are added to the grouping keys, so that later clauses can read
    /// them.
    std::vector<std::pair<std::string_view, Variable>> carried_keys;
  };
  /// Which variables a projection carries on besides its columns.
  enum class Carried { outer, any };
  Result<Clause> bind_clause(const ast::Project& clause, const ast::Clause& whole);
  Result<Columns> list_columns(const ast::Project& clause, const ast::Clause& whole);
  Result<std::string> column_name(const ast::ProjectionItem& item, bool is_return) const;
  Result<Typed> bind_column(const Column& column);
  Status bind_plain_items(Columns& columns, ProjectClause& project);
  Status bind_grouped_items(Columns& columns, ProjectClause& project);
  Status bind_keys(Columns& columns, ProjectClause& project, Scope& group, KnownExpressions& known);
  void note_key(const Column& column, const Variable& key, Scope& group,
                KnownExpressions& known) const;
  void carry_keys(Columns& columns, ProjectClause& project, Scope& group);
  void note_lost_outer_names();
  Result<Scope> output_scope(const Columns& columns, ProjectClause& project);
  static void carry(std::string_view name, const Variable& variable, ExpressionPtr item,
                    ProjectClause& project, Scope& output);
  Status carry_variables(const NameSet& names, Carried which, ProjectClause& project,
                         Scope& output);
  /// The columns to which ORDER BY and WHERE may refer by the text of their expressions. As in Neo4j, a whole sort key
  /// or condition means the column with its text. A part of an expression means a column only if no name in it has a
  /// new meaning.
  struct KnownColumns {
    KnownExpressions whole;
    KnownExpressions parts;
  };
  [[nodiscard]] KnownColumns known_columns(const Columns& columns) const;
  static bool is_renamed(const Column& column, const NameSet& renamed);
  /// Returns the columns that the expression and its parts may mean.
  static const KnownExpressions& known_in(const ast::Expression& expression,
                                          const KnownColumns& known);
  Status bind_behind_columns(const ast::Project& clause, const Columns& columns, Scope& output,
                             ProjectClause& project);
  Status bind_order(const ast::Project& clause, const Scope& output, const KnownColumns& known,
                    ProjectClause& project);
  Result<ExpressionPtr> bind_row_count(const ast::Expression& expression, std::uint32_t& width);
  void note_lost_names(const Scope& output, bool is_return);

  // bind_update.cpp
  Result<Clause> bind_clause(const ast::Create& clause, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Merge& clause, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Set& clause, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Remove& clause, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Delete& clause, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Foreach& clause, const ast::Clause& whole);
  Result<SetItem> bind_set_item(const ast::SetItem& item);
  Result<SetItem> bind_remove_item(const ast::Expression& item);
  /// Binds the chain without its last suffix; the result must be an entity.
  Result<ExpressionPtr> bind_owner(const ast::SuffixChain& chain, const ast::Expression& whole);
  /// Refuses a target of SET that is a property of an entity by index, such as n['a'].
  Status refuse_property_by_index(const ast::SuffixChain* chain, const ast::Expression& whole);
  /// Checks that a bound expression may be an entity.
  Result<ExpressionPtr> entity(Typed bound, const ast::Located& where) const;

  // bind_creation.cpp
  enum class Creation { create, merge };
  Result<PathPattern> create_path(const ast::PathPattern& path, Creation creation,
                                  std::vector<Slot>& introduced);
  Result<NodePattern> create_node(const ast::NodePattern& node, Creation creation, bool is_alone,
                                  std::vector<Slot>& introduced);
  Result<RelationshipPattern> create_relationship(const ast::RelationshipPattern& relationship,
                                                  Creation creation, std::vector<Slot>& introduced);
  Result<std::vector<std::string>> created_labels(const ast::LabelExpression& labels,
                                                  const ast::Located& where) const;
  /// Labels to set, remove or create: the names in the text, and the labels by value as one list.
  struct ChangedLabels {
    std::vector<std::string> names;
    ExpressionPtr by_value;  ///< or nullptr
  };
  Result<ChangedLabels> changed_labels(const ast::LabelExpression& labels);
  /// Binds the value of $(names), which is a list of all labels to change or the type to create.
  Result<ExpressionPtr> changed_value(const ast::LabelExpression& labels,
                                      const ast::Located& where);
  Result<ExpressionPtr> created_properties(const ast::Expression& properties, Creation creation);

  // bind_creation.cpp: system fields
  Result<const FunctionEntry*> system_field(std::string_view name, const ast::Located& where) const;
  Result<Typed> bind_system_field(Typed base, const ast::SystemField& field,
                                  const ast::Located& where);
  Status bind_system_conditions(const ast::Expression& fields, Slot slot, StaticType type,
                                std::vector<ExpressionPtr>& conjuncts);
  /// Adds system fields to the properties of a created record; `made` has the form described in bound_query.hpp.
  Status add_system(const ast::Expression& fields, Creation creation, StaticType type,
                    ExpressionPtr& made);
  /// Checks that CREATE or MERGE may set the field.
  Status check_given(const ast::Name& field, Creation creation, StaticType type) const;
  Status check_settable(const ast::SystemField& field) const;
  /// Binds SET n@expires_at = value, or REMOVE n@expires_at if `assignment` is nullptr.
  Result<SetItem> bind_expiry(const ast::SuffixChain& chain, const ast::Expression& whole,
                              const ast::SetAssignment* assignment);

  // bind_query.cpp
  Result<Query> bind_query(const ast::Query& query, QueryUse use);
  Result<SingleQuery> bind_single(const std::vector<ast::Clause>& clauses, QueryUse use);
  Result<Clause> bind_any_clause(const ast::Clause& clause);
  Status check_order(const std::vector<ast::Clause>& clauses) const;
  Status check_end(const std::vector<ast::Clause>& clauses, QueryUse use) const;
  /// Refuses changes outside of a CALL { } IN TRANSACTIONS, and a second one.
  Status check_batches(const ast::Query& query, const Query& bound) const;
  Result<Clause> bind_clause(std::monostate, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Unwind& clause, const ast::Clause& whole);
  Result<Clause> bind_clause(const ast::Call& clause, const ast::Clause& whole);
  template <class T>
  Result<Clause> bind_clause(const ast::Box<T>& box, const ast::Clause& whole) {
    return bind_clause(*box, whole);
  }
  void note_call(const ast::Call& clause, const CallClause& call);
  Status bind_arguments(const ast::Call& clause, CallClause& call);
  Status bind_registered_arguments(const ast::Call& clause, CallClause& call);
  Status bind_yields(const ast::Yield& yield, CallClause& call);
  [[nodiscard]] Result<StaticType> yielded_type(const ast::Name& column,
                                                const CallClause& call) const;

  // bind_subquery.cpp: CALL { }
  Result<Clause> bind_clause(const ast::CallSubquery& clause, const ast::Clause& whole);
  Result<Query> bind_called(const ast::CallSubquery& clause);
  /// Returns the variables that a part of an importing CALL { } sees before its first clause.
  static Scope imported_by_with(const ast::Clause& first, const Scope& outer);
  Status import_list(const std::vector<ast::Name>& names, Scope& imports) const;
  /// Returns the outer variables that a CALL { } does not import, with the reason, for error messages.
  [[nodiscard]] std::unordered_map<std::string, std::string> not_imported(
      ast::ImportKind kind, const Scope& imports) const;
  Status check_columns(const ast::Query& query) const;
  /// Binds IN TRANSACTIONS except for its REPORT STATUS, and refuses what has no meaning here.
  Status bind_transactions(const ast::InTransactions& transactions, CallSubqueryClause& call);
  Status bind_on_error(const ast::InTransactions& transactions, CallSubqueryClause& call) const;
  Status declare_status(const ast::InTransactions& transactions, CallSubqueryClause& call);
  static bool returns_rows(const ast::CallSubquery& clause);

  // bind_query.cpp: indexes and constraints
  Result<SchemaCommand> bind_command(const ast::Statement& statement);
  Result<SchemaCommand> bind_schema(const ast::CreateIndex& command);
  Result<SchemaCommand> bind_schema(const ast::CreateLookupIndex& command);
  Result<SchemaCommand> bind_schema(const ast::CreateDatabase& command);
  Result<SchemaCommand> bind_schema(const ast::DropDatabase& command);
  Result<SchemaCommand> bind_schema(const ast::DropIndex& command);
  Result<SchemaCommand> bind_schema(const ast::DropConstraint& command);
  Result<SchemaCommand> bind_schema(const ast::DropNameSpace& command);
  Result<SchemaCommand> bind_schema(const ast::CreateConstraint& command);
  /// Returns the property paths. Errors: a property of another variable than that of FOR.
  Result<std::vector<std::string>> bind_schema_properties(
      const ast::IndexTarget& target, const std::vector<ast::IndexProperty>& properties);

  /// Levels of the bound tree for one level of brackets in the text. Operators and suffixes are levels of the bound
  /// tree too.
  static constexpr std::uint32_t bound_levels = 4;
  /// Limits the stack of a run: each operator of a plan calls the one before it, and a clause needs about 512 bytes.
  static constexpr std::size_t most_clauses = 1'000;
  /// Limits planning time: ordering the steps of a pattern takes quadratic time.
  static constexpr std::size_t most_pattern_steps = 1'000;

  const SourceText& source_;
  std::uint32_t most_levels_;  ///< limit of depth_
  const Parameters* parameters_;
  const RegisteredCalls* registered_;
  FilterOperands operands_;
  IsProcedure is_procedure_;
  std::vector<FilterParameter> filter_parameters_;
  std::vector<CalledProcedure> calls_;
  std::uint32_t depth_ = 0;        ///< current level of the bound tree
  std::size_t clauses_ = 0;        ///< number of clauses bound so far
  std::size_t pattern_steps_ = 0;  ///< number of nodes in the patterns bound so far
  std::size_t expanded_ = 0;       ///< number of columns to which * was expanded so far

  Scope* scope_ = nullptr;        ///< variables visible at this place
  Grouping* grouping_ = nullptr;  ///< nullptr: aggregates are refused
  /// Columns and keys that an expression may refer to by its text; or nullptr.
  const KnownExpressions* known_ = nullptr;
  bool in_aggregate_ = false;             ///< inside the arguments of an aggregating function
  std::vector<std::string_view> locals_;  ///< names that comprehensions and patterns have declared
  /// Variables that exist but are not visible here, with the reason for error messages.
  struct Unseen {
    const Scope* scope = nullptr;
    std::string_view why;
  };
  Unseen unseen_;
  /// Names that an earlier WITH dropped, with the reason for error messages.
  std::unordered_map<std::string, std::string> lost_names_;
  /// Relationship variables of the current MATCH.
  std::unordered_set<std::string_view> clause_relationships_;
  const NameSet* outer_names_ = nullptr;  ///< in a subquery: the names it mentions; else nullptr
  bool is_standalone_call_ = false;       ///< the statement consists of one CALL
  bool in_expression_ = false;            ///< in a subquery of an expression: updates are refused
  bool in_call_ = false;                  ///< in a CALL { }
};

}  // namespace cairn::query
