// Decides about a log that RocksDB refused. The question is whether a commit lies behind the first
// damage:
//
// .. commit | commit | torn .......          none: the tail of a write that a power cut ended
// .. commit | comm#t | commit | commit       valid commits behind it: damage, not a torn tail
//
// Why not RocksDB's modes: with one bit of the log flipped, its default (point in time) opened 60
// of 60 stores without an error and had lost 1,090 of 2,000 acknowledged commits on average; the
// strict mode refuses every torn tail. So strict first, then this, then point in time where it is
// proved harmless.
//
// Runs at open after a failure only, on the opening thread. Memory: one log at a time, up to
// max_total_wal_size and what a single commit may add. Format: RocksDB's log_format.h, types of
// recycled logs left out, as we do not recycle.
#include "engine/store/log_reader.hpp"

#include "codec/byte_io.hpp"
#include "engine/store/rocks_status.hpp"

#include <rocksdb/env.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace cairn::engine {
namespace {

// Fixed by RocksDB's log format.
constexpr std::size_t block_bytes = 32 * 1024;
constexpr std::size_t header_bytes = 7;
enum FragmentType : std::uint8_t { whole = 1, first = 2, middle = 3, last = 4 };

/// A fragment whose checksum is right: its type, and the offset behind it.
struct Fragment {
  std::uint8_t type = 0;
  std::size_t end = 0;
};

/// The table of the reflected polynomial 0x1edc6f41. Logs are read by it after a crash only, so a
/// byte at a time is fast enough.
constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
    table[i] = value;
  }
  return table;
}

/// RocksDB's mask, which keeps checksums of checksums from being weak.
std::uint32_t masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }

/// Bytes from here to the end of the block; never 0.
std::size_t left_in_block(std::size_t offset) { return block_bytes - offset % block_bytes; }

/// The fragment at `offset`, if one with a right checksum stands there.
/// The checksum covers the type and the bytes: offset 6 is the type.
std::optional<Fragment> read_fragment(std::string_view log, std::size_t offset) {
  const std::size_t left = std::min(left_in_block(offset), log.size() - offset);
  if (left < header_bytes) return std::nullopt;
  codec::ByteCursor header(log.substr(offset, header_bytes));
  const auto crc = header.read_little<std::uint32_t>();
  const auto length = header.read_little<std::uint16_t>();
  const std::uint8_t type = header.read_byte();
  if (type < whole || type > last || header_bytes + length > left) return std::nullopt;
  if (masked(crc32c(log.substr(offset + 6, length + 1u))) != crc) return std::nullopt;
  return Fragment{type, offset + header_bytes + length};
}

bool is_zero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

/// Whether some of [begin, end), where a fragment should begin, was never written. Pages of a write
/// that nobody waited for reach the disk in any order; one that did not reads as zeros, from where
/// the file ended before to the page's end. A header is never all zeros: its type is not; zeros over it
/// with more of the same page behind them were written there by something else.
///
/// What cannot be told apart: a page of the last commit that was on the disk and came to read as zeros, or one
/// that is zeros by its content beside a changed byte.
bool has_hole(std::string_view log, std::size_t begin, std::size_t end) {
  constexpr std::size_t page_bytes = 4'096;
  std::size_t page = begin / page_bytes * page_bytes + page_bytes;
  const std::size_t unwritten = std::max(page, begin + header_bytes);
  if (unwritten <= end && is_zero(log.substr(begin, unwritten - begin))) return true;
  for (; page + page_bytes <= end; page += page_bytes) {
    if (is_zero(log.substr(page, page_bytes))) return true;
  }
  return false;
}

/// Whether a commit that may have been acknowledged lies behind the damage, or around it:
///
/// .. comm#t | commit           one begins behind it: damage
/// .. com#it                    the rest of the same one behind a changed byte: damage
/// .. com   mit                 the rest of the same one behind a hole: torn while it was written
///
/// A damaged length hides where the next fragment begins, so every byte may be its start until one
/// is found. A chance hit needs a right checksum: 2^-32 for each place whose type and length fit.
/// In doubt the answer is yes: to refuse once too often is mended by `check --repair`, to drop
/// commits is not.
bool any_commit_behind(std::string_view log, std::size_t damage) {
  bool is_torn = false;
  for (std::size_t i = damage + 1; i < log.size();) {
    const auto fragment = read_fragment(log, i);
    if (!fragment) {
      ++i;
      continue;
    }
    const bool begins_commit = fragment->type == whole || fragment->type == first;
    is_torn = is_torn || has_hole(log, damage, i);
    if (begins_commit || !is_torn) return true;
    i = fragment->end;
  }
  return false;
}

/// Names of the log files, oldest first.
Result<std::vector<std::string>> log_files(rocksdb::Env& env, const std::string& directory) {
  std::vector<std::string> names;
  const auto status = env.GetChildren(directory, &names);
  if (!status.ok()) return to_error(status, directory);
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".log"); });
  // Numbers are padded with zeros to six digits and grow longer behind 999999.
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return names;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) noexcept {
  static constexpr auto table = make_crc_table();
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : bytes)
    crc = crc >> 8 ^ table[(crc ^ static_cast<std::uint8_t>(byte)) & 255];
  return ~crc;
}

// Invariant: everything before `valid_bytes` is whole records, and `offset` stands behind the last
// good fragment, which may be of a record whose end is missing.
LogReport inspect_log(std::string_view log) {
  LogReport report;
  std::size_t offset = 0;
  bool is_inside = false;  // of a record that has begun
  while (offset < log.size()) {
    // No fragment begins in the last six bytes of a block; they are zeros.
    if (left_in_block(offset) < header_bytes) {
      offset = std::min(offset + left_in_block(offset), log.size());
      continue;
    }
    const auto fragment = read_fragment(log, offset);
    if (!fragment) break;
    offset = fragment->end;
    is_inside = fragment->type == first || fragment->type == middle;
    if (!is_inside) report.valid_bytes = offset;
  }
  report.written_bytes = std::max(report.valid_bytes, log.find_last_not_of('\0') + 1);
  // Zeros behind a whole record were written ahead of the next one, or pad the end of a block.
  if (!is_inside && report.written_bytes == report.valid_bytes) return report;
  // Padding of fewer than seven bytes at the very end is no damage.
  report.damaged = report.valid_bytes + header_bytes <= log.size() || offset < log.size();
  report.valid_behind = offset < log.size() && any_commit_behind(log, offset);
  return report;
}

// Logs are read in the order in which they were written, as damage in one makes every whole record
// of a later one a commit behind it.
Result<LogDamage> inspect_logs(rocksdb::Env& env, const std::string& directory) {
  CAIRN_ASSIGN(const auto names, log_files(env, directory));
  LogDamage damage;
  for (const std::string& name : names) {
    std::string log;
    const auto status = rocksdb::ReadFileToString(&env, directory + "/" + name, &log);
    if (!status.ok()) return to_error(status, name);
    if (!damage.file.empty()) {
      // Anything whole in a later log was written after the damage, so that it is no torn tail.
      damage.valid_behind = damage.valid_behind || inspect_log(log).valid_bytes > 0;
      continue;
    }
    const LogReport report = inspect_log(log);
    if (!report.damaged) continue;
    damage = {name, report.valid_bytes, report.written_bytes - report.valid_bytes,
              report.valid_behind};
  }
  return damage;
}

}  // namespace cairn::engine
