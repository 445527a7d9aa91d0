// Which words are worth comparing with one: 1-bit codes of the components, less the mean of all, in the
// blocks that the vector index scans for its own 1-bit codes. A scan takes about a nanosecond a word, a
// hundredth of what reading the vectors takes; the best guesses are then compared in full by the
// caller.
#include "engine/text/word_binary_codes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace cairn::engine {
namespace {

constexpr std::size_t blocks_at_once = 32;  // scores that stay in the nearest cache

/// Of length 1, or zeros.
void put_unit(std::span<const std::int8_t> row, std::vector<float>& out) {
  const auto squares =
      static_cast<float>(std::inner_product(row.begin(), row.end(), row.begin(), 0));
  // The word's own scale cancels out: bytes alone give the direction.
  const float scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  std::ranges::transform(row, out.begin(), [&](std::int8_t component) {
    return scale * static_cast<float>(component);
  });
}

// 1-bit codes of what words have in common would distinguish nothing.
std::vector<float> mean_of(const WordVectorFile& file) {
  std::vector<double> sums(file.header().dimension, 0.0);
  std::vector<float> unit(sums.size());
  for (std::size_t place = 0; place < file.header().words; ++place) {
    put_unit(file.row(place), unit);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(unit[i]);
  }
  std::vector<float> mean(sums.size());
  std::ranges::transform(sums, mean.begin(), [&](double sum) {
    return static_cast<float>(sum / static_cast<double>(file.header().words));
  });
  return mean;
}

struct Guess {
  float score;
  std::uint32_t row;
};

void keep_best(std::vector<Guess>& guesses, std::size_t count) {
  if (guesses.size() <= count) return;
  std::ranges::nth_element(guesses, guesses.begin() + static_cast<std::ptrdiff_t>(count),
                           std::ranges::greater(), &Guess::score);
  guesses.resize(count);
}

// What comes later must be better than the worst of those that were kept.
class Best {
 public:
  explicit Best(std::size_t count) : count_(count) {}

  void offer(const float* scores, std::size_t number, std::uint32_t first) {
    bool any = false;
    for (std::size_t i = 0; i < BinaryCodes::block; ++i) any |= scores[i] > least_;
    if (!any) return;
    for (std::size_t i = 0; i < number; ++i)
      if (scores[i] > least_)
        guesses_.push_back({scores[i], first + static_cast<std::uint32_t>(i)});
    // Selected only when twice as many have gathered: each offer costs a constant on average.
    if (guesses_.size() < 2 * count_ + BinaryCodes::block) return;
    keep_best(guesses_, count_);
    least_ = std::ranges::min(guesses_, {}, &Guess::score).score;
  }
  std::vector<Guess> take() {
    keep_best(guesses_, count_);
    return std::move(guesses_);
  }

 private:
  std::size_t count_;
  float least_ = -std::numeric_limits<float>::infinity();
  std::vector<Guess> guesses_;
};

}  // namespace

WordBinaryCodes::WordBinaryCodes(const WordVectorFile& file)
    : places_(file.header().words), codes_(places_.size(), file.header().dimension, false) {
  std::iota(places_.begin(), places_.end(), 0U);
  // By frequency, so that `among` is a prefix of the rows.
  std::ranges::sort(places_, {}, [&](std::uint32_t place) { return file.rank(place); });
  const std::vector<float> mean = mean_of(file);
  std::vector<float> rest(mean.size());
  for (std::size_t row = 0; row < places_.size(); ++row) {
    put_unit(file.row(places_[row]), rest);
    std::ranges::transform(rest, mean, rest.begin(), std::minus());
    codes_.set(row, rest, 0);
  }
  codes_.seal();
}

std::vector<std::uint32_t> WordBinaryCodes::likely(std::span<const std::int8_t> row,
                                                   std::size_t count, std::size_t among) const {
  constexpr std::size_t block = BinaryCodes::block;
  std::vector<float> weights(row.size());
  put_unit(row, weights);
  const SignQuery query = codes_.prepare(weights, 0, 0, 0);
  const std::size_t words = std::min(among, places_.size());
  const std::size_t blocks = (words + block - 1) / block;
  std::vector<float> scores(blocks_at_once * block);
  Best best(count);
  for (std::size_t first = 0; first < blocks; first += blocks_at_once) {
    const std::size_t taken = std::min(blocks_at_once, blocks - first);
    codes_.score(query, first, taken, scores.data());
    for (std::size_t i = 0; i < taken; ++i) {
      const std::size_t begin = (first + i) * block;
      best.offer(&scores[i * block], std::min(block, words - begin),
                 static_cast<std::uint32_t>(begin));
    }
  }
  std::vector<std::uint32_t> places;
  for (const Guess& guess : best.take()) places.push_back(places_[guess.row]);
  return places;
}

}  // namespace cairn::engine
