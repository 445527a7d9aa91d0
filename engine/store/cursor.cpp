// A thin wrapper of RocksDB's iterator: slices become views, statuses errors. An iterator ends
// silently at damage as it does at the end of a range, so "not valid" alone proves nothing: code that
// stops at the end asks status(), or a damaged block would look like missing rows. One thread a
// cursor; any number of cursors at once.
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

// The upper bound is RocksDB's own (iterate_upper_bound), so that it stops before reading blocks
// beyond it.
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
