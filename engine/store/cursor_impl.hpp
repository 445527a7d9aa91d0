#pragma once
// The private part of Cursor. Private to this folder.

#include "engine/store/column_family.hpp"
#include "engine/store/cursor.hpp"

#include <rocksdb/iterator.h>
#include <rocksdb/slice.h>

#include <memory>
#include <string>

namespace cairn::engine {

/// An iterator of RocksDB, and the bound that it points to.
struct Cursor::Impl {
  Family family = Family::meta;
  // The upper bound; `bound` points to it, and the iterator to `bound`, so neither may move.
  std::string last;
  rocksdb::Slice bound;
  std::unique_ptr<rocksdb::Iterator> iterator;
};

}  // namespace cairn::engine
