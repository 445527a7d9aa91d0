#pragma once
// The limits of Options on written values. The limits of the file format (codec/limits.hpp) apply as well.

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

/// Checks that no limit in the options exceeds the limit of the file format. Errors: invalid_argument, which names
/// the option.
[[nodiscard]] Status check_limits(const Options& options);

/// Checks a name. `what` is "property name", "label" and so on, for the message. Errors: invalid_argument, which
/// names the limit.
[[nodiscard]] Status check_name(std::string_view what, std::string_view name,
                                const Options& options);
/// Checks one property. Errors: type_error for a type that no property can have; invalid_argument for a value over a
/// limit. Both name the property.
[[nodiscard]] Status check_property(std::string_view name, const Value& value,
                                    const Options& options);
/// Checks the size of a record after `value` has replaced the property `key`, or was added if `key` is nullopt. A
/// null value takes no space. Errors: invalid_argument if the record has too many properties or bytes.
[[nodiscard]] Status check_room(const codec::StoredProperties& properties,
                                std::optional<std::uint32_t> key, const Value& value);
/// Checks the size of a record after all of `values` were set together.
[[nodiscard]] Status check_room(const codec::StoredProperties& properties, const Properties& values,
                                const Catalog& catalog);
/// Checks the number of labels of a node. Errors: invalid_argument.
[[nodiscard]] Status check_label_count(std::size_t count);
/// Checks all properties of a new record. Errors: as check_property() and check_room().
[[nodiscard]] Status check_properties(const Properties& properties, const Options& options);

}  // namespace cairn::engine
