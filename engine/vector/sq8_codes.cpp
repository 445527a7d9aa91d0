// Vectors as bytes for the graph, the arithmetic of the header's table in code. Everything between
// two elements is an integer product and two or three numbers in double precision, so that a pair
// and a row of many give one distance, and every machine the same.
//
// The two questions that keep bytes honest: tells_neighbours() asks the vectors that a graph is
// built of whether bytes find the same neighbours, tells() asks each query. Where either says no,
// something else is done: records of floats, or a scan.
#include "engine/vector/sq8_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace cairn::engine {
namespace {

constexpr float largest_byte = 127;
constexpr float least_component = 1e-30F;  // below it, bytes are zero: no scale is denormal
// Two such squares and twice their product stay below the greatest float, 3.4e38.
constexpr double greatest_square = 7e37;  // of an element: (1 + sqrt(2))^2 * 1e37, and rounding
constexpr double greatest_offset = 1e38;
constexpr double deviations_of_product = 4;

constexpr std::size_t median_rows = 1'024;
// Eleven: the ten nearest and the row itself, which is among them.
constexpr std::size_t sample_rows = 16'384, sample_queries = 32, near_rows = 11;
constexpr double most_blur = 2;         // as many look as near as the nearest
constexpr double most_blur_of_one = 4;  // the same of a single question
// Squared: as a share of the length it is six hundredths.
constexpr double most_lost = 0.0036;  // of the square of all but the largest component

const std::int8_t* bytes_at(const char* element) {
  return reinterpret_cast<const std::int8_t*>(element);
}

// Rows at even distances: rows are in ascending order of ids, and the first ones may be of one
// kind.
std::vector<const float*> sample(std::span<const float* const> rows, std::size_t most) {
  std::vector<const float*> some;
  const std::size_t stride = std::max<std::size_t>((rows.size() + most - 1) / most, 1);
  for (std::size_t i = 0; i < rows.size(); i += stride) some.push_back(rows[i]);
  return some;
}

/// How many lie as near as the farthest of `nearest`.
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

// Medians, as one vector of another length would move a mean away from all others.
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
    // A heap of copies that bytes cannot distinguish draws the links of a graph to itself.
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
  // Rounded by cutting what is positive; the quotient may be above 127 by its rounding.
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

// For normal vectors the error is a hundredth of the rest.
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

// The product of two elements is at most the greater of their squares.
bool Sq8Codes::is_sound(const char* element) const {
  const auto of_scale = double{scale(element)}, of_offset = double{offset(element)};
  const double bytes = kernels_.pair(bytes_at(element), bytes_at(element), bytes_);
  return of_scale >= 0 && of_scale * of_scale * bytes <= greatest_square &&
         std::abs(of_offset) <= greatest_offset;
}

// In double and rounded once: offsets of long vectors cancel, and floats would keep little of the
// rest.
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
  // Arrays on the stack hold so many; a slot of the graph has up to 2 m neighbours.
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

// An error of rounding is spread evenly over a step: its square is a twelfth of the step's. What is
// squared counts errors twice: by themselves, and by their part along the difference. Of the dot
// product no length is known but the greatest that bytes can have.
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
