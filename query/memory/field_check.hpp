#pragma once
// Comparing one value with its field, and bringing it into the field's form.

#include <cairn/memory/schema.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>

namespace cairn::query {

/// Lists of one text and sets of tags. Other values stay as they are.
[[nodiscard]] Value normalized(const memory::Field& field, const Value& value);

/// What does not fit, as a sentence; nothing where it fits. `kind` is for the sentence.
[[nodiscard]] std::optional<std::string> misfit(std::string_view kind, const memory::Field& field,
                                                const Value& value);

/// What an advised field remarks of a text that fits; nothing where it is one of the known ones.
[[nodiscard]] std::optional<std::string> remark(std::string_view kind, const memory::Field& field,
                                                const Value& value);

}  // namespace cairn::query
