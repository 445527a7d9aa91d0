// The text that toString(), + and filters "as text" give a scalar. Entities, lists and maps have
// none here.
#include "query/functions/scalar_text.hpp"

#include "codec/temporal_text.hpp"

#include <concepts>

namespace cairn::query {
namespace {

/// What has an ISO text.
template <class T>
concept Temporal = requires(const T& value) {
  { codec::temporal_text(value) } -> std::same_as<std::string>;
};

}  // namespace

// Numbers and booleans are written as their literals; text alone is written without quotes.
std::optional<std::string> scalar_text(const Value& value) {
  if (const std::string* text = value.string()) return *text;
  if (value.type() == ValueType::boolean || value.is_number()) return value.to_text();
  return std::visit(
      [](const auto& content) -> std::optional<std::string> {
        if constexpr (Temporal<std::decay_t<decltype(content)>>)
          return codec::temporal_text(content);
        else
          return std::nullopt;
      },
      value.content());
}

}  // namespace cairn::query
