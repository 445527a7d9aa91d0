// Checks the end of a table file, which contains what is needed to read the rest.
//
// table    := data.. filter index range_del properties metaindex footer     (some may be missing)
// block    := bytes compression:u8 checksum:le32                      the checksum covers the bytes and `compression`
// metaindex: a block of entries, each a name and a handle, and the offsets of some entries
// entry    := shared:varint own:varint value:varint name:byte{own} handle     the first `shared` bytes are equal to
//                                                                             the previous name
// handle   := offset:varint bytes:varint                                      without the last 5 bytes of the block
// footer   := checksum_type:u8 metaindex:handle index:handle zeros version:le32 magic:le64   53 bytes
//
// This is RocksDB's format (table/format.h) with the settings of tuning.cpp: version 5, XXH3. The footer has no
// checksum. It determines how all other checksums are computed and where the metaindex is, so its values must be
// the ones that we write.
#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "engine/store/file_system.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {
namespace {

using rocksdb::IOStatus;

constexpr std::uint64_t table_magic = 0x88e241b785f4cff7;
constexpr std::uint32_t table_version = 5;
constexpr std::uint8_t checksum_xxh3 = 4;
constexpr std::size_t footer_bytes = 53;
constexpr std::size_t block_end_bytes = 5;
// Enough for the whole end, unless there are many range deletions.
constexpr std::size_t usual_bytes = 4'096;

/// The position and size of a block.
struct Handle {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

Handle read_handle(codec::ByteCursor& cursor) {
  Handle handle;
  handle.offset = cursor.read_varint();
  handle.bytes = cursor.read_varint();
  return handle;
}

/// The checksum of a block. RocksDB computes it over the bytes, and then mixes in the compression type.
std::uint32_t checksum_of(std::string_view bytes, std::uint8_t compression) {
  constexpr std::uint32_t prime = 0x6b9083d9;
  return static_cast<std::uint32_t>(codec::checksum(bytes)) ^ compression * prime;
}

/// The end of a file in memory; earlier parts are read on demand.
class Tail {
 public:
  Tail(rocksdb::FSRandomAccessFile& file, std::uint64_t file_bytes)
      : file_(file), file_bytes_(file_bytes) {}

  /// Reads a part of the file. `out` is valid until the next call.
  IOStatus read(std::uint64_t offset, std::size_t size, std::string_view& out) {
    if (end_.empty()) {
      begin_ = file_bytes_ - std::min<std::uint64_t>(file_bytes_, usual_bytes);
      const IOStatus status = load(begin_, file_bytes_ - begin_, end_);
      if (!status.ok()) return status;
    }
    if (offset >= begin_) {
      out = std::string_view(end_).substr(offset - begin_, size);
      return IOStatus::OK();
    }
    const IOStatus status = load(offset, size, block_);
    out = block_;
    return status;
  }

  /// Checks that a block is within the file. Otherwise RocksDB would allocate as much memory as the handle says.
  [[nodiscard]] IOStatus check_place(const Handle& handle, std::string_view name) const {
    const std::uint64_t most = file_bytes_ - footer_bytes;
    const bool is_inside = handle.offset <= most && most - handle.offset >= block_end_bytes &&
                           handle.bytes <= most - handle.offset - block_end_bytes;
    return is_inside ? IOStatus::OK() : damaged(name, "lies outside of the file");
  }

  /// Reads the content of a block, if its checksum is correct.
  IOStatus read_block(const Handle& handle, std::string_view name, std::string_view& out) {
    IOStatus status = check_place(handle, name);
    if (!status.ok()) return status;
    status = read(handle.offset, handle.bytes + block_end_bytes, out);
    if (!status.ok()) return status;
    codec::ByteCursor end(out.substr(handle.bytes));
    out = out.substr(0, handle.bytes);
    const std::uint8_t compression = end.read_byte();
    if (end.read_little<std::uint32_t>() != checksum_of(out, compression))
      return damaged(name, "does not match its checksum");
    return IOStatus::OK();
  }

  static IOStatus damaged(std::string_view name, std::string_view problem) {
    std::string text = "the block ";
    text.append(name).append(" at the end of the table ").append(problem);
    return IOStatus::Corruption(text);
  }

 private:
  IOStatus load(std::uint64_t offset, std::size_t size, std::string& into) {
    into.resize(size);
    rocksdb::Slice read;
    const IOStatus status =
        file_.Read(offset, size, rocksdb::IOOptions(), &read, into.data(), nullptr);
    if (!status.ok()) return status;
    if (read.size() != size) return IOStatus::Corruption("the table is shorter than its size");
    // A file in memory may return a pointer to its own bytes instead.
    if (read.data() != into.data()) into.assign(read.data(), read.size());
    return status;
  }

  rocksdb::FSRandomAccessFile& file_;
  std::uint64_t file_bytes_;
  std::uint64_t begin_ = 0;  // the offset of end_ in the file
  std::string end_;
  std::string block_;
};

/// The handles in the footer.
struct Footer {
  Handle metaindex;
  Handle index;
};

/// Decodes the footer. nullopt if its constants are not the expected ones.
std::optional<Footer> read_footer(std::string_view footer) {
  codec::ByteCursor version(footer.substr(footer.size() - 12));
  if (version.read_little<std::uint32_t>() != table_version) return std::nullopt;
  if (version.read_little<std::uint64_t>() != table_magic) return std::nullopt;
  codec::ByteCursor cursor(footer);
  if (cursor.read_byte() != checksum_xxh3) return std::nullopt;
  Footer read;
  read.metaindex = read_handle(cursor);
  read.index = read_handle(cursor);
  return cursor.failed() ? std::nullopt : std::optional(read);
}

struct NamedHandle {
  std::string name;
  Handle handle;
};

/// Decodes the metaindex. nullopt if it is invalid.
std::optional<std::vector<NamedHandle>> entries_of(std::string_view metaindex) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  if (metaindex.size() < word) return std::nullopt;
  codec::ByteCursor count(metaindex.substr(metaindex.size() - word));
  const std::uint64_t offsets = (std::uint64_t{count.read_little<std::uint32_t>()} + 1) * word;
  if (offsets > metaindex.size()) return std::nullopt;
  codec::ByteCursor cursor(metaindex.substr(0, metaindex.size() - offsets));
  std::vector<NamedHandle> entries;
  std::string name;
  while (!cursor.rest().empty()) {
    const std::uint64_t shared = cursor.read_varint();
    const std::uint64_t own = cursor.read_varint();
    const std::uint64_t value = cursor.read_varint();
    if (shared > name.size()) return std::nullopt;
    name.resize(shared);
    name += cursor.read_bytes(own);
    codec::ByteCursor handle(cursor.read_bytes(value));
    entries.push_back({name, read_handle(handle)});
    if (cursor.failed() || handle.failed()) return std::nullopt;
  }
  return entries;
}

/// A damaged filter is not checked, because it costs only time.
bool is_filter(std::string_view name) { return name.find("filter.") != name.npos; }

}  // namespace

IOStatus check_table_tail(rocksdb::FSRandomAccessFile& file, std::uint64_t file_bytes) {
  if (file_bytes < footer_bytes) return IOStatus::Corruption("it is too short for a table");
  Tail tail(file, file_bytes);
  std::string_view last;
  IOStatus status = tail.read(file_bytes - footer_bytes, footer_bytes, last);
  if (!status.ok()) return status;
  const auto footer = read_footer(last);
  if (!footer) return IOStatus::Corruption("its last bytes are not those of a table");
  status = tail.check_place(footer->index, "index");
  if (!status.ok()) return status;
  std::string_view block;
  status = tail.read_block(footer->metaindex, "metaindex", block);
  if (!status.ok()) return status;
  const auto entries = entries_of(block);
  if (!entries) return Tail::damaged("metaindex", "cannot be read");
  for (const NamedHandle& entry : *entries) {
    if (is_filter(entry.name)) continue;
    status = tail.read_block(entry.handle, entry.name, block);
    if (!status.ok()) return status;
  }
  return status;
}

}  // namespace cairn::engine
