#pragma once
// Splits a snapshot file into its sections and writes it again with right checksums, so that a
// fault in a section reaches the checks after the checksums.

#include "codec/byte_io.hpp"
#include "codec/snapshot_header.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::test {

struct SnapshotEdit {
  codec::SnapshotHeader header;
  std::vector<std::string> sections;

  /// The file is sound.
  explicit SnapshotEdit(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    const std::size_t head = codec::snapshot_header_size(bytes);
    header = codec::decode_snapshot_header(bytes.substr(0, head), bytes.size()).value();
    std::size_t at = head;
    for (std::uint64_t left : header.section_bytes) {
      std::string& section = sections.emplace_back();
      for (; left > 0;) {
        const auto size =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, header.block_bytes));
        section += bytes.substr(at, size);
        at += size + (is_whole() ? 0 : sizeof(std::uint64_t));
        left -= size;
      }
      if (is_whole()) at += blocks_of(section) * sizeof(std::uint64_t);
    }
  }

  /// Whether the checksums of a section's blocks follow all of them.
  [[nodiscard]] bool is_whole() const {
    return header.layout >= codec::first_whole_snapshot_layout;
  }
  [[nodiscard]] std::size_t blocks_of(const std::string& section) const {
    return (section.size() + header.block_bytes - 1) / header.block_bytes;
  }

  /// Where a section begins in the file.
  [[nodiscard]] std::size_t place_of(std::size_t section) const {
    codec::SnapshotHeader before = header;
    for (std::size_t i = section; i < before.section_bytes.size(); ++i) before.section_bytes[i] = 0;
    return codec::snapshot_file_bytes(before);
  }

  /// As an older program would have written it: vectors in the records, no bytes, no rows.
  void make_old(std::uint32_t layout) {
    constexpr std::size_t rows = 3, level0 = 5;
    codec::ByteCursor shape(sections[0]);
    const std::size_t links = 4 + 8 * std::size_t{shape.read_little<std::uint32_t>()};
    const std::size_t row = 4 * std::size_t{header.dimension};
    if (const std::size_t count = header.count; count > 0 && !sections[rows].empty()) {
      const std::size_t record = sections[level0].size() / count;
      std::string made;
      for (std::size_t slot = 0; slot < count; ++slot) {
        made += sections[level0].substr(slot * record, links);
        made += sections[rows].substr(slot * row, row);
        made.resize((made.size() + 7) / 8 * 8);
        codec::append_little(made, std::uint64_t{slot});
      }
      sections[level0] = made;
    }
    sections[0].resize(16);
    sections.erase(sections.begin() + rows, sections.begin() + level0);
    sections.resize(layout == 1 ? 8 : 24);
    header.layout = layout;
    header.section_bytes = {};
  }

  [[nodiscard]] std::string bytes() const {
    codec::SnapshotHeader made = header;
    for (std::size_t i = 0; i < sections.size(); ++i) made.section_bytes[i] = sections[i].size();
    std::string file = codec::encode(made);
    const std::string head = file;
    std::uint64_t number = 0;
    for (const std::string& section : sections) {
      std::string checksums;
      for (std::size_t at = 0; at < section.size(); at += made.block_bytes) {
        const std::string block = section.substr(at, made.block_bytes);
        file += block;
        codec::append_little(checksums, codec::snapshot_block_checksum(head, number++, block));
        if (is_whole() && at + made.block_bytes < section.size()) continue;
        file += checksums;
        checksums.clear();
      }
    }
    return file;
  }

  void write(const std::filesystem::path& file) const {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes();
  }
};

}  // namespace cairn::test
