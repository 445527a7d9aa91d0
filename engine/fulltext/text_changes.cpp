// What changes in an index by documents, gathered flat: a change is (term, document, place of its
// positions), appended in the order of documents. At the end it is dealt out by term with a
// counting sort, which keeps that order, so every chunk comes out ascending without a comparison of
// ids. Maps by term would allocate for each of the thousands of terms of a commit.
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

void TextChanges::assign_name(std::string& name, std::uint32_t term) const {
  name.assign(1, static_cast<char>(book_->field_of(term) + 1));
  name += book_->term_of(term);
}

void TextChanges::put(std::uint32_t term, std::uint64_t id, std::uint32_t words,
                      std::span<const std::uint32_t> positions) {
  changes_.push_back({term, words, id, static_cast<std::uint32_t>(positions_.size()),
                      static_cast<std::uint32_t>(positions.size())});
  positions_.insert(positions_.end(), positions.begin(), positions.end());
}

void TextChanges::change(std::uint64_t id, const TextDocument* before, const TextDocument* after,
                         std::uint32_t name_space) {
  static const TextField nothing;
  for (std::size_t i = 0; i < fields_.size(); ++i)
    change_field(id, i, before != nullptr ? (*before)[i] : nothing,
                 after != nullptr ? (*after)[i] : nothing, name_space);
}

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

// The length is in every posting of a field, so that all of them change with it.
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

void TextChanges::add(std::uint64_t id, const Analyzer& analyzer, const FieldTexts& texts,
                      std::uint32_t name_space) {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    places_.clear();
    const std::uint32_t words = for_each_field_term(
        analyzer, texts[i], [&](const FoundTerm& found) { book_->note(found, analyzer); });
    book_->visit_noted(i, analyzer, [&](std::uint32_t term, std::uint32_t position) {
      places_.push_back(std::uint64_t{term} << 32 | position);
    });
    if (words == 0) continue;
    count(i, {1, std::int64_t{words}}, name_space);
    add_places(id, words);
  }
}

// A number has the term above and the position below: sorting them groups a document's terms, each
// with its positions in order.
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

// Into one list that is used for all chunks: nothing is allocated once it is large enough.
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

// The field and the first bytes as a number decide nearly always, without a look at the letters.
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

// Changes are dealt out to their terms by counting: they stay in the order of documents.
void TextChanges::for_each_chunk(const VisitChunk& visit) const {
  assert(book_->round() == round_ && "the book began another round");
  Order ends(book_->terms() + 1, 0);
  for (const Change& change : changes_) ++ends[change.term + 1];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  Order order(changes_.size());
  for (std::uint32_t i = 0; i < changes_.size(); ++i) order[ends[changes_[i].term]++] = i;
  // Each end has become the next one's beginning.
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
