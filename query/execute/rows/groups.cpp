// Numbers the distinct keys of rows. As long as all columns are packed, a key is a few 64-bit words
// and is found in a hash table of words. Otherwise keys are values, compared by equivalence.
#include "query/execute/rows/groups.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::size_t entry_bytes = 72;  // estimated bytes of a hash table entry

/// True if different words always encode different values. This is false for floats: 0.0 and -0.0
/// are equal.
bool has_distinct_words(const BatchColumn& column) noexcept {
  return column.is_packed() && column.form() != BatchColumn::Form::floats;
}

// Multiplying by an odd number spreads differences in the low bits to the high bits. The shift
// brings high bits into the low bits, which select the position in the table.
std::uint64_t hash_of(std::span<const std::uint64_t> key) noexcept {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key) {
    hash = (hash ^ word) * 0x9e37'79b9'7f4a'7c15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

// A loop is faster than memcmp() for short keys.
bool WordKeys::is_at(std::size_t number, std::span<const std::uint64_t> key) const noexcept {
  const std::uint64_t* const known = keys_.data() + number * words_;
  for (std::size_t i = 0; i < words_; ++i)
    if (known[i] != key[i]) return false;
  return true;
}

// Linear probing: returns the position of the key, or the empty position where it belongs.
std::size_t WordKeys::place_of(std::span<const std::uint64_t> key) const noexcept {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash_of(key) & mask;
  while (table_[place] != 0 && !is_at(table_[place] - 1, key)) place = (place + 1) & mask;
  return place;
}

// Arrays double, so the total cost of growing is linear. number() fills a larger table with all
// keys.
Status WordKeys::reserve(std::size_t more) {
  const std::size_t wanted = size() + more;
  if (wanted > most)
    return Error{ErrorCode::resource_limit,
                 "a statement can distinguish at most 4 billion rows in grouping and DISTINCT",
                 std::nullopt};
  const std::size_t words = wanted * words_;
  if (words > keys_.capacity()) {
    const std::size_t grown = std::max(words, 2 * keys_.capacity());
    CAIRN_TRY(held_.grow(keys_.capacity() * sizeof(std::uint64_t), grown * sizeof(std::uint64_t)));
    keys_.reserve(grown);
  }
  if (2 * wanted <= table_.size()) return {};
  const std::size_t places = std::bit_ceil(2 * wanted);
  CAIRN_TRY(held_.grow(table_.size() * sizeof(std::uint32_t), places * sizeof(std::uint32_t)));
  table_.assign(places, 0);
  placed_ = 0;
  return {};
}

// First places the keys that are not yet in the table.
std::uint32_t WordKeys::number(std::span<const std::uint64_t> key) {
  for (; placed_ < size(); ++placed_)
    table_[place_of(this->key(placed_))] = static_cast<std::uint32_t>(placed_ + 1);
  std::uint32_t& known = table_[place_of(key)];
  if (known == 0) {
    known = append(key) + 1;
    placed_ = size();
  }
  return known - 1;
}

std::uint32_t WordKeys::append(std::span<const std::uint64_t> key) {
  keys_.insert(keys_.end(), key.begin(), key.end());
  return static_cast<std::uint32_t>(size_++);
}

void WordKeys::clear() noexcept {
  keys_ = {};
  table_ = {};
  size_ = placed_ = 0;
  held_.clear();
}

Groups::Groups(std::size_t columns, Budget& budget)
    : budget_(budget),
      columns_(columns),
      words_(columns + 1, budget),
      known_held_(budget),
      held_(budget) {}

void Groups::clear() {
  packings_.clear();
  words_.clear();
  known_ = {};
  known_held_.clear();
  is_boxed_ = false;
  boxed_.clear();
  order_.clear();
  held_.clear();
}

// A key without columns has one word, because all keys have one word more than columns.
RowKey Groups::key(std::size_t number) const {
  if (is_boxed_) return *order_[number];
  RowKey key;
  const auto words = words_.key(number);
  for (std::size_t i = 0; i < columns_; ++i)
    key.push_back((words.back() >> i & 1U) != 0 ? Value() : packings_[i].value(words[i]));
  return key;
}

// The last word of a key has a bit for each column that is null.
BatchColumn Groups::column(std::size_t column, std::size_t first, std::size_t count) const {
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> missing;
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = words_.key(first + i);
    words.push_back(key[column]);
    const bool is_null = (key.back() >> column & 1U) != 0;
    if (is_null && missing.empty()) missing.resize(count);
    if (is_null) missing[i] = 1;
  }
  const auto& [form, dictionary] = packings_[column];
  return BatchColumn::words(form, std::move(words), std::move(missing), dictionary);
}

// Pointers to keys in the table remain valid when it grows.
Result<std::uint32_t> Groups::number(const RowKey& key) {
  CAIRN_TRY(box());
  if (const auto found = boxed_.find(key); found != boxed_.end()) return found->second;
  CAIRN_TRY(held_.add_bytes(entry_bytes + key.size() * sizeof(Value)));
  CAIRN_TRY(held_.add(key));
  CAIRN_TRY(grow_table(boxed_, held_));
  const auto number = static_cast<std::uint32_t>(order_.size());
  order_.push_back(&boxed_.emplace(key, number).first->first);
  return number;
}

// Converts all keys from words to values.
Status Groups::box() {
  if (is_boxed_) return {};
  std::vector<RowKey> keys;
  for (std::size_t i = 0; i < words_.size(); ++i) keys.push_back(key(i));
  is_boxed_ = true;
  words_.clear();
  known_ = {};
  known_held_.clear();
  for (const RowKey& key : keys) CAIRN_TRY(number(key));
  return {};
}

// The first batch decides the packing. Codes are comparable only within the same dictionary.
bool Groups::takes(std::span<const BatchColumn* const> columns) {
  constexpr std::size_t most_columns = 64;  // their nulls are bits of one word
  if (is_boxed_ || columns.size() > most_columns ||
      !std::ranges::all_of(columns,
                           [](const BatchColumn* one) { return has_distinct_words(*one); }))
    return false;
  std::vector<BatchColumn::Packing> packings;
  for (const BatchColumn* column : columns) packings.push_back(column->packing());
  if (words_.size() == 0)
    packings_ = std::move(packings);
  else if (packings != packings_)
    return false;
  return true;
}

// Batches that cannot be compared as words convert all keys to values, once and for all.
Status Groups::number_rows(std::span<const BatchColumn* const> columns, std::size_t rows,
                           std::vector<std::uint32_t>& numbers) {
  numbers.resize(rows);
  if (takes(columns)) return number_words(columns, rows, numbers);
  RowKey key(columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      key[i] = columns[i]->value(row);
      steps += steps_of(key[i]);
    }
    CAIRN_TRY(budget_.step(steps));
    CAIRN_ASSIGN(numbers[row], number(key));
  }
  return {};
}

Status Groups::number_words(std::span<const BatchColumn* const> columns, std::size_t rows,
                            std::vector<std::uint32_t>& numbers) {
  CAIRN_TRY(words_.reserve(rows));
  if (columns.size() == 1 && !columns[0]->has_missing())
    return number_words(*columns[0], rows, numbers);
  std::vector<std::uint64_t> key(columns.size() + 1);
  for (std::size_t row = 0; row < rows; ++row) {
    key.back() = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_null = columns[i]->is_missing(row);
      key[i] = is_null ? 0 : columns[i]->words()[row];
      key.back() |= std::uint64_t{is_null} << i;
    }
    numbers[row] = words_.number(key);
    if (columns.size() == 1 && key.back() == 0 && key[0] < known_.size())
      known_[key[0]] = numbers[row] + 1;
  }
  return {};
}

// Codes, and ids of small graphs, are small numbers. An array finds them without the hash table.
Status Groups::number_words(const BatchColumn& column, std::size_t rows,
                            std::vector<std::uint32_t>& numbers) {
  const std::span<const std::uint64_t> words = column.words().first(rows);
  bool is_wide = false;
  std::span<std::uint32_t> known(known_);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t word = words[row];
    if (word < known.size() && known[word] != 0) {
      numbers[row] = known[word] - 1;
      continue;
    }
    if (word >= known.size() && !std::exchange(is_wide, true)) {
      CAIRN_TRY(widen_known(words.subspan(row)));
      known = known_;
    }
    const std::uint64_t key[] = {word, 0};
    numbers[row] =
        word < known.size() && known[word] == 0 ? words_.append(key) : words_.number(key);
    if (word < known.size()) known[word] = numbers[row] + 1;
  }
  return {};
}

// Limits the array to 16 positions per key, including the keys that these rows may add. The array
// at least doubles, because filling it visits all keys.
Status Groups::widen_known(std::span<const std::uint64_t> words) {
  constexpr std::size_t places_a_key = 16;
  const std::size_t most = places_a_key * (words_.size() + words.size());
  std::uint64_t greatest = 0;
  for (const std::uint64_t word : words)
    if (word < most) greatest = std::max(greatest, word);
  const std::size_t before = known_.size();
  const std::size_t places = std::min<std::size_t>(most, 2 * greatest + 1);
  if (greatest < before || places < 2 * before) return {};
  CAIRN_TRY(
      known_held_.grow(known_.capacity() * sizeof(std::uint32_t), places * sizeof(std::uint32_t)));
  known_.reserve(places);
  known_.resize(places);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto key = words_.key(i);
    if (key.back() == 0 && key[0] < places) known_[key[0]] = static_cast<std::uint32_t>(i + 1);
  }
  return {};
}

}  // namespace cairn::query
