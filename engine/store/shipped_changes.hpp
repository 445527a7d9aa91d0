#pragma once
// A batch as the changes of a commit record. Private to this folder.

#include "engine/store/column_family.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Of a family in records: never changed and never reused, whatever the order of the enumerators.
[[nodiscard]] std::uint8_t record_number(Family family) noexcept;
[[nodiscard]] std::optional<Family> family_of(std::uint8_t record_number) noexcept;

void append_merge(std::string& changes, Family family, std::string_view key,
                  std::string_view operand);

}  // namespace cairn::engine
