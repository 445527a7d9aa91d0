// Counts the covering and stale entries of a table while it is written. Which entries cover older content depends on
// the family:
//
// adj_out, adj_in, external_ids   erasures only, because the values are ids or empty
// index, text                     erasures, operands that remove, and values; an operand that only adds hides nothing
// other families                  erasures and values
//
// A value of `index` or `text` replaces everything below it, including ids that it no longer contains.
#include "engine/store/table_marks.hpp"

#include "codec/byte_io.hpp"
#include "codec/posting.hpp"
#include "codec/text_posting.hpp"
#include "engine/store/slice_view.hpp"

#include <rocksdb/slice.h>

#include <string>
#include <string_view>

namespace cairn::engine {
namespace {

constexpr const char* covering_property = "cairn.covering";
constexpr const char* stale_property = "cairn.stale";

/// Families whose values have no content that a newer value could hide.
bool is_plain(Family family) {
  return family == Family::adj_out || family == Family::adj_in || family == Family::external_ids;
}

/// True if the operand removes something from its posting.
bool removes(Family family, std::string_view operand) {
  return family == Family::index ? codec::removes_ids(operand) : codec::removes_documents(operand);
}

/// True for a value that a compaction filter drops (merge_operators.hpp).
bool is_empty(Family family, std::string_view value) {
  return (family == Family::text && value.empty()) ||
         (family == Family::index && value.size() == 1);
}

/// Reads a count from the properties of a table. A missing or damaged count is 1, so that the table is not skipped.
std::uint64_t number_in(const rocksdb::UserCollectedProperties& properties, const char* name) {
  const auto found = properties.find(name);
  if (found == properties.end()) return 1;
  codec::ByteCursor cursor(found->second);
  const std::uint64_t number = cursor.read_varint();
  return cursor.finished() ? number : 1;
}

/// Counts the covering and the stale entries of one table. RocksDB passes all entries in order: by key, the newest
/// entry of a key first.
class MarkCollector final : public rocksdb::TablePropertiesCollector {
 public:
  explicit MarkCollector(Family family) : family_(family) {}
  const char* Name() const override { return "cairn.MarkCollector"; }

  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value,
                             rocksdb::EntryType type, rocksdb::SequenceNumber /*number*/,
                             std::uint64_t /*file_bytes*/) override {
    const bool is_replaced = was_covering_ && view(key) == last_;
    const bool is_erasure = erases(type, view(value));
    const bool is_value = type == rocksdb::kEntryPut;
    const bool covers = is_erasure || (is_value && !is_plain(family_));
    if (covers) ++marks_.covering;
    if (is_erasure || is_replaced || (is_value && is_empty(family_, view(value)))) ++marks_.stale;
    // An entry that covers an older version of its key covers all older versions.
    was_covering_ = covers || is_replaced;
    if (was_covering_) last_.assign(key.data(), key.size());
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    std::string covering;
    std::string stale;
    codec::append_varint(covering, marks_.covering);
    codec::append_varint(stale, marks_.stale);
    properties->insert_or_assign(covering_property, std::move(covering));
    properties->insert_or_assign(stale_property, std::move(stale));
    return rocksdb::Status::OK();
  }

  rocksdb::UserCollectedProperties GetReadableProperties() const override {
    return {{covering_property, std::to_string(marks_.covering)},
            {stale_property, std::to_string(marks_.stale)}};
  }

 private:
  /// True for all entries that erase or remove: everything but values and operands that only add.
  [[nodiscard]] bool erases(rocksdb::EntryType type, std::string_view value) const {
    if (type == rocksdb::kEntryPut) return false;
    return type != rocksdb::kEntryMerge || removes(family_, value);
  }

  const Family family_;
  TableMarks marks_;
  std::string last_;           // the key of the last covering entry
  bool was_covering_ = false;  // the previous entry covers its key, or follows one that does
};

/// Creates a collector for each table that is written.
class MarkCollectorFactory final : public rocksdb::TablePropertiesCollectorFactory {
 public:
  explicit MarkCollectorFactory(Family family) : family_(family) {}
  const char* Name() const override { return "cairn.MarkCollectorFactory"; }
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context /*context*/) override {
    return new MarkCollector(family_);
  }

 private:
  const Family family_;
};

}  // namespace

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> mark_collector(Family family) {
  return std::make_shared<MarkCollectorFactory>(family);
}

TableMarks marks_of(const rocksdb::TableProperties& properties) {
  return {number_in(properties.user_collected_properties, covering_property),
          number_in(properties.user_collected_properties, stale_property)};
}

}  // namespace cairn::engine
