// Written in place: the file is smaller than a sector, which a disk writes whole or not, and its checksum tells where that
// is not so. The process may die at any time, as the system has the bytes once pwrite() has returned.
#include "engine/store/tail_note.hpp"

#include "engine/store/side_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace cairn::engine {

TailNote::~TailNote() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status TailNote::begin(const std::filesystem::path& file, codec::TailFile first) {
  CAIRN_TRY(write_file(file, codec::encode(first)));
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return Error{ErrorCode::io_error, "cannot open " + file.string(), {}};
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = descriptor;
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

void TailNote::write() const {
  const std::string bytes = codec::encode(tail_);
  static_cast<void>(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) < 0);
}

}  // namespace cairn::engine
