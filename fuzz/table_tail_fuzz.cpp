// Checks the end of a table file: a valid file that is edited, or a file around a metaindex from
// the input. The valid file passes. A file that is refused is corruption with a reason, and no byte
// outside of the file is read. A file that passes does not crash RocksDB.
//
// input := even:u8 edit*         edit := from_end:u16 size:u8 byte{size}   replaces bytes
//        |                               0xffff size:u8                    cuts off the last bytes
//        | odd:u8 before:u8 byte*      `before` bytes, then a metaindex with a valid checksum

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "engine/store/file_system.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/scratch_file.hpp"

#include <rocksdb/filter_policy.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace {

using namespace cairn;
using cairn::fuzz::expect;

constexpr std::size_t footer_bytes = 53;

/// A file in memory. A read beyond its end is a finding.
class HeldFile final : public rocksdb::FSRandomAccessFile {
 public:
  explicit HeldFile(std::string_view bytes) : bytes_(bytes) {}
  rocksdb::IOStatus Read(std::uint64_t offset, std::size_t size,
                         const rocksdb::IOOptions& /*options*/, rocksdb::Slice* result,
                         char* scratch, rocksdb::IODebugContext* /*debug*/) const override {
    expect(offset <= bytes_.size() && size <= bytes_.size() - offset);
    std::memcpy(scratch, bytes_.data() + offset, size);
    *result = rocksdb::Slice(scratch, size);
    return rocksdb::IOStatus::OK();
  }

 private:
  std::string_view bytes_;
};

rocksdb::Options table_options() {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

/// Returns the bytes of a valid table file.
std::string make_table() {
  const auto path = std::filesystem::temp_directory_path() /
                    ("cairn-fuzz-" + std::to_string(::getpid()) + ".sst");
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), table_options());
  expect(writer.Open(path.string()).ok());
  for (int i = 1'000; i < 1'400; ++i)
    expect(writer.Put("key" + std::to_string(i), std::string(20, 'v')).ok());
  expect(writer.DeleteRange("x", "y").ok());
  expect(writer.Finish().ok());
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::filesystem::remove(path);
  return bytes;
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Builds a file of `before` zeros, the metaindex, and a footer that refers to it.
std::string around(std::string_view metaindex, std::size_t before) {
  std::string file(before, '\0');
  file += metaindex;
  file += '\0';  // not compressed; part of the checksum
  codec::append_little(file, static_cast<std::uint32_t>(codec::checksum(metaindex)));
  std::string footer(1, '\x04');  // checksum type XXH3
  append_varint(footer, before);
  append_varint(footer, metaindex.size());
  footer.resize(footer_bytes - 12, '\0');
  codec::append_little(footer, std::uint32_t{5});
  codec::append_little(footer, std::uint64_t{0x88e241b785f4cff7});
  return file + footer;
}

/// Returns the file after the edits of the input.
std::string edited(std::string file, codec::ByteCursor& input) {
  while (!input.rest().empty()) {
    const std::size_t from_end = input.read_little<std::uint16_t>();
    const std::uint8_t size = input.read_byte();
    if (from_end == 0xffff) {
      file.resize(file.size() - std::min<std::size_t>(size, file.size()));
      continue;
    }
    const std::string_view bytes = input.read_bytes(size);
    if (from_end < file.size() && bytes.size() <= from_end + 1)
      file.replace(file.size() - 1 - from_end, bytes.size(), bytes);
  }
  return file;
}

/// Runs the check under test.
bool is_accepted(const std::string& file) {
  HeldFile held(file);
  const auto status = engine::check_table_tail(held, file.size());
  expect(status.ok() || (status.IsCorruption() && !status.ToString().empty()), status.ToString());
  return status.ok();
}

/// Opens and reads the file with RocksDB.
void read_by_store(const std::string& file) {
  static fuzz::ScratchFile scratch;
  rocksdb::SstFileReader reader(table_options());
  if (!reader.Open(scratch.write(file)).ok()) return;
  const std::unique_ptr<rocksdb::Iterator> rows(reader.NewIterator(rocksdb::ReadOptions()));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) expect(rows->key().size() > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string sound = make_table();
  codec::ByteCursor input(fuzz::text_of(data, size));
  if (input.read_byte() % 2 == 1) {
    const std::size_t before = input.read_byte();
    static_cast<void>(is_accepted(around(input.rest(), before)));
    return 0;
  }
  const std::string file = edited(sound, input);
  const bool accepted = is_accepted(file);
  if (accepted) read_by_store(file);
  if (file == sound) expect(accepted);
  return 0;
}
