#pragma once
// TableMarks: what a table tells of its entries in its properties, so that a scrub finds the tables that
// overlap what was erased without reading them. Private to this folder.

#include "engine/store/column_family.hpp"

#include <rocksdb/table_properties.h>

#include <cstdint>
#include <memory>

namespace cairn::engine {

/// Counts of a table's entries. They have no content.
struct TableMarks {
  /// Entries that may hide older content in tables below: replacing values, erasures, removals from
  /// postings.
  std::uint64_t covering = 0;
  /// Entries that a rewriting of this table alone drops or changes: erasures, removals, empty postings, and what a newer
  /// entry of the table replaces.
  std::uint64_t stale = 0;
};

/// Counts while a table of `family` is written, and puts the counts into its properties.
[[nodiscard]] std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> mark_collector(
    Family family);

/// The counts of a table. One that an earlier version wrote has none: it may have anything, and gets one of each.
[[nodiscard]] TableMarks marks_of(const rocksdb::TableProperties& properties);

}  // namespace cairn::engine
