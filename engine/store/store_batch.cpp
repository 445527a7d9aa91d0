// A batch in the encoding of RocksDB from the first call on: nothing is stored twice, and bytes() is about what the log
// will grow by. A later change of a key replaces an earlier one of the same batch. A merge operand applies to the value as
// of the preceding changes.
#include "engine/store/store_batch.hpp"

#include "codec/meta.hpp"
#include "engine/store/rocks_store_impl.hpp"

namespace cairn::engine {

// The statuses of RocksDB's batch are ignored: it only reports errors if it has a size limit or timestamps, and ours
// has neither.

StoreBatch::StoreBatch(const RocksStore& store) : impl_(std::make_unique<Impl>()) {
  impl_->handles = &store.impl_->handles;
}
StoreBatch::StoreBatch(StoreBatch&&) noexcept = default;
StoreBatch& StoreBatch::operator=(StoreBatch&&) noexcept = default;
StoreBatch::~StoreBatch() = default;

// A batch that puts the commit number is a commit.
void StoreBatch::put(Family family, std::string_view key, std::string_view value) {
  if (family == Family::meta && key == codec::meta_key::commit) {
    const auto commit = codec::decode_number(value);
    if (commit) impl_->commit = *commit;
  }
  impl_->batch.Put((*impl_->handles)[position(family)], slice(key), slice(value))
      .PermitUncheckedError();
}

void StoreBatch::erase(Family family, std::string_view key) {
  impl_->batch.Delete((*impl_->handles)[position(family)], slice(key)).PermitUncheckedError();
}

void StoreBatch::merge(Family family, std::string_view key, std::string_view operand) {
  impl_->batch.Merge((*impl_->handles)[position(family)], slice(key), slice(operand))
      .PermitUncheckedError();
}

std::size_t StoreBatch::bytes() const { return impl_->batch.GetDataSize(); }
std::size_t StoreBatch::size() const { return static_cast<std::size_t>(impl_->batch.Count()); }
void StoreBatch::clear() {
  impl_->batch.Clear();
  impl_->commit.reset();
}

}  // namespace cairn::engine
