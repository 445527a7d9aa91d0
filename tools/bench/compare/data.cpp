// Vectors for the comparison: word embeddings of a package, or generated ones. Generated vectors
// are in groups of different width in a few directions, like embeddings (vectors of independent
// components have no near neighbours). All are normalised and shuffled with a fixed seed; queries
// are taken out of the data.
#include "tools/bench/compare/vectors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <span>

namespace cairn::compare {
namespace {

constexpr std::size_t groups = 200;
constexpr double group_width = 0.6;  // mean; relative to the distance between groups
constexpr double blur = 0.02;

/// Collects the arrays of numbers in the object `vectors` without building a tree of the whole
/// file.
class VectorReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit VectorReader(std::size_t dimension) : dimension_(dimension) {}

  bool key(string_t& name) override {
    if (depth_ == 1) inside_ = name == "vectors";
    return true;
  }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override { return depth_-- > 0; }
  bool start_array(std::size_t) override {
    row_.clear();
    return true;
  }
  bool end_array() override {
    if (inside_ && row_.size() >= dimension_)
      rows.insert(rows.end(), row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(dimension_));
    return true;
  }
  bool number_integer(number_integer_t value) override { return add(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

  std::vector<float> rows;

 private:
  bool add(double value) {
    if (inside_) row_.push_back(static_cast<float>(value));
    return true;
  }

  std::size_t dimension_;
  int depth_ = 0;
  bool inside_ = false;
  std::vector<float> row_;
};

/// Scales a vector to length 1. Returns false for a vector of zeros, which has no direction. Sums
/// in double precision.
bool normalise(std::span<float> row) {
  const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
  if (length == 0) return false;
  for (float& component : row) component = static_cast<float>(double{component} / length);
  return true;
}

/// Shuffles the vectors and takes the queries from the end.
Data part(std::vector<float> all, std::size_t dimension, std::size_t queries) {
  std::vector<std::size_t> order(all.size() / dimension);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, std::mt19937_64(1));
  Data data;
  data.dimension = dimension;
  const std::size_t kept = order.size() - std::min(queries, order.size() / 2);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span row(all.data() + order[i] * dimension, dimension);
    if (!normalise(row)) continue;
    auto& part = i < kept ? data.rows : data.queries;
    part.insert(part.end(), row.begin(), row.end());
  }
  return data;
}

}  // namespace

Result<Data> read_embeddings(const std::string& file, std::size_t dimension, std::size_t queries) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return Error{ErrorCode::not_found, "cannot read " + file, std::nullopt};
  VectorReader reader(dimension);
  if (!nlohmann::json::sax_parse(input, &reader) || reader.rows.empty())
    return Error{ErrorCode::invalid_argument, file + " has no vectors", std::nullopt};
  return part(std::move(reader.rows), dimension, queries);
}

//    row = turn * (centre of its group + width * noise) + blur
// where the matrix `turn` maps `intrinsic` directions to `dimension` components.
Data make_data(std::size_t count, std::size_t dimension, std::size_t intrinsic,
               std::size_t queries) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> turn(dimension * intrinsic), centres(groups * intrinsic);
  for (double& value : turn) value = normal(random);
  for (double& value : centres) value = normal(random);
  std::vector<float> all;
  all.reserve(count * dimension);
  std::vector<double> point(intrinsic);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t group = random() % groups;
    const double width = group_width * (0.5 + static_cast<double>(group) / groups);
    for (std::size_t j = 0; j < intrinsic; ++j)
      point[j] = centres[group * intrinsic + j] + width * normal(random);
    for (std::size_t d = 0; d < dimension; ++d)
      all.push_back(static_cast<float>(
          std::inner_product(point.begin(), point.end(), &turn[d * intrinsic], 0.0) +
          blur * normal(random)));
  }
  return part(std::move(all), dimension, queries);
}

}  // namespace cairn::compare
