// Runs a query by one of four strategies:
//
// a sum of words             block-max over the terms       find_top_k_documents()
// words, some required       leapfrog by the rarest         find_conjunction_scorer()
// every document             the first k of a set           search_every()
// anything else              Evaluation: reads every posting and combines sets of hits
//
// All strategies that can answer a query return the same hits and scores (tests compare them), so
// the choice only affects the cost.
#include "engine/fulltext/text_search.hpp"

#include "codec/bitmap.hpp"
#include "codec/byte_io.hpp"
#include "engine/fulltext/phrase_matcher.hpp"
#include "engine/fulltext/spelling.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/term_scorer.hpp"
#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/text_query.hpp"
#include "engine/fulltext/top_k_documents.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/system/limits.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

using Hits = std::vector<TextHit>;  // by ascending id, except at the end
using Kind = TextNode::Kind;
using Occur = TextNode::Occur;

// True for nodes that are terms, exactly or by expansion.
bool has_words(const TextNode& node) {
  return node.kind == Kind::words || node.kind == Kind::prefix || node.kind == Kind::fuzzy;
}

/// True if the query is a sum of optional words, or has no words and so finds nothing.
bool is_sum(const TextNode& root) {
  return std::all_of(root.children.begin(), root.children.end(), [](const TextNode& child) {
    return has_words(child) && child.occur == Occur::should;
  });
}

/// True if the query is a '*' alone.
bool is_every(const TextNode& root) {
  return root.children.size() == 1 && root.children.front().kind == Kind::every &&
         root.children.front().occur != Occur::must_not;
}

/// True if the query consists of words, of which some are required.
bool is_conjunction(const TextNode& root) {
  return std::all_of(root.children.begin(), root.children.end(), has_words) &&
         std::any_of(root.children.begin(), root.children.end(),
                     [](const TextNode& child) { return child.occur == Occur::must; });
}

// Memory of hits while they are collected and copied.
std::size_t bytes_of(const Hits& hits) { return hits.capacity() * sizeof(TextHit); }

// Returns the hits that are in `others` or, if `wanted` is false, those that are not. Both lists
// ascend by id, so one pass suffices.
Hits only_in(const Hits& hits, const Hits& others, bool wanted) {
  Hits result;
  auto other = others.begin();
  for (const TextHit& hit : hits) {
    while (other != others.end() && other->id < hit.id) ++other;
    const bool is_there = other != others.end() && other->id == hit.id;
    if (is_there == wanted) result.push_back(hit);
  }
  return result;
}

/// Returns the hits of both. If a document is in both, its scores are added.
Hits add(const Hits& a, const Hits& b) {
  Hits result;
  auto right = b.begin();
  for (const TextHit& left : a) {
    for (; right != b.end() && right->id < left.id; ++right) result.push_back(*right);
    const bool is_both = right != b.end() && right->id == left.id;
    result.push_back({left.id, is_both ? left.score + (right++)->score : left.score});
  }
  result.insert(result.end(), right, b.end());
  return result;
}

/// Returns the hits of either. If a document is in both, the better score counts.
Hits better_of(const Hits& a, const Hits& b) {
  Hits result;
  auto right = b.begin();
  for (const TextHit& left : a) {
    for (; right != b.end() && right->id < left.id; ++right) result.push_back(*right);
    const bool is_both = right != b.end() && right->id == left.id;
    result.push_back({left.id, is_both ? std::max(left.score, (right++)->score) : left.score});
  }
  result.insert(result.end(), right, b.end());
  return result;
}

/// The allowed documents with a text in one of the node's fields.
Result<codec::Bitmap> every_document(const TextReader& reader, const TermScorerBuilder& maker,
                                     const codec::Bitmap* allowed, const TextNode& node) {
  const TextSources::WithText* with_text = reader.sources().with_text;
  if (with_text == nullptr) return codec::Bitmap();
  CAIRN_ASSIGN(codec::Bitmap ids, (*with_text)(maker.fields_of(node)));
  if (allowed != nullptr) ids = codec::intersect(ids, *allowed);
  return ids;
}

/// Returns the first `k` of these documents as hits. All have the score of the boost, as in Lucene.
Result<Hits> first_hits(const codec::Bitmap& ids, std::size_t k, const TextNode& node,
                        const TermScorerBuilder& maker) {
  const std::uint64_t count = std::min<std::uint64_t>(ids.cardinality(), k);
  if (maker.limits() != nullptr) CAIRN_TRY(maker.limits()->check_room(count * sizeof(TextHit)));
  Hits hits;
  hits.reserve(count);
  Pace pace(maker.limits());
  std::array<std::uint64_t, 128> some{};
  codec::IdCursor cursor(ids);
  while (hits.size() < count) {
    CAIRN_TRY(pace.add(some.size() * sizeof(TextHit)));
    const std::size_t found = std::min<std::uint64_t>(cursor.next(some), count - hits.size());
    for (std::size_t i = 0; i < found; ++i) hits.push_back({some[i], node.boost});
  }
  return hits;
}

/// Evaluates any query by reading all postings.
class Evaluation {
 public:
  Evaluation(const TextReader& reader, const TermScorerBuilder& maker, const codec::Bitmap* allowed)
      : reader_(reader), maker_(maker), allowed_(allowed), pace_(maker.limits()) {}

  Result<Hits> of(const TextNode& node) {
    if (node.kind == Kind::group) return of_group(node);
    if (node.kind == Kind::every) return of_every(node);
    return node.kind == Kind::phrase ? of_phrase(node) : of_words(node);
  }

 private:
  [[nodiscard]] bool is_allowed(std::uint64_t id) const {
    return allowed_ == nullptr || allowed_->contains(id);
  }

  // The hits of a group: documents with all required clauses, or with any optional clause if the
  // group requires none. Documents with an excluded clause are removed.
  Result<Hits> of_group(const TextNode& group) {
    Hits required, optional, excluded;
    bool has_required = false;
    Charge held(maker_.limits());
    for (const TextNode& child : group.children) {
      CAIRN_ASSIGN(const bool is_nothing, asks_nothing(child, maker_.analyzer(), maker_.work()));
      if (is_nothing) continue;
      CAIRN_ASSIGN(const Hits hits, of(child));
      // Charges twice the size, as each step below makes a new list from two old ones.
      const std::size_t bytes =
          bytes_of(hits) + bytes_of(required) + bytes_of(optional) + bytes_of(excluded);
      CAIRN_TRY(held.set(2 * bytes));
      CAIRN_TRY(pace_.add(bytes));
      if (child.occur == Occur::must_not) {
        excluded = add(excluded, hits);
      } else if (child.occur == Occur::should) {
        optional = add(optional, hits);
      } else {
        required =
            // Adds the scores of documents in both, then removes documents without the new clause.
            has_required ? only_in(add(required, only_in(hits, required, true)), hits, true) : hits;
        has_required = true;
      }
    }
    Hits result = has_required ? add(required, only_in(optional, required, true)) : optional;
    for (TextHit& hit : result) hit.score *= group.boost;
    return only_in(result, excluded, false);
  }

  Result<Hits> of_every(const TextNode& node) {
    CAIRN_ASSIGN(const codec::Bitmap ids, every_document(reader_, maker_, allowed_, node));
    return first_hits(ids, ids.cardinality(), node, maker_);
  }

  // Documents with any of the node's terms.
  Result<Hits> of_words(const TextNode& node) {
    std::vector<WeightedTerm> terms;
    Charge held(maker_.limits());
    CAIRN_TRY(maker_.append_terms(node, terms, held));
    CAIRN_ASSIGN(const auto leaves, maker_.make_leaves(std::move(terms), held));
    std::vector<TermCursor> cursors;
    for (const TermScorer& leaf : leaves) {
      // The first block is decoded.
      CAIRN_TRY(pace_.add(sizeof(TermCursor)));
      cursors.emplace_back(leaf.postings);
    }
    Hits hits;
    Charge of_hits(maker_.limits());
    while (true) {
      if (pace_.is_due((1 + cursors.size()) * sizeof(TextHit))) {
        CAIRN_TRY(of_hits.set(2 * bytes_of(hits)));
        CAIRN_TRY(pace_.look());
      }
      std::uint64_t id = TermCursor::end;
      for (const TermCursor& cursor : cursors) id = std::min(id, cursor.id());
      if (id == TermCursor::end) break;
      const double score = sum_of_words(leaves, [&](std::size_t i) -> double {
        if (cursors[i].id() != id) return 0;
        const double of_leaf = leaves[i].score.of(cursors[i].frequency(), cursors[i].length());
        cursors[i].next();
        return of_leaf;
      });
      if (is_allowed(id)) hits.push_back({id, score});
    }
    for (const TermCursor& cursor : cursors)
      if (cursor.is_damaged())
        return codec::corruption("postings of full-text index \"" + reader_.sources().index.name +
                                 "\" are damaged");
    return hits;
  }

  // Documents with the phrase in any of the node's fields, in any language.
  Result<Hits> of_phrase(const TextNode& node) {
    CAIRN_ASSIGN(const auto all, maker_.analyzer().phrase_tokens(node.text, maker_.work()));
    Hits hits;
    for (const std::uint8_t field : maker_.fields_of(node)) {
      Hits in_field;
      for (const std::vector<Token>& tokens : all) {
        std::vector<PhraseTerm> terms;
        for (const Token& token : tokens) terms.push_back({token.term, token.position});
        CAIRN_ASSIGN(const Hits found,
                     find_phrase(maker_, reader_, field, terms, node,
                                 [&](std::uint64_t id) { return is_allowed(id); }));
        in_field = better_of(in_field, found);
      }
      hits = add(hits, in_field);
    }
    return hits;
  }

  const TextReader& reader_;
  const TermScorerBuilder& maker_;
  const codec::Bitmap* allowed_;
  Pace pace_;
};

/// The scorers of a sum of words.
Result<std::vector<TermScorer>> leaves_of(const TextNode& root, const TermScorerBuilder& maker,
                                          Charge& held, double& whole) {
  std::vector<WeightedTerm> terms;
  for (const TextNode& child : root.children) CAIRN_TRY(maker.append_terms(child, terms, held));
  return maker.make_leaves(std::move(terms), held, &whole);
}

/// The clauses of a conjunction that have terms left after the analysis.
Result<std::vector<TextClause>> clauses_of(const TextNode& root, const TermScorerBuilder& maker,
                                           Charge& held) {
  std::vector<TextClause> clauses;
  for (const TextNode& child : root.children) {
    CAIRN_ASSIGN(const bool is_nothing, asks_nothing(child, maker.analyzer(), maker.work()));
    if (is_nothing) continue;
    std::vector<WeightedTerm> terms;
    CAIRN_TRY(maker.append_terms(child, terms, held));
    CAIRN_ASSIGN(auto leaves, maker.make_leaves(std::move(terms), held));
    clauses.push_back({child.occur, std::move(leaves)});
  }
  return clauses;
}

// A required clause may have lost all its terms in the analysis.
bool has_required(const std::vector<TextClause>& clauses) {
  return std::any_of(clauses.begin(), clauses.end(),
                     [](const TextClause& clause) { return clause.occur == Occur::must; });
}

// Documents marked with a feature.
Result<TextHits> search_feature(const TermScorerBuilder& maker, const TextQuery& query) {
  std::vector<WeightedTerm> terms;
  for (const std::uint8_t field : maker.fields_of({}))
    terms.push_back({field, marker_term(query.text), 1});
  Charge held(query.limits);
  CAIRN_ASSIGN(const auto leaves, maker.make_leaves(std::move(terms), held));
  CAIRN_ASSIGN(auto top, find_top_k_documents(leaves, query.k, query.allowed, query.limits));
  return TextHits{std::move(top.hits), std::move(top.executor), {}, 0, 0};
}

// The best documents by terms that are not analysed.
Result<TextHits> search_terms(const TermScorerBuilder& maker, const TextQuery& query,
                              double mean_words) {
  std::vector<WeightedTerm> terms;
  for (const QueryTerm& term : query.terms)
    for (const std::uint8_t field : maker.fields_of({}))
      terms.push_back({field, term.term, term.weight, false, term.word});
  TextHits result;
  Charge held(query.limits);
  CAIRN_ASSIGN(const auto leaves, maker.make_leaves(std::move(terms), held, &result.whole));
  CAIRN_ASSIGN(auto top, find_top_k_documents(leaves, query.k, query.allowed, query.limits));
  result.hits = std::move(top.hits);
  result.executor = std::move(top.executor);
  result.mean_words = mean_words;
  return result;
}

// The first documents of all, without a list of the others.
Result<Hits> search_every(const TextReader& reader, const TermScorerBuilder& maker,
                          const TextNode& node, const TextQuery& query) {
  CAIRN_ASSIGN(const codec::Bitmap ids, every_document(reader, maker, query.allowed, node));
  return first_hits(ids, query.k, node, maker);
}

/// Upper bound of the memory of a query's nodes, before the query is parsed: a clause ends with a
/// blank or a sign.
std::size_t bytes_of_nodes(std::string_view text) {
  const auto ends = std::ranges::count_if(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= ' ' || (byte < 0x80 && std::isalnum(byte) == 0);
  });
  return 2 * (static_cast<std::size_t>(ends) + 1) * sizeof(TextNode);
}

/// What a word costs that needs no correction, as TextWork counts.
constexpr std::uint64_t bytes_of_known_word = 1'024;

/// Replaces words of `text` that none of the texts of the query has.
Result<std::vector<CorrectedWord>> correct_words(const TextReader& reader,
                                                 const TermScorerBuilder& maker,
                                                 const TextQuery& query, std::string& text) {
  std::vector<CorrectedWord> all;
  std::string corrected;
  std::size_t end = 0;
  CAIRN_ASSIGN(const std::vector<WordRange> words, break_words(text, maker.work()));
  for (const WordRange& range : words) {
    CAIRN_TRY(maker.work().add(bytes_of_known_word, 0));
    const std::string_view word(text.data() + range.begin, range.end - range.begin);
    CAIRN_ASSIGN(const auto meant,
                 corrected_word(reader, maker.analyzer(), word, *query.corrects_among,
                                query.joins_forms, maker.limits()));
    if (!meant) continue;
    all.push_back({std::string(word), *meant});
    corrected += text.substr(end, range.begin - end) + *meant;
    end = range.end;
  }
  text = corrected + text.substr(end);
  return all;
}

}  // namespace

// Tries the cheapest strategy first.
Result<TextHits> search_text(const TextSources& sources, std::span<const std::string> field_names,
                             const TextQuery& query) {
  const TextReader reader(sources);
  const TermScorerBuilder maker(reader, field_names, query);
  if (query.is_feature) return search_feature(maker, query);
  if (!query.terms.empty()) return search_terms(maker, query, mean_words(sources.statistics));
  Charge held(query.limits);
  if (!query.plain) CAIRN_TRY(held.add(bytes_of_nodes(query.text)));
  TextHits result;
  std::string text(query.text);
  if (query.plain && query.corrects_among != nullptr) {
    CAIRN_ASSIGN(result.corrected, correct_words(reader, maker, query, text));
  }
  ParsedText parsed;
  if (query.plain) {
    parsed.root = plain_words(text);
  } else {
    CAIRN_ASSIGN(parsed, parse_text_query(text, field_names, maker.work()));
  }
  CAIRN_TRY(keep_meant_stop_words(parsed.root, maker.analyzer(), maker.work()));
  result.warning = parsed.warning;
  result.mean_words = mean_words(sources.statistics);
  if (is_sum(parsed.root)) {
    CAIRN_ASSIGN(const auto leaves, leaves_of(parsed.root, maker, held, result.whole));
    CAIRN_ASSIGN(auto top, find_top_k_documents(leaves, query.k, query.allowed, query.limits));
    result.hits = std::move(top.hits);
    result.executor = std::move(top.executor);
    return result;
  }
  if (is_every(parsed.root)) {
    CAIRN_ASSIGN(result.hits, search_every(reader, maker, parsed.root.children.front(), query));
    result.executor = "listed the documents of the index";
    return result;
  }
  if (is_conjunction(parsed.root)) {
    CAIRN_ASSIGN(const auto clauses, clauses_of(parsed.root, maker, held));
    if (has_required(clauses)) {
      CAIRN_ASSIGN(result.hits,
                   find_conjunction_scorer(clauses, query.k, query.allowed, query.limits));
      result.executor = "stepped through the rarest word that must occur";
      return result;
    }
  }
  CAIRN_ASSIGN(const Hits hits, Evaluation(reader, maker, query.allowed).of(parsed.root));
  TopHits top(query.k, query.limits);
  for (const TextHit& hit : hits) top.offer(hit);
  result.hits = top.take();
  result.executor = "read every posting of the question";
  return result;
}

}  // namespace cairn::engine
