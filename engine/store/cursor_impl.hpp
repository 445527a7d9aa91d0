#pragma once
// The implementation of Cursor. Private to this folder.

#include "engine/store/column_family.hpp"
#include "engine/store/cursor.hpp"

#include <rocksdb/iterator.h>
#include <rocksdb/slice.h>

#include <memory>
#include <string>

namespace cairn::engine {

struct Cursor::Impl {
  Family family = Family::meta;
  std::string last;  // the iterator reads its bound through `bound`, so both must stay in place
  rocksdb::Slice bound;
  std::unique_ptr<rocksdb::Iterator> iterator;
};

}  // namespace cairn::engine
