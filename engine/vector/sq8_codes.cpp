// Implements the table of sq8_codes.hpp. A distance is an integer inner product combined with a few
// numbers in double precision. Therefore a pair and a batch give the same distance, on every
// machine.
//
// Two checks guard against vectors that 8 bits represent badly. tells_neighbours() tests the
// vectors before a graph is built; if it fails, the graph stores floats. tells() tests each query;
// if it fails, the search scans instead.
#include "engine/vector/sq8_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace cairn::engine {
namespace {

constexpr float largest_byte = 127;
// A smaller largest component is encoded as zeros, so that no scale is denormal.
constexpr float least_component = 1e-30F;
// The sum of two such squares and twice their product stays below the greatest float, 3.4e38.
// Greatest squared length of an element: (1 + sqrt(2))^2 * 1e37, and some for rounding.
constexpr double greatest_square = 7e37;
constexpr double greatest_offset = 1e38;
constexpr double deviations_of_product = 4;

constexpr std::size_t median_rows = 1'024;
// Eleven: the row itself and its ten nearest.
constexpr std::size_t sample_rows = 16'384, sample_queries = 32, near_rows = 11;
// The greatest ratio of rows that look near by codes to rows that are near, averaged over all sample queries.
constexpr double most_blur = 2;
// The same ratio for a single query.
constexpr double most_blur_of_one = 4;
// The greatest squared error of an encoded query, as a share of its squared length without its
// largest component. As a share of the length it is 0.06.
constexpr double most_lost = 0.0036;

const std::int8_t* bytes_at(const char* element) {
  return reinterpret_cast<const std::int8_t*>(element);
}

// Takes rows at even distances: rows are in ascending order of ids, so the first ones may be similar.
std::vector<const float*> sample(std::span<const float* const> rows, std::size_t most) {
  std::vector<const float*> some;
  const std::size_t stride = std::max<std::size_t>((rows.size() + most - 1) / most, 1);
  for (std::size_t i = 0; i < rows.size(); i += stride) some.push_back(rows[i]);
  return some;
}

/// Counts the distances that are no greater than the greatest of `nearest`.
std::size_t count_within(std::span<const float> distances, std::span<const std::size_t> nearest) {
  float farthest = distances[nearest.front()];
  for (const std::size_t at : nearest) farthest = std::max(farthest, distances[at]);
  return static_cast<std::size_t>(
      std::ranges::count_if(distances, [farthest](float d) { return d <= farthest; }));
}

}  // namespace

Sq8Codes::Sq8Codes(const DistanceMetric& measure, std::vector<float> centre)
    : measure_(measure),
      centre_(std::move(centre)),
      kernels_(codec::kernels::byte_kernels()),
      bytes_(bytes_of(measure.dimension)),
      times_(measure.metric == codec::Metric::euclidean ? 2 : 1) {}

// Takes medians, because one long vector would move a mean away from all others.
Sq8Codes Sq8Codes::learn(const DistanceMetric& measure, std::span<const float* const> rows) {
  const auto some = sample(rows, median_rows);
  std::vector<float> centre, column(some.size());
  for (std::size_t j = 0; j < measure.dimension; ++j) {
    std::ranges::transform(some, column.begin(), [j](const float* row) { return row[j]; });
    const auto middle = column.begin() + static_cast<std::ptrdiff_t>(column.size() / 2);
    std::ranges::nth_element(column, middle);
    centre.push_back(*middle);
  }
  return {measure, std::move(centre)};
}

bool Sq8Codes::tells_neighbours(std::span<const float* const> rows) const {
  const auto some = sample(rows, sample_rows);
  if (some.size() < near_rows) return false;
  const std::size_t size = element_bytes(measure_.dimension);
  std::vector<char> elements(some.size() * size);
  std::vector<const char*> places;
  for (std::size_t i = 0; i < some.size(); ++i) {
    encode(some[i], &elements[i * size]);
    places.push_back(&elements[i * size]);
  }
  std::vector<float> by_rows(some.size()), by_bytes(some.size());
  std::vector<std::size_t> order(some.size());
  // The numbers of near rows, by distances of vectors and by distances of codes, summed over the sample queries.
  double as_near = 0, look_as_near = 0;
  const std::size_t stride = std::max<std::size_t>(some.size() / sample_queries, 1);
  for (std::size_t q = 0; q < some.size(); q += stride) {
    measure_.kernels.rows(some[q], some.data(), some.size(), measure_.dimension, by_rows.data());
    distances(places[q], places, by_bytes.data());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::nth_element(order, order.begin() + near_rows, {},
                             [&](std::size_t i) { return by_rows[i]; });
    const auto nearest = std::span(order).first(near_rows);
    const auto near = static_cast<double>(count_within(by_rows, nearest));
    const auto look_near = static_cast<double>(count_within(by_bytes, nearest));
    // Copies that codes cannot distinguish would attract the links of the whole graph.
    if (look_near > most_blur_of_one * near) return false;
    as_near += near;
    look_as_near += look_near;
  }
  return look_as_near <= most_blur * as_near;
}

void Sq8Codes::encode(const float* row, char* out) const {
  std::array<float, max_dimension> rest;
  float largest = 0;
  for (std::size_t j = 0; j < measure_.dimension; ++j) {
    rest[j] = row[j] - centre_[j];
    largest = std::max(largest, std::abs(rest[j]));
  }
  const float scale = largest < least_component ? 0 : largest / largest_byte;
  const float times = scale > 0 ? 1 / scale : 0;
  auto* bytes = reinterpret_cast<std::int8_t*>(out);
  std::memset(bytes, 0, bytes_);
  // Rounds by truncating a positive number. The quotient may exceed 127 slightly, by its own
  // rounding.
  for (std::size_t j = 0; j < measure_.dimension; ++j)
    bytes[j] = static_cast<std::int8_t>(static_cast<int>(rest[j] * times + 128.5F) - 128);
  double offset = double{scale} * double{scale} * kernels_.pair(bytes, bytes, bytes_);
  if (measure_.metric == codec::Metric::cosine) offset = (offset - 1) / 2;
  if (measure_.metric == codec::Metric::dot_product) {
    const auto sums = codec::kernels::precise_sums(row, centre_.data(), measure_.dimension);
    offset = sums.squared_b / 2 - sums.dot;
  }
  const std::array<float, 2> numbers = {scale, static_cast<float>(offset)};
  std::memcpy(out + bytes_, numbers.data(), sizeof numbers);
}

// For vectors of normal distribution the error is about a hundredth of the rest.
bool Sq8Codes::tells(const float* row, const char* element) const {
  const float step = scale(element);
  double error = 0, rest = 0, largest = 0;
  for (std::size_t j = 0; j < measure_.dimension; ++j) {
    const double x = double{row[j]} - double{centre_[j]};
    const double lost = x - double{step} * bytes_at(element)[j];
    error += lost * lost;
    rest += x * x;
    largest = std::max(largest, x * x);
  }
  return error <= most_lost * (rest - largest);
}

float Sq8Codes::number(const char* element, std::size_t place) const noexcept {
  float value;
  std::memcpy(&value, element + bytes_ + place * sizeof value, sizeof value);
  return value;
}

// Checking the squares suffices: the product of two elements is at most the greater of their
// squares.
bool Sq8Codes::is_sound(const char* element) const {
  const auto of_scale = double{scale(element)}, of_offset = double{offset(element)};
  const double bytes = kernels_.pair(bytes_at(element), bytes_at(element), bytes_);
  return of_scale >= 0 && of_scale * of_scale * bytes <= greatest_square &&
         std::abs(of_offset) <= greatest_offset;
}

// Computes in double and rounds once: the offsets of long vectors nearly cancel, and floats would
// lose the rest.
float Sq8Codes::distance(double offset, double scale, const char* element,
                         std::int32_t product) const noexcept {
  return static_cast<float>(offset + double{this->offset(element)} -
                            scale * double{this->scale(element)} * product);
}

float Sq8Codes::distance(const char* a, const char* b) const noexcept {
  return distance(double{offset(a)}, times_ * double{scale(a)}, b,
                  kernels_.pair(bytes_at(a), bytes_at(b), bytes_));
}

void Sq8Codes::distances(const char* query, std::span<const char* const> elements,
                         float* out) const {
  // The size of the arrays on the stack. A slot of the graph has up to 2 m neighbours.
  constexpr std::size_t block = 64;
  std::array<const std::int8_t*, block> rows;
  std::array<std::int32_t, block> products;
  const double of_query = offset(query), times = times_ * double{scale(query)};
  while (!elements.empty()) {
    const auto some = elements.first(std::min(block, elements.size()));
    std::ranges::transform(some, rows.begin(), bytes_at);
    kernels_.rows(bytes_at(query), rows.data(), some.size(), bytes_, products.data());
    for (std::size_t i = 0; i < some.size(); ++i)
      out[i] = distance(of_query, times, some[i], products[i]);
    elements = elements.subspan(some.size());
    out += some.size();
  }
}

// A rounding error is uniform over one step, so its variance is step^2 / 12. A squared distance
// contains the error twice: squared, and multiplied by the difference of the vectors. For the dot
// product no length is known but the greatest that 8-bit codes can have.
double Sq8Codes::reach(const char* query, const char* element, float distance) const noexcept {
  const double a = double{scale(query)}, b = double{scale(element)};
  const double squares = (a * a + b * b) / 12;
  if (measure_.metric == codec::Metric::dot_product)
    return deviations_of_product * double{largest_byte} * a * b *
           std::sqrt(static_cast<double>(measure_.dimension) / 6);
  const bool is_half = measure_.metric == codec::Metric::cosine;
  const double squared = is_half ? 2 * (double{distance} + 1) : double{distance};
  const double most = static_cast<double>(measure_.dimension) * squares +
                      2 * deviations_of_product * std::sqrt(std::max(squared, 0.0) * squares);
  return is_half ? most / 2 : most;
}

}  // namespace cairn::engine
