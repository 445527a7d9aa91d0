// Changes are collected in a flat list in the order of documents: term, document, and a range of
// positions_. At the end a counting sort distributes them by term. The sort is stable, so the
// documents of a chunk are ascending without a comparison of ids. A map by term would need an
// allocation for each of the thousands of terms in a commit.
#include "engine/fulltext/text_changes.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cairn::engine {

using codec::TextStatistics;

TextChanges::TextChanges(std::size_t fields, TermDictionary* book)
    : fields_(fields),
      own_book_(book == nullptr ? std::make_unique<TermDictionary>() : nullptr),
      book_(book == nullptr ? own_book_.get() : book),
      round_(book_->begin()) {}

// Fields are counted from 1 in keys and from 0 in the dictionary.
void TextChanges::assign_name(std::string& name, std::uint32_t term) const {
  name.assign(1, static_cast<char>(book_->field_of(term) + 1));
  name += book_->term_of(term);
}

// Appends a change; without positions it is a removal.
void TextChanges::put(std::uint32_t term, std::uint64_t id, std::uint32_t words,
                      std::span<const std::uint32_t> positions) {
  changes_.push_back({term, words, id, static_cast<std::uint32_t>(positions_.size()),
                      static_cast<std::uint32_t>(positions.size())});
  positions_.insert(positions_.end(), positions.begin(), positions.end());
}

// Compares a document field by field.
void TextChanges::change(std::uint64_t id, const TextDocument* before, const TextDocument* after,
                         std::uint32_t name_space) {
  static const TextField nothing;
  for (std::size_t i = 0; i < fields_.size(); ++i)
    change_field(id, i, before != nullptr ? (*before)[i] : nothing,
                 after != nullptr ? (*after)[i] : nothing, name_space);
}

// Records a difference for the index. Unless the namespace is the default one, also records it for
// the namespace and for the sum of all such namespaces, which has the number 0.
void TextChanges::count(std::size_t field, const Difference& difference, std::uint32_t name_space) {
  const auto add_to = [&](Differences& differences) {
    differences.resize(fields_.size());
    differences[field].documents += difference.documents;
    differences[field].words += difference.words;
  };
  add_to(fields_);
  if (name_space == 0) return;
  add_to(spaces_[name_space]);
  add_to(spaces_[0]);
}

// Every posting contains the length of the field, so if the length changes, all postings of the
// field change.
void TextChanges::change_field(std::uint64_t id, std::size_t field, const TextField& before,
                               const TextField& after, std::uint32_t name_space) {
  if (before == after) return;
  count(field,
        {(after.words > 0 ? 1 : 0) - (before.words > 0 ? 1 : 0),
         std::int64_t{after.words} - std::int64_t{before.words}},
        name_space);
  for (const auto& [term, positions] : before.terms)
    if (!after.terms.contains(term)) put(book_->number_of(field, term), id, 0, {});
  for (const auto& [term, positions] : after.terms) {
    const auto old = before.terms.find(term);
    const bool is_same =
        before.words == after.words && old != before.terms.end() && old->second == positions;
    if (!is_same) put(book_->number_of(field, term), id, after.words, positions);
  }
}

// Analyses each field and lists its terms with positions.
void TextChanges::add(std::uint64_t id, const Analyzer& analyzer, const FieldTexts& texts,
                      std::uint32_t name_space) {
  const LanguageSet usual = analyzer.usual_languages(texts);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    places_.clear();
    const std::uint32_t words = for_each_field_term(
        analyzer, texts[i], usual, [&](const FoundTerm& found) { book_->note(found, analyzer); });
    book_->visit_noted(i, analyzer, [&](std::uint32_t term, std::uint32_t position) {
      places_.push_back(std::uint64_t{term} << 32 | position);
    });
    if (words == 0) continue;
    count(i, {1, std::int64_t{words}}, name_space);
    add_places(id, words);
  }
}

// A place has the term in its upper half and the position in its lower half. Sorting groups the
// terms of a document, with positions in order.
void TextChanges::add_places(std::uint64_t id, std::uint32_t words) {
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  for (const std::uint64_t place : places_) {
    const auto term = static_cast<std::uint32_t>(place >> 32);
    const bool is_known =
        !changes_.empty() && changes_.back().term == term && changes_.back().id == id;
    if (!is_known) put(term, id, words, {});
    ++changes_.back().count;
    positions_.push_back(static_cast<std::uint32_t>(place));
  }
}

// Fills the same list for each chunk, so that nothing is allocated once it is large enough.
TextChanges::Order::const_iterator TextChanges::gather(Order::const_iterator begin,
                                                       Order::const_iterator end,
                                                       codec::TextPostings& out) const {
  out.entries.clear();
  out.positions.clear();
  const std::uint64_t chunk = changes_[*begin].id >> codec::text_chunk_bits;
  for (; begin != end; ++begin) {
    const Change& change = changes_[*begin];
    if (change.id >> codec::text_chunk_bits != chunk) break;
    const auto low = static_cast<std::uint16_t>(change.id & (codec::text_chunk_ids - 1));
    const auto first = positions_.begin() + change.first;
    out.entries.push_back(
        {low, change.words, change.count, static_cast<std::uint32_t>(out.positions.size())});
    out.positions.insert(out.positions.end(), first, first + change.count);
  }
  return begin;
}

// The field and the first bytes as one number decide nearly all comparisons, without access to the
// term.
TextChanges::Order TextChanges::sorted_terms() const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(book_->terms());
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    keys[i] = {std::uint64_t{book_->field_of(i)} << 56 | first_bytes(book_->term_of(i)) >> 8, i};
  std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first
                              : book_->term_of(a.second) < book_->term_of(b.second);
  });
  Order sorted;
  sorted.reserve(keys.size());
  for (const auto& [bytes, term] : keys) sorted.push_back(term);
  return sorted;
}

// Distributes changes to their terms by a counting sort, which retains the order of documents.
void TextChanges::for_each_chunk(const VisitChunk& visit) const {
  assert(book_->round() == round_ && "the dictionary has begun another round");
  Order ends(book_->terms() + 1, 0);
  for (const Change& change : changes_) ++ends[change.term + 1];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  Order order(changes_.size());
  for (std::uint32_t i = 0; i < changes_.size(); ++i) order[ends[changes_[i].term]++] = i;
  // Now ends[i] is the end of term i, and so the beginning of term i + 1.
  codec::TextPostings changes;
  std::string name;
  for (const std::uint32_t term : sorted_terms()) {
    auto at = order.cbegin() + (term == 0 ? 0 : ends[term - 1]);
    const auto end = order.cbegin() + ends[term];
    if (at == end) continue;
    assign_name(name, term);
    while (at != end) {
      const std::uint64_t chunk = changes_[*at].id >> codec::text_chunk_bits;
      at = gather(at, end, changes);
      visit(name, chunk, changes);
    }
  }
}

// The changes of a document are adjacent, so each change of the id begins another document.
std::uint64_t TextChanges::documents() const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < changes_.size(); ++i)
    if (i == 0 || changes_[i].id != changes_[i - 1].id) ++count;
  return count;
}

TextSegmentPtr TextChanges::segment() const {
  if (empty()) return nullptr;
  codec::TextSegmentWriter writer(documents());
  for_each_chunk([&](std::string_view name, std::uint64_t chunk,
                     const codec::TextPostings& changes) { writer.add(name, chunk, changes); });
  return std::make_shared<const codec::TextSegment>(writer.finish());
}

void TextChanges::clear_postings() {
  round_ = book_->begin();
  changes_.clear();
  positions_.clear();
}

std::size_t TextChanges::memory_bytes() const noexcept {
  return changes_.size() * sizeof(Change) + positions_.size() * sizeof(positions_[0]) +
         book_->memory_bytes();
}

// Unsigned addition of a negative difference wraps around to the right result.
TextStatistics TextChanges::applied(const Differences& differences, TextStatistics statistics) {
  statistics.resize(differences.size());
  for (std::size_t i = 0; i < differences.size(); ++i) {
    statistics[i].documents += static_cast<std::uint64_t>(differences[i].documents);
    statistics[i].words += static_cast<std::uint64_t>(differences[i].words);
  }
  return statistics;
}

TextStatistics TextChanges::applied_to(TextStatistics statistics) const {
  return applied(fields_, std::move(statistics));
}

std::vector<std::uint32_t> TextChanges::name_spaces() const {
  std::vector<std::uint32_t> numbers;
  for (const auto& [number, differences] : spaces_) numbers.push_back(number);
  return numbers;
}

TextStatistics TextChanges::applied_to(TextStatistics statistics, std::uint32_t name_space) const {
  const auto found = spaces_.find(name_space);
  if (found == spaces_.end()) return statistics;
  return applied(found->second, std::move(statistics));
}

}  // namespace cairn::engine
