#include "engine/store/sorted_file.hpp"

#include "codec/commit_record.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/sst_file_writer.h>

namespace cairn::engine {
namespace {

/// Of level 0, which together make a compaction; the lower one is RocksDB's own.
constexpr int few_files = 4;
constexpr int gathering_files = 12;

}  // namespace

struct SortedFile::Impl {
  std::string path;
  Family family;
  rocksdb::Env* env = nullptr;
  std::unique_ptr<rocksdb::SstFileWriter> writer;
  bool is_left = false;  // for the next opening to erase
  bool ships = false;    // what it holds goes to a home as well
  std::string shipped;   // its operands as changes, where it does

  Impl(std::string file, Family of, rocksdb::Env* files)
      : path(std::move(file)), family(of), env(files) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  // Once the store has ingested the file, nothing is left under its name; see PrivateFileSystem for why it
  // stays where that failed.
  ~Impl() {
    writer.reset();
    if (!is_left) env->DeleteFile(path).PermitUncheckedError();
  }
};

SortedFile::SortedFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SortedFile::SortedFile(SortedFile&&) noexcept = default;
SortedFile& SortedFile::operator=(SortedFile&&) noexcept = default;
SortedFile::~SortedFile() = default;

// An error costs speed alone, and it is tried again. Manifest and options are written and synced each time,
// which is some milliseconds.
void SortedFile::let_gather(const RocksStore& store, Family family, bool gathers) {
  RocksStore::Impl& parts = *store.impl_;
  const std::lock_guard lock(parts.gather_mutex);
  bool& is_gathering = parts.gathers[position(family)];
  if (is_gathering == gathers) return;
  const rocksdb::Status set = parts.database->SetOptions(
      parts.handle(family), {{"level0_file_num_compaction_trigger",
                              std::to_string(gathers ? gathering_files : few_files)}});
  if (set.ok()) is_gathering = gathers;
}

// It is soon compacted, so that it is packed as a flush would pack it.
Result<SortedFile> SortedFile::create(const RocksStore& store, Family family,
                                      std::string_view name) {
  RocksStore::Impl& parts = *store.impl_;
  // One that the store failed to take in may be its own under another name: it must not be written over.
  const std::string number = std::to_string(parts.sorted_files++);
  auto impl = std::make_unique<Impl>(
      parts.directory + "/" + std::string(name) + "-" + number + std::string(unfinished_suffix),
      family, parts.env.get());
  rocksdb::Options options = parts.database->GetOptions(parts.handle(family));
  options.bottommost_compression = rocksdb::kDisableCompressionOption;
  impl->writer = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(options), options,
                                                          parts.handle(family));
  const rocksdb::Status opened = impl->writer->Open(impl->path);
  if (!opened.ok()) return to_error(opened, impl->path);
  impl->ships = static_cast<bool>(parts.ship);
  return SortedFile(std::move(impl));
}

Status SortedFile::merge(std::string_view key, std::string_view operand) {
  if (impl_->ships) append_merge(impl_->shipped, impl_->family, key, operand);
  const rocksdb::Status status = impl_->writer->Merge(slice(key), slice(operand));
  return status.ok() ? Status() : to_error(status, impl_->path);
}

Status SortedFile::finish() {
  const rocksdb::Status status = impl_->writer->Finish();
  return status.ok() ? Status() : to_error(status, impl_->path);
}

// The file is moved, not copied. Its keys are newer than all that was written before it.
Status RocksStore::take_in(SortedFile file) {
  if (file.impl_->ships) return merge_file(file);
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  options.write_global_seqno = false;  // is in the manifest: the file is not written to again
  file.impl_->is_left = true;
  CAIRN_TRY(impl_->change(file.impl_->path, 0, [&] {
    return impl_->database->IngestExternalFile(impl_->handle(file.impl_->family),
                                               {file.impl_->path}, options);
  }));
  file.impl_->is_left = false;
  return {};
}

// In pieces, as a record of a home is bounded. What a crash leaves of them is merged again by the log that covers it.
Status RocksStore::merge_file(const SortedFile& file) {
  constexpr std::size_t most_piece_bytes = std::size_t{8} << 20;
  StoreBatch batch(*this);
  codec::ChangeReader reader(file.impl_->shipped);
  codec::RecordChange change;
  while (reader.next(change)) {
    batch.merge(file.impl_->family, change.key, change.value);
    if (batch.bytes() < most_piece_bytes) continue;
    CAIRN_TRY(write(batch, WriteMode::async));
    batch.clear();
  }
  return batch.size() == 0 ? Status() : write(batch, WriteMode::async);
}

}  // namespace cairn::engine
