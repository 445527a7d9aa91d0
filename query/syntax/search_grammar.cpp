// SEARCH: one index, or several retrievers that become one ranking.
// Neo4j's SEARCH takes one vector index, a WHERE and a LIMIT. What is beyond that (HYBRID,
// FULLTEXT, RANKED, GRAPH, WITHIN, MIN SCORE, the ways) keeps its form; LANGUAGE.md has the whole
// production. The optional parts have one order, so that each is decided by its first word; the
// printer writes them in the same order. Absent members are filled by `no_...`, because an X3
// sequence fills all members.

#include "query/syntax/grammar.hpp"

namespace cairn::query::grammar {
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
// Several without the word, and a FUSE of one, are refused by the binder, with advice.
const auto single_retriever_def = x3::attr(false) >> retriever % "','"_sym >> (fusion | no_fusion);
// FUSE RRF(60)
const auto fusion_def = "FUSE"_kw > fusion_name > -("'('"_sym > expression > "')'"_sym);

const auto retriever_def = index_retriever | graph_retriever;
// VECTOR INDEX i FOR $q ACCURACY high WEIGHT 0.6
const auto index_retriever_def = index_kind > "INDEX"_kw > index_name > "FOR"_kw > expression >
                                 no_path > way > -("WEIGHT"_kw > expression);
const auto index_kind_def = ("VECTOR"_kw >> x3::attr(RetrieverKind::vector)) |
                            ("FULLTEXT"_kw >> x3::attr(RetrieverKind::full_text)) |
                            ("RANKED"_kw >> x3::attr(RetrieverKind::ranked));
// GRAPH (m)-[:RELATED*1..2]-() WEIGHT 0.2
const auto graph_retriever_def = ("GRAPH"_kw >> x3::attr(RetrieverKind::graph)) > no_name >
                                 no_expression > plain_path > no_way > -("WEIGHT"_kw > expression);
//    way := [ PLAIN ] [ EXACT ] [ EF expression ] [ ACCURACY name ]
// Takes nothing where none of them stands there, and so may be asked for anywhere.
const auto way_def = x3::matches["PLAIN"_kw] > x3::matches["EXACT"_kw] > -("EF"_kw > expression) >
                     -("ACCURACY"_kw > recall_name);

BOOST_SPIRIT_DEFINE(search, search_retrievers, hybrid_retrievers, single_retriever, fusion,
                    retriever, index_retriever, index_kind, graph_retriever, way, cut, near_cut,
                    limit_cut, least_score)
BOOST_SPIRIT_INSTANTIATE(SearchRule, Iterator, Context)

}  // namespace cairn::query::grammar
