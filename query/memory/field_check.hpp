#pragma once
// Checks one value against its field and normalises it.

#include <cairn/memory/schema.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>

namespace cairn::query {

/// The value in the form of its field: a list for a single text, a set for tags. Other values are unchanged.
[[nodiscard]] Value normalized(const memory::Field& field, const Value& value);

/// A sentence about what does not fit; nullopt if the value fits. `kind` is used in the sentence.
[[nodiscard]] std::optional<std::string> misfit(std::string_view kind, const memory::Field& field,
                                                const Value& value);

/// The warning for a valid but unknown text in a field with advised words; nullopt otherwise.
[[nodiscard]] std::optional<std::string> remark(std::string_view kind, const memory::Field& field,
                                                const Value& value);

}  // namespace cairn::query
