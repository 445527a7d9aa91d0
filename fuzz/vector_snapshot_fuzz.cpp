// Loads the snapshot file of a vector segment. The input has numbers and sections; the file around
// them, with valid checksums, is built here, so that wrong contents reach the checks. A file that
// is accepted is searched, extended and saved.
//
// input := metric:u8 dimension:u8 count:u16 (size:u16 byte{size}){8}     sections of layout 1
//        | (0x80 + 16 * storage + metric):u8 edit*     edits of a valid file with codes and partitions,
//                                       whose tables are sections 10 to 21; vectors are held or mapped
//                                       as `storage` says
// edit  := section:u8 at:u16 size:u8 byte{size}                          replaces bytes
//        | (0x80 + section):u8 size:u16                                  cuts, or appends zeros

#include "codec/byte_io.hpp"
#include "codec/snapshot_header.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/segment.hpp"
#include "engine/vector/segment_rows.hpp"
#include "engine/vector/snapshot_file.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/scratch_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::engine;
using cairn::fuzz::expect;

const SnapshotOwner owner{std::string(32, 'f'), 1};

/// Builds a file around the sections, with valid checksums.
std::string put_together(codec::SnapshotHeader header,
                         const std::vector<std::string_view>& sections) {
  for (std::size_t i = 0; i < sections.size(); ++i) header.section_bytes[i] = sections[i].size();
  std::string file = codec::encode(header);
  const std::string header_bytes = file;
  std::uint64_t block = 0;
  for (const std::string_view section : sections) {
    if (section.empty()) continue;
    file.append(section);
    codec::append_little(file, codec::snapshot_block_checksum(header_bytes, block++, section));
  }
  return file;
}

/// Builds a complete file from the input.
std::string make_file(codec::ByteCursor& input, VectorIndexOptions& options) {
  codec::SnapshotHeader header;
  header.layout = 1;
  header.database_id = owner.database_id;
  header.index = owner.index_id;
  header.metric = options.metric = static_cast<codec::Metric>(input.read_byte());
  header.dimension = options.dimension = input.read_byte();
  header.count = input.read_little<std::uint16_t>();
  std::vector<std::string_view> sections;
  for (int i = 0; i < 8; ++i) {
    sections.push_back(input.read_bytes(input.read_little<std::uint16_t>()));
  }
  codec::ByteCursor shape(sections[0]);
  options.m = shape.read_little<std::uint32_t>();
  options.ef_construction = shape.read_little<std::uint32_t>();
  return put_together(header, sections);
}

constexpr std::uint32_t coded_dimension = 33;
constexpr std::size_t coded_count = 520, coded_partitions = 5;

/// Makes a small segment with tables; the vectors of its first slots are the centroids.
std::shared_ptr<const Segment> make_coded_segment(const VectorIndexOptions& options) {
  std::vector<std::vector<float>> vectors;
  SegmentPlan plan;
  for (std::size_t i = 0; i < coded_count; ++i) {
    auto& vector = vectors.emplace_back(coded_dimension);
    for (std::size_t j = 0; j < coded_dimension; ++j)
      vector[j] = static_cast<float>((i * 7 + j * j * (i % 11)) % 101) - 50.5F;
    store_components(std::vector(vector), options.metric, vector);
  }
  for (std::size_t i = 0; i < coded_count; ++i) plan.added.push_back({3 * i, vectors[i].data()});
  const auto plain = Segment::build(options, plan, {}).value();
  const SerializedSegment image = plain->image(options);
  SegmentParts parts;
  parts.shape = image.shape;
  parts.entities.assign(image.entities.begin(), image.entities.end());
  parts.level0 = allocate_memory(image.level0.size());
  std::memcpy(parts.level0.get(), image.level0.data(), image.level0.size());
  if (image.shape.is_coded) {
    parts.centre.assign(image.centre.begin(), image.centre.end());
    Memory rows = allocate_memory(image.rows.size_bytes());
    std::memcpy(rows.get(), image.rows.data(), image.rows.size_bytes());
    parts.rows = std::make_shared<SegmentRows>(std::move(rows), image.rows.size_bytes());
  }
  parts.levels = image.levels;
  parts.upper = image.upper;
  for (std::uint32_t i = 0; i < coded_count; ++i) {
    if (i < coded_partitions)
      parts.partitioning.means.insert(parts.partitioning.means.end(), vectors[i].begin(),
                                      vectors[i].end());
    parts.partitioning.partition_of.push_back(i % coded_partitions);
  }
  return Segment::restore(std::move(parts)).value()->finish().value();
}

struct CodedFile {
  codec::SnapshotHeader header;
  std::vector<std::string> sections;
};

/// Saves that segment and splits the file into its sections.
CodedFile make_coded_file(const VectorIndexOptions& options) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("cairn-fuzz-" + std::to_string(::getpid()) + ".segment");
  expect(write_snapshot(path, owner, make_coded_segment(options)->image(options), 1).has_value());
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::filesystem::remove(path);
  CodedFile made;
  const std::size_t head = codec::snapshot_header_size(bytes);
  made.header = codec::decode_snapshot_header(bytes.substr(0, head), bytes.size()).value();
  std::size_t at = head;
  for (const std::uint64_t size : made.header.section_bytes) {
    made.sections.push_back(bytes.substr(at, size));
    if (size > 0) at += size + sizeof(std::uint64_t);
  }
  return made;
}

/// Returns the file with tables after the edits of the input.
std::string edit_file(codec::ByteCursor& input, codec::Metric metric, VectorIndexOptions& options) {
  options = {.dimension = coded_dimension, .metric = metric, .m = 4, .ef_construction = 8};
  static std::map<codec::Metric, CodedFile> files;
  if (!files.contains(metric)) files.emplace(metric, make_coded_file(options));
  CodedFile file = files.at(metric);
  while (!input.rest().empty()) {
    const std::uint8_t what = input.read_byte();
    std::string& section = file.sections[(what & 0x7F) % file.sections.size()];
    const std::size_t number = input.read_little<std::uint16_t>();
    if ((what & 0x80) != 0) {
      section.resize(number);
    } else if (const auto bytes = input.read_bytes(input.read_byte());
               number + bytes.size() <= section.size()) {
      section.replace(number, bytes.size(), bytes);
    }
  }
  return put_together(file.header, {file.sections.begin(), file.sections.end()});
}

/// Searches with every strategy and accuracy, and as the planner chooses.
void search_all(const std::string& path, const VectorIndexOptions& options) {
  auto index = VectorIndex::make(options).value();
  if (!index->load(path, owner.database_id, owner.index_id)) return;
  const std::vector<float> query(options.dimension, 1.0F);
  const std::size_t most = std::min<std::size_t>(10, index->state()->size());
  using Way = std::optional<SearchStrategy>;
  for (const Way way : {Way(), Way(SearchStrategy::flat), Way(SearchStrategy::partitions),
                        Way(SearchStrategy::graph)})
    for (const std::size_t ef : {std::size_t{0}, std::size_t{40}})
      for (const Accuracy recall : {Accuracy::fast, Accuracy::standard, Accuracy::high}) {
        const auto found = index->state()->search(
            {.query = query, .ef_search = ef, .recall = recall, .strategy = way});
        expect(found.has_value() && found->hits.size() == most);
      }
}

/// Searches a loaded segment and builds a new one from it.
void use(const Segment& segment, const VectorIndexOptions& options) {
  std::vector<float> query(options.dimension, 1.0f);
  std::vector<float> stored(options.dimension);
  store_components(query, options.metric, stored);
  const LiveIds live{&segment.slots(), nullptr, 1, 0};
  const InternalIdSelection selection(live, nullptr);
  std::size_t seen = 0;
  selection.for_each([&](std::uint32_t slot) { seen += segment.row(slot) != nullptr; });
  expect(seen == selection.count());
  // The links may reach only some slots, so the search may find nothing.
  if (seen > 0) (void)segment.search({stored.data(), 10, 10, &selection, 100'000});
  SegmentPlan plan{&segment, segment.slots().dead(), {}};
  for (std::uint64_t entity = 70'000; entity < 70'004; ++entity)
    plan.added.push_back({entity, stored.data()});
  if (options.ef_construction <= 200) (void)Segment::build(options, plan, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codec::ByteCursor input({reinterpret_cast<const char*>(data), size});
  VectorIndexOptions options;
  const bool is_edit = size > 0 && data[0] >= 0x80;
  const std::uint8_t first = is_edit ? input.read_byte() & 0x7F : 0;
  const auto metric = static_cast<codec::Metric>(1 + first % 16 % 3);
  const auto storage = static_cast<codec::VectorStorage>(first / 16 % 4);
  const std::string file = is_edit ? edit_file(input, metric, options) : make_file(input, options);
  static fuzz::ScratchFile scratch;
  const std::string& path = scratch.write(file);

  if (is_edit) {
    options.storage = storage;
    search_all(path, options);
    return 0;
  }
  auto saved = read_snapshot(path, owner, options);
  if (!saved) return 0;
  const auto segment = Segment::restore(std::move(saved->parts));
  if (!segment) return 0;
  use(**segment, options);
  const auto image = (*segment)->image(options);
  expect(image.shape.count == image.entities.size());
  return 0;
}
