// The grammar of patterns, and of SEARCH in the second half.
//
//    path         := [ name '=' ] ( selected | element )
//    selected     := selector ( '(' node { step } [ WHERE expression ] ')' | node { step } )
//    element      := search '(' node { step } ')' | '(' element ')' | node { step }
//    node         := '(' [ name ] [ labels ] [ map | parameter ] [ '@' map ] [ WHERE expression ] ')'
//    step         := [ '<' ] '-' [ details ] '-' [ '>' ] [ quantifier ] node
//    details      := '[' [ name ] [ labels ] [ hops ] [ map | parameter ] [ '@' map ]
//                     [ WHERE expression ] ']'
//    labels       := ':' any { ':' any }
//    any          := all { '|' [ ':' ] all }     all := not { '&' not }
//    not          := '!' not | name | '%' | '(' any ')' | '$' [ ANY | ALL ] '(' expression ')'
//
// MATCH, CREATE and MERGE share this grammar. The binder refuses patterns that cannot be created.

#include "query/syntax/grammar.hpp"
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {

/// The path that follows a selector. `where` is the condition inside its parentheses.
struct SelectedBody {
  ast::NodePattern first;
  std::vector<ast::PathStep> steps;
  ast::Expression where;
};

/// A selector and its path, which become a PathElement.
struct SelectedPath {
  ast::PathSelector selector;
  SelectedBody body;
};

}  // namespace cairn::query::grammar

BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::SelectedBody, first, steps, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::SelectedPath, selector, body)

namespace cairn::query::grammar {
namespace {

using ast::LabelExpression;
using ast::LabelKind;
using ast::PathSearch;
using LabelList = std::vector<LabelExpression>;

// X3 does not pass the attribute to on_success() of a rule with semantic actions, so only `labels` is located.
const x3::rule<struct LabelChainId, LabelExpression> label_chain = "labels with :";
const x3::rule<struct LabelAlternativesId, LabelExpression> label_alternatives = "labels with |";
const x3::rule<struct LabelConjunctionId, LabelExpression> label_conjunction = "labels with &";
const x3::rule<struct LabelNegationId, LabelExpression> label_negation = "label with !";
const x3::rule<struct LabelAtomId, LabelExpression> label_atom = "label";

struct NodeId : Locate {};
struct RelationshipId : Locate {};
const x3::rule<NodeId, ast::NodePattern> node = "node";
const x3::rule<RelationshipId, ast::RelationshipPattern> relationship = "relationship";
const x3::rule<struct DetailsId, ast::RelationshipDetails> details = "relationship details";
const x3::rule<struct PropertiesId, ast::Expression> properties = "properties";
const x3::rule<struct SystemFieldsId, ast::Expression> system_fields = "system fields";
const x3::rule<struct StepId, ast::PathStep> step = "step";
const x3::rule<struct ElementId, ast::PathElement> element = "path element";
const x3::rule<struct EveryPathId, ast::PathElement> every_path = "every path";
const x3::rule<struct ShortestPathId, ast::PathElement> shortest_path = "shortest path";
const x3::rule<struct SelectedElementId, ast::PathElement> selected_element = "selected path";
const x3::rule<struct SelectedPathId, SelectedPath> selected_path = "selector and path";
const x3::rule<struct SelectedBodyId, SelectedBody> selected_body = "path behind a selector";
const x3::rule<struct SelectedInnerId, SelectedBody> selected_inner =
    "selected path in parentheses";
const x3::rule<struct SelectedOuterId, SelectedBody> selected_outer = "selected path in the clause";
const x3::rule<struct BracketedPathId, ast::PathElement> bracketed_path = "path in parentheses";
const x3::rule<struct PathSearchId, PathSearch> path_search = "kind of search";

/// A list with one operand becomes the operand itself; several operands become a node of `kind`. So :A is a name and
/// not a conjunction with one operand: the binder and the planner look for plain names.
template <LabelKind kind>
const auto collapse = [](auto& context) {
  LabelExpression& result = x3::_val(context);
  LabelList& operands = x3::_attr(context);
  if (operands.size() == 1) {
    LabelExpression only = std::move(operands.front());
    result = std::move(only);
  } else {
    result.kind = kind;
    result.operands = std::move(operands);
  }
};

const auto negate = [](auto& context) {
  LabelExpression& result = x3::_val(context);
  result.kind = LabelKind::negation;
  result.operands.clear();
  result.operands.push_back(std::move(x3::_attr(context)));
};

const auto take_label = [](auto& context) {
  x3::_val(context).kind = LabelKind::name;
  x3::_val(context).name = std::move(x3::_attr(context).text);
};

const auto take_any_label = [](auto& context) { x3::_val(context).kind = LabelKind::any_label; };
/// $(expression) and $any(expression): labels whose names are known only at run time.
const auto take_value = [](auto& context) {
  x3::_val(context).kind = LabelKind::by_value;
  x3::_val(context).value.push_back(std::move(x3::_attr(context)));
};
const auto mark_any = [](auto& context) { x3::_val(context).is_any = true; };
const auto take_inner = [](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); };

const auto take_selected = [](auto& context) {
  ast::PathElement& result = x3::_val(context);
  SelectedPath& selected = x3::_attr(context);
  result.first = std::move(selected.body.first);
  result.steps = std::move(selected.body.steps);
  result.selector = selected.selector;
  result.where = std::move(selected.body.where);
};

/// The | between labels. Older versions of Cypher allow a colon after the bar. A bar that ends the surrounding
/// expression is not taken; see bar_ends in grammar.hpp.
struct LabelBar : x3::parser<LabelBar> {
  using attribute_type = x3::unused_type;

  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator&, const C& context, R&, A&) const {
    ParseState& state = state_of(context);
    if (state.bar_ends_expression || !take_symbol(state, first, "|", "'|'")) return false;
    take_symbol(state, first, ":", "':'");
    return true;
  }
};

/// Gives | its ordinary meaning inside of the brackets of a pattern.
template <class Subject>
struct BarFree : x3::unary_parser<Subject, BarFree<Subject>> {
  using Base = x3::unary_parser<Subject, BarFree<Subject>>;
  using Base::Base;
  static constexpr bool is_pass_through_unary = true;

  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    bool& bar_ends_here = state_of(context).bar_ends_expression;
    const bool outer = std::exchange(bar_ends_here, false);
    const bool is_match = this->subject.parse(first, last, context, rule, attribute);
    bar_ends_here = outer;
    return is_match;
  }
};

const BarFree<LabelsRule> pattern_labels(labels);

}  // namespace

// :A:B, :A|B&!C, :(A|B)&%
const auto labels_def = label_chain;
const auto label_chain_def = (+("':'"_sym > label_alternatives))[collapse<LabelKind::all_of>];
const auto label_alternatives_def = (label_conjunction % LabelBar{})[collapse<LabelKind::any_of>];
const auto label_conjunction_def = (label_negation % "'&'"_sym)[collapse<LabelKind::all_of>];
const auto label_negation_def =
    ("'!'"_sym > nested(1)[label_negation][negate]) | label_atom[take_inner];
const auto label_atom_def = label_name[take_label] | "'%'"_sym[take_any_label] |
                            ("'('"_sym > nested(1)[label_alternatives][take_inner] > "')'"_sym) |
                            ("'$'"_sym > -("ANY"_kw[mark_any] | "ALL"_kw) > "'('"_sym >
                             nested(1)[expression][take_value] > "')'"_sym);

// (n:A {x: 1} WHERE n.y > 2)
const auto node_def = "'('"_sym > -variable > -pattern_labels > -properties > -system_fields >
                      -("WHERE"_kw > expression) > "')'"_sym;
const auto properties_def = map_literal | parameter;
// @ {external_id: 'urn:ada'}
const auto system_fields_def = Ahead(is_system_mark) > "'@'"_sym > map_literal;

// -->, <--, --, -[r:R*1..3 {x: 1} WHERE r.y > 2]->, -[r:R]->{1,3}
// The arrowheads are flags. <-[]-> has both arrowheads and, like --, means any direction.
const auto relationship_def = x3::matches["'<'"_sym] >> "'-'"_sym > -details > "'-'"_sym >
                              x3::matches["'>'"_sym] > -path_quantifier;
const auto details_def = "'['"_sym > -variable > -pattern_labels > -hops > -properties >
                         -system_fields > -("WHERE"_kw > expression) > "']'"_sym;

// A path is a node and a flat list of steps.
const auto step_def = relationship > node;
const auto every_path_def = x3::attr(PathSearch::every) >> node >> *step;
// shortestPath((a)-[*]-(b)), ((a)-->(b)), (a)-->(b)
const auto path_search_def = ("SHORTESTPATH"_kw >> x3::attr(PathSearch::shortest)) |
                             ("ALLSHORTESTPATHS"_kw >> x3::attr(PathSearch::all_shortest));
const auto shortest_path_def =
    Ahead(is_shortest_path) > path_search > "'('"_sym > node > *step > "')'"_sym;
const auto bracketed_path_def = Ahead(is_parenthesized_path) > "'('"_sym > nested(1)[element] >
                                "')'"_sym;
const auto element_def = shortest_path | bracketed_path | every_path;

// ANY SHORTEST (a)-[:R]->+(b), SHORTEST 3 ((a)-[rs*]->(b) WHERE size(rs) > 2)
const auto selected_inner_def = Ahead(is_parenthesized_path) > "'('"_sym > node > *step >
                                -("WHERE"_kw > expression) > "')'"_sym;
const auto selected_outer_def = node > *step > no_expression;
const auto selected_body_def = selected_inner | selected_outer;
const auto selected_path_def = Ahead(is_path_selector) > path_selector > selected_body;
const auto selected_element_def = selected_path[take_selected];

// A name before a path must be followed by =, as in p = (a)-->(b).
const auto plain_path_def = no_name >> element;
const auto path_def = -(Ahead(is_assignment) > variable > "'='"_sym) >>
                      (selected_element | element);

BOOST_SPIRIT_DEFINE(labels, label_chain, label_alternatives, label_conjunction, label_negation,
                    label_atom, node, relationship, details, properties, system_fields, step,
                    element, every_path, shortest_path, bracketed_path, path_search, path,
                    plain_path, selected_element, selected_path, selected_body, selected_inner,
                    selected_outer)
BOOST_SPIRIT_INSTANTIATE(LabelsRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(PathRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(PlainPathRule, Iterator, Context)

// SEARCH: one index, or several retrievers whose results are fused.
//
// Neo4j's SEARCH has one vector index, a WHERE and a LIMIT. The extensions (HYBRID, FULLTEXT, RANKED, GRAPH, WITHIN,
// MIN SCORE and the options of a retriever) follow its form; LANGUAGE.md has the complete production. Optional parts
// have a fixed order, so their first word decides. The printer writes them in the same order. X3 sequences fill all
// members, so `no_...` parsers fill the absent ones.

namespace {

struct WayId : Locate {};
struct RetrieverId : Locate {};
const x3::rule<WayId, ast::SearchStrategy> way = "PLAIN, EXACT, EF and ACCURACY";
const x3::rule<RetrieverId, ast::SearchRetriever> retriever = "retriever of a search";
const x3::rule<struct IndexRetrieverId, ast::SearchRetriever> index_retriever =
    "retriever by an index";
const x3::rule<struct GraphRetrieverId, ast::SearchRetriever> graph_retriever =
    "retriever by the graph";
const x3::rule<struct IndexKindId, RetrieverKind> index_kind = "VECTOR, FULLTEXT or RANKED";
const x3::rule<struct HybridLegsId, ast::SearchRetrievers> hybrid_retrievers = "HYBRID";
const x3::rule<struct SingleRetrieverId, ast::SearchRetrievers> single_retriever = "one retriever";
const x3::rule<struct SearchRetrieversId, ast::SearchRetrievers> search_retrievers = "retrievers";
const x3::rule<struct CutId, ast::SearchCut> cut = "WITHIN, MIN SCORE and LIMIT";
const x3::rule<struct NearCutId, ast::SearchCut> near_cut = "WITHIN";
const x3::rule<struct LimitCutId, ast::SearchCut> limit_cut = "LIMIT";
const x3::rule<struct LeastScoreId, ast::Expression> least_score = "MIN SCORE";
const x3::rule<struct FusionId, ast::SearchFusion> fusion = "FUSE";

constexpr NameToken recall_name{"fast, default, high or exact", NameKind::any_word};
constexpr NameToken fusion_name{"MAX_NORM, ZSCORE, MIN_MAX or RRF", NameKind::any_word};
constexpr Absent<ast::PathPattern> no_path;
constexpr Absent<ast::SearchStrategy> no_way;
constexpr Absent<ast::SearchFusion> no_fusion;

}  // namespace

// SEARCH m IN (VECTOR INDEX i FOR $q WHERE m.x = 1 EXACT EF 100 LIMIT 5) SCORE AS s BREAKDOWN AS p
// SEARCH m IN (VECTOR INDEX i FOR $q WITHIN 0.3)
// SEARCH m IN (HYBRID VECTOR INDEX i FOR $q WEIGHT 2, GRAPH (m)-[:A*1..2]-() FUSE RRF(60) LIMIT 5)
const auto search_def = "SEARCH"_kw > variable > "IN"_kw > "'('"_sym > search_retrievers >
                        -("WHERE"_kw > expression) > way > -("CANDIDATES"_kw > expression) > cut >
                        "')'"_sym > -("SCORE"_kw > "AS"_kw > variable) >
                        -("BREAKDOWN"_kw > "AS"_kw > variable);

const auto cut_def = near_cut | limit_cut;
// WITHIN 0.3 MIN SCORE 0.5 LIMIT 100
const auto near_cut_def = "WITHIN"_kw > expression > -least_score > -("LIMIT"_kw > expression);
const auto limit_cut_def = no_expression > -least_score > "LIMIT"_kw > expression;
const auto least_score_def = "MIN"_kw > "SCORE"_kw > expression;

const auto search_retrievers_def = hybrid_retrievers | single_retriever;
const auto hybrid_retrievers_def = ("HYBRID"_kw >> x3::attr(true)) > retriever % "','"_sym >
                                   (fusion | no_fusion);
// The binder refuses several retrievers without HYBRID, and FUSE with a single retriever, with advice.
const auto single_retriever_def = x3::attr(false) >> retriever % "','"_sym >> (fusion | no_fusion);
// FUSE RRF(60)
const auto fusion_def = "FUSE"_kw > fusion_name > -("'('"_sym > expression > "')'"_sym);

const auto retriever_def = index_retriever | graph_retriever;
// VECTOR INDEX i FOR $q ACCURACY high WEIGHT 0.6
const auto index_retriever_def = index_kind > "INDEX"_kw > index_name > "FOR"_kw > expression >
                                 no_path > way > -("WEIGHT"_kw > expression);
const auto index_kind_def = ("VECTOR"_kw >> x3::attr(RetrieverKind::vector)) |
                            ("FULLTEXT"_kw >> x3::attr(RetrieverKind::text)) |
                            ("RANKED"_kw >> x3::attr(RetrieverKind::ranked));
// GRAPH (m)-[:RELATED*1..2]-() WEIGHT 0.2
const auto graph_retriever_def = ("GRAPH"_kw >> x3::attr(RetrieverKind::graph)) > no_name >
                                 no_expression > plain_path > no_way > -("WEIGHT"_kw > expression);
//    way := [ PLAIN ] [ EXACT ] [ EF expression ] [ ACCURACY name ]
// All parts are optional, so `way` always matches and can be used anywhere.
const auto way_def = x3::matches["PLAIN"_kw] > x3::matches["EXACT"_kw] > -("EF"_kw > expression) >
                     -("ACCURACY"_kw > recall_name);

BOOST_SPIRIT_DEFINE(search, search_retrievers, hybrid_retrievers, single_retriever, fusion,
                    retriever, index_retriever, index_kind, graph_retriever, way, cut, near_cut,
                    limit_cut, least_score)
BOOST_SPIRIT_INSTANTIATE(SearchRule, Iterator, Context)

}  // namespace cairn::query::grammar
