// 4-bit codes by rank, and scores as integers. With x = mean + step * (code - 7.5), approximately:
//
//   query * x  =  sum query_j * (mean_j - 7.5 step_j)  +  unit * sum weight_j * code_j
//                 offset, once for each query             the kernel's sum, for each code
//
// where weight_j = query_j * step_j / unit, rounded to -127 to 127. Under the Euclidean metric,
// |x|^2 / 2 is subtracted in the same units, clamped so that a score cannot overflow.
//
// Means and steps are learned for each component from a sample: the components of embeddings differ
// greatly in spread, and a common step would waste most of the codes.
#include "engine/vector/sq4_codes.hpp"

#include "codec/float_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

namespace kernels = codec::kernels;

constexpr float steps_of_deviation = 0.335F;
constexpr float middle = 7.5F;      // middle of the codes
constexpr float most_weight = 127;  // greatest weight of a component
constexpr std::size_t most_rows_of_sample = 16'384;
// Scores have 32 bits. Norms get half of the range.
constexpr float norm_range = 1e9F;  // range for the part of a score that comes from |x|^2
constexpr float most_norm_loss = 2e9F;
// Greater than the length of any stored vector.
constexpr float longest_length = 4e18F;

}  // namespace

Sq4Codes::Sq4Codes(const DistanceMetric& measure, std::size_t count,
                   const std::function<const float*(std::uint32_t)>& row_of)
    : measure_(measure),
      count_(count),
      lines_((measure.dimension + kernels::code_line_components - 1) /
             kernels::code_line_components) {
  learn(row_of);
  codes_.resize(count * lines_);
  const bool has_norms = measure.metric == codec::Metric::euclidean;
  if (has_norms) norms_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const float* row = row_of(i);
    encode(row, &codes_[i * lines_]);
    if (!has_norms) continue;
    norms_[i] =
        static_cast<float>(codec::kernels::precise_sums(row, row, measure.dimension).squared_b);
  }
  learn_bases();
  learn_norms();
  sign();
}

void Sq4Codes::learn_bases() {
  bases_.clear();
  for (std::size_t j = 0; j < means_.size(); ++j) bases_.push_back(means_[j] - middle * steps_[j]);
}

// The 99 % quantile: a few very long vectors must not make the weights of all queries coarse.
void Sq4Codes::learn_norms() {
  if (norms_.empty()) return;
  std::vector<float> norms = norms_;
  const auto at = norms.begin() + static_cast<std::ptrdiff_t>((norms.size() - 1) * 99 / 100);
  std::ranges::nth_element(norms, at);
  usual_norm_ = *at;
}

bool Sq4Codes::settle(const DistanceMetric& measure, std::size_t count) {
  measure_ = measure;
  count_ = count;
  lines_ = (measure.dimension + kernels::code_line_components - 1) / kernels::code_line_components;
  const auto is_length = [](float x) { return std::abs(x) <= longest_length; };
  const auto is_square = [](float x) { return x >= 0 && x <= longest_length * longest_length; };
  const std::size_t norms = measure.metric == codec::Metric::euclidean ? count : 0;
  const bool fits = means_.size() == measure.dimension && steps_.size() == means_.size() &&
                    codes_.size() == count * lines_ && norms_.size() == norms &&
                    std::ranges::all_of(means_, is_length) &&
                    std::ranges::all_of(steps_, is_length) &&
                    std::ranges::all_of(steps_, [](float step) { return step > 0; }) &&
                    std::ranges::all_of(norms_, is_square);
  if (!fits || !signs_.settle(count, measure.dimension, norms > 0)) return false;
  learn_bases();
  learn_norms();
  return true;
}

// Learns means and steps from a sample, in double precision so that squares of large components
// stay finite.
void Sq4Codes::learn(const std::function<const float*(std::uint32_t)>& row_of) {
  const std::size_t dimension = measure_.dimension;
  std::vector<double> sums(dimension), squares(dimension);
  const std::size_t stride = std::max<std::size_t>(count_ / most_rows_of_sample, 1);
  double seen = 0;
  for (std::size_t i = 0; i < count_; i += stride, ++seen) {
    const float* row = row_of(static_cast<std::uint32_t>(i));
    for (std::size_t j = 0; j < dimension; ++j) {
      sums[j] += double{row[j]};
      squares[j] += double{row[j]} * double{row[j]};
    }
  }
  seen = std::max(seen, 1.0);
  for (std::size_t j = 0; j < dimension; ++j) {
    const double mean = sums[j] / seen;
    const double deviation = std::sqrt(std::max(squares[j] / seen - mean * mean, 0.0));
    means_.push_back(static_cast<float>(mean));
    // Greater than zero even if a component is equal in all vectors, because encode() divides by
    // it.
    steps_.push_back(std::max(static_cast<float>(deviation) * steps_of_deviation, 1e-30F));
  }
}

void Sq4Codes::encode(const float* row, Line* record) const {
  for (std::size_t j = 0; j < measure_.dimension; ++j) {
    // `at` is not negative, so the conversion rounds down.
    const float at = std::clamp((row[j] - means_[j]) / steps_[j] + 8, 0.0F, 15.0F);
    const auto code = static_cast<unsigned>(at);
    const std::size_t in_line = j % kernels::code_line_components;
    std::uint8_t& byte =
        record[j / kernels::code_line_components].bytes[in_line % kernels::code_line_bytes];
    byte = static_cast<std::uint8_t>(byte | code << (in_line < kernels::code_line_bytes ? 0 : 4));
  }
}

// `tells` compares the error of rounding the weights with the query's weights without the largest
// one. The codes themselves have an error of about a hundredth. If the norms require coarse
// weights, no finer ones are needed.
CodedQuery Sq4Codes::prepare(std::span<const float> query) const {
  constexpr float most_rounded = 0.0036F;
  CodedQuery coded;
  coded.weights.resize(lines_ * kernels::code_line_components);
  const float largest = kernels::greatest_product(query.data(), steps_.data(), query.size());
  // For a zero query all weights are zero, and all vectors score the same.
  coded.unit = std::max(largest / most_weight, 1e-30F);
  // If norms are long, weights are coarser, so that both parts of a score fit the range.
  const float by_norms = norms_.empty() ? 0 : usual_norm_ / (2 * norm_range);
  if (!norms_.empty()) {
    coded.unit = std::max(coded.unit, by_norms);
    coded.norm_factor = 1 / (2 * coded.unit);
  }
  const auto sums = kernels::round_products(query.data(), steps_.data(), 1 / coded.unit,
                                            query.size(), coded.weights.data());
  const float most = largest * (1 / coded.unit);
  coded.tells =
      coded.unit <= by_norms || sums.errors <= most_rounded * (sums.squares - most * most);
  coded.offset = -kernels::negated_dot_kernels().pair(query.data(), bases_.data(), query.size());
  return coded;
}

// Decodes a row in units of steps, relative to the middle of the codes.
void Sq4Codes::read_rest(std::size_t row, std::span<float> rest) const {
  const Line* record = &codes_[row * lines_];
  for (std::size_t j = 0; j < rest.size(); ++j) {
    const std::size_t in_line = j % kernels::code_line_components;
    const std::uint8_t byte =
        record[j / kernels::code_line_components].bytes[in_line % kernels::code_line_bytes];
    const int code = in_line < kernels::code_line_bytes ? byte & 15 : byte >> 4;
    rest[j] = static_cast<float>(code) - middle;
  }
}

// Makes the 1-bit codes. With x = mean + step * rest, |x|^2 is |mean|^2 + 2 mean * step * rest +
// loss. The loss is what their scores subtract for each vector.
void Sq4Codes::sign() {
  const bool has_norms = !norms_.empty();
  signs_ = BinaryCodes(count_, measure_.dimension, has_norms);
  std::vector<float> rest(measure_.dimension);
  for (std::size_t row = 0; row < count_; ++row) {
    read_rest(row, rest);
    double loss = has_norms ? double{norms_[row]} : 0;
    for (std::size_t j = 0; j < rest.size() && has_norms; ++j)
      loss -= double{means_[j]} * (double{means_[j]} + 2 * double{steps_[j]} * double{rest[j]});
    signs_.set(row, rest, static_cast<float>(loss));
  }
  signs_.seal();
}

SignQuery Sq4Codes::prepare_signs(const CodedQuery& query, float reach) const {
  std::vector<float> weights(measure_.dimension);
  float base = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const auto weight = static_cast<float>(query.weights[j]);
    base += middle * weight - query.norm_factor * means_[j] * means_[j];
    weights[j] = weight - 2 * query.norm_factor * means_[j] * steps_[j];
  }
  return signs_.prepare(weights, base, query.norm_factor, reach);
}

kernels::CodedRows Sq4Codes::view(const CodedQuery& query) const noexcept {
  return {codes_.data()->bytes, lines_, query.weights.data()};
}

// |q - x|^2 = |q|^2 - 2 qx + |x|^2, so half of |x|^2 is subtracted from the dot product.
std::int32_t Sq4Codes::norm_loss(const CodedQuery& query, std::size_t row) const noexcept {
  // Less than 2^31 even together with the greatest sum of codes.
  return static_cast<std::int32_t>(std::min(norms_[row] * query.norm_factor, most_norm_loss));
}

void Sq4Codes::score(const CodedQuery& query, std::span<const std::uint32_t> rows,
                     std::int32_t* out) const {
  kernels::score_rows(view(query), rows.data(), rows.size(), out);
  if (norms_.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) out[i] -= norm_loss(query, rows[i]);
}

void Sq4Codes::score(const CodedQuery& query, std::size_t first, std::size_t count,
                     std::int32_t* out) const {
  kernels::score_range(view(query), first, count, out);
  if (norms_.empty()) return;
  for (std::size_t i = 0; i < count; ++i) out[i] -= norm_loss(query, first + i);
}

std::size_t Sq4Codes::memory_bytes() const noexcept {
  return codes_.size() * sizeof(Line) + signs_.memory_bytes() +
         (norms_.size() + means_.size() + steps_.size() + bases_.size()) * sizeof(float);
}

}  // namespace cairn::engine
