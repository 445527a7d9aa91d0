// Builds a write-ahead log of records and damages it. An undamaged log must be read completely,
// with its notes. Whatever the bytes are, the part before any damage must be a valid log.
//
// input := 0xff byte*                         a log, a note and a file TAIL as given
//        | op*
// op    := 0..3 size:u8 byte{size}            a record
//        | 4 database:u8 commit:u8            a record with a note
//        | 5 size:u16 byte                    a long record of equal bytes
//        | 6 type:u8 size:u8 byte{size}       a single fragment          from here on: damage
//        | 7 size:u8 byte{size}               bytes that are not a record
//        | 8 size:u16                         zeros
//        | 9 from_end:u16 byte                a changed byte
//        | 10 from_end:u16                    the end cut off
//        other kinds are taken modulo 11

#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "engine/store/log_reader.hpp"
#include "fuzz/support/expect.hpp"
#include "tests/support/log_records.hpp"

#include <string>

namespace {

using namespace cairn;
using namespace cairn::engine;
using namespace cairn::test::log_records;
using cairn::fuzz::expect;

/// A log, and what the reader must find in it.
struct MadeLog {
  std::string bytes;
  std::size_t records = 0;
  LogNotes notes;
  bool is_damaged = false;
  bool has_own_note = false;  // a record's own bytes may look like a note
};

void add_record(MadeLog& log, std::string_view payload) {
  append_record(log.bytes, payload);
  ++log.records;
}

void add_noted(MadeLog& log, std::uint64_t database, std::uint64_t commit) {
  add_record(log, noted("r", database, commit));
  if (log.notes.database == 0) log.notes.database = database;
  if (commit == 0) return;
  if (log.notes.first == 0) log.notes.first = commit;
  log.notes.last = commit;
}

void damage(MadeLog& log, int kind, codec::ByteCursor& input) {
  log.is_damaged = true;
  if (kind == 6) {
    const std::uint8_t type = input.read_byte();
    log.bytes += fragment(static_cast<char>(type), input.read_bytes(input.read_byte()));
  } else if (kind == 7) {
    log.bytes += input.read_bytes(input.read_byte());
  } else if (kind == 8) {
    log.bytes.append(input.read_little<std::uint16_t>(), '\0');
  } else {
    const std::size_t from_end = input.read_little<std::uint16_t>();
    const std::uint8_t byte = kind == 9 ? input.read_byte() : 0;
    if (from_end >= log.bytes.size()) return;
    const std::size_t at = log.bytes.size() - 1 - from_end;
    if (kind == 9) log.bytes[at] = static_cast<char>(byte);
    if (kind == 10) log.bytes.resize(at);
  }
}

MadeLog make_log(std::string_view bytes) {
  constexpr std::size_t most_log_bytes = 5 * block;
  codec::ByteCursor input(bytes);
  MadeLog log;
  while (!input.rest().empty() && log.bytes.size() < most_log_bytes) {
    const int kind = input.read_byte() % 11;
    if (kind < 4) {
      const std::string_view payload = input.read_bytes(input.read_byte());
      log.has_own_note = log.has_own_note || payload.find("cairn") != payload.npos;
      add_record(log, payload);
    } else if (kind == 4) {
      const std::uint8_t database = input.read_byte();
      add_noted(log, database, input.read_byte());
    } else if (kind == 5) {
      const std::size_t size = input.read_little<std::uint16_t>();
      add_record(log, std::string(size, static_cast<char>(input.read_byte())));
    } else {
      damage(log, kind, input);
    }
  }
  return log;
}

void expect_same(const LogNotes& a, const LogNotes& b) {
  expect(a.database == b.database && a.first == b.first && a.last == b.last);
}

void check(std::string_view log) {
  const LogReport report = inspect_log(log);
  expect(report.valid_bytes <= report.written_bytes && report.written_bytes <= log.size());
  expect(report.damaged || (!report.valid_behind && report.last_behind == 0));
  const LogReport whole = inspect_log(log.substr(0, report.valid_bytes));
  expect(!whole.damaged && whole.valid_bytes == report.valid_bytes);
  expect(whole.records == report.records);
  expect_same(whole.notes, report.notes);
}

void check_made(const MadeLog& log) {
  if (log.is_damaged) return;
  const LogReport report = inspect_log(log.bytes);
  expect(!report.damaged && report.valid_bytes == log.bytes.size());
  expect(report.records == log.records);
  if (!log.has_own_note) expect_same(report.notes, log.notes);
}

void check_notes(std::string_view bytes) {
  if (const auto note = codec::decode_log_note(bytes)) expect(codec::encode(*note) == bytes);
  if (const auto tail = codec::decode_tail_file(bytes)) expect(codec::encode(*tail) == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = cairn::fuzz::text_of(data, size);
  if (bytes.starts_with('\xff')) {
    check(bytes.substr(1));
    check_notes(bytes.substr(1));
    return 0;
  }
  const MadeLog log = make_log(bytes);
  check(log.bytes);
  check_made(log);
  return 0;
}
