// Writes merge operands of a bulk load to a table file, and ingests it. With a home, the operands are also collected
// as changes, and are written in batches instead.
#include "engine/store/sorted_file.hpp"

#include "codec/commit_record.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/sst_file_writer.h>

namespace cairn::engine {
namespace {

/// How many files of level 0 trigger a compaction. The lower number is the default of RocksDB.
constexpr int few_files = 4;
constexpr int gathering_files = 12;

}  // namespace

struct SortedFile::Impl {
  std::string path;
  Family family;
  rocksdb::Env* env = nullptr;
  std::unique_ptr<rocksdb::SstFileWriter> writer;
  bool is_left = false;  // the file is left for the next opening to erase
  bool ships = false;    // the store has a home
  std::string shipped;   // the operands as changes, if the store has a home

  Impl(std::string file, Family of, rocksdb::Env* files)
      : path(std::move(file)), family(of), env(files) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  // After a successful ingestion the file is already gone. After a failed one it must stay; see
  // PrivateFileSystem::LinkFile().
  ~Impl() {
    writer.reset();
    if (!is_left) env->DeleteFile(path).PermitUncheckedError();
  }
};

SortedFile::SortedFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SortedFile::SortedFile(SortedFile&&) noexcept = default;
SortedFile& SortedFile::operator=(SortedFile&&) noexcept = default;
SortedFile::~SortedFile() = default;

// An error costs only speed, and the next call tries again. Each call makes RocksDB write and sync the manifest and
// the options, which takes some milliseconds.
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

// The file will soon be compacted, so it is compressed like a flushed one.
Result<SortedFile> SortedFile::create(const RocksStore& store, Family family,
                                      std::string_view name) {
  RocksStore::Impl& parts = *store.impl_;
  // The number makes the name new: the store may already use a file of the same name whose ingestion failed, so it
  // must not be overwritten.
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

// The file is moved, not copied. Its keys are newer than everything written before.
Status RocksStore::take_in(SortedFile file) {
  if (file.impl_->ships) return merge_file(file);
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  // The number is in the manifest, so the file is not written again.
  options.write_global_seqno = false;
  file.impl_->is_left = true;
  CAIRN_TRY(impl_->change(file.impl_->path, 0, [&] {
    return impl_->database->IngestExternalFile(impl_->handle(file.impl_->family),
                                               {file.impl_->path}, options);
  }));
  file.impl_->is_left = false;
  return {};
}

// Writes pieces, because the size of a record is limited. If a crash interrupts this, the caller merges the operands
// again.
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
