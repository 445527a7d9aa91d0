// Which entries cover and which are stale depends on the family:
//
// adj_out, adj_in, external_ids   an erasure only: their values are ids or nothing
// index, text                     an erasure, an operand that removes, a whole value. An operand that only adds hides nothing
// all others                      an erasure, a value
//
// A value of `index` or `text` is whole: it replaces what is below it, ids that it no longer has among that.
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

bool is_plain(Family family) {
  return family == Family::adj_out || family == Family::adj_in || family == Family::external_ids;
}

bool removes(Family family, std::string_view operand) {
  return family == Family::index ? codec::removes_ids(operand) : codec::removes_documents(operand);
}

/// What a compaction filter drops (merge_operators.hpp).
bool is_empty(Family family, std::string_view value) {
  return (family == Family::text && value.empty()) ||
         (family == Family::index && value.size() == 1);
}

std::uint64_t number_in(const rocksdb::UserCollectedProperties& properties, const char* name) {
  const auto found = properties.find(name);
  if (found == properties.end()) return 1;
  codec::ByteCursor cursor(found->second);
  const std::uint64_t number = cursor.read_varint();
  return cursor.finished() ? number : 1;
}

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
    // What covers an older version of the key covers all of them.
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
  [[nodiscard]] bool erases(rocksdb::EntryType type, std::string_view value) const {
    if (type == rocksdb::kEntryPut) return false;
    return type != rocksdb::kEntryMerge || removes(family_, value);
  }

  const Family family_;
  TableMarks marks_;
  std::string last_;           // the newest key that covers
  bool was_covering_ = false;  // the entry before does, or an entry of the same key did
};

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
