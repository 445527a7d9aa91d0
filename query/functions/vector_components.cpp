// Vectors: conversion of values to components, similarity and distance functions, and embeddings of texts.
#include "query/functions/vector_components.hpp"

#include "codec/float_kernels.hpp"
#include "engine/text/built_in_model.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/paced_text.hpp"
#include "query/functions/sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace cairn::query {

// Does not check that numbers are finite or that their count fits the index, because the index checks both. Doubles
// become 32-bit floats.
Result<std::vector<float>> vector_components(const Value& value, const TextRange& where) {
  std::vector<float> components;
  if (const Vector* vector = value.get_if<Vector>()) {
    components.assign(vector->components().begin(), vector->components().end());
    return components;
  }
  const auto wrong_type = [&] {
    return Error{ErrorCode::type_error,
                 "a search needs a vector or a list of numbers, got " + described(value), where};
  };
  const List* list = value.list();
  if (list == nullptr) return wrong_type();
  for (const Value& item : *list) {
    if (!item.is_number()) return wrong_type();
    const auto* integer = item.get_if<std::int64_t>();
    components.push_back(
        static_cast<float>(integer ? static_cast<double>(*integer) : item.as_float()));
  }
  return components;
}

// Functions of vectors. The similarities from 0 to 1 are the ones that SEARCH returns as SCORE; vector.cosine() and
// vector.dot() return the raw values.
//
// All are computed in doubles, and vectors may be given as lists. For two vectors of 32-bit floats, the sums are bit
// for bit equal to the sums of an index, so that WITHIN selects the same vectors.

namespace {

using Numbers = std::vector<double>;

/// Converts an argument to doubles. Vectors of 32-bit floats are converted too, so that a score does not depend on
/// the type of the query vector.
Result<Numbers> numbers(const Call& call, std::size_t i) {
  if (const auto* vector = call[i].get_if<Vector>())
    return Numbers(vector->components().begin(), vector->components().end());
  const List* list = call[i].list();
  if (!list) return call.wrong_type(i, "a vector or a list of numbers");
  CAIRN_TRY(call.room(list->size() * sizeof(double)));
  Numbers result;
  result.reserve(list->size());
  for (const Value& item : *list) {
    if (!item.is_number()) return call.wrong_type(i, "a vector or a list of numbers");
    const auto* whole = item.get_if<std::int64_t>();
    result.push_back(whole ? static_cast<double>(*whole) : item.as_float());
  }
  return result;
}

/// The two arguments of a measure.
struct Pair {
  Numbers a;
  Numbers b;
  std::optional<codec::kernels::PreciseSums> sums = {};  // if both are vectors of 32-bit floats
};

/// Errors: vectors of different dimensions, which cannot be compared.
Result<Pair> pair_of(const Call& call) {
  Pair pair;
  CAIRN_ASSIGN(pair.a, numbers(call, 0));
  CAIRN_ASSIGN(pair.b, numbers(call, 1));
  if (pair.a.size() != pair.b.size() || pair.a.empty())
    return call.wrong_value("the vectors must have the same dimension, at least 1; they have " +
                            std::to_string(pair.a.size()) + " and " +
                            std::to_string(pair.b.size()));
  const auto *a = call[0].get_if<Vector>(), *b = call[1].get_if<Vector>();
  if (a != nullptr && b != nullptr)
    pair.sums = codec::kernels::precise_sums(a->components().data(), b->components().data(),
                                             a->components().size());
  return pair;
}

/// Returns the sum of `term` over all pairs of components.
template <class Term>
double sum(const Pair& pair, Term term) {
  double total = 0;
  for (std::size_t i = 0; i < pair.a.size(); ++i) total += term(pair.a[i], pair.b[i]);
  return total;
}

double dot(const Pair& pair) {
  if (pair.sums) return pair.sums->dot;
  return sum(pair, [](double x, double y) { return x * y; });
}

double squared_distance(const Pair& pair) {
  if (pair.sums) return pair.sums->squared_difference;
  return sum(pair, [](double x, double y) { return (x - y) * (x - y); });
}

double manhattan_distance(const Pair& pair) {
  return sum(pair, [](double x, double y) { return std::fabs(x - y); });
}

/// Counts the components that differ. Useful for vectors with few distinct values.
double hamming_distance(const Pair& pair) {
  return sum(pair, [](double x, double y) { return x == y ? 0.0 : 1.0; });
}

double euclidean_distance(const Pair& pair) { return std::sqrt(squared_distance(pair)); }

/// The product of the two lengths.
double lengths(const Pair& pair) {
  return std::sqrt(sum(pair, [](double x, double) { return x * x; })) *
         std::sqrt(sum(pair, [](double, double y) { return y * y; }));
}

// Returns the largest absolute value of a component.
double largest(const Numbers& all) {
  double most = 0;
  for (const double x : all) most = std::max(most, std::fabs(x));
  return most;
}

/// Scales a vector to the largest component 1. All components become NaN if the vector is zero.
Numbers scaled(Numbers all) {
  const double most = largest(all);
  for (double& x : all) x /= most;
  return all;
}

/// Returns NaN if a vector is zero. Clamped, because rounding errors may exceed 1. If squares overflow or underflow,
/// the vectors are scaled first: the direction does not depend on the length.
double cosine(const Pair& pair) {
  const double product = lengths(pair);
  if (std::isnormal(product)) return std::clamp(dot(pair) / product, -1.0, 1.0);
  const Pair same{scaled(pair.a), scaled(pair.b), std::nullopt};
  return std::clamp(dot(same) / lengths(same), -1.0, 1.0);
}

// A smaller distance and a larger score mean nearer vectors. Scores are between 0 and 1.
double cosine_distance(const Pair& pair) { return 1 - cosine(pair); }
double dot_distance(const Pair& pair) { return -dot(pair); }
double cosine_score(const Pair& pair) { return (1 + cosine(pair)) / 2; }
double euclidean_score(const Pair& pair) { return 1 / (1 + squared_distance(pair)); }

// The error for a measure that is NaN.
Error no_measure(const Call& call, const Pair& pair) {
  if (largest(pair.a) == 0 || largest(pair.b) == 0)
    return call.wrong_value("argument " + std::to_string(largest(pair.a) == 0 ? 1 : 2) +
                            " is a vector of length zero, which has no direction");
  return call.wrong_value("the components are too large or not finite");
}

/// A measure as a function of the language. Errors: invalid_argument if the measure is NaN, as for zero vectors
/// (cosine), for infinite or NaN components, and for sums beyond the range of doubles.
template <double (*measure)(const Pair&)>
Result<Value> measured(const Call& call) {
  CAIRN_ASSIGN(const Pair pair, pair_of(call));
  const double result = measure(pair);
  if (std::isnan(result)) return no_measure(call, pair);
  return Value(result);
}

struct Metric {
  std::string_view name;
  Result<Value> (*distance)(const Call& call);
};

// The names of metrics in Neo4j's vector_distance().
constexpr Metric metrics[] = {
    {"COSINE", measured<cosine_distance>},       {"DOT", measured<dot_distance>},
    {"EUCLIDEAN", measured<euclidean_distance>}, {"EUCLIDEAN_SQUARED", measured<squared_distance>},
    {"HAMMING", measured<hamming_distance>},     {"MANHATTAN", measured<manhattan_distance>},
};

std::string upper_case(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

/// The name of the metric may have any case.
Result<Value> distance(const Call& call) {
  CAIRN_ASSIGN(const std::string* name, call.string(2));
  const auto* found = std::ranges::find(metrics, upper_case(*name), &Metric::name);
  if (found != std::end(metrics)) return found->distance(call);
  return call.wrong_value(
      "the metric must be COSINE, DOT, EUCLIDEAN, EUCLIDEAN_SQUARED, HAMMING or MANHATTAN, not " +
      shown(*name));
}

/// The distance from the origin; 0 without components.
Result<Value> norm(const Call& call) {
  CAIRN_ASSIGN(const Numbers all, numbers(call, 0));
  return Value(euclidean_distance({all, Numbers(all.size())}));
}

Result<Value> dimension(const Call& call) {
  if (is_sequence(call[0])) return Value(static_cast<std::int64_t>(sequence_size(call[0])));
  return call.wrong_type(0, "a vector or a list of numbers");
}

/// Makes a vector. The dimension is only checked. The stored type is always 32-bit floats.
Result<Value> vector(const Call& call) {
  CAIRN_ASSIGN(const Numbers all, numbers(call, 0));
  if (call.has(1)) {
    CAIRN_ASSIGN(const std::int64_t expected, call.integer(1));
    if (expected != static_cast<std::int64_t>(all.size()))
      return call.wrong_value("there are " + std::to_string(all.size()) +
                              " components, but the dimension is " + std::to_string(expected));
  }
  if (call.has(2)) {
    CAIRN_ASSIGN(const std::string* type, call.string(2));
    if (const std::string name = upper_case(*type); name != "FLOAT32" && name != "FLOAT")
      return call.wrong_value("components are of type FLOAT32, not " + shown(*type));
  }
  std::vector<float> components;
  components.reserve(all.size());
  for (double x : all) components.push_back(static_cast<float>(x));
  return Value(Vector(std::move(components)));
}

}  // namespace

FunctionFamily vector_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"vector(components, dimension?, type?)", vector>(),
      entry<"vector.cosine(a, b)", measured<cosine>>(),
      entry<"vector.dot(a, b)", measured<dot>>(),
      entry<"vector.similarity.cosine(a, b)", measured<cosine_score>>(),
      entry<"vector.similarity.euclidean(a, b)", measured<euclidean_score>>(),
      entry<"vector_dimension_count(vector)", dimension>(),
      entry<"vector_distance(a, b, metric)", distance>(),
      entry<"vector_norm(vector)", norm>(),
  };
  return functions;
}

// embed(text): a vector by the built-in embedder, to search a vector index by text.

namespace {

constexpr std::int64_t usual_dimension = 256;
constexpr std::int64_t largest_dimension = 4'096;

/// Hashes words and parts of words, deterministically and without a model (make_hashing_embedder()).
Result<Value> embed(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  std::int64_t dimension = usual_dimension;
  if (call.has(1)) {
    CAIRN_ASSIGN(dimension, call.integer(1));
  }
  CAIRN_TRY(check_readable_whole(call.name, *text));
  if (dimension < 1 || dimension > largest_dimension)
    return call.wrong_value("the dimension must be from 1 to 4,096, got " +
                            std::to_string(dimension));
  CAIRN_ASSIGN(Vector made, engine::embed_built_in(*text, static_cast<std::size_t>(dimension),
                                                   call.context.limits));
  return Value(std::move(made));
}

}  // namespace

FunctionFamily embedding_functions() {
  static constexpr std::array entries{entry<"embed(text, dimension?)", embed>()};
  return entries;
}

}  // namespace cairn::query
