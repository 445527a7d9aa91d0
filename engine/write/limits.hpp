#pragma once
// The limits of the options on what is written. Those of the format (codec/limits.hpp) hold as well.

#include "codec/record.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::engine {

class Catalog;

/// Whether the format can keep what the options promise. Errors: invalid_argument naming the option.
[[nodiscard]] Status check_limits(const Options& options);

/// `what` is "property name", "label" and so on. Errors: invalid_argument naming the limit.
[[nodiscard]] Status check_name(std::string_view what, std::string_view name,
                                const Options& options);
/// Errors: type_error for what no property can hold, invalid_argument for a value over a limit; both
/// name the property.
[[nodiscard]] Status check_property(std::string_view name, const Value& value,
                                    const Options& options);
/// What a record may still take: `value` in the place of the property `key`, which may be new; a null
/// takes nothing. Errors: invalid_argument where there are too many properties or bytes.
[[nodiscard]] Status check_room(const codec::StoredProperties& properties,
                                std::optional<std::uint32_t> key, const Value& value);
/// The same of several values together.
[[nodiscard]] Status check_room(const codec::StoredProperties& properties, const Properties& values,
                                const Catalog& catalog);
/// Errors: invalid_argument.
[[nodiscard]] Status check_label_count(std::size_t count);
/// All of one record's. Errors: as above, and invalid_argument where there are too many.
[[nodiscard]] Status check_properties(const Properties& properties, const Options& options);

}  // namespace cairn::engine
