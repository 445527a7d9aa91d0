// Converts a batch to the changes of a commit record for the home, and applies such changes in another copy of the
// database. Records have their own numbers of families, because the numbers in RocksDB depend on the history of a
// store.
#include "codec/byte_io.hpp"
#include "codec/commit_record.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

namespace cairn::engine {
namespace {

using codec::ChangeOperation;

/// The key in `meta` of the place in the home up to which this copy has all changes. It differs between copies, and
/// is not shipped.
constexpr std::string_view place_key = "home/place";

/// The numbers of the families in commit records. A number is never changed and never reused.
struct NumberedFamily {
  std::uint8_t number;
  Family family;
};
constexpr NumberedFamily numbered_families[] = {
    {1, Family::meta},          {2, Family::catalog}, {3, Family::nodes},
    {4, Family::relationships}, {5, Family::adj_out}, {6, Family::adj_in},
    {7, Family::external_ids},  {8, Family::index},   {9, Family::vectors},
    {10, Family::vector_log},   {11, Family::stats},  {12, Family::text}};
static_assert(std::size(numbered_families) == family_count);

std::uint8_t record_number(Family family) noexcept {
  return std::ranges::find(numbered_families, family, &NumberedFamily::family)->number;
}

std::optional<Family> numbered_family(std::uint8_t number) noexcept {
  const auto* found = std::ranges::find(numbered_families, number, &NumberedFamily::number);
  if (found == std::end(numbered_families)) return std::nullopt;
  return found->family;
}

/// Encodes a place as two little-endian numbers.
std::string encode_place(const codec::HomePlace& place) {
  std::string bytes;
  codec::append_little(bytes, place.epoch);
  codec::append_little(bytes, place.slot);
  return bytes;
}

Error foreign_change() {
  return codec::corruption(
      "a record of the home has a change that this version of Cairn does not know; use the version "
      "that wrote it");
}

/// Encodes the changes of a batch in their order.
class ChangeEncoder final : public rocksdb::WriteBatch::Handler {
 public:
  explicit ChangeEncoder(const std::array<rocksdb::ColumnFamilyHandle*, family_count>& handles)
      : handles_(handles) {}

  rocksdb::Status PutCF(std::uint32_t family, const rocksdb::Slice& key,
                        const rocksdb::Slice& value) override {
    return add(ChangeOperation::put, family, key, value);
  }
  rocksdb::Status DeleteCF(std::uint32_t family, const rocksdb::Slice& key) override {
    return add(ChangeOperation::erase, family, key, {});
  }
  rocksdb::Status MergeCF(std::uint32_t family, const rocksdb::Slice& key,
                          const rocksdb::Slice& value) override {
    return add(ChangeOperation::merge, family, key, value);
  }
  rocksdb::Status DeleteRangeCF(std::uint32_t family, const rocksdb::Slice& first,
                                const rocksdb::Slice& last) override {
    return add(ChangeOperation::erase_range, family, first, last);
  }
  void LogData(const rocksdb::Slice&) override {}

  [[nodiscard]] std::string take() { return std::move(changes_); }

 private:
  rocksdb::Status add(ChangeOperation operation, std::uint32_t family, const rocksdb::Slice& key,
                      const rocksdb::Slice& value) {
    const auto handle =
        std::ranges::find_if(handles_, [&](const auto* each) { return each->GetID() == family; });
    if (handle == handles_.end()) return rocksdb::Status::InvalidArgument("unknown family");
    const Family found = all_families[static_cast<std::size_t>(handle - handles_.begin())];
    codec::append_change(
        changes_, {operation, record_number(found), key.ToStringView(), value.ToStringView()});
    return rocksdb::Status::OK();
  }

  const std::array<rocksdb::ColumnFamilyHandle*, family_count>& handles_;
  std::string changes_;
};

/// The error of a batch that is too large for a record.
Error too_large(std::size_t bytes) {
  return Error{ErrorCode::resource_limit,
               "the commit has " + std::to_string(bytes) + " bytes, and a home takes at most " +
                   std::to_string(codec::most_change_bytes) +
                   " at once; nothing of it is written: commit in smaller pieces",
               {}};
}

}  // namespace

void append_merge(std::string& changes, Family family, std::string_view key,
                  std::string_view operand) {
  codec::append_change(changes, {ChangeOperation::merge, record_number(family), key, operand});
}

Error RocksStore::Impl::end_writes(Error why) {
  const std::lock_guard lock(log_mutex);
  if (!log_failure) log_failure = std::move(why);
  return *log_failure;
}

void RocksStore::ship_with(ShipChanges ship) { impl_->ship = std::move(ship); }

// A batch that is refused here was not shipped. After a failure of the home the outcome is unknown, so all later
// writes are refused.
Status RocksStore::ship_batch(StoreBatch& batch) {
  CAIRN_TRY(impl_->process.check());
  if (has_failed()) return impl_->log("commit", [] { return rocksdb::Status::OK(); });
  StoreBatch::Impl& changes = *batch.impl_;
  ChangeEncoder encoder(impl_->handles);
  const rocksdb::Status encoded = changes.batch.Iterate(&encoder);
  if (!encoded.ok()) return to_error(encoded, "commit");
  std::string bytes = encoder.take();
  if (bytes.size() > codec::most_change_bytes) return too_large(bytes.size());
  const auto place = impl_->ship(std::move(bytes), changes.commit.value_or(0));
  if (!place) return impl_->end_writes(place.error());
  batch.put(Family::meta, place_key, encode_place(*place));
  return {};
}

Status RocksStore::apply(std::string_view changes, const codec::HomePlace& place) {
  StoreBatch batch(*this);
  codec::ChangeReader reader(changes);
  codec::RecordChange change;
  while (reader.next(change)) {
    const auto family = numbered_family(change.family);
    if (!family) return foreign_change();
    switch (change.operation) {
      case ChangeOperation::put:
        batch.put(*family, change.key, change.value);
        break;
      case ChangeOperation::erase:
        batch.erase(*family, change.key);
        break;
      case ChangeOperation::merge:
        batch.merge(*family, change.key, change.value);
        break;
      case ChangeOperation::erase_range:
        batch.impl_->batch
            .DeleteRange(impl_->handle(*family), slice(change.key), slice(change.value))
            .PermitUncheckedError();
        break;
    }
  }
  if (reader.has_failed()) return foreign_change();
  batch.put(Family::meta, place_key, encode_place(place));
  return write_local(batch, WriteMode::async);
}

Result<codec::HomePlace> RocksStore::applied_place() const {
  CAIRN_ASSIGN(const auto bytes, get(Family::meta, place_key, nullptr));
  if (!bytes) return codec::HomePlace();
  codec::ByteCursor cursor(*bytes);
  codec::HomePlace place;
  place.epoch = cursor.read_little<std::uint64_t>();
  place.slot = cursor.read_little<std::uint64_t>();
  if (!cursor.finished())
    return codec::corruption(
        "the key home/place of family meta, which says up to where this copy "
        "has the commits of its home, is damaged");
  return place;
}

}  // namespace cairn::engine
