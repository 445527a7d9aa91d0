// Decides about a log that RocksDB refused. The question is whether a commit follows the first damage:
//
// .. commit | commit | torn .......          no: the tail of a write that a power cut interrupted
// .. commit | comm#t | commit | commit       yes: damage, not a torn tail
//
// RocksDB's recovery modes are not sufficient. With one flipped bit in the log, its default (point in time) opened 60
// of 60 stores without an error, and lost 1,090 of 2,000 acknowledged commits on average. The strict mode refuses
// every torn tail. So the strict mode comes first, then this check, and then point in time if the check has shown
// that it loses nothing.
//
// Each opening reads the logs: always their notes, and the checksums only in case of doubt. Memory: one log at a
// time, up to max_total_wal_size plus a single commit. The format is that of log_format.h in RocksDB, without the
// types of recycled logs, which are not used.
#include "engine/store/log_reader.hpp"

#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "engine/store/rocks_status.hpp"

#include <rocksdb/env.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace cairn::engine {
namespace {

// Constants of RocksDB's log format.
constexpr std::size_t block_bytes = 32 * 1024;
constexpr std::size_t header_bytes = 7;
enum FragmentType : std::uint8_t { whole = 1, first = 2, middle = 3, last = 4 };

/// A fragment with a correct checksum: its type, the offset of its end, and its content.
struct Fragment {
  std::uint8_t type = 0;
  std::size_t end = 0;
  std::string_view bytes;
};

/// The table for the CRC with the polynomial 0x1edc6f41, bit-reversed. Only doubtful logs and small manifests are
/// checked with it, so one byte per step is fast enough.
constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
    table[i] = value;
  }
  return table;
}

/// The mask that RocksDB applies to a CRC, because a CRC of bytes that contain CRCs is weak.
std::uint32_t masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }

/// The bytes from the offset to the end of its block; never 0.
std::size_t left_in_block(std::size_t offset) { return block_bytes - offset % block_bytes; }

/// Reads the fragment at `offset`. nullopt if it is not whole. The checksum covers the type, which is at
/// offset 6, and the content.
std::optional<Fragment> read_fragment(std::string_view log, std::size_t offset,
                                      Trust trust = Trust::checksums) {
  const std::size_t left = std::min(left_in_block(offset), log.size() - offset);
  if (left < header_bytes) return std::nullopt;
  codec::ByteCursor header(log.substr(offset, header_bytes));
  const auto crc = header.read_little<std::uint32_t>();
  const auto length = header.read_little<std::uint16_t>();
  const std::uint8_t type = header.read_byte();
  if (type < whole || type > last || header_bytes + length > left) return std::nullopt;
  if (trust == Trust::checksums && masked(crc32c(log.substr(offset + 6, length + 1u))) != crc)
    return std::nullopt;
  return Fragment{type, offset + header_bytes + length, log.substr(offset + header_bytes, length)};
}

/// Collects the end of each record, which may be split between two fragments, and decodes the note in it.
class NoteReader {
 public:
  /// Takes the next fragment. Returns the note of the record if the fragment ends it.
  std::optional<codec::LogNote> next(const Fragment& fragment) {
    if (fragment.type == whole || fragment.type == first) end_.clear();
    const std::size_t more = std::min(fragment.bytes.size(), stored_bytes);
    end_.append(fragment.bytes.substr(fragment.bytes.size() - more));
    if (end_.size() > stored_bytes) end_.erase(0, end_.size() - stored_bytes);
    if (fragment.type != whole && fragment.type != last) return std::nullopt;
    if (end_.size() != stored_bytes || end_[0] != log_data ||
        end_[1] != static_cast<char>(codec::LogNote::bytes))
      return std::nullopt;
    return codec::decode_log_note(std::string_view(end_).substr(2));
  }

 private:
  // RocksDB stores a type and a length before the note.
  static constexpr char log_data = 3;
  static constexpr std::size_t stored_bytes = 2 + codec::LogNote::bytes;
  std::string end_;
};

/// Adds the note of a record to the notes of its log.
void take(LogNotes& notes, const std::optional<codec::LogNote>& note) {
  if (!note) return;
  if (notes.database == 0) notes.database = note->database;
  if (note->commit == 0) return;
  if (notes.first == 0) notes.first = note->commit;
  notes.last = note->commit;
}

bool is_zero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

/// Looks for a hole: a part of [begin, end) that was never written. A fragment should begin at `begin`.
/// Sectors of a write reach the disk in any order if nobody waits for the write. A sector that did not reach the disk
/// reads as zeros, from the previous end of the file to the end of the sector. The header of a fragment is never all
/// zeros, because its type is not 0. If other bytes of the sector follow the zeros, the zeros were written over
/// the header by something else.
///
/// Two cases cannot be distinguished from a hole: a sector of the last commit that was on disk and later reads as
/// zeros, and a sector whose content ends in zeros next to a changed byte. TAIL shows the loss if the commit was
/// acknowledged (log_check.hpp).
class HoleScan {
 public:
  HoleScan(std::string_view log, std::size_t begin)
      : log_(log), begin_(begin), sector_(begin / sector_bytes * sector_bytes) {
    // The rest of this sector is too small to distinguish a hole at its end from the header of the fragment.
    if (begin % sector_bytes + torn_bytes > sector_bytes) sector_ += sector_bytes;
  }

  /// True if a hole is before `end`. Calls must have ascending ends, so that each sector is checked once.
  bool finds_before(std::size_t end) {
    // A header may span two sectors, of which only the second was written.
    const std::size_t unwritten = begin_ / sector_bytes * sector_bytes + sector_bytes;
    if (!found_ && unwritten <= end) found_ = is_zero(log_.substr(begin_, unwritten - begin_));
    for (; !found_ && sector_ + sector_bytes <= end; sector_ += sector_bytes)
      found_ = is_zero(log_.substr(sector_ + sector_bytes - torn_bytes, torn_bytes));
    return found_ || (end == log_.size() && sector_ < end && is_zero(end_of_last_sector()));
  }

 private:
  /// The last sector may be incomplete.
  [[nodiscard]] std::string_view end_of_last_sector() const {
    return log_.substr(std::max(sector_, log_.size() - std::min(log_.size(), torn_bytes)));
  }

  static constexpr std::size_t sector_bytes = 512;
  static constexpr std::size_t torn_bytes = 16;  // zeros at the end of a sector that prove a hole
  std::string_view log_;
  std::size_t begin_;
  std::size_t sector_;  // the next sector to check
  bool found_ = false;
};

/// True if the fragment at `offset`, which is not whole, needs more bytes than the file has.
bool is_cut(std::string_view log, std::size_t offset) {
  const std::size_t left = log.size() - offset;
  if (left < header_bytes) return true;
  codec::ByteCursor header(log.substr(offset, header_bytes));
  (void)header.read_little<std::uint32_t>();  // the checksum
  return header_bytes + header.read_little<std::uint16_t>() > left;
}

/// What follows a damage.
struct Behind {
  bool is_valid = false;  ///< a commit follows that may have been acknowledged
  /// A hole precedes the first whole fragment, or the end if no whole fragment follows.
  bool is_torn = false;
  std::uint64_t last = 0;  ///< the last commit whose number is known
};

/// Checks whether a commit that may have been acknowledged follows the damage, or contains it:
///
/// .. comm#t | commit           a commit begins after the damage: damage
/// .. com#it                    the rest of the same commit follows a changed byte: damage
/// .. com   mit                 the rest of the same commit follows a hole: torn while it was written
/// .. com   mit | other         the same, if the note of the other record says that it is not a commit
///
/// A damaged length hides where the next fragment begins, so each byte is tried until a fragment is found. Other bytes
/// are taken for a fragment only if their checksum matches by chance: the probability is 2^-32 for each position with a
/// possible type and length. In doubt a commit is assumed: an unnecessary refusal can be resolved by `check --repair`,
/// but dropped commits are lost.
Behind look_behind(std::string_view log, std::size_t damage) {
  Behind behind;
  NoteReader reader;
  HoleScan holes(log, damage);
  bool is_torn = false;
  bool has_found = false;
  bool is_inside = false;  // within a record that begins after the damage
  for (std::size_t i = damage + 1; i < log.size();) {
    const auto fragment = read_fragment(log, i);
    if (!fragment) {
      ++i;
      continue;
    }
    const auto note = reader.next(*fragment);
    if (note) behind.last = std::max(behind.last, note->commit);
    is_torn = is_torn || holes.finds_before(i);
    if (!has_found) behind.is_torn = is_torn;
    has_found = true;
    const bool begins = fragment->type == whole || fragment->type == first;
    is_inside = begins || is_inside;
    const bool ends = fragment->type == whole || fragment->type == last;
    if (!is_inside && !is_torn) behind.is_valid = true;
    if (is_inside && ends) behind.is_valid = behind.is_valid || !note || note->commit != 0;
    is_inside = is_inside && !ends;
    i = fragment->end;
  }
  // A record that begins and does not end may be a commit that follows an acknowledged one.
  behind.is_valid = behind.is_valid || is_inside;
  if (!has_found) behind.is_torn = holes.finds_before(log.size()) || is_cut(log, damage);
  return behind;
}

/// Returns the names of the log files, oldest first.
Result<std::vector<std::string>> log_files(rocksdb::Env& env, const std::string& directory) {
  std::vector<std::string> names;
  const auto status = env.GetChildren(directory, &names);
  if (!status.ok()) return to_error(status, directory);
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".log"); });
  // Numbers are padded with zeros to six digits, and are longer above 999999.
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return names;
}

}  // namespace

std::uint64_t log_number(const std::string& file) {
  return std::strtoull(file.c_str(), nullptr, 10);
}

std::uint32_t crc32c(std::string_view bytes) noexcept {
  static constexpr auto table = make_crc_table();
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : bytes)
    crc = crc >> 8 ^ table[(crc ^ static_cast<std::uint8_t>(byte)) & 255];
  return ~crc;
}

// Invariant: everything before `valid_bytes` is whole records, and `offset` is the end of the last good fragment.
// That fragment may belong to a record whose end is missing.
LogReport inspect_log(std::string_view log) {
  LogReport report;
  NoteReader reader;
  std::size_t offset = 0;
  bool is_inside = false;  // within a record
  while (offset < log.size()) {
    // No fragment begins in the last six bytes of a block, which are zeros.
    if (left_in_block(offset) < header_bytes) {
      offset = std::min(offset + left_in_block(offset), log.size());
      continue;
    }
    const auto fragment = read_fragment(log, offset);
    if (!fragment) break;
    offset = fragment->end;
    is_inside = fragment->type == first || fragment->type == middle;
    take(report.notes, reader.next(*fragment));
    if (is_inside) continue;
    report.valid_bytes = offset;
    ++report.records;
  }
  report.written_bytes = std::max(report.valid_bytes, log.find_last_not_of('\0') + 1);
  // Zeros after a whole record were written ahead of the next one, or are the padding of a block.
  if (!is_inside && report.written_bytes == report.valid_bytes) return report;
  // Fewer than seven bytes at the very end are padding, not damage.
  report.damaged = report.valid_bytes + header_bytes <= log.size() || offset < log.size();
  if (offset < log.size()) {
    const Behind behind = look_behind(log, offset);
    report.valid_behind = behind.is_valid;
    report.last_behind = behind.last;
    report.torn = behind.is_torn;
  }
  return report;
}

// Reads each log up to the first fragment that is not whole.
Result<std::vector<NamedNotes>> read_log_notes(rocksdb::Env& env, const std::string& directory,
                                               Trust trust) {
  CAIRN_ASSIGN(const auto names, log_files(env, directory));
  std::vector<NamedNotes> logs;
  for (const std::string& name : names) {
    std::string log;
    const auto status = rocksdb::ReadFileToString(&env, directory + "/" + name, &log);
    if (!status.ok()) return to_error(status, name);
    NamedNotes named{name, {}};
    NoteReader reader;
    std::size_t offset = 0;
    std::size_t end = 0;  // the end of the last fragment
    while (offset < log.size()) {
      if (left_in_block(offset) < header_bytes) {
        offset = std::min(offset + left_in_block(offset), log.size());
        continue;
      }
      const auto fragment = read_fragment(log, offset, trust);
      if (!fragment) break;
      take(named.notes, reader.next(*fragment));
      if (fragment->type == whole || fragment->type == last) ++named.records;
      offset = end = fragment->end;
    }
    named.is_whole = is_zero(std::string_view(log).substr(offset));
    named.ends_in_part = log.size() > end && log.size() - end < header_bytes;
    logs.push_back(std::move(named));
  }
  return logs;
}

// Reads the logs in the order in which they were written. After a damage in one of them, whole records of a later log
// count as commits after the damage, unless the notes of that log name no commit.
Result<LogDamage> inspect_logs(rocksdb::Env& env, const std::string& directory,
                               std::uint64_t first_needed) {
  CAIRN_ASSIGN(const auto names, log_files(env, directory));
  LogDamage damage;
  for (const std::string& name : names) {
    if (log_number(name) < first_needed) continue;
    std::string log;
    const auto status = rocksdb::ReadFileToString(&env, directory + "/" + name, &log);
    if (!status.ok()) return to_error(status, name);
    const LogReport report = inspect_log(log);
    const std::uint64_t newest = std::max(report.notes.last, report.last_behind);
    if (!damage.file.empty()) {
      // A whole record in a later log was written after the damage, so the damage is not a torn tail.
      const bool has_commits = report.notes.last != 0 || report.notes.database == 0;
      damage.valid_behind = damage.valid_behind || (has_commits && report.valid_bytes > 0);
      damage.last_behind = std::max(damage.last_behind, newest);
      continue;
    }
    damage.last_before = std::max(damage.last_before, report.notes.last);
    if (!report.damaged) continue;
    damage.file = name;
    damage.offset = report.valid_bytes;
    damage.records = report.records;
    damage.dropped_bytes = report.written_bytes - report.valid_bytes;
    damage.valid_behind = report.valid_behind;
    damage.torn = report.torn;
    damage.last_behind = report.last_behind;
  }
  return damage;
}

}  // namespace cairn::engine
