// Finds what the question names besides its subject: values, authors and dates.
//
// Up to 64 indexed properties are searched for each text of the question that may be a value ("Kate").

#include "query/recall/recall_names.hpp"

#include "codec/instant.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/letter_case.hpp"
#include "query/recall/recall_records.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using codec::Bitmap;
using Operation = engine::IndexPredicate::Operation;

bool is_capital_word(const NamedText& text) {
  return text.count == 1 && engine::begins_with_capital(text.text);
}

Result<bool> has_capital(std::string_view text, engine::TextWork& work) {
  constexpr std::uint64_t bytes_of_letter = 32;  // as TextWork counts
  while (!text.empty()) {
    CAIRN_TRY(work.add(bytes_of_letter, 0));
    if (engine::begins_with_capital(text)) return true;
    text.remove_prefix(engine::first_letter(text).size());
  }
  return false;
}

/// Returns "New York" for "new york".
std::string capitalised(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" -", at), text.size() - 1) + 1;
    made += engine::with_capital(text.substr(at, end - at));
    at = end;
  }
  return made;
}

/// For a question without capitals, adds each text with capitals: "maya" is also looked up as "Maya".
Status add_capitalised(std::string_view question, std::vector<NamedText>& texts,
                       engine::TextWork& work) {
  constexpr std::uint64_t bytes_of_text = 512;  // as TextWork counts
  CAIRN_ASSIGN(const bool has, has_capital(question, work));
  if (has) return {};
  const std::size_t count = texts.size();
  for (std::size_t i = 0; i < count; ++i) {
    CAIRN_TRY(work.add(bytes_of_text, texts.capacity() * 2 * sizeof(NamedText)));
    texts.push_back({capitalised(texts[i].text), texts[i].first, texts[i].count});
  }
  return {};
}

constexpr std::int64_t microseconds = 1'000'000;  // in a second

/// Returns the smallest value of each temporal type with a date at `second` of UTC. The DateTime has the lowest
/// offset and no zone name, so that it precedes all other values of the same instant.
std::array<Value, 3> first_at(std::int64_t second) {
  return {Date{codec::floor_divide(second, codec::seconds_per_day)}, LocalDateTime{second, 0},
          DateTime{second, 0, -codec::max_offset_seconds, {}}};
}

/// Sorts the times, and unites those that overlap or adjoin. A question may name one day very often.
void unite_sorted(std::vector<TimeRange>& times) {
  std::ranges::sort(times, {}, &TimeRange::first);
  std::size_t count = 0;
  for (const TimeRange& time : times) {
    if (count > 0 && time.first - 1 <= times[count - 1].last)
      times[count - 1].last = std::max(times[count - 1].last, time.last);
    else
      times[count++] = time;
  }
  times.resize(count);
}

/// Returns the same times without an instant twice, in their order. Works in pieces, with a check of the limits after each.
Result<std::vector<TimeRange>> distinct_times(ExecutionContext& context,
                                              const std::vector<TimeRange>& times) {
  constexpr std::size_t piece = 16'384;
  std::vector<TimeRange> distinct;
  for (std::size_t at = 0; at < times.size(); at += piece) {
    const auto begin = times.begin() + static_cast<std::ptrdiff_t>(at);
    const auto count = std::min(piece, times.size() - at);
    distinct.insert(distinct.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    unite_sorted(distinct);
    if (times.size() > piece) CAIRN_TRY(context.budget.check());
  }
  return distinct;
}

/// Accounts for the sets that lookups append to `sets`: their work and memory. Unites the sets whenever they are many.
class FoundSets {
 public:
  FoundSets(ExecutionContext& context, std::vector<Bitmap>& sets)
      : context_(context), sets_(sets), seen_(sets.size()), held_(&context.budget) {}

  /// Must be called after each lookup.
  Status account() {
    for (; seen_ < sets_.size(); ++seen_) {
      const std::size_t bytes = sets_[seen_].memory_bytes();
      CAIRN_TRY(context_.budget.step(bytes / bytes_of_step));
      CAIRN_TRY(held_.add(bytes + sizeof(Bitmap)));
    }
    return sets_.size() < most_sets ? Status() : unite();
  }
  /// Leaves at most one set.
  Status unite() {
    if (sets_.size() < 2) return {};
    Bitmap all = codec::unite_all(sets_);
    const std::size_t bytes = all.memory_bytes();
    sets_.clear();
    sets_.push_back(std::move(all));
    seen_ = 1;
    CAIRN_TRY(context_.budget.step(bytes / bytes_of_step));
    return held_.set(bytes + sizeof(Bitmap));
  }

 private:
  static constexpr std::size_t most_sets = 64;
  static constexpr std::size_t bytes_of_step = 1'024;  // as Limits counts

  ExecutionContext& context_;
  std::vector<Bitmap>& sets_;
  std::size_t seen_;  // sets that are accounted for
  engine::Charge held_;
};

/// Finds the records of the named dates. String values are indexed by the instant they denote, temporal values by their
/// own order. Most properties have no values of a temporal type; a cached posting list shows this without a scan. The
/// named times are whole days, months or years. Leaves at most one set in `found`.
Status find_dated(ExecutionContext& context, std::uint32_t path,
                  const std::vector<TimeRange>& times, std::vector<Bitmap>& found) {
  FoundSets sets(context, found);
  for (const TimeRange& time : times) {
    CAIRN_TRY(find_exact_ids(context, path, Operation::instant, time.first, time.last, found));
    CAIRN_TRY(sets.account());
  }
  for (std::size_t type = 0; type < first_at(0).size(); ++type) {
    std::vector<Bitmap> typed;
    CAIRN_TRY(find_exact_ids(context, path, Operation::of_type, first_at(0)[type], {}, typed));
    if (typed.empty()) continue;
    for (const TimeRange& time : times) {
      CAIRN_TRY(find_exact_ids(context, path, Operation::range,
                               first_at(time.first / microseconds)[type],
                               first_at((time.last + 1) / microseconds)[type], found));
      CAIRN_TRY(sets.account());
    }
  }
  return sets.unite();
}

}  // namespace

// Returns the node properties with an index, except the properties of the searched full-text index: their texts are the
// answer and not a name in the question. The properties of authors are included even if they are searched.
Result<std::vector<std::uint32_t>> RecallNames::paths() const {
  std::set<std::string> searched;
  for (const std::uint32_t property : entry_.properties)
    searched.insert(view_.catalog().name(codec::CatalogKind::property, property));
  CAIRN_ASSIGN(auto paths, indexed_paths(view_, visible_, most_paths));
  std::erase_if(paths, [&](std::uint32_t path) {
    return searched.contains(view_.catalog().paths().at(path).text) && !is_of_author(path);
  });
  return paths;
}

// True if the property names the author of a record.
bool RecallNames::is_of_author(std::uint32_t path) const {
  const auto& names = roles_.authors.properties;
  const std::string& name = view_.catalog().paths().at(path).text;
  return features_.author_weight > 0 && std::find(names.begin(), names.end(), name) != names.end();
}

// Finds the records with a named text as the value of the property or as an element of a list. If the property names
// authors, the text may also be the first name of an author, and the words of the text are no longer searched for (see
// README.md).
Status RecallNames::find_mentions(std::uint32_t path, const std::vector<NamedText>& texts,
                                  const Bitmap& members, Mentions& mentions) const {
  const bool is_author = is_of_author(path);
  if (!is_author && features_.entity_weight == 0) return {};
  std::vector<Bitmap> lists, all;
  CAIRN_TRY(find_exact_ids(context_, path, Operation::of_type, Value(List{}), {}, lists));
  for (const NamedText& text : texts) {
    std::vector<Bitmap> found;
    CAIRN_TRY(find_exact_ids(context_, path, Operation::equals, text.text, {}, found));
    if (!lists.empty())
      CAIRN_TRY(find_exact_ids(context_, path, Operation::element, text.text, {}, found));
    // Finds "Maya Lindgren" for "Maya": the values that begin with "Maya ", because '!' is the character after the
    // space. "law" is a word and not the first name of "law c. k.".
    if (is_author && !engine::begins_with_small_letter(text.text))
      CAIRN_TRY(find_exact_ids(context_, path, Operation::range, text.text + " ", text.text + "!",
                               found));
    const Bitmap with_text = codec::intersect(codec::unite_all(found), members);
    if (with_text.empty()) continue;
    mentions.named_words.insert(text.first);
    all.push_back(with_text);
    if (!is_author) continue;
    for (std::size_t i = 0; i < text.count; ++i) mentions.author_words.insert(text.first + i);
    NamedAuthor& author = mentions.authors[text.first];
    author.count = std::max(author.count, text.count);
    author.records = codec::unite(author.records, with_text);
  }
  mentions.records = codec::unite(mentions.records, codec::unite_all(all));
  return {};
}

// Does nothing if the question names an author correctly: another word with a capital is a place or a thing then. The
// meant name is looked up in all properties, like a name that is spelt correctly, because other records may mention it.
Status RecallNames::find_misspelt(const std::vector<std::uint32_t>& paths,
                                  const std::vector<NamedText>& texts, const RecallSearch& search,
                                  Mentions& mentions) const {
  const bool may_correct = features_.corrects_spelling && features_.author_weight > 0;
  if (!may_correct || !mentions.authors.empty() || view_.index_reader() == nullptr) return {};
  std::vector<std::uint32_t> of_authors;
  for (const std::uint32_t path : paths)
    if (is_of_author(path)) of_authors.push_back(path);
  if (of_authors.empty()) return {};
  std::vector<NamedText> unnamed;
  for (const NamedText& text : texts)
    if (is_capital_word(text) && !mentions.named_words.contains(text.first))
      unnamed.push_back(text);
  CAIRN_ASSIGN(const auto names, meant_authors(context_, of_authors, unnamed, search, visible_));
  if (names.empty()) return {};
  for (const std::uint32_t path : paths)
    CAIRN_TRY(find_mentions(path, names, search.members(), mentions));
  return {};
}

// "What did Ada tell Bob?" asks for records by Ada, and "What do Ada and Bob like?" for records by both. So of several
// authors, chooses the first one and those that "and" or "or" connects with it.
Result<Bitmap> RecallNames::records_asked_for(std::string_view question,
                                              const NamedAuthors& authors, engine::TextWork& work) {
  Bitmap records;
  if (authors.empty()) return records;
  CAIRN_ASSIGN(const auto words, engine::break_words(question, work));
  const auto is_joint = [&](std::size_t at) {
    constexpr std::array<std::string_view, 6> joints = {"and", "or", "und", "oder", "et", "ou"};
    const auto word = question.substr(words[at].begin, words[at].end - words[at].begin);
    return std::ranges::find(joints, engine::fold_word(word)) != joints.end();
  };
  std::size_t end = 0;  // after the previous name
  for (const auto& [first, author] : authors) {
    const bool is_first = first == authors.begin()->first;
    if (!is_first && first > end && !(first == end + 1 && is_joint(end))) break;
    records = codec::unite(records, author.records);
    end = std::max(end, first + author.count);
  }
  return records;
}

Result<QuestionNames> RecallNames::find(std::string_view question,
                                        const RecallSearch& search) const {
  CAIRN_ASSIGN(auto texts, named_texts(question, entry_.text.language, search.work()));
  CAIRN_TRY(add_capitalised(question, texts, search.work()));
  CAIRN_ASSIGN(auto times,
               named_times(question, context_.now, features_.corrects_spelling, search.work()));
  CAIRN_ASSIGN(times, distinct_times(context_, times));
  std::vector<Bitmap> dated;
  Mentions mentions;
  CAIRN_ASSIGN(const auto all, paths());
  for (const std::uint32_t path : all) {
    CAIRN_TRY(find_mentions(path, texts, search.members(), mentions));
    if (features_.date_weight > 0 && !times.empty())
      CAIRN_TRY(find_dated(context_, path, times, dated));
  }
  CAIRN_TRY(find_misspelt(all, texts, search, mentions));
  QuestionNames names;
  CAIRN_ASSIGN(names.authored, records_asked_for(question, mentions.authors, search.work()));
  names.dated = codec::intersect(codec::unite_all(dated), search.members());
  names.mentioned = std::move(mentions.records);
  names.author_words = std::move(mentions.author_words);
  return names;
}

}  // namespace cairn::query
