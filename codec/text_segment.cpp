// The changes of one commit to a full-text index, as one value of the store (reasons:
// engine/README, Decisions). `starts_` has the offset of each entry, so a binary search for a
// term reads only the headers of entries and does not decode their postings. Memory: the bytes, and
// 8 bytes per entry. A segment is immutable and shared by readers.
#include "codec/text_segment.hpp"

#include "codec/byte_io.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cairn::codec {
namespace {

constexpr std::uint64_t chunks_end = std::uint64_t{1} << 48;  // a key has six bytes for a chunk

TextSegmentEntry read_entry(NumberReader& reader) {
  TextSegmentEntry entry;
  entry.name = reader.read_bytes(reader.read_varint());
  entry.chunk = reader.read_varint();
  entry.operand = reader.read_bytes(reader.read_varint());
  return entry;
}

/// True if the name and chunk can occur in a key and the operand is not empty.
bool is_sound(const TextSegmentEntry& entry) {
  return entry.name.size() > 1 && entry.name.find('\0') == std::string_view::npos &&
         entry.chunk < chunks_end && !entry.operand.empty();
}

bool is_behind(const TextSegmentEntry& entry, const TextSegmentEntry& other) {
  return std::tie(entry.name, entry.chunk) > std::tie(other.name, other.chunk);
}

}  // namespace

Result<TextSegment> TextSegment::decode(std::string bytes) {
  const Error damaged = corruption("a segment of text postings is damaged");
  TextSegment made;
  // Moved first: entries point into bytes_, and moving a short string copies its characters.
  made.bytes_ = std::move(bytes);
  NumberReader reader(made.bytes_);
  made.documents_ = reader.read_varint();
  TextSegmentEntry before;
  while (!reader.finished()) {
    made.starts_.push_back(made.bytes_.size() - reader.rest().size());
    const TextSegmentEntry entry = read_entry(reader);
    // `before` begins with an empty name, which sorts before every entry.
    if (reader.failed() || !is_sound(entry) || !is_behind(entry, before)) return damaged;
    before = entry;
  }
  if (made.starts_.empty()) return damaged;
  return made;
}

TextSegmentEntry TextSegment::operator[](std::size_t i) const {
  NumberReader reader(std::string_view(bytes_).substr(starts_[i]));
  return read_entry(reader);
}

// Each step of the binary search reads the header of one entry.
std::size_t TextSegment::lower_bound(std::string_view name) const {
  const auto found = std::partition_point(starts_.begin(), starts_.end(), [&](std::size_t start) {
    NumberReader reader(std::string_view(bytes_).substr(start));
    return read_entry(reader).name < name;
  });
  return static_cast<std::size_t>(found - starts_.begin());
}

TextSegmentWriter::TextSegmentWriter(std::uint64_t documents) {
  made_.documents_ = documents;
  append_varint(made_.bytes_, documents);
}

void TextSegmentWriter::add(std::string_view name, std::uint64_t chunk,
                            const TextPostings& changes) {
  operand_.clear();
  append_text_operand(operand_, changes);
  made_.starts_.push_back(made_.bytes_.size());
  append_text(made_.bytes_, name);
  append_varint(made_.bytes_, chunk);
  append_text(made_.bytes_, operand_);
}

TextSegment TextSegmentWriter::finish() {
  // A segment stays in memory until the log of up to 64 segments is merged, so unused capacity is
  // freed.
  made_.bytes_.shrink_to_fit();
  made_.starts_.shrink_to_fit();
  return std::move(made_);
}

}  // namespace cairn::codec
