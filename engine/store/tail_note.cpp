// Writes TAIL in place. The file is smaller than a sector, and a disk writes a sector completely or not at all. If a
// disk writes only a part of it, the checksum reveals this. The process may die at any time, because the system has the
// bytes as soon as pwrite() has returned.
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store_impl.hpp"
#include "engine/system/regular_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace cairn::engine {

Status TailNote::begin(const std::filesystem::path& file, codec::TailFile first) {
  CAIRN_TRY(write_file(file, codec::encode(first)));
  CAIRN_ASSIGN(file_, open_regular(file, O_WRONLY));
  tail_ = std::move(first);
  return {};
}

void TailNote::note(std::uint64_t commit) {
  if (!has_begun()) return;
  const std::lock_guard lock(mutex_);
  if (commit <= tail_.commit) return;
  tail_.commit = commit;
  tail_.in_files = false;
  write();
}

std::uint64_t TailNote::commit() const {
  const std::lock_guard lock(mutex_);
  return tail_.commit;
}

void TailNote::note_in_files(std::uint64_t commit) {
  if (!has_begun()) return;
  const std::lock_guard lock(mutex_);
  if (commit != tail_.commit || tail_.in_files) return;
  tail_.in_files = true;
  write();
}

// An error is ignored: the previous note is a valid lower bound.
void TailNote::write() const {
  const std::string bytes = codec::encode(tail_);
  static_cast<void>(::pwrite(file_.value(), bytes.data(), bytes.size(), 0) < 0);
}

}  // namespace cairn::engine
