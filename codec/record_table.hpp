#pragma once
// Shared by code that decodes a record's flatbuffer and code that reads it in place.

#include "codec/byte_io.hpp"
#include "codec/flatbuffer.hpp"
#include "codec/limits.hpp"
#include "codec/schema/record_generated.h"

#include <cairn/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace cairn::codec {

using StoredIds = flatbuffers::Vector<std::uint32_t>;

[[nodiscard]] inline Error malformed_record(const char* what) {
  return corruption(std::string("a record is damaged: ") + what);
}

/// Limits for the verifier. Tables nest as values do, inside the root and its values. Each table
/// takes at least eight bytes: its own offset and the offset that refers to it.
[[nodiscard]] inline VerifyLimits record_limits(std::size_t bytes) {
  return {max_nesting_levels + 2, static_cast<std::uint32_t>(bytes / 8 + 1)};
}

/// Returns the verified root table after the header; `bytes` must outlive it. The header is a
/// multiple of eight bytes, so a record at an aligned address needs no copy.
template <class Table>
[[nodiscard]] Result<const Table*> root_of_record(const AlignedBytes& bytes) {
  const auto* table = verified<Table>(bytes, record_limits(bytes.size()));
  if (table == nullptr) return malformed_record("its flatbuffer is malformed");
  return table;
}

/// True if ids ascend strictly. Binary searches need the order, and a repeated key would have two
/// values.
template <class Ids>
[[nodiscard]] bool ascends(const Ids& ids) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end();
}

}  // namespace cairn::codec
