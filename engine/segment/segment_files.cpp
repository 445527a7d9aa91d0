// Saving happens in these steps. A crash between two of them leaves files, which the next save erases, or entries of
// the log, which are erased with the next change of the list:
//
//   log       commits write what they change from now on
//   files     each segment as of a commit that the log follows, complete and synced under its name
//   list      in the store, in one write, synced. From here on the new files are used, and the others are not
//   trim      the log before the oldest file, then files that are not in the list
//
// body := changed:runs content      the ids that changed after the segment was built, then the segment
#include "engine/segment/segment_files.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/keys.hpp"
#include "engine/segment/adjacency_segment.hpp"
#include "engine/segment/column_segment.hpp"
#include "engine/store/erase_keys.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/vector/durable_file.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

namespace cairn::engine {
namespace {

using codec::SegmentSource;

constexpr std::string_view extension = ".seg";

/// The entries of the log from a commit on.
KeyRange log_from(std::uint64_t commit) {
  return {codec::vector_log_key(codec::segment_log_space, commit), ""};
}

std::string list_key() { return codec::vector_log_key(codec::segment_log_space, 0); }

/// Reads the content of a file. Returns nullptr if it takes more memory than `most`.
Result<std::shared_ptr<const Segment>> read_segment(SegmentSource source, std::string_view bytes,
                                                    std::size_t most) {
  if (source == SegmentSource::outgoing || source == SegmentSource::incoming) {
    CAIRN_ASSIGN(const auto lists, AdjacencySegment::read(bytes, most));
    return std::shared_ptr<const Segment>(lists);
  }
  CAIRN_ASSIGN(const auto column, ColumnSegment::read(bytes, most));
  return std::shared_ptr<const Segment>(column);
}

std::string body_of(const UnsavedSegment& unsaved) {
  std::string body;
  body.reserve(unsaved.segment->memory_bytes());
  codec::append_runs(body, unsaved.changed);
  unsaved.segment->append_to(body);
  return body;
}

Error foreign(const char* problem) { return codec::corruption(std::string("it ") + problem); }

/// Ends what SegmentSet::unsaved() has begun, also after an exception: afterwards commits write the log only if there
/// are files.
struct Saving {
  ~Saving() { set.end_saving(); }

  SegmentSet& set;
};

/// True for a file of a segment, and for one that was being written.
bool is_of_segments(const std::filesystem::path& path) {
  return path.extension() == extension ||
         (path.extension() == ".new" && path.stem().extension() == extension);
}

}  // namespace

SegmentFiles::SegmentFiles(RocksStore& store, std::filesystem::path directory,
                           const Options& options, Messages& messages)
    : store_(store),
      directory_(std::move(directory)),
      is_used_(options.segments != Segments::never && options.home.empty()),
      is_read_only_(options.mode == OpenMode::read_only),
      most_bytes_(options.memory_bytes / 8),
      messages_(messages) {}

std::filesystem::path SegmentFiles::path_of(std::uint64_t number) const {
  return directory_ / (std::to_string(number) + std::string(extension));
}

// A missing file causes no warning, because backups and copies have no segment files. A log that cannot be read does
// not fail the opening: without it, no file is used.
Status SegmentFiles::open(SegmentSet& set, const std::string& database_id, std::uint64_t commit,
                          std::vector<std::string>& warnings) {
  if (!is_used_) return {};
  database_id_ = database_id;
  CAIRN_TRY(read_list(commit, warnings));
  std::vector<codec::SegmentFileEntry> usable;
  for (const codec::SegmentFileEntry& entry : list_.files) {
    const Status header = check_header(entry);
    if (header) usable.push_back(entry);
    if (!header && header.error().code != ErrorCode::not_found)
      warnings.push_back("segment file " + path_of(entry.number).string() + " is not used: " +
                         header.error().message + "; the segment is built again");
  }
  set.offer(usable, [this](const codec::SegmentFileEntry& entry) { return load(entry); });
  const Status caught_up = catch_up(set, usable, commit);
  if (!caught_up) {
    warnings.push_back("the log of the segment files cannot be read: " + caught_up.error().message +
                       "; segments are built again");
    set.end_catching_up(std::numeric_limits<std::uint64_t>::max(), std::nullopt);
  }
  return {};
}

// A list that names a commit after the newest one is of a state that was lost. It is erased before commits take these
// numbers again.
Status SegmentFiles::read_list(std::uint64_t commit, std::vector<std::string>& warnings) {
  const auto stored = store_.get(Family::vector_log, list_key(), nullptr);
  if (stored && !*stored) return {};
  auto list = stored ? codec::decode_segment_file_list(**stored)
                     : Result<codec::SegmentFileList>(stored.error());
  if (list &&
      std::ranges::all_of(list->files, [&](const auto& one) { return one.commit <= commit; })) {
    list_ = *std::move(list);
    return {};
  }
  warnings.push_back((list ? "the list of the segment files is of a later state of the database"
                           : list.error().message) +
                     "; segments are built again");
  if (list) list_.next = list->next;
  is_listed_ = false;
  return is_read_only_ ? Status() : write_list();
}

Status SegmentFiles::write_list() const {
  StoreBatch batch(store_);
  batch.put(Family::vector_log, list_key(), codec::encode(list_));
  return store_.write_local(batch, WriteMode::async);
}

Status SegmentFiles::check_header(const codec::SegmentFileEntry& entry) const {
  CAIRN_ASSIGN(FileReader file, FileReader::open(path_of(entry.number)));
  std::string bytes(std::min<std::uint64_t>(file.size(), codec::segment_header_bytes), '\0');
  CAIRN_TRY(file.read(bytes));
  CAIRN_ASSIGN(const auto header, codec::decode_segment_header(bytes, file.size()));
  if (header.database_id != database_id_) return foreign("belongs to another database");
  if (codec::segment_header_checksum(bytes) != entry.checksum || file.size() != entry.bytes)
    return foreign("is not the file that the store names");
  return {};
}

// A missing commit makes all older files useless.
Status SegmentFiles::catch_up(SegmentSet& set, const std::vector<codec::SegmentFileEntry>& files,
                              std::uint64_t commit) const {
  std::uint64_t last = commit;  // up to here nothing is missing
  for (const codec::SegmentFileEntry& file : files) last = std::min(last, file.commit);
  std::uint64_t missing = 0;
  std::size_t bytes = 0;
  Cursor cursor = store_.scan(Family::vector_log, log_from(last + 1), nullptr);
  for (; !files.empty() && cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const auto key, codec::decode_vector_log_key(cursor.key()));
    const auto changes = codec::decode_segment_changes(cursor.value());
    if (key.sequence != last + 1) missing = key.sequence - 1;
    if (!changes) missing = key.sequence;
    if (changes) set.catch_up(key.sequence, *changes);
    bytes += cursor.value().size();
    last = key.sequence;
  }
  CAIRN_TRY(cursor.status());
  if (last != commit) missing = std::numeric_limits<std::uint64_t>::max();
  set.end_catching_up(missing, is_read_only_ ? std::nullopt : std::optional(bytes));
  return {};
}

Result<LoadedSegment> SegmentFiles::load(const codec::SegmentFileEntry& entry) const {
  auto loaded = read(entry);
  if (!loaded && loaded.error().code != ErrorCode::not_found)
    messages_.tell(LogLevel::warning, "index",
                   "segment file " + path_of(entry.number).string() +
                       " is not used: " + loaded.error().message + "; the segment is built again");
  return loaded;
}

Result<LoadedSegment> SegmentFiles::read(const codec::SegmentFileEntry& entry) const {
  CAIRN_ASSIGN(FileReader file, FileReader::open(path_of(entry.number)));
  if (file.size() != entry.bytes) return foreign("has another size");
  std::string bytes(file.size(), '\0');
  CAIRN_TRY(file.read(bytes));
  const std::string_view head = std::string_view(bytes).substr(0, codec::segment_header_bytes);
  CAIRN_ASSIGN(const auto header, codec::decode_segment_header(head, bytes.size()));
  const std::string_view body = std::string_view(bytes).substr(codec::segment_header_bytes);
  if (codec::segment_header_checksum(head) != entry.checksum)
    return foreign("is not the file that the store names");
  if (codec::checksum(body) != header.body_checksum)
    return foreign("is damaged: its checksum does not match");
  codec::ByteCursor cursor(body);
  LoadedSegment loaded;
  codec::read_runs(cursor, most_bytes_ / sizeof(std::uint64_t), loaded.changed);
  if (cursor.failed()) return foreign("is damaged: it has no list of changed ids");
  CAIRN_ASSIGN(loaded.segment, read_segment(entry.source, cursor.rest(), most_bytes_));
  return loaded;
}

Status SegmentFiles::save(SegmentSet& set) {
  if (!is_used_ || is_read_only_) return {};
  const std::lock_guard one_at_a_time(mutex_);
  Status written;
  {
    const Saving saving{set};
    const std::vector<UnsavedSegment> unsaved = set.unsaved();
    if (!unsaved.empty()) written = make_directory(directory_);
    for (auto one = unsaved.begin(); written && one != unsaved.end(); ++one)
      written = write(set, *one);
  }
  CAIRN_TRY(note(set.files()));
  return written;
}

Status SegmentFiles::write(SegmentSet& set, const UnsavedSegment& unsaved) {
  const std::string body = body_of(unsaved);
  const std::string header =
      codec::encode(codec::SegmentHeader{database_id_, unsaved.key.source, unsaved.key.property,
                                         unsaved.commit, body.size(), codec::checksum(body)});
  const codec::SegmentFileEntry entry{unsaved.key.source,
                                      unsaved.key.property,
                                      list_.next++,
                                      unsaved.commit,
                                      unsaved.segment->ids(),
                                      header.size() + body.size(),
                                      codec::segment_header_checksum(header)};
  has_others_ = true;  // until the list names it
  CAIRN_ASSIGN(DurableWriter file, DurableWriter::create(path_of(entry.number)));
  CAIRN_TRY(file.write(header));
  CAIRN_TRY(file.write(body));
  CAIRN_TRY(file.commit());
  set.note_saved(unsaved, entry);
  return {};
}

Status SegmentFiles::note(std::vector<codec::SegmentFileEntry> files) {
  if (!is_listed_ || files != list_.files) {
    is_listed_ = false;
    list_.files = std::move(files);
    CAIRN_TRY(write_list());
    // The log is trimmed only after the list is on disk: otherwise a power cut could leave the older list without its
    // files.
    CAIRN_TRY(store_.sync_log());
    CAIRN_TRY(trim_log());
    is_listed_ = true;
    has_others_ = true;
  }
  return has_others_ ? erase_other_files() : Status();
}

// Erases key by key, because RocksDB may abort the process with a range deletion: see erase_keys.cpp.
Status SegmentFiles::trim_log() const {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  for (const codec::SegmentFileEntry& file : list_.files) oldest = std::min(oldest, file.commit);
  if (list_.files.empty()) oldest = std::numeric_limits<std::uint64_t>::max() - 1;
  KeyRange range = log_from(1);
  range.last = codec::vector_log_key(codec::segment_log_space, oldest + 1);
  return erase_keys(store_, Family::vector_log, range);
}

// Erases only segment files, and no directory with content, because somebody may have replaced what is at the path. An
// empty directory in place of a file is erased.
Status SegmentFiles::erase_other_files() {
  std::set<std::filesystem::path> ours;
  for (const codec::SegmentFileEntry& file : list_.files) ours.insert(path_of(file.number));
  std::error_code problem;
  std::vector<std::filesystem::path> others;
  std::filesystem::directory_iterator at(directory_, problem), end;
  for (; !problem && at != end; at.increment(problem))
    if (is_of_segments(at->path()) && !ours.contains(at->path())) others.push_back(at->path());
  if (problem && problem != std::errc::no_such_file_or_directory)
    return Error{ErrorCode::io_error,
                 "cannot read the directory " + directory_.string() + ": " + problem.message(),
                 {}};
  Status erased;
  for (const auto& other : others) {
    std::filesystem::remove(other, problem);
    if (problem && problem != std::errc::directory_not_empty && erased)
      erased = Error{
          ErrorCode::io_error, "cannot erase " + other.string() + ": " + problem.message(), {}};
  }
  CAIRN_TRY(erased);
  has_others_ = false;
  return others.empty() ? Status() : sync_directory(directory_);
}

Status SegmentFiles::erase_all(SegmentSet& set) {
  if (is_read_only_) return {};
  const std::lock_guard one_at_a_time(mutex_);
  set.clear();
  set.end_saving();
  has_others_ = true;
  is_listed_ = false;  // the store may have a list that was not read, as segments are off
  return note({});
}

}  // namespace cairn::engine
