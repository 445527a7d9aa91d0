#pragma once
// Converts RocksDB's slices to std::string_view.

#include <rocksdb/slice.h>

#include <string_view>

namespace cairn::engine {

/// The view is valid as long as the bytes of the slice.
[[nodiscard]] inline std::string_view view(const rocksdb::Slice& slice) noexcept {
  return {slice.data(), slice.size()};
}

}  // namespace cairn::engine
