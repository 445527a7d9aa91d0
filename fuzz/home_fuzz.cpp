// Decodes objects of a home: the record of a commit, the head, a checkpoint, as given and with a
// valid checksum. They are refused, or decoded and encoded alike. File names stay within their
// directory.
//
// input := kind:u8 byte*     0 record, 1 head, 2 checkpoint; kind is taken modulo 3

#include "codec/backup_manifest.hpp"
#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/commit_record.hpp"
#include "codec/home_head.hpp"
#include "fuzz/support/expect.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace cairn::codec;
using cairn::fuzz::expect;

void check_record(std::string_view bytes) {
  const auto record = decode_commit_record(bytes);
  if (!record) return;
  expect(encode(*record) == bytes);
  ChangeReader reader(record->changes);
  RecordChange change;
  std::string again;
  while (reader.next(change)) append_change(again, change);
  expect(!reader.has_failed() && again == record->changes);
}

void check_head(std::string_view bytes) {
  if (const auto head = decode_home_head(bytes)) expect(encode(*head) == bytes);
}

void check_checkpoint(std::string_view bytes) {
  const auto checkpoint = decode_home_checkpoint(bytes);
  if (!checkpoint) return;
  expect(encode(*checkpoint) == bytes);
  for (const HomePart& part : checkpoint->parts) expect(is_backup_name(part.name));
}

void check(std::uint8_t kind, std::string_view bytes) {
  if (kind == 0) check_record(bytes);
  if (kind == 1) check_head(bytes);
  if (kind == 2) check_checkpoint(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 2'048) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto kind = static_cast<std::uint8_t>(data[0] % 3);
  check(kind, bytes);
  std::string sealed(bytes);
  append_little(sealed, checksum(bytes));
  check(kind, sealed);
  return 0;
}
