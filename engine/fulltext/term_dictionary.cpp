// Hash tables for words and terms. A commit looks up millions of words, and most of them are known,
// so the tables are built for few cache misses and no allocation for each word.
#include "engine/fulltext/term_dictionary.hpp"

#include "codec/checksum.hpp"
#include "engine/system/hash_slots.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace cairn::engine {
namespace {

/// More words than a language has in daily use; they take some MiB.
constexpr std::size_t most_words = std::size_t{1} << 16;

}  // namespace

std::uint32_t TermDictionary::begin() {
  if (words_.size() > most_words || terms_.size() > most_words) {
    words_ = {};
    terms_ = {};
    stamps_ = {};
  }
  numbered_.clear();
  // A text may have been abandoned by an exception.
  noted_.clear();
  bytes_before_ = bytes_of_all();
  // When the counter wraps around, old stamps would look current.
  if (++round_ == 0) {
    stamps_.clear();
    round_ = 1;
  }
  return round_;
}

// The number of a term in this round, new if its stamp is of an earlier round.
std::uint32_t TermDictionary::stamp(std::size_t field, std::uint32_t term) {
  if (field >= stamps_.size()) stamps_.resize(field + 1);
  auto& stamps = stamps_[field];
  if (term >= stamps.size()) stamps.resize(std::max<std::size_t>(terms_.size(), 2 * stamps.size()));
  Stamp& found = stamps[term];
  if (found.round != round_) {
    found = {round_, static_cast<std::uint32_t>(numbered_.size())};
    numbered_.push_back({static_cast<std::uint32_t>(field), term});
  }
  return found.number;
}

// Words that are long or not plain ASCII are rare. Their terms are looked up at once, not by
// find_noted().
void TermDictionary::note(const FoundTerm& found, const Analyzer& analyzer) {
  Noted noted;
  noted.position = found.position;
  if (found.is_folded_word && found.word.size() <= ShortWord::most_bytes) {
    noted.word = ShortWord(found.word);
    noted.hash = WordInterner::hash_of(noted.word);
    words_.expect(noted.hash);
  } else {
    noted.term = terms_.number_of(analyzer.term_of(found));
  }
  noted_.push_back(noted);
}

// The slots were prefetched by note(), so the words are cached by now. Their stamps are prefetched
// here in turn.
void TermDictionary::find_noted(std::size_t field, const Analyzer& analyzer) {
  if (field >= stamps_.size()) stamps_.resize(field + 1);
  const auto& stamps = stamps_[field];
  for (Noted& noted : noted_) {
    if (noted.word.size != 0) {
      const std::uint32_t* term = words_.find(noted.word, noted.hash);
      noted.term = term != nullptr ? *term : enter(noted, analyzer);
    }
    if (noted.term < stamps.size()) __builtin_prefetch(&stamps[noted.term], 1);
  }
}

// Stems a new word and remembers its term.
std::uint32_t TermDictionary::enter(const Noted& noted, const Analyzer& analyzer) {
  const std::string word = noted.word.letters();
  const std::uint32_t term = terms_.number_of(analyzer.term_of({word, 0, false, true}));
  words_.insert(noted.word, noted.hash, term);
  return term;
}

// TermInterner: open addressing with linear probing over slots of 16 bytes, four in a cache line.
// The first eight bytes of a text are in its slot, so shorter words, which are most, are compared
// without another access. The bytes of all texts are in one string. Numbers count up from 0, so
// arrays indexed by them are dense.

namespace {

constexpr std::size_t least_slots = 64;

}  // namespace

// Shorter texts are padded with zeros. No text contains a zero, so equal numbers of short texts
// mean equal texts.
std::uint64_t first_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  if (text.size() >= sizeof bytes) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&bytes, text.data(), sizeof bytes);
    return __builtin_bswap64(bytes);
  }
  for (std::size_t i = 0; i < sizeof bytes; ++i)
    bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return bytes;
}

// A slot stores the lower half of the hash, which suffices to find its place in a larger table.
std::uint32_t TermInterner::number_of(std::string_view text) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const auto hash = static_cast<std::uint32_t>(codec::checksum(text));
  const std::uint64_t first = first_bytes(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].number != 0; at = (at + 1) & mask)
    if (slots_[at].hash == hash && holds(slots_[at], first, text)) return slots_[at].number - 1;
  // Operations that may fail for lack of memory come first, so that a failure leaves the table
  // unchanged.
  if (ends_.size() == ends_.capacity()) ends_.reserve(2 * ends_.size() + least_slots);
  letters_ += text;
  ends_.push_back(letters_.size());
  slots_[at] = {first, hash, static_cast<std::uint32_t>(size())};
  return slots_[at].number - 1;
}

void TermInterner::grow() { double_slots(slots_, least_slots); }

void TermInterner::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot());
  letters_.clear();
  ends_.clear();
}

namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
std::uint64_t load(const char* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

/// Combines both halves of the product: every bit of the number affects the lower bits of the
/// result.
std::uint64_t mix(std::uint64_t number, std::uint64_t factor) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{number} * factor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

// Two loads, which overlap if the word has fewer bytes than both. Together with the size they
// determine the word.
ShortWord::ShortWord(std::string_view word) : size(static_cast<std::uint32_t>(word.size())) {
  assert(!word.empty() && word.size() <= most_bytes);
  const char* bytes = word.data();
  const char* end = bytes + word.size();
  if (size >= 8) {
    front = load<std::uint64_t>(bytes);
    back = load<std::uint64_t>(end - 8);
  } else if (size >= 4) {
    front = load<std::uint32_t>(bytes);
    back = load<std::uint32_t>(end - 4);
  } else {
    front = load<std::uint8_t>(bytes) | load<std::uint8_t>(bytes + size / 2) << 8;
    back = load<std::uint8_t>(end - 1);
  }
}

// The inverse of the constructor.
std::string ShortWord::letters() const {
  std::string letters(size, '\0');
  const std::size_t half = size >= 8 ? 8 : size >= 4 ? 4 : 1;
  if (half == 1) letters[size / 2] = static_cast<char>(front >> 8);
  std::memcpy(letters.data(), &front, half);
  std::memcpy(letters.data() + size - half, &back, half);
  return letters;
}

// Two multiplications mix all bytes and the size.
std::uint64_t WordInterner::hash_of(const ShortWord& word) {
  return mix(mix(word.front ^ word.size, 0x9E37'79B9'7F4A'7C15U) + word.back,
             0xC2B2'AE3D'27D4'EB4FU);
}

const std::uint32_t* WordInterner::find(const ShortWord& word, std::uint64_t hash) const {
  if (slots_.empty()) return nullptr;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].word.size != 0; at = (at + 1) & mask)
    if (slots_[at].word == word) return &slots_[at].number;
  return nullptr;
}

void WordInterner::insert(const ShortWord& word, std::uint64_t hash, std::uint32_t number) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].word.size != 0) at = (at + 1) & mask;
  slots_[at] = {word, number};
  ++size_;
}

void WordInterner::grow() {
  constexpr std::size_t least = 64;
  std::vector<Slot> old(std::max(least, 2 * slots_.size()));
  old.swap(slots_);
  size_ = 0;
  for (const Slot& slot : old)
    if (slot.word.size != 0) insert(slot.word, hash_of(slot.word), slot.number);
}

}  // namespace cairn::engine
