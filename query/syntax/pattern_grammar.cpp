// Nodes, relationships, paths and label expressions.
//
//    path         := [ name '=' ] ( search '(' node { step } ')' | '(' path ')' | node { step } )
//    node         := '(' [ name ] [ labels ] [ map | parameter ] [ '@' map ] [ WHERE expression ] ')'
//    step         := [ '<' ] '-' [ details ] '-' [ '>' ] [ quantifier ] node
//    details      := '[' [ name ] [ labels ] [ hops ] [ map | parameter ] [ '@' map ]
//                     [ WHERE expression ] ']'
//    labels       := ':' any { ':' any }
//    any          := all { '|' [ ':' ] all }     all := not { '&' not }
//    not          := '!' not | name | '%' | '(' any ')' | '$' '(' expression ')'
//
// One grammar for patterns that are matched and made; the binder refuses what cannot be made.

#include "query/syntax/grammar.hpp"
#include "query/syntax/lookahead.hpp"

namespace cairn::query::grammar {
namespace {

using ast::LabelExpression;
using ast::LabelKind;
using ast::PathSearch;
using LabelList = std::vector<LabelExpression>;

// X3 hands no attribute to on_success of a rule with actions: `labels` alone knows its place.
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
const x3::rule<struct BracketedPathId, ast::PathElement> bracketed_path = "path in parentheses";
const x3::rule<struct PathSearchId, PathSearch> path_search = "kind of search";

/// One operand stands for itself, several become a node of `kind`.
/// A chain of one stays what it is, so that :A is a name and not a conjunction of one: the binder
/// and the planner look for plain names.
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
/// $(expression), for names that are known when the statement runs.
const auto take_value = [](auto& context) {
  x3::_val(context).kind = LabelKind::by_value;
  x3::_val(context).value.push_back(std::move(x3::_attr(context)));
};
const auto take_inner = [](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); };

/// | between labels, with the colon that older Cypher has behind it.
/// Where a bar ends the expression around it, it is left alone; see bar_ends in directives.hpp.
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

/// Inside of a pattern's own brackets | has its ordinary meaning.
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
                            ("'$('"_sym > nested(1)[expression][take_value] > "')'"_sym);

// (n:A {x: 1} WHERE n.y > 2)
const auto node_def = "'('"_sym > -variable > -pattern_labels > -properties > -system_fields >
                      -("WHERE"_kw > expression) > "')'"_sym;
const auto properties_def = map_literal | parameter;
// @ {external_id: 'urn:ada'}
const auto system_fields_def = Ahead(is_system_mark) > "'@'"_sym > map_literal;

// -->, <--, --, -[r:R*1..3 {x: 1} WHERE r.y > 2]->, -[r:R]->{1,3}
// The arrowheads are flags: <-[]-> has both, which means either direction, as --.
const auto relationship_def = x3::matches["'<'"_sym] >> "'-'"_sym > -details > "'-'"_sym >
                              x3::matches["'>'"_sym] > -path_quantifier;
const auto details_def = "'['"_sym > -variable > -pattern_labels > -hops > -properties >
                         -system_fields > -("WHERE"_kw > expression) > "']'"_sym;

// A path is a node and steps: a list, however long.
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

// A name needs its = to be one: p = (a)-->(b)
const auto plain_path_def = no_name >> element;
const auto path_def = -(Ahead(is_assignment) > variable > "'='"_sym) >> element;

BOOST_SPIRIT_DEFINE(labels, label_chain, label_alternatives, label_conjunction, label_negation,
                    label_atom, node, relationship, details, properties, system_fields, step,
                    element, every_path, shortest_path, bracketed_path, path_search, path,
                    plain_path)
BOOST_SPIRIT_INSTANTIATE(LabelsRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(PathRule, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(PlainPathRule, Iterator, Context)

}  // namespace cairn::query::grammar
