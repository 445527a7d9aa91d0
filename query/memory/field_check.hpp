#pragma once
// Checks one value against its field, and converts it to the field's form.

#include <cairn/memory/schema.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>

namespace cairn::query {

/// Lists of one text and sets of tags. Other values stay as they are.
[[nodiscard]] Value normalized(const memory::Field& field, const Value& value);

/// A sentence that says what does not fit; nothing if all fits. `kind` is for the sentence.
[[nodiscard]] std::optional<std::string> misfit(std::string_view kind, const memory::Field& field,
                                                const Value& value);

/// The warning of an advised field for a valid but unknown text; nothing for a known one.
[[nodiscard]] std::optional<std::string> remark(std::string_view kind, const memory::Field& field,
                                                const Value& value);

}  // namespace cairn::query
