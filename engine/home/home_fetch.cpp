// Reading the checkpoints of a home.
//
// If an object of the newest checkpoint is missing or damaged, the previous checkpoint and the log after it give the
// same database.
#include "codec/byte_io.hpp"
#include "engine/files/directory.hpp"
#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/patience.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

constexpr const char* put_back =
    "; put the object back, for example from an older version if the bucket keeps versions, or "
    "open the home with a directory that has a copy of the database";

/// The error of a file of a checkpoint that is missing or damaged in the store.
Error bad_part(const std::string& address, const codec::HomePlace& checkpoint,
               const codec::HomePart& part, const std::string& fault) {
  return codec::corruption("the object " + home_name::part(part.object) + " of the home " +
                           address + " " + fault + " (file " + part.name + " of " +
                           home_name::checkpoint(checkpoint) + ")" + put_back);
}

/// A file, for example `store/000012.sst`, that is written piece by piece below a directory. It has its name when all of it
/// is on disk. The caller syncs the directory itself at the end.
class FetchedFile {
 public:
  /// Begins a file. If its name has a slash, the directory in it is made if needed.
  [[nodiscard]] static Result<FetchedFile> make(const Directory& directory,
                                                const std::string& name) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) {
      CAIRN_ASSIGN(FilePlace place, FilePlace::of(directory.path() / name));
      return begin(std::move(place));
    }
    CAIRN_ASSIGN(Directory inside, directory.enter(name.substr(0, slash)));
    return begin({std::move(inside), name.substr(slash + 1)});
  }
  [[nodiscard]] Status add(std::string_view bytes) const {
    return write_bytes(file_.value(), bytes, place_.path());
  }
  /// Syncs the file, gives it its name, and syncs its directory.
  [[nodiscard]] Status finish() const {
    if (::fsync(file_.value()) != 0) return file_error("cannot sync", place_.path());
    CAIRN_TRY(place_.directory.take_prepared(place_.name));
    return place_.directory.sync();
  }

 private:
  FetchedFile(FilePlace place, FileDescriptor file)
      : place_(std::move(place)), file_(std::move(file)) {}
  [[nodiscard]] static Result<FetchedFile> begin(FilePlace place) {
    CAIRN_ASSIGN(FileDescriptor file, place.directory.create_file(place.name + ".new"));
    return FetchedFile(std::move(place), std::move(file));
  }

  FilePlace place_;
  FileDescriptor file_;
};

}  // namespace

Result<std::optional<StoredObject>> Home::get(const std::string& name) const {
  Patience patience(patience_);
  for (;;) {
    auto object = store_->get(root_ + name);
    if (object || object.error().code != ErrorCode::busy || !patience.wait()) return object;
  }
}

// Another node may erase the checkpoint after a takeover, so a missing one is not necessarily damage.
Result<codec::HomeCheckpoint> Home::read_checkpoint(const codec::HomePlace& place) const {
  const std::string name = home_name::checkpoint(place);
  CAIRN_ASSIGN(const auto object, get(name));
  if (!object)
    return codec::corruption(
        "the home " + address() + " lacks the checkpoint " + name +
        ", to which its head refers. If another node has taken over the home "
        "meanwhile, open the database again; otherwise somebody erased the checkpoint" +
        put_back);
  auto checkpoint = codec::decode_home_checkpoint(object->bytes);
  if (!checkpoint)
    return Error{
        checkpoint.error().code, checkpoint.error().message + ": " + name + " in " + address(), {}};
  if (checkpoint->database_id == database_id_ && checkpoint->place == place) return checkpoint;
  return codec::corruption("the checkpoint " + name + " of the home " + address() +
                           " belongs to another home" + put_back);
}

// Compares the size and the hash of each piece with the checkpoint before it is written.
Status Home::fetch(const std::filesystem::path& path) const {
  if (!checkpoint_) return checkpoint_error_ ? Status(*checkpoint_error_) : Status();
  CAIRN_ASSIGN(const Directory directory, Directory::open(path));
  const auto& parts = checkpoint_->parts;
  for (auto part = parts.begin(); part != parts.end();) {
    CAIRN_ASSIGN(const FetchedFile file, FetchedFile::make(directory, part->name));
    const auto end = std::find_if(
        part, parts.end(), [&](const codec::HomePart& other) { return other.name != part->name; });
    for (; part != end; ++part) {
      CAIRN_ASSIGN(const std::string bytes, read_part(*part));
      CAIRN_TRY(file.add(bytes));
    }
    CAIRN_TRY(file.finish());
  }
  return directory.sync();
}

Result<std::string> Home::read_part(const codec::HomePart& part) const {
  CAIRN_ASSIGN(auto object, get(home_name::part(part.object)));
  if (!object) return bad_part(address(), checkpoint_->place, part, "is missing");
  if (object->bytes.size() != part.bytes || codec::hash128(object->bytes) != part.hash)
    return bad_part(address(), checkpoint_->place, part, "is damaged");
  return std::move(object->bytes);
}

// Makes the next checkpoint due, so that it soon replaces the damaged one.
Result<bool> Home::fall_back() {
  const auto& kept = head().checkpoints;
  while (++passed_over_ < kept.size()) {
    const codec::HomePlace place = kept[kept.size() - 1 - passed_over_];
    auto checkpoint = read_checkpoint(place);
    if (!checkpoint && checkpoint.error().code == ErrorCode::corruption) continue;
    if (!checkpoint) return checkpoint.error();
    if (last_commit_ && checkpoint->commit > *last_commit_) continue;
    std::vector<codec::CommitRecord> records;
    const bool is_exact = last_commit_ && checkpoint->commit == *last_commit_;
    if (!is_exact) {
      CAIRN_ASSIGN(records, read_log(place, kept.back()));
    }
    std::erase_if(records_, [&](const codec::CommitRecord& record) {
      return codec::HomePlace{record.epoch, record.slot} <= kept.back();
    });
    records.insert(records.end(), std::move_iterator(records_.begin()),
                   std::move_iterator(records_.end()));
    records_ = std::move(records);
    checkpoint_ = *std::move(checkpoint);
    new_records_ = std::max<std::uint64_t>(most_new_records, records_.size());
    return true;
  }
  return false;
}

Result<std::optional<codec::CommitRecord>> Home::read_record(const codec::HomePlace& slot) const {
  const std::string name = home_name::slot(slot.epoch, slot.slot);
  CAIRN_ASSIGN(const auto object, get(name));
  if (!object) return std::optional<codec::CommitRecord>();
  auto record = codec::decode_commit_record(object->bytes);
  if (!record)
    return Error{
        record.error().code, record.error().message + ": " + name + " in " + address(), {}};
  const bool is_here = record->epoch == slot.epoch && record->slot == slot.slot;
  if (record->database_id != database_id_ || !is_here)
    return codec::corruption("the object " + name + " of the home " + address() +
                             " holds the record of another slot or database" + put_back);
  return std::optional(*std::move(record));
}

Result<std::vector<codec::CommitRecord>> Home::read_log(const codec::HomePlace& from,
                                                        const codec::HomePlace& to) const {
  std::vector<codec::CommitRecord> records;
  for (LogWalk walk(from, to); !walk.has_ended();) {
    const codec::HomePlace slot = walk.slot();
    CAIRN_ASSIGN(auto record, read_record(slot));
    if (!record)
      return codec::corruption(
          "the home " + address() + " lacks the object " + home_name::slot(slot.epoch, slot.slot) +
          ", a commit after the checkpoint " + home_name::checkpoint(from) + put_back);
    walk.pass(record->kind);
    if (record->kind == codec::RecordKind::fence) continue;
    records.push_back(*std::move(record));
    if (last_commit_ && records.back().commit >= *last_commit_) break;
  }
  return records;
}

}  // namespace cairn::engine
