// The snapshot file of a vector segment, behind its checksums: the input holds numbers and sections,
// the file around them is made here, so that what is wrong in them reaches the checks. What is let
// through is searched, extended and saved.
//
// input := metric:u8 dimension:u8 count:u16 (size:u16 byte{size}){6}     sections as in the file

#include "codec/byte_io.hpp"
#include "codec/snapshot_header.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/segment.hpp"
#include "engine/vector/snapshot_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::engine;

const SnapshotOwner owner{std::string(32, 'f'), 1};

void expect(bool holds) {
  if (!holds) std::abort();
}

/// A whole file with its checksums.
std::string make_file(codec::ByteCursor& input, VectorIndexOptions& options) {
  codec::SnapshotHeader header;
  header.database_id = owner.database_id;
  header.index = owner.index_id;
  header.metric = options.metric = static_cast<codec::Metric>(input.read_byte());
  header.dimension = options.dimension = input.read_byte();
  header.count = input.read_little<std::uint16_t>();
  std::vector<std::string_view> sections;
  for (int i = 0; i < 6; ++i) {
    sections.push_back(input.read_bytes(input.read_little<std::uint16_t>()));
    header.section_bytes[sections.size() - 1] = sections.back().size();
  }
  codec::ByteCursor shape(sections[0]);
  options.m = shape.read_little<std::uint32_t>();
  options.ef_construction = shape.read_little<std::uint32_t>();

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

void use(const Segment& segment, const VectorIndexOptions& options) {
  std::vector<float> query(options.dimension, 1.0f);
  std::vector<float> stored(options.dimension);
  store_components(query, options.metric, stored);
  const LiveSlots live{&segment.slots(), nullptr, 1, 0};
  const SlotSelection selection(live, nullptr);
  std::size_t seen = 0;
  selection.for_each([&](std::uint32_t slot) { seen += segment.row(slot) != nullptr; });
  expect(seen == selection.count());
  if (seen > 0) expect(segment.search(stored.data(), 10, selection, 100'000).has_value());
  SegmentPlan plan{&segment, segment.slots().dead(), {}};
  for (std::uint64_t entity = 70'000; entity < 70'004; ++entity)
    plan.added.push_back({entity, stored.data()});
  if (options.ef_construction <= 200) (void)Segment::build(options, plan, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codec::ByteCursor input({reinterpret_cast<const char*>(data), size});
  VectorIndexOptions options;
  const std::string file = make_file(input, options);
  static const int descriptor = ::memfd_create("snapshot", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  expect(::ftruncate(descriptor, 0) == 0);
  expect(::pwrite(descriptor, file.data(), file.size(), 0) == static_cast<ssize_t>(file.size()));

  auto saved = read_snapshot(path, owner, options);
  if (!saved) return 0;
  const auto segment = Segment::restore(std::move(saved->parts));
  if (!segment) return 0;
  use(**segment, options);
  const auto image = (*segment)->image(options);
  expect(image.shape.count == image.entities.size());
  return 0;
}
