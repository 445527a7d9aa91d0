#pragma once
// The table of the kinds shipped.

#include <cairn/memory/schema.hpp>

#include <vector>

namespace cairn::query {

[[nodiscard]] const std::vector<memory::RecordType>& shipped_record_types();
[[nodiscard]] const std::vector<memory::Field>& common_record_fields();

}  // namespace cairn::query
