#include "query/recall/recall_run.hpp"

#include "engine/fulltext/text_document.hpp"
#include "engine/graph/index_members.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cairn::query {
namespace {

using codec::EntityKind;
using codec::IdSet;

/// Documents by text that the levers work on: enough for any answer, few enough to read.
constexpr std::size_t candidates = 150;
constexpr std::size_t feedback_hits = 5;
constexpr std::size_t feedback_words = 10;

bool is_sound(double weight) { return std::isfinite(weight) && weight >= 0; }

Status check(const RecallLevers& levers) {
  for (const double weight : {levers.neighbour_weight, levers.group_weight, levers.mention_weight,
                              levers.date_weight, levers.feedback_weight, levers.diversity})
    if (!is_sound(weight))
      return Error{
          ErrorCode::invalid_argument, "a weight of recall is finite and not negative", {}};
  if (levers.diversity > 1)
    return Error{ErrorCode::invalid_argument, "the diversity of recall is at most 1", {}};
  return {};
}

bool is_better(const RecallHit& a, const RecallHit& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

/// The share of the words of `a` that `b` has too.
double likeness(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto common =
      std::count_if(a.begin(), a.end(), [&](const auto& w) { return b.contains(w); });
  return a.empty() ? 0 : static_cast<double>(common) / static_cast<double>(a.size());
}

}  // namespace

Result<std::vector<RecallHit>> RecallRun::run(std::string_view question) {
  const RecallLevers& levers = options_.levers;
  CAIRN_TRY(check(levers));
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(find_by_text(question));
  if (levers.feedback_weight > 0) CAIRN_TRY(add_feedback(question));
  CAIRN_TRY(lift_named(question));
  if (levers.neighbour_weight > 0) CAIRN_TRY(spread());
  if (levers.group_weight > 0) CAIRN_TRY(add_groups());
  std::vector<RecallHit> hits = ranked();
  if (levers.diversity > 0) CAIRN_TRY(diversify(hits));
  if (hits.size() > options_.limit) hits.resize(options_.limit);
  return hits;
}

Status RecallRun::restrict_ids() {
  CAIRN_ASSIGN(const IdSet covered, engine::index_members(entry_, view_));
  members_ = codec::intersect(members_, covered);
  return {};
}

Result<engine::TextHits> RecallRun::search(std::string_view text, std::size_t k) const {
  engine::TextQuery query;
  query.text = text;
  query.plain = true;
  query.k = k;
  query.allowed = &members_;
  return view_.search_text(index_, query);
}

Status RecallRun::find_by_text(std::string_view question) {
  CAIRN_ASSIGN(const auto found, search(question, std::max(candidates, options_.limit)));
  for (const engine::TextHit& hit : found.hits) {
    RecallHit& made = hits_[hit.id];
    made.id = hit.id;
    made.text = hit.score / found.hits.front().score;
    by_text_.push_back(hit.id);
  }
  return {};
}

Result<std::string> RecallRun::text_of(std::uint64_t id) const {
  std::string text;
  for (const std::uint32_t key : entry_.properties) {
    CAIRN_ASSIGN(const Value value, view_.property(EntityKind::node, id, key));
    if (value.string() != nullptr) text += *value.string() + "\n";
  }
  return text;
}

Result<std::set<std::string>> RecallRun::terms_of(std::uint64_t id) const {
  CAIRN_ASSIGN(const std::string text, text_of(id));
  std::set<std::string> terms;
  for (auto& token : engine::Analyzer(engine::analyzer_options(entry_.text)).query_tokens(text))
    if (!token.is_stop_word) terms.insert(std::move(token.term));
  return terms;
}

// The words that most of the first hits share (Rocchio 1971); of equally many the last in the order
// of letters, so that runs agree.
Result<std::string> RecallRun::shared_words(std::string_view question) const {
  const engine::Analyzer analyzer(engine::analyzer_options(entry_.text));
  std::set<std::string> asked;
  for (const auto& token : analyzer.query_tokens(question)) asked.insert(token.term);
  std::map<std::string, std::pair<int, std::string>> counts;  // by term, with a word for it
  for (std::size_t i = 0; i < std::min(feedback_hits, by_text_.size()); ++i) {
    CAIRN_ASSIGN(const std::string text, text_of(by_text_[i]));
    std::set<std::string> seen = asked;
    for (const auto& token : analyzer.query_tokens(text)) {
      if (token.is_stop_word || !seen.insert(token.term).second) continue;
      auto& [count, word] = counts[token.term];
      ++count;
      word = text.substr(token.begin, token.end - token.begin);
    }
  }
  std::vector<std::pair<int, std::string>> words;
  for (const auto& [term, count] : counts)
    if (count.first > 1) words.push_back(count);
  std::sort(words.rbegin(), words.rend());
  std::string more;
  for (std::size_t i = 0; i < std::min(feedback_words, words.size()); ++i)
    more += words[i].second + " ";
  return more;
}

Status RecallRun::add_feedback(std::string_view question) {
  CAIRN_ASSIGN(const std::string words, shared_words(question));
  CAIRN_ASSIGN(const auto found, search(words, candidates));
  for (const engine::TextHit& hit : found.hits) {
    if (!hits_.contains(hit.id)) by_text_.push_back(hit.id);
    RecallHit& made = hits_[hit.id];
    made.id = hit.id;
    made.text += options_.levers.feedback_weight * hit.score / found.hits.front().score;
  }
  std::sort(by_text_.begin(), by_text_.end(), [&](std::uint64_t a, std::uint64_t b) {
    return hits_[a].text != hits_[b].text ? hits_[a].text > hits_[b].text : a < b;
  });
  return {};
}

std::vector<RecallHit> RecallRun::ranked() const {
  std::vector<RecallHit> hits;
  for (const auto& [id, hit] : hits_) {
    hits.push_back(hit);
    hits.back().score = hit.text + hit.neighbours + hit.group;
  }
  std::sort(hits.begin(), hits.end(), is_better);
  return hits;
}

// Maximal marginal relevance (Carbonell, Goldstein 1998) over the first hits: the next one is the
// best after what it loses for the hit before it that it is most like. Cost: limit squared.
Status RecallRun::diversify(std::vector<RecallHit>& hits) const {
  struct Choice {
    RecallHit hit;
    std::set<std::string> terms;
    double likest = 0;
  };
  const bool is_all = options_.limit > hits.size() / 3;  // thrice as many might be no number
  const auto count = static_cast<std::ptrdiff_t>(is_all ? hits.size() : options_.limit * 3);
  std::vector<Choice> choices;
  for (auto hit = hits.begin(); hit != hits.begin() + count; ++hit) {
    CAIRN_ASSIGN(auto terms, terms_of(hit->id));
    choices.push_back({*hit, std::move(terms), 0});
  }
  const auto worth = [&](const Choice& choice) {
    return choice.hit.score * (1 - options_.levers.diversity * choice.likest);
  };
  for (auto next = choices.begin(); next != choices.end(); ++next) {
    const auto best = std::max_element(
        next, choices.end(), [&](const auto& a, const auto& b) { return worth(a) < worth(b); });
    std::rotate(next, best, best + 1);  // the others keep their order
    for (auto rest = next + 1; rest != choices.end(); ++rest)
      rest->likest = std::max(rest->likest, likeness(rest->terms, next->terms));
  }
  std::transform(choices.begin(), choices.end(), hits.begin(),
                 [](const Choice& choice) { return choice.hit; });
  return {};
}

}  // namespace cairn::query
