// Finds documents that have all terms, by leapfrogging cursors, and counts in each how often the
// terms form the phrase. Subtracting each term's offset makes positions comparable: in an exact
// match all terms then have the same number.
//
// phrase "new york city"    offsets 0 1 2
// text   .. new(7) york(8) city(9)      7-0  8-1  9-2  =  7 7 7         one occurrence
// text   .. city(3) of new(5) york(6)   5    5    1                     4 apart: needs a slop of 4
//
// Positions are decoded by blocks, and only for documents that pass the filter and have all terms.
#include "engine/fulltext/phrase_matcher.hpp"

#include "codec/byte_io.hpp"

#include <algorithm>
#include <map>

namespace cairn::engine {
namespace {

using Places = std::vector<std::vector<std::int64_t>>;

/// A cursor that also reads the positions of its term in the current document.
class PlaceCursor {
 public:
  PlaceCursor(TermPostingsPtr postings, std::uint32_t offset)
      : postings_(postings), cursor_(std::move(postings)), offset_(offset) {}

  TermCursor& cursor() noexcept { return cursor_; }

  /// Reads the positions, minus the offset. Decodes each block of positions once. Returns false if
  /// the block is damaged.
  bool read(std::vector<std::int64_t>& out) {
    const TermPostings::Block* block = cursor_.block_of(cursor_.id());
    // Documents come in ascending order, so each block is decoded at most once.
    if (block != block_) {
      decoded_ = {};
      block_ = block;
      if (!codec::read_text_positions(block->block, decoded_)) return false;
    }
    const auto low = static_cast<std::uint16_t>(cursor_.id() & (codec::text_chunk_ids - 1));
    const auto entry = std::lower_bound(
        decoded_.entries.begin(), decoded_.entries.end(), low,
        [](const codec::TextEntry& e, std::uint16_t wanted) { return e.low < wanted; });
    out.clear();
    for (std::uint32_t i = 0; i < entry->frequency; ++i)
      out.push_back(std::int64_t{decoded_.positions[entry->first + i]} - offset_);
    return true;
  }

 private:
  TermPostingsPtr postings_;  // owner of what block_ points to
  TermCursor cursor_;
  std::uint32_t offset_;
  const TermPostings::Block* block_ = nullptr;
  codec::TextPostings decoded_;
};

/// Moves all cursors to the next document from `from` on that they share, or to the end.
std::uint64_t next_shared(std::vector<PlaceCursor>& cursors, std::uint64_t from) {
  std::uint64_t id = from;
  // Each round moves every cursor to the farthest document, until all agree in a whole round.
  for (std::size_t agreed = 0; agreed < cursors.size();) {
    agreed = 0;
    for (PlaceCursor& one : cursors) {
      one.cursor().advance(id);
      if (one.cursor().id() == TermCursor::end) return TermCursor::end;
      if (one.cursor().id() == id)
        ++agreed;
      else
        id = one.cursor().id();
    }
  }
  return id;
}

/// Reads the positions of all terms. Returns false if they are damaged.
bool read_places(std::vector<PlaceCursor>& cursors, Places& places) {
  for (std::size_t i = 0; i < cursors.size(); ++i)
    if (!cursors[i].read(places[i])) return false;
  return true;
}

// The words that occur more than once in the phrase.
PhraseRepeats repeats_of(const std::vector<PhraseTerm>& terms) {
  std::map<std::string_view, std::vector<PhraseRepeat>> by_term;
  for (std::size_t i = 0; i < terms.size(); ++i)
    by_term[terms[i].term].push_back({i, terms[i].offset});
  PhraseRepeats repeats;
  for (auto& [term, lists] : by_term)
    if (lists.size() > 1) repeats.push_back(std::move(lists));
  return repeats;
}

/// True if each occurrence of a repeated word has a position of its own between `low` and `high`.
/// All may deviate by the same slop, so it suffices to take the first free position for each in the
/// order of the phrase.
bool have_own_places(const std::vector<PhraseRepeat>& repeats, const Places& places,
                     std::int64_t low, std::int64_t high) {
  std::int64_t taken = -1;
  for (const PhraseRepeat& repeat : repeats) {
    const auto& list = places[repeat.list];
    const std::int64_t least = std::max(low, taken + 1 - repeat.offset);
    const auto found = std::lower_bound(list.begin(), list.end(), least);
    if (found == list.end() || *found > high) return false;
    taken = *found + repeat.offset;
  }
  return true;
}

}  // namespace

// Finds windows with one number of each list: repeatedly advances the list with the smallest
// number.
std::uint32_t count_occurrences(const Places& places, std::uint32_t slop,
                                const PhraseRepeats& repeats) {
  // Each round advances one list by one position, so the cost is linear in positions times terms.
  // Overlapping windows count separately, as their smallest positions differ.
  std::vector<std::size_t> at(places.size(), 0);
  for (std::uint32_t count = 0;;) {
    std::size_t lowest = 0;
    std::int64_t highest = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (at[i] == places[i].size()) return count;
      if (places[i][at[i]] < places[lowest][at[lowest]]) lowest = i;
      highest = i == 0 ? places[i][at[i]] : std::max(highest, places[i][at[i]]);
    }
    const std::int64_t low = places[lowest][at[lowest]];
    const bool is_one = highest - low <= std::int64_t{slop} &&
                        std::all_of(repeats.begin(), repeats.end(), [&](const auto& repeat) {
                          return have_own_places(repeat, places, low, low + slop);
                        });
    if (is_one) ++count;
    ++at[lowest];
  }
}

Result<std::vector<TextHit>> find_phrase(const TermScorerBuilder& maker, const TextReader& reader,
                                         std::uint8_t field, const std::vector<PhraseTerm>& terms,
                                         const TextNode& node,
                                         const std::function<bool(std::uint64_t)>& is_allowed) {
  std::vector<PlaceCursor> cursors;
  double rarity = 0;
  for (const PhraseTerm& term : terms) {
    CAIRN_ASSIGN(auto postings, reader.postings(field, term.term));
    CAIRN_ASSIGN(const std::uint64_t documents, reader.documents(*postings));
    rarity += maker.rarity(field, documents);
    cursors.emplace_back(std::move(postings), term.offset);
  }
  std::vector<TextHit> hits;
  if (cursors.empty()) return hits;
  const Bm25 score = maker.scorer(field, node.boost, rarity);
  Pace pace(maker.limits());
  Places places(cursors.size());
  const PhraseRepeats repeats = repeats_of(terms);
  for (std::uint64_t id = next_shared(cursors, 0); id != TermCursor::end;
       id = next_shared(cursors, id + 1)) {
    CAIRN_TRY(pace.add(cursors.size() * sizeof(TextHit)));
    if (!is_allowed(id)) continue;
    if (!read_places(cursors, places))
      return codec::corruption("positions of full-text index \"" + reader.sources().index.name +
                               "\" are damaged");
    for (const auto& list : places)
      CAIRN_TRY(pace.add(list.size() * places.size() * sizeof(list[0])));
    const std::uint32_t count = count_occurrences(places, node.distance, repeats);
    if (count > 0) hits.push_back({id, score.of(count, cursors.front().cursor().length())});
  }
  const bool damaged = std::any_of(cursors.begin(), cursors.end(),
                                   [](PlaceCursor& one) { return one.cursor().is_damaged(); });
  if (damaged)
    return codec::corruption("postings of full-text index \"" + reader.sources().index.name +
                             "\" are damaged");
  return hits;
}

}  // namespace cairn::engine
