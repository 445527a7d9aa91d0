#pragma once
// RocksDB's slices as the standard's views.

#include <rocksdb/slice.h>

#include <string_view>

namespace cairn::engine {

/// Valid as long as what the slice points to.
[[nodiscard]] inline std::string_view view(const rocksdb::Slice& slice) noexcept {
  return {slice.data(), slice.size()};
}

}  // namespace cairn::engine
