#pragma once
// TableMarks: statistics in the properties of a table. They show a scrub which tables contain or hide erased content,
// without reading the tables. Private to this folder.

#include "engine/store/column_family.hpp"

#include <rocksdb/table_properties.h>

#include <cstdint>
#include <memory>

namespace cairn::engine {

/// Counts of entries of a table. They contain no keys or values.
struct TableMarks {
  /// Entries that may hide older content in lower tables: replaced values, erasures, removals from postings.
  std::uint64_t covering = 0;
  /// Entries that disappear or change if this table alone is rewritten: erasures, removals, empty postings, and
  /// entries that a newer entry of the same table replaces.
  std::uint64_t stale = 0;
};

/// Returns a collector that counts the entries while a table of `family` is written, and stores the counts in its
/// properties.
[[nodiscard]] std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> mark_collector(
    Family family);

/// Returns the counts of a table. A table of an earlier version has no counts. It may contain anything, so both
/// counts are 1 then.
[[nodiscard]] TableMarks marks_of(const rocksdb::TableProperties& properties);

}  // namespace cairn::engine
