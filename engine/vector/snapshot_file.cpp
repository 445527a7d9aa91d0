// Reads the file of a segment directly into the memory that searches use, and writes it from there.
// Each step of reading relies on the steps before it:
//
// header      its checksum; its sections fill the file
// owner       database and index, so that a file copied from elsewhere is refused
// shape       ranges, and the options of the index
// sizes       the sizes of all sections follow from the shape
// blocks      each has a checksum, compared while it is read
// parts       check_parts(), for what checksums cannot detect
// tables      last, and dispensable
//
// A refused file costs only a rebuild from the vectors, so anything unexpected before the tables is
// refused. Numbers are
// written in native byte order, which must be little-endian.
#include "engine/vector/snapshot_file.hpp"

#include "codec/byte_io.hpp"
#include "codec/meta.hpp"
#include "codec/snapshot_header.hpp"
#include "engine/vector/durable_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "sections are written as they lie");

enum Section : std::size_t {
  shape_section,
  entities,
  dead,
  rows,
  centre,
  level0,
  levels,
  upper,
  means,
  partition_of,
  made,
  numbers,
  first_array
};
constexpr std::size_t shape_bytes = 6 * sizeof(std::uint32_t);
constexpr std::size_t old_shape_bytes = 4 * sizeof(std::uint32_t);  // size in layouts without rows
constexpr std::uint32_t first_layout_with_rows = 3;

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Metric, dimension and count are in the header.
std::string encode_shape(const SegmentShape& shape) {
  std::string bytes;
  const std::uint32_t is_coded = shape.is_coded ? 1 : 0;
  for (const auto number : {shape.m, shape.ef_construction, shape.entry_slot, shape.top_level,
                            is_coded, std::uint32_t{0}})
    codec::append_little(bytes, number);
  return bytes;
}

// Size of the section `dead`, if not empty.
std::uint64_t dead_bytes(std::uint64_t count) { return (count + 63) / 64 * 8; }

Error no_memory(std::uint64_t bytes) {
  return {ErrorCode::resource_limit,
          "not enough memory to load a vector index: a section of its file needs " +
              std::to_string(bytes) + " bytes",
          {}};
}

/// Reads the sections in order and compares each block with its checksum.
class SectionReader {
 public:
  static Result<SectionReader> open(const std::filesystem::path& file) {
    CAIRN_ASSIGN(FileReader reader, FileReader::open(file));
    std::string bytes(codec::old_snapshot_header_bytes, '\0');
    CAIRN_TRY(reader.read(bytes));
    const std::size_t read = bytes.size();
    bytes.resize(codec::snapshot_header_size(bytes));
    CAIRN_TRY(reader.read(std::span(bytes).subspan(read)));
    CAIRN_ASSIGN(auto header, codec::decode_snapshot_header(bytes, reader.size()));
    return SectionReader(std::move(reader), std::move(bytes), std::move(header));
  }

  // True if a section is contiguous in the file, with its checksums after it.
  [[nodiscard]] bool is_whole() const {
    return header_.layout >= codec::first_whole_snapshot_layout;
  }
  /// Offset of the next section in the file.
  [[nodiscard]] std::uint64_t position() const { return reader_.position(); }
  [[nodiscard]] Result<FileMap> map(std::uint64_t at, std::size_t bytes) const {
    return reader_.map(at, bytes);
  }
  /// Offset of section `number`.
  [[nodiscard]] std::uint64_t place_of(std::size_t number) const {
    codec::SnapshotHeader before = header_;
    std::fill(before.section_bytes.begin() + static_cast<std::ptrdiff_t>(number),
              before.section_bytes.end(), 0);
    return codec::snapshot_file_bytes(before);
  }

  [[nodiscard]] const codec::SnapshotHeader& header() const { return header_; }
  [[nodiscard]] bool has_rows() const { return header_.layout >= first_layout_with_rows; }
  /// Size of a section, also in older layouts, which have neither rows nor a centre.
  [[nodiscard]] std::uint64_t size_of(std::size_t section) const {
    if (has_rows() || section < rows) return header_.section_bytes[section];
    return section <= centre ? 0 : header_.section_bytes[section - 2];
  }

  /// Reads the next section; `out` must have its size.
  Status read(std::span<char> out) {
    return read_blocks(
        out.size(), [&](std::uint64_t at, std::size_t size) { return out.subspan(at, size); },
        [](std::size_t) { return Status(); });
  }

  /// Reads a section of `bytes` bytes in blocks. Each is read into `room_for(offset, size)`, and
  /// then `take(size)` is called. The checksums may be known only at the end: until this returns,
  /// the contents are not verified.
  template <class RoomFor, class Take>
  Status read_blocks(std::uint64_t bytes, RoomFor&& room_for, Take&& take) {
    std::vector<std::uint64_t> seen;
    for (std::uint64_t at = 0; at < bytes;) {
      const auto size =
          static_cast<std::size_t>(std::min<std::uint64_t>(bytes - at, header_.block_bytes));
      const std::span<char> block = room_for(at, size);
      CAIRN_TRY(reader_.read(block));
      seen.push_back(codec::snapshot_block_checksum(bytes_, block_number_++, {block.data(), size}));
      if (!is_whole()) CAIRN_TRY(compare(seen));
      CAIRN_TRY(take(size));
      at += size;
    }
    return compare(seen);
  }

  template <class T>
  Result<std::vector<T>> read_vector(std::size_t section) {
    std::vector<T> values;
    CAIRN_TRY(read_vector(section, values));
    return values;
  }
  /// Reads the next section into a vector, whatever its allocator.
  template <class Vector>
  Status read_vector(std::size_t section, Vector& values) {
    using T = typename Vector::value_type;
    if (size_of(section) % sizeof(T) != 0)
      return codec::corruption("the size of a section is not a multiple of its item size");
    try {
      values.resize(size_of(section) / sizeof(T));
    } catch (const std::bad_alloc&) {
      return no_memory(size_of(section));
    }
    return read({reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)});
  }

 private:
  /// Compares the checksums of blocks with the checksums that follow in the file, and clears `seen`.
  Status compare(std::vector<std::uint64_t>& seen) {
    std::uint64_t number = block_number_ - seen.size();
    for (const std::uint64_t expected : seen) {
      std::array<char, sizeof(std::uint64_t)> stored;
      CAIRN_TRY(reader_.read(stored));
      if (std::bit_cast<std::uint64_t>(stored) != expected)
        return codec::corruption("block " + std::to_string(number) + " differs from its checksum");
      ++number;
    }
    seen.clear();
    return {};
  }

  SectionReader(FileReader reader, std::string bytes, codec::SnapshotHeader header)
      : reader_(std::move(reader)), bytes_(std::move(bytes)), header_(std::move(header)) {}

  FileReader reader_;
  std::string bytes_;  // as in the file; block checksums depend on it
  codec::SnapshotHeader header_;
  std::uint64_t block_number_ = 0;  // number of the next block, through all sections
};

using Sections = std::vector<std::string_view>;

// Section `made`: identifies the version and machine of the tables.
std::string encode_made() {
  std::string bytes;
  codec::append_little(bytes, tables_version);
  codec::append_little(bytes, std::uint32_t{0});
  codec::append_little(bytes, this_machine());
  return bytes;
}

std::vector<double> numbers_of(const SegmentTables* tables) {
  std::vector<double> values;
  if (tables != nullptr)
    SegmentTables::visit_numbers(*tables, [&](auto number) { values.push_back(double{number}); });
  return values;
}

// Appends the sections of the tables.
void show_tables(const SegmentTables& tables, std::string_view made_bytes,
                 std::span<const double> number_bytes, Sections& sections) {
  sections.push_back(made_bytes);
  sections.push_back(bytes_of(number_bytes));
  SegmentTables::visit_arrays(
      tables, [&](const auto& array) { sections.push_back(bytes_of(std::span(array))); });
}

// Writes all sections. Checksums are computed from memory, so that the file is written from front
// to back.
Status write_sections(DurableWriter& writer, const Sections& sections, std::string_view header,
                      std::size_t block_bytes) {
  std::uint64_t number = 0;
  // Blocks are numbered through all sections, so that a block moved to another section fails its
  // checksum.
  for (std::string_view rest : sections) {
    std::string checksums;
    while (!rest.empty()) {
      const std::string_view block = rest.substr(0, block_bytes);
      codec::append_little(checksums, codec::snapshot_block_checksum(header, number++, block));
      CAIRN_TRY(writer.write(block));
      rest.remove_prefix(block.size());
    }
    CAIRN_TRY(writer.write(checksums));
  }
  return {};
}

// Refuses a file of another database or index.
Status check_owner(const codec::SnapshotHeader& header, const SnapshotOwner& owner) {
  if (header.database_id != owner.database_id)
    return codec::corruption("it belongs to database " + header.database_id);
  if (header.index != owner.index_id)
    return codec::corruption("it belongs to index " + std::to_string(header.index));
  return {};
}

// Reads and checks the shape first, because all sizes follow from it.
Result<SegmentShape> read_shape(SectionReader& reader, const VectorIndexOptions& options) {
  const codec::SnapshotHeader& header = reader.header();
  if (reader.size_of(shape_section) != (reader.has_rows() ? shape_bytes : old_shape_bytes) ||
      header.count > std::numeric_limits<std::uint32_t>::max())
    return codec::corruption("its shape has the wrong size, or its count is too large");
  std::array<char, shape_bytes> bytes = {};
  CAIRN_TRY(reader.read(std::span(bytes).first(reader.size_of(shape_section))));
  codec::ByteCursor cursor({bytes.data(), bytes.size()});
  SegmentShape shape{header.metric,
                     header.dimension,
                     cursor.read_little<std::uint32_t>(),
                     cursor.read_little<std::uint32_t>(),
                     static_cast<std::uint32_t>(header.count),
                     cursor.read_little<std::uint32_t>(),
                     cursor.read_little<std::uint32_t>()};
  const auto form = cursor.read_little<std::uint64_t>();
  if (form > 1) return codec::corruption("its shape has an unknown kind of records");
  shape.is_coded = form == 1;
  CAIRN_TRY(check_shape(shape));
  if (shape.metric != options.metric || shape.dimension != options.dimension ||
      shape.m != options.m || shape.ef_construction != options.ef_construction)
    return codec::corruption("it was made for other options of the index");
  return shape;
}

// The products cannot overflow, because check_shape() bounds the factors.
Status check_sizes(const SectionReader& reader, const SegmentShape& shape) {
  const std::uint64_t count = shape.count;
  const std::uint64_t row_bytes = shape.dimension * sizeof(float);
  const bool fits = reader.size_of(entities) == count * sizeof(std::uint64_t) &&
                    (reader.size_of(dead) == 0 || reader.size_of(dead) == dead_bytes(count)) &&
                    reader.size_of(rows) == (shape.is_coded ? count * row_bytes : 0) &&
                    reader.size_of(centre) == (shape.is_coded ? row_bytes : 0) &&
                    reader.size_of(level0) == count * shape.record_bytes() &&
                    reader.size_of(levels) == count && reader.size_of(means) % 4 == 0 &&
                    reader.size_of(partition_of) % 4 == 0;
  if (!fits) return codec::corruption("the sizes of its sections do not match its shape");
  return {};
}

// Reads a section directly into the memory that hnswlib will own.
Result<Memory> read_memory(SectionReader& reader, Section section) {
  const std::uint64_t bytes = reader.size_of(section);
  Memory memory = allocate_memory(bytes);
  if (!memory) return no_memory(bytes);
  CAIRN_TRY(reader.read({memory.get(), bytes}));
  return memory;
}

/// Cuts a stream of blocks into rows. A row may begin in one block and end in the next.
class RowCutter {
 public:
  RowCutter(std::size_t dimension, std::size_t most_block_bytes)
      : dimension_(dimension), memory_(dimension + most_block_bytes / sizeof(float) + 1) {}

  /// Memory for the next `size` bytes.
  [[nodiscard]] std::span<char> room(std::size_t size) { return {bytes() + left_, size}; }
  /// Call it after `size` bytes were read into room(). Calls `visit(slot, row)` for each complete
  /// row.
  template <class Visit>
  Status take(std::size_t size, Visit&& visit) {
    left_ += size;
    std::size_t at = 0;
    for (const std::size_t row = dimension_ * sizeof(float); left_ - at >= row; at += row)
      CAIRN_TRY(visit(slot_++, memory_.data() + at / sizeof(float)));
    left_ -= at;
    std::memmove(bytes(), bytes() + at, left_);
    return {};
  }

 private:
  [[nodiscard]] char* bytes() { return reinterpret_cast<char*>(memory_.data()); }

  std::size_t dimension_;
  std::vector<float> memory_;
  std::size_t left_ = 0;  // bytes of an incomplete row in memory_
  std::uint32_t slot_ = 0;
};

bool maps_rows(const VectorIndexOptions& options) {
  return options.maps_rows || options.storage != codec::VectorStorage::float32;
}

// Reads and checks rows that will be mapped. Ordinary reads return an error if the disk fails;
// access to mapped memory would end the process.
Status read_mapped_rows(SectionReader& reader, const VectorIndexOptions& options, FileMap map,
                        SegmentParts& parts) {
  const std::uint64_t bytes = reader.size_of(rows);
  const std::size_t dimension = parts.shape.dimension;
  std::shared_ptr<HalfRows> halves;
  if (options.storage == codec::VectorStorage::float16)
    halves = std::make_shared<HalfRows>(make_metric(parts.shape.metric, parts.shape.dimension),
                                        parts.shape.count);
  RowCutter cutter(dimension, static_cast<std::size_t>(
                                  std::min<std::uint64_t>(bytes, reader.header().block_bytes)));
  const auto take_row = [&](std::uint32_t slot, const float* row) -> Status {
    CAIRN_TRY(check_row({row, dimension}, parts.shape.metric, slot));
    if (halves) halves->put(slot, row);
    return {};
  };
  CAIRN_TRY(reader.read_blocks(
      bytes, [&](std::uint64_t, std::size_t size) { return cutter.room(size); },
      [&](std::size_t size) { return cutter.take(size, take_row); }));
  parts.rows = std::make_shared<SegmentRows>(std::move(map));
  parts.halves = std::move(halves);
  return {};
}

// Maps the rows, or reads them into memory, as the options say. The file's layout must allow
// mapping.
Status read_rows(SectionReader& reader, const VectorIndexOptions& options, SegmentParts& parts) {
  if (maps_rows(options) && reader.is_whole()) {
    // If the system refuses the mapping, the vectors are read into memory: the file is good all the
    // same.
    auto map = reader.map(reader.position(), reader.size_of(rows));
    if (map) return read_mapped_rows(reader, options, std::move(*map), parts);
  }
  CAIRN_ASSIGN(Memory held, read_memory(reader, rows));
  parts.rows = std::make_shared<SegmentRows>(std::move(held), reader.size_of(rows));
  return {};
}

// Reads the tables. Their version and machine are compared as bytes; tables of another version or machine are not used.
Status read_tables(SectionReader& reader, SegmentTables& tables) {
  CAIRN_ASSIGN(const auto word, reader.read_vector<char>(made));
  if (std::string_view(word.data(), word.size()) != encode_made())
    return codec::corruption("its tables are of another version or instruction set");
  CAIRN_ASSIGN(const auto values, reader.read_vector<double>(numbers));
  std::size_t count = 0;
  bool fits = true;
  SegmentTables::visit_numbers(tables, [&](auto& number) {
    using Number = std::remove_reference_t<decltype(number)>;
    fits = fits && count < values.size() &&
           std::abs(values[count]) <= double{std::numeric_limits<Number>::max()};
    if (fits) number = static_cast<Number>(values[count++]);
  });
  if (!fits || count != values.size())
    return codec::corruption("its tables have an unexpected count of numbers");
  Status status;
  std::size_t section = first_array;
  SegmentTables::visit_arrays(tables, [&](auto& array) {
    if (status) status = reader.read_vector(section++, array);
  });
  return status;
}

// Reads all sections in their order in the file. Each step trusts only what was checked before it.
Result<SavedSegment> read_segment(const std::filesystem::path& file, const SnapshotOwner& owner,
                                  const VectorIndexOptions& options) {
  CAIRN_ASSIGN(SectionReader reader, SectionReader::open(file));
  CAIRN_TRY(check_owner(reader.header(), owner));
  SavedSegment saved{{}, reader.header().sequence};
  SegmentParts& parts = saved.parts;
  CAIRN_ASSIGN(parts.shape, read_shape(reader, options));
  CAIRN_TRY(check_sizes(reader, parts.shape));
  CAIRN_ASSIGN(parts.entities, reader.read_vector<std::uint64_t>(entities));
  CAIRN_ASSIGN(parts.dead, reader.read_vector<std::uint64_t>(dead));
  if (parts.shape.is_coded) {
    CAIRN_TRY(read_rows(reader, options, parts));
    CAIRN_ASSIGN(parts.centre, reader.read_vector<float>(centre));
  }
  CAIRN_ASSIGN(parts.level0, read_memory(reader, level0));
  CAIRN_ASSIGN(parts.levels, reader.read_vector<std::uint8_t>(levels));
  CAIRN_ASSIGN(parts.upper, reader.read_vector<char>(upper));
  CAIRN_ASSIGN(parts.partitioning.means, reader.read_vector<float>(means));
  CAIRN_ASSIGN(parts.partitioning.partition_of, reader.read_vector<std::uint32_t>(partition_of));
  CAIRN_TRY(check_parts(parts));
  if (reader.size_of(made) == 0) return saved;
  const Status tables = read_tables(reader, parts.tables.emplace());
  if (!tables && tables.error().code != ErrorCode::corruption) return tables.error();
  if (!tables) parts.tables.reset();
  return saved;
}

}  // namespace

// The header needs all section sizes, so the list of sections is complete before anything is
// written.
Status write_snapshot(const std::filesystem::path& file, const SnapshotOwner& owner,
                      const SerializedSegment& image, std::uint64_t sequence) {
  if (!codec::is_database_id(owner.database_id))
    return Error{
        ErrorCode::invalid_argument, "\"" + owner.database_id + "\" is not a database id", {}};
  const std::string shape = encode_shape(image.shape);
  const std::string made_bytes = encode_made();
  const std::vector<double> number_values = numbers_of(image.tables);
  Sections sections = {shape,
                       bytes_of(image.entities),
                       bytes_of(image.dead),
                       bytes_of(image.rows),
                       bytes_of(image.centre),
                       bytes_of(image.level0),
                       bytes_of(std::span<const std::uint8_t>(image.levels)),
                       bytes_of(std::span<const char>(image.upper)),
                       bytes_of(image.means),
                       bytes_of(image.partition_of)};
  if (image.tables != nullptr) show_tables(*image.tables, made_bytes, number_values, sections);
  assert(sections.size() <= codec::max_snapshot_sections);
  codec::SnapshotHeader header;
  header.database_id = owner.database_id;
  header.index = owner.index_id;
  header.metric = image.shape.metric;
  header.dimension = image.shape.dimension;
  header.count = image.shape.count;
  header.sequence = sequence;
  header.commit = sequence;
  std::ranges::transform(sections, header.section_bytes.begin(), &std::string_view::size);

  const std::string header_bytes = codec::encode(header);
  CAIRN_ASSIGN(DurableWriter writer, DurableWriter::create(file));
  CAIRN_TRY(writer.write(header_bytes));
  CAIRN_TRY(write_sections(writer, sections, header_bytes, header.block_bytes));
  return writer.commit();
}

// A file of a segment with another sequence or other slots differs in one of the numbers compared.
Result<FileMap> map_snapshot_rows(const std::filesystem::path& file, const SnapshotOwner& owner,
                                  const SerializedSegment& image, std::uint64_t sequence) {
  CAIRN_ASSIGN(const SectionReader reader, SectionReader::open(file));
  CAIRN_TRY(check_owner(reader.header(), owner));
  const codec::SnapshotHeader& header = reader.header();
  if (!reader.is_whole() || header.sequence != sequence || header.count != image.shape.count ||
      header.dimension != image.shape.dimension ||
      reader.size_of(rows) != image.rows.size_bytes() ||
      reader.size_of(level0) != image.level0.size())
    return FileMap();
  return reader.map(reader.place_of(rows), image.rows.size_bytes());
}

Result<SavedSegment> read_snapshot(const std::filesystem::path& file, const SnapshotOwner& owner,
                                   const VectorIndexOptions& options) {
  auto saved = read_segment(file, owner, options);
  const bool names_no_file =
      !saved && saved.error().message.find(file.string()) == std::string::npos;
  if (names_no_file)
    saved.error().message = "vector snapshot " + file.string() + ": " + saved.error().message;
  return saved;
}

}  // namespace cairn::engine
