#include "tools/embedders/vector_lists.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace cairn::tools {
namespace {

Error wrong(std::string message) { return {ErrorCode::io_error, std::move(message), {}}; }

/// Returns NaN for a value that is not a number, or not within the range of a float.
float component_of(const Value& number) {
  if (const auto* const whole = number.get_if<std::int64_t>()) return static_cast<float>(*whole);
  const auto* const real = number.get_if<double>();
  return real == nullptr ? std::nanf("") : static_cast<float>(*real);
}

}  // namespace

Result<Vector> vector_of(const Value& numbers, std::size_t dimension) {
  const List* const list = numbers.list();
  if (list == nullptr) return wrong("sent a vector that is not a list of numbers");
  const bool fits = dimension == 0 ? !list->empty() && list->size() <= most_dimensions
                                   : list->size() == dimension;
  if (!fits)
    return wrong(
        "sent a vector of " + std::to_string(list->size()) + " components, and it must have " +
        (dimension == 0 ? "1 to " + std::to_string(most_dimensions) : std::to_string(dimension)));
  std::vector<float> components;
  components.reserve(list->size());
  for (const Value& number : *list) {
    components.push_back(component_of(number));
    if (!std::isfinite(components.back()))
      return wrong("sent a vector whose component " + std::to_string(components.size()) +
                   " is not a finite number");
  }
  return Vector(std::move(components));
}

Status check_count(std::size_t vectors, std::size_t texts) {
  if (vectors == texts) return {};
  return wrong("sent " + std::to_string(vectors) + " vectors for " + std::to_string(texts) +
               " texts");
}

Result<std::vector<Vector>> vectors_of(const Value& lists, std::size_t count,
                                       std::size_t dimension) {
  const List* const list = lists.list();
  if (list == nullptr) return wrong("sent no list of vectors");
  CAIRN_TRY(check_count(list->size(), count));
  std::vector<Vector> vectors;
  vectors.reserve(count);
  for (const Value& numbers : *list) {
    CAIRN_ASSIGN(Vector vector, vector_of(numbers, dimension));
    dimension = vector.dimension();
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

}  // namespace cairn::tools
