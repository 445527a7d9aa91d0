// Lower bounds of float distances. Let x be a vector, c the centre, s b what its code represents (a
// scale times bytes), and r what the code loses: x = c + s b + r. The query is coded as well, with
// its own scale t, bytes w and loss e. The product of bytes w b is an integer, without any error.
//
// Dot product and cosine: the query is coded as q = t w + e. Then
//
//   q x  =  q c + s t (w b) + e (s b) + q r,   |e (s b)| <= |e| |s b|,   |q r| <= |q| |r|
//
// by the inequality of Cauchy and Schwarz. Euclidean: the difference to the centre is coded, q - c =
// t w + e. Then, by the triangle inequality,
//
//   |q - x|  =  |t w - s b + e - r|  >=  |t w - s b| - |e| - |r|
//
// Rounding of the float kernel: a sum of n products in floats, in any order, is off by at most
// g * sum |q_j x_j|, where g = n u / (1 - n u) and u = 2^-24 (Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd edition, section 3.1). The sum is at most |q| |x|, and |x| at most |c| +
// |s b| + |r|. A sum of squared differences is off by at most its own size times the g of n + 3.
// `unit` is four times the g of n + 8. So it also covers the rounding of the numbers here: they are
// doubles, except |s b|, which is stored as the nearest float.
#include "engine/vector/exact_codes.hpp"

#include "codec/float_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cairn::engine {
namespace {

constexpr double largest_byte = 127;
// More than underflow can take from a sum of products.
constexpr double tiny = 1e-30;
// More than underflow can take from the length of a loss.
constexpr double tiny_length = 1e-37;
// An upper bound for relative errors of lengths in double precision.
constexpr double of_double = 1e-12;

double unit_of(const DistanceMetric& measure) {
  return 2 * (measure.dimension + 8) * double{std::numeric_limits<float>::epsilon()};
}

double length_of(std::span<const float> vector) {
  return std::sqrt(
      codec::kernels::precise_sums(vector.data(), vector.data(), vector.size()).squared_b);
}

/// The smallest float that is not below `value`, or a little more.
float rounded_up(double value) {
  return static_cast<float>(value * (1 + double{std::numeric_limits<float>::epsilon()}) +
                            tiny_length);
}

}  // namespace

ExactCodes::ExactCodes(const DistanceMetric& measure, const Sq8Codes& codes, ElementPlaces elements,
                       const RowPlaces& rows, std::size_t slots)
    : measure_(measure),
      codes_(codes),
      elements_(elements),
      centre_length_(length_of(codes.centre())) {
  std::vector<float> decoded(measure.dimension);
  losses_.reserve(slots);
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    losses_.push_back(loss_of(rows[slot], elements[slot], decoded));
}

// The code is decoded in floats: that is off by at most u (2 |s b| + |c|), for which twice as much is
// added.
ExactCodes::CodeLoss ExactCodes::loss_of(const float* row, const char* element,
                                         std::span<float> decoded) const {
  const auto [bytes, scale] = codes_.read(element);
  const float* centre = codes_.centre().data();
  for (std::size_t j = 0; j < decoded.size(); ++j)
    decoded[j] = centre[j] + scale * static_cast<float>(bytes[j]);
  const std::int32_t square = codes_.kernels().pair(bytes, bytes, codes_.byte_count());
  const double length = double{scale} * std::sqrt(static_cast<double>(square));
  const double apart = std::sqrt(
      codec::kernels::precise_sums(row, decoded.data(), decoded.size()).squared_difference);
  const double of_decoding =
      2 * double{std::numeric_limits<float>::epsilon()} * (length + centre_length_);
  return {rounded_up(apart * (1 + of_double) + of_decoding), static_cast<float>(length)};
}

BoundedQuery ExactCodes::prepare(const float* query) const {
  const bool is_euclidean = measure_.metric == codec::Metric::euclidean;
  const float* centre = codes_.centre().data();
  std::vector<double> coded(query, query + measure_.dimension);
  for (std::size_t j = 0; j < coded.size() && is_euclidean; ++j) coded[j] -= double{centre[j]};
  double largest = 0, square = 0, lost = 0;
  for (const double x : coded) {
    largest = std::max(largest, std::abs(x));
    square += x * x;
  }
  BoundedQuery prepared;
  prepared.bytes.resize(codes_.byte_count());
  prepared.scale = largest / largest_byte;
  const double times = prepared.scale > 0 ? 1 / prepared.scale : 0;
  for (std::size_t j = 0; j < coded.size(); ++j) {
    const double byte = std::clamp(std::nearbyint(coded[j] * times), -largest_byte, largest_byte);
    prepared.bytes[j] = static_cast<std::int8_t>(byte);
    const double rest = coded[j] - prepared.scale * byte;
    lost += rest * rest;
  }
  const double length = std::sqrt(square), unit = unit_of(measure_);
  prepared.lost = std::sqrt(lost) * (1 + of_double) + length * of_double;
  const std::int8_t* bytes = prepared.bytes.data();
  prepared.squared =
      prepared.scale * prepared.scale * codes_.kernels().pair(bytes, bytes, codes_.byte_count());
  if (is_euclidean) return prepared;
  const double of_centre = codec::kernels::precise_sums(query, centre, coded.size()).dot;
  prepared.base = -of_centre - unit * length * centre_length_ - tiny;
  prepared.of_lost = length * (1 + unit);
  prepared.of_length = prepared.lost + unit * length;
  return prepared;
}

// A bound that is not a number, of an infinite loss, is returned as it is.
double ExactCodes::least_distance(const BoundedQuery& query, std::int32_t product, float scale,
                                  const CodeLoss& loss) const noexcept {
  const double both = query.scale * double{scale} * product;
  const double length{loss.length}, lost{loss.lost};
  if (measure_.metric != codec::Metric::euclidean)
    return query.base - both - query.of_lost * lost - query.of_length * length;
  // The squared length of the difference of both codes, less its rounding errors.
  constexpr double of_square = 4 * double{std::numeric_limits<float>::epsilon()};
  const double square = length * length;
  const double apart =
      query.squared - 2 * both + square * (1 - of_square) - query.squared * of_double;
  const double least = std::sqrt(std::max(apart, 0.0)) - query.lost - lost;
  return least > 0 ? least * least * (1 - unit_of(measure_)) - tiny : least;
}

// Codes are prefetched while earlier ones are compared, because selected slots may be anywhere.
void ExactCodes::least_distances(const BoundedQuery& query, std::span<const std::uint32_t> slots,
                                 double* out) const {
  constexpr std::size_t at_once = 4, ahead = 16;
  std::array<const std::int8_t*, at_once> bytes;
  std::array<float, at_once> scales;
  std::array<std::int32_t, at_once> products;
  for (std::size_t i = 0; i < slots.size() && i < ahead; ++i) codes_.fetch(elements_[slots[i]]);
  for (std::size_t i = 0; i < slots.size(); i += at_once) {
    const std::size_t count = std::min(at_once, slots.size() - i);
    for (std::size_t j = 0; j < count; ++j) {
      if (i + j + ahead < slots.size()) codes_.fetch(elements_[slots[i + j + ahead]]);
      const Sq8Codes::Element element = codes_.read(elements_[slots[i + j]]);
      bytes[j] = element.bytes;
      scales[j] = element.scale;
    }
    codes_.kernels().rows(query.bytes.data(), bytes.data(), count, codes_.byte_count(),
                          products.data());
    for (std::size_t j = 0; j < count; ++j)
      out[i + j] = least_distance(query, products[j], scales[j], losses_[slots[i + j]]);
  }
}

}  // namespace cairn::engine
