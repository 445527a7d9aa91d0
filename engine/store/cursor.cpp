// A thin wrapper of RocksDB's iterator: slices become views, statuses become errors. RocksDB's iterator becomes
// invalid both at the end of a range and at damage. So a caller must check status() after the last key, or it takes a
// damaged block for missing rows.
#include "engine/store/cursor.hpp"

#include "codec/keys.hpp"
#include "engine/store/cursor_impl.hpp"
#include "engine/store/rocks_status.hpp"

namespace cairn::engine {

KeyRange range_of_prefix(std::string_view prefix) {
  return {std::string(prefix), codec::prefix_end(std::string(prefix))};
}

Cursor::Cursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;

// RocksDB knows the upper bound (iterate_upper_bound), so it does not read blocks beyond the range.
bool Cursor::valid() const { return impl_->iterator->Valid(); }
void Cursor::next() { impl_->iterator->Next(); }
void Cursor::seek(std::string_view key) { impl_->iterator->Seek({key.data(), key.size()}); }

std::string_view Cursor::key() const {
  const rocksdb::Slice key = impl_->iterator->key();
  return {key.data(), key.size()};
}

std::string_view Cursor::value() const {
  const rocksdb::Slice value = impl_->iterator->value();
  return {value.data(), value.size()};
}

Status Cursor::status() const {
  const rocksdb::Status status = impl_->iterator->status();
  if (status.ok()) return {};
  return to_error(status, "scan of " + std::string(to_string(impl_->family)));
}

}  // namespace cairn::engine
