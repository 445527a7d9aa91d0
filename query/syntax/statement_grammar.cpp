// The grammar of queries, commands on the schema, and the whole statement. At the end: CALL { }.
//
//    statement := [ CYPHER options ] [ EXPLAIN | PROFILE ] [ USE name ] ( create | drop | query ) [ ';' ]
//    query     := clause { clause } { UNION [ ALL ] clause { clause } }
//
// EXPLAIN before a command on the schema is accepted and has no effect, because such commands have no plan.

#include "query/syntax/gbnf.hpp"
#include "query/syntax/grammar.hpp"

#include <cairn/language_grammar.hpp>

namespace cairn::query::grammar {
namespace {

using ast::ConstraintType;
using ast::IndexType;
using ast::StatementMode;
using Names = std::vector<ast::Name>;
using IndexProperties = std::vector<ast::IndexProperty>;

struct UnionPartId : Locate {};
const x3::rule<UnionPartId, ast::UnionPart> union_part = "UNION";
const x3::rule<struct CypherOptionsId> cypher_options = "CYPHER";
const x3::rule<struct ModeId, StatementMode> mode = "EXPLAIN or PROFILE";
const x3::rule<struct ContentId, decltype(ast::Statement::content)> content = "content";

const x3::rule<struct CreateIndexId, ast::CreateIndex> create_index = "CREATE INDEX";
const x3::rule<struct IndexTypeId, ast::IndexType> index_type = "kind of index";
const x3::rule<struct IfNotExistsId, bool> if_not_exists = "IF NOT EXISTS";
const x3::rule<struct IndexTargetId, ast::IndexTarget> index_target = "FOR";
const x3::rule<struct NodeTargetId, ast::IndexTarget> node_target = "FOR (n:Label)";
const x3::rule<struct TypeTargetId, ast::IndexTarget> type_target = "FOR ()-[r:TYPE]-()";
const x3::rule<struct TargetNamesId, Names> target_names = "labels or types";
const x3::rule<struct IndexPropertiesId, IndexProperties> index_properties = "ON";
const x3::rule<struct IndexListId, IndexProperties> index_list = "list of properties";
const x3::rule<struct IndexPropertyId, ast::IndexProperty> index_property = "indexed property";
const x3::rule<struct CreateLookupIndexId, ast::CreateLookupIndex> create_lookup_index =
    "CREATE LOOKUP INDEX";
const x3::rule<struct LookupTargetId, ast::LookupTarget> lookup_target = "FOR of a lookup index";
const x3::rule<struct LookupNodesId, ast::LookupTarget> lookup_nodes = "FOR (n)";
const x3::rule<struct LookupTypesId, ast::LookupTarget> lookup_types = "FOR ()-[r]-()";
const x3::rule<struct DropIndexId, ast::DropIndex> drop_index = "DROP INDEX";
const x3::rule<struct CreateConstraintId, ast::CreateConstraint> create_constraint =
    "CREATE CONSTRAINT";
const x3::rule<struct RequiredId, IndexProperties> required = "required properties";
const x3::rule<struct ConstraintTypeId, ast::ConstraintType> constraint_type =
    "UNIQUE, NODE KEY, RELATIONSHIP KEY or NOT NULL";
const x3::rule<struct DropConstraintId, ast::DropConstraint> drop_constraint = "DROP CONSTRAINT";
const x3::rule<struct DropNameSpaceId, ast::DropNameSpace> drop_name_space = "DROP NAMESPACE";
const x3::rule<struct CreateDatabaseId, ast::CreateDatabase> create_database = "CREATE DATABASE";
const x3::rule<struct DropDatabaseId, ast::DropDatabase> drop_database = "DROP DATABASE";
const x3::rule<struct IfExistsId, bool> if_exists = "IF EXISTS";

/// True if only blanks are left.
bool is_end(ParseState& state, Iterator first) {
  const Iterator at = state.skip_blank(first);
  if (at == state.end()) return true;
  state.expect(at, {"the end of the statement"});
  return false;
}

}  // namespace

// EXPLAIN MATCH (n) RETURN n;
const auto statement_def = -cypher_options > mode > -("USE"_kw > database_name) > content >
                           -"';'"_sym > Ahead(is_end);
// CYPHER 5 runtime = parallel: options of Neo4j for running a statement. The options are parsed and ignored.
//    options := CYPHER [ number ] { name '=' name }
const auto cypher_options_def = "CYPHER"_kw > -x3::omit[literal] >
                                *(x3::omit[variable] >> "'='"_sym > x3::omit[property_name]);
const auto mode_def = ("EXPLAIN"_kw >> x3::attr(StatementMode::explain)) |
                      ("PROFILE"_kw >> x3::attr(StatementMode::profile)) |
                      x3::attr(StatementMode::run);
// CREATE INDEX and CREATE (n) differ at the second word, so these alternatives backtrack over the first.
const auto content_def = create_index | create_lookup_index | create_constraint | create_database |
                         drop_index | drop_constraint | drop_database | drop_name_space | query;

// RETURN 1 AS a UNION ALL RETURN 2 AS a
const auto query_def = clauses > *union_part;
const auto union_part_def = "UNION"_kw > x3::matches["ALL"_kw] > clauses;

// CREATE VECTOR INDEX m IF NOT EXISTS FOR (m:Memory) ON (m.embedding) OPTIONS {indexConfig: {...}}
//    create := CREATE [ RANGE | VECTOR | FULLTEXT | TEXT | POINT ] INDEX [ name ] [ IF NOT EXISTS ] FOR target
//              ON properties [ OPTIONS map ]
// TEXT and POINT may also be the name of a path, as in CREATE text = (a)-->(b). An index named IF or FOR needs back quotes. Expectation points begin after INDEX, because before this word the
// statement may be a CREATE of nodes.
const auto create_index_def = "CREATE"_kw >> index_type >
                              -(!("IF"_kw | "FOR"_kw) >> index_name) > if_not_exists >
                              "FOR"_kw > index_target > "ON"_kw > index_properties >
                              -("OPTIONS"_kw > map_literal);
const auto index_type_def = ("VECTOR"_kw > "INDEX"_kw > x3::attr(IndexType::vector)) |
                            ("FULLTEXT"_kw > "INDEX"_kw > x3::attr(IndexType::full_text)) |
                            ("RANGE"_kw > "INDEX"_kw > x3::attr(IndexType::range)) |
                            ("TEXT"_kw >> "INDEX"_kw >> x3::attr(IndexType::text)) |
                            ("POINT"_kw >> "INDEX"_kw >> x3::attr(IndexType::point)) |
                            ("INDEX"_kw > x3::attr(IndexType::range));
const auto if_not_exists_def =
    ("IF"_kw > "NOT"_kw > "EXISTS"_kw > x3::attr(true)) | x3::attr(false);
const auto index_target_def = type_target | node_target;
const auto node_target_def = "'('"_sym > x3::attr(false) > variable > target_names > "')'"_sym;
// ()-[r:TYPE]-()
const auto type_target_def = "'('"_sym >> "')'"_sym > "'-'"_sym > "'['"_sym >
                             x3::attr(true) > variable > target_names > "']'"_sym > "'-'"_sym >
                             -"'>'"_sym > "'('"_sym > "')'"_sym;
const auto target_names_def = "':'"_sym > label_name % "'|'"_sym;
// ON (n.a, n.b.c), ON EACH [n.a, n.b], and ON n.a without parentheses
const auto index_properties_def = index_list | x3::repeat(1)[index_property];
const auto index_list_def = ("'('"_sym > index_property % "','"_sym > "')'"_sym) |
                            ("EACH"_kw > "'['"_sym > index_property % "','"_sym > "']'"_sym);
const auto index_property_def = variable > +("'.'"_sym > property_name);

// CREATE LOOKUP INDEX l IF NOT EXISTS FOR (n) ON EACH labels(n)
//    create := CREATE LOOKUP INDEX [ name ] [ IF NOT EXISTS ] FOR target ON [ EACH ] name '(' name ')' [ OPTIONS map ]
const auto create_lookup_index_def = "CREATE"_kw >> "LOOKUP"_kw >> "INDEX"_kw >
                                     -(!("IF"_kw | "FOR"_kw) >> index_name) > if_not_exists >
                                     "FOR"_kw > lookup_target > -("OPTIONS"_kw > map_literal);
const auto lookup_target_def = lookup_types | lookup_nodes;
const auto lookup_nodes_def = "'('"_sym > x3::attr(false) > variable > "')'"_sym > "ON"_kw >
                              -"EACH"_kw > function_name > "'('"_sym > variable > "')'"_sym;
const auto lookup_types_def = "'('"_sym >> "')'"_sym > "'-'"_sym > "'['"_sym >
                              x3::attr(true) > variable > "']'"_sym > "'-'"_sym > -"'>'"_sym >
                              "'('"_sym > "')'"_sym > "ON"_kw > -"EACH"_kw > function_name >
                              "'('"_sym > variable > "')'"_sym;

// CREATE CONSTRAINT c IF NOT EXISTS FOR (d:Document) REQUIRE (d.source, d.number) IS NODE KEY
//    create := CREATE CONSTRAINT [ name ] [ IF NOT EXISTS ] FOR target REQUIRE properties IS type
//              [ OPTIONS map ]
const auto create_constraint_def = "CREATE"_kw >> "CONSTRAINT"_kw >
                                   -(!("IF"_kw | "FOR"_kw) >> index_name) > if_not_exists >
                                   "FOR"_kw > index_target > "REQUIRE"_kw > required >
                                   "IS"_kw > constraint_type > -("OPTIONS"_kw > map_literal);
const auto required_def =
    ("'('"_sym > index_property % "','"_sym > "')'"_sym) | x3::repeat(1)[index_property];
const auto constraint_type_def =
    ("NOT"_kw > "NULL"_kw > x3::attr(ConstraintType::not_null)) |
    ("KEY"_kw >> x3::attr(ConstraintType::key)) |
    ("UNIQUE"_kw >> x3::attr(ConstraintType::unique)) |
    ("NODE"_kw > (("KEY"_kw >> x3::attr(ConstraintType::node_key)) |
                  ("UNIQUE"_kw >> x3::attr(ConstraintType::node_unique)))) |
    (("RELATIONSHIP"_kw | "REL"_kw) >
     (("KEY"_kw >> x3::attr(ConstraintType::relationship_key)) |
      ("UNIQUE"_kw >> x3::attr(ConstraintType::relationship_unique))));

// CREATE DATABASE acme IF NOT EXISTS WAIT
const auto create_database_def = "CREATE"_kw >> "DATABASE"_kw >> database_name > if_not_exists >
                                 -("WAIT"_kw | "NOWAIT"_kw);

// DROP INDEX i IF EXISTS
// DROP DATABASE acme IF EXISTS
// DROP NAMESPACE acme IF EXISTS
// These commands differ at the second word.
const auto drop_index_def = "DROP"_kw >> "INDEX"_kw > index_name > if_exists;
const auto drop_constraint_def = "DROP"_kw >> "CONSTRAINT"_kw > index_name > if_exists;
const auto drop_database_def = "DROP"_kw >> "DATABASE"_kw > database_name > if_exists;
const auto drop_name_space_def = "DROP"_kw > "NAMESPACE"_kw > name_space_name > if_exists;
const auto if_exists_def = ("IF"_kw > "EXISTS"_kw > x3::attr(true)) | x3::attr(false);

BOOST_SPIRIT_DEFINE(statement, cypher_options, mode, content, query, union_part, create_index,
                    index_type, if_not_exists, index_target, node_target, type_target, target_names,
                    index_properties, index_list, index_property, create_lookup_index,
                    lookup_target, lookup_nodes, lookup_types, create_database, drop_database,
                    drop_index, create_constraint, required, constraint_type, drop_constraint,
                    drop_name_space, if_exists)
BOOST_SPIRIT_INSTANTIATE(StatementRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(QueryRule, Iterator, Context)

}  // namespace cairn::query::grammar

namespace cairn {

Result<std::string> language_grammar(std::string_view format) {
  if (format == "ebnf") return std::string(query::ebnf::cypher_ebnf());
  if (format == "gbnf") {
    CAIRN_ASSIGN(const query::ebnf::Grammar grammar,
                 query::ebnf::read_ebnf(query::ebnf::cypher_ebnf()));
    return query::ebnf::print_gbnf(grammar);
  }
  return Error{ErrorCode::invalid_argument,
               "there is no grammar in the format \"" + std::string(format) +
                   "\"; the formats are \"ebnf\" and \"gbnf\"",
               std::nullopt};
}

}  // namespace cairn

namespace cairn::query::grammar {

// CALL { }: a query that runs for each row. The bracket after CALL distinguishes it from the call of a procedure. The
// grammar accepts more after IN TRANSACTIONS than is supported; the binder refuses the rest with an explanation.

namespace {

using ast::ImportKind;

struct InTransactionsId : Locate {};
const x3::rule<struct ImportsId, ast::Imports> imports = "imported variables";
const x3::rule<struct BracketedImportsId, ast::Imports> bracketed_imports = "( variables )";
const x3::rule<struct AllImportsId, ast::Imports> all_imports = "*";
const x3::rule<struct ListedImportsId, ast::Imports> listed_imports = "variables";
const x3::rule<struct NoImportsId, ast::Imports> no_imports = "no variables";
const x3::rule<InTransactionsId, ast::InTransactions> in_transactions = "IN TRANSACTIONS";
const x3::rule<struct IsConcurrentId, bool> is_concurrent = "TRANSACTIONS";
const x3::rule<struct ReportedStatusId, ast::Name> reported_status = "REPORT STATUS";

constexpr Absent<std::vector<ast::Name>> no_names;
constexpr NameToken error_word{"FAIL", NameKind::any_word};

/// True at ( or {, with which the name of a procedure cannot begin.
bool is_bracket(ParseState& state, Iterator first) {
  const Iterator at = state.skip_blank(first);
  return at != state.end() && (*at == '(' || *at == '{');
}

}  // namespace

// CALL (a, b) { MATCH (a)-->(c) RETURN c } IN TRANSACTIONS OF 100 ROWS
//    subquery := CALL [ '(' ( '*' | [ name { ',' name } ] ) ')' ] '{' query '}' [ transactions ]
// The query counts as several levels of nesting, because parsing it needs much stack.
const auto call_subquery_def = "CALL"_kw >> Ahead(is_bracket) > imports > "'{'"_sym >
                               nested(subquery_levels)[query] > "'}'"_sym > -in_transactions;
const auto imports_def = bracketed_imports | no_imports;
const auto bracketed_imports_def = "'('"_sym > (all_imports | listed_imports) > "')'"_sym;
const auto all_imports_def = "'*'"_sym > x3::attr(ImportKind::all) > no_names;
const auto listed_imports_def = x3::attr(ImportKind::list) >> -(variable % "','"_sym);
const auto no_imports_def = x3::attr(ImportKind::by_with) >> no_names;

//    transactions := IN [ [ number ] CONCURRENT ] TRANSACTIONS [ OF expression ( ROWS | ROW ) ]
//                    [ status ] [ ON ERROR name ] [ status ]
//          status := REPORT STATUS AS name
const auto in_transactions_def = "IN"_kw > x3::attr(true) > is_concurrent >
                                 -("OF"_kw > expression > ("ROWS"_kw | "ROW"_kw)) > -reported_status
                                 > -("ON"_kw > "ERROR"_kw > error_word) > -reported_status;
const auto reported_status_def = "REPORT"_kw > "STATUS"_kw > "AS"_kw > variable;
const auto is_concurrent_def =
    ("TRANSACTIONS"_kw >> x3::attr(false)) | (-(x3::omit[literal] | x3::omit[parameter]) >>
                                              "CONCURRENT"_kw > "TRANSACTIONS"_kw > x3::attr(true));

BOOST_SPIRIT_DEFINE(call_subquery, imports, bracketed_imports, all_imports, listed_imports,
                    no_imports, in_transactions, is_concurrent, reported_status)
BOOST_SPIRIT_INSTANTIATE(CallSubqueryRule, Iterator, Context)

}  // namespace cairn::query::grammar
