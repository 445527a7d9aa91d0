// Converts word vectors from their text form to the mapped file (word_vector_file.hpp).
//
// Reads lines of `word number number ...`, as GloVe and fastText write them, with or without a
// first line of counts. The file has sorted words and one byte a component: 340,000 words of 100
// components take some 40 MB.
//
// The common direction: means of word vectors point to about the same direction for all texts,
// which hides their differences (Arora, Liang, Ma, "A Simple but Tough-to-Beat Baseline for
// Sentence Embeddings", ICLR 2017). The common direction is computed here once from the frequent
// words, and each embedding removes it.

#include "engine/text/word_vector_file.hpp"
#include "engine/vector/durable_file.hpp"

#include <cairn/word_vectors.hpp>

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_set>
#include <vector>

namespace cairn {
namespace {

using engine::WordVectorHeader;

/// The number of most frequent words from which the common direction is computed. Other words are
/// too rare to matter.
constexpr std::size_t common_words = 50'000;
// Iterations of the power method.
constexpr int power_rounds = 60;

/// The words read so far, in the order of the source.
struct Words {
  std::vector<std::string> words;
  std::vector<float> scales;
  std::vector<std::int8_t> rows;
  // The sum over words of frequency * vector * vector^T, as a lower triangular matrix.
  std::vector<double> moments;
  std::size_t dimension = 0;
  // Bytes of all words together. The file stores ends of words in 32 bits.
  std::uint64_t letters = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Reads the numbers after the word, which ends at `word_end`. Returns false if one of them is not
/// a number.
bool read_numbers(std::string_view line, std::size_t& word_end, std::vector<float>& numbers) {
  numbers.clear();
  word_end = std::min(line.find_first_of(" \t"), line.size());
  const char* at = line.data() + word_end;
  const char* const end = line.data() + line.size();
  while (true) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return true;
    float number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || (read.ptr != end && !is_blank(*read.ptr)) ||
        !std::isfinite(number))
      return false;
    numbers.push_back(number);
    at = read.ptr;
  }
}

// Adds a word to the moments. Only the lower half is computed, because the matrix is symmetric.
void add_moments(const std::vector<float>& numbers, Words& out) {
  // Zipf's law: the source is ordered by frequency, and the word at place r has a share
  // proportional to 1 / r.
  const double frequency = 1.0 / static_cast<double>(out.words.size());
  for (std::size_t i = 0; i < out.dimension; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      out.moments[i * out.dimension + k] +=
          frequency * static_cast<double>(numbers[i]) * static_cast<double>(numbers[k]);
}

// Quantizes the vector of a word to 8 bits a component.
void add_word(std::string_view word, const std::vector<float>& numbers, Words& out) {
  out.words.emplace_back(word);
  float most = 0;
  for (const float number : numbers) most = std::max(most, std::abs(number));
  // Each word has a scale that makes its largest component 127.
  const float scale = most / 127;
  out.scales.push_back(scale);
  for (const float number : numbers)
    out.rows.push_back(static_cast<std::int8_t>(
        scale > 0 ? std::lround(std::clamp(number / scale, -127.0F, 127.0F)) : 0));
  if (out.words.size() <= common_words) add_moments(numbers, out);
}

Error bad_line(const std::filesystem::path& path, std::size_t line, const std::string& why) {
  return {ErrorCode::invalid_argument,
          path.string() + ": line " + std::to_string(line) + " " + why,
          {}};
}

// Reads the source. A word that occurs again is ignored.
Result<Words> read_words(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return Error{
        ErrorCode::io_error, "cannot open " + path.string() + ": " + std::strerror(errno), {}};
  Words words;
  std::unordered_set<std::string> known;
  std::vector<float> numbers;
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) {
    ++count;
    std::size_t word_end = 0;
    if (!read_numbers(line, word_end, numbers))
      return bad_line(path, count, "is not a word followed by numbers");
    // The first line may hold the numbers of words and of components.
    if (count == 1 && numbers.size() == 1) continue;
    if (word_end == 0) continue;
    if (words.dimension == 0) {
      words.dimension = numbers.size();
      if (numbers.empty() || numbers.size() > engine::most_word_dimension)
        return bad_line(
            path, count,
            "has " + std::to_string(numbers.size()) + " numbers; a word has 1 to 4,096 numbers");
      words.moments.resize(numbers.size() * numbers.size());
    }
    if (numbers.size() != words.dimension)
      return bad_line(path, count,
                      "has " + std::to_string(numbers.size()) +
                          " numbers, but the lines before it have " +
                          std::to_string(words.dimension));
    if (!known.insert(line.substr(0, word_end)).second) continue;
    words.letters += word_end;
    if (words.letters > std::numeric_limits<std::uint32_t>::max())
      return bad_line(path, count, "exceeds the limit of 4 GiB for the letters of all words");
    add_word(std::string_view(line).substr(0, word_end), numbers, words);
  }
  if (stream.bad()) return Error{ErrorCode::io_error, "cannot read " + path.string(), {}};
  return words;
}

/// The principal direction of the moments, by power iteration. Zeros if all moments are zero.
std::vector<float> common_direction(const Words& words) {
  const std::size_t n = words.dimension;
  // Always starts from a vector of ones, so that the same source gives the same file.
  std::vector<double> direction(n, 1), next(n);
  for (int round = 0; round < power_rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = 0;
      for (std::size_t k = 0; k < n; ++k)
        next[i] += words.moments[std::max(i, k) * n + std::min(i, k)] * direction[k];
    }
    const double length =
        std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (!(length > 0)) return std::vector<float>(n, 0.0F);
    for (std::size_t i = 0; i < n; ++i) direction[i] = next[i] / length;
  }
  return {direction.begin(), direction.end()};
}

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// Encodes the file in memory, with words sorted by their bytes.
std::string encode(const Words& words) {
  std::vector<std::uint32_t> order(words.words.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return words.words[a] < words.words[b]; });
  std::string bytes(sizeof(WordVectorHeader), '\0');
  std::string letters;
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t place : order) {
    letters += words.words[place];
    ends.push_back(static_cast<std::uint32_t>(letters.size()));
  }
  WordVectorHeader header{};
  std::memcpy(header.magic, engine::word_vector_magic.data(), sizeof header.magic);
  header.dimension = static_cast<std::uint32_t>(words.dimension);
  header.words = static_cast<std::uint32_t>(order.size());
  header.letters = letters.size();
  letters.resize((letters.size() + 3) / 4 * 4, '\0');
  const std::vector<float> common = common_direction(words);
  append(bytes, common.data(), common.size());
  for (const std::uint32_t place : order) append(bytes, &words.scales[place], 1);
  append(bytes, order.data(), order.size());  // the position of a word in the source is its rank
  append(bytes, ends.data(), ends.size());
  bytes += letters;
  for (const std::uint32_t place : order)
    append(bytes, &words.rows[place * words.dimension], words.dimension);
  header.checksum = XXH3_64bits(bytes.data() + sizeof header, bytes.size() - sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace

Result<std::uint64_t> WordVectors::convert(const std::filesystem::path& text,
                                           const std::filesystem::path& file) {
  CAIRN_ASSIGN(const Words words, read_words(text));
  if (words.words.empty())
    return Error{
        ErrorCode::invalid_argument,
        text.string() + " has no word vectors; each line must be a word followed by numbers",
        {}};
  const std::string bytes = encode(words);
  // Replaces the file by rename: a process that has the old file open continues to use it.
  CAIRN_ASSIGN(engine::DurableWriter writer, engine::DurableWriter::create(file));
  CAIRN_TRY(writer.write(bytes));
  CAIRN_TRY(writer.commit());
  return words.words.size();
}

}  // namespace cairn
