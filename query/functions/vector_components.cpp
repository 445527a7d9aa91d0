#include "query/functions/vector_components.hpp"

#include <string>

namespace cairn::query {

// Whether the numbers are finite and as many as the index wants is for the index to say.
// Doubles become 32-bit floats here.
Result<std::vector<float>> vector_components(const Value& value, const TextRange& where) {
  std::vector<float> components;
  if (const Vector* vector = value.get_if<Vector>()) {
    components.assign(vector->components().begin(), vector->components().end());
    return components;
  }
  const Error error{
      ErrorCode::type_error,
      "a search needs a vector or a list of numbers, got a " + std::string(to_string(value.type())),
      where};
  const List* list = value.list();
  if (list == nullptr) return error;
  for (const Value& item : *list) {
    if (!item.is_number()) return error;
    const auto* integer = item.get_if<std::int64_t>();
    components.push_back(
        static_cast<float>(integer ? static_cast<double>(*integer) : item.as_float()));
  }
  return components;
}

}  // namespace cairn::query
