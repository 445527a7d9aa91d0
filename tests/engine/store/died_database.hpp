#pragma once
// What tests of damaged logs do with the files of a process that died.

#include "codec/commit_note.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/database.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace cairn::test {

inline Options repairing() {
  Options options;
  options.repair = true;
  return options;
}

/// `count` commits of one node each.
inline void commit_nodes(Database& database, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    Transaction transaction = must(database.begin());
    must(transaction.create_node({{"N"}, {{"i", i}}, "n" + std::to_string(i)}));
    must(transaction.commit());
  }
}

/// The store's newest log that is not empty.
inline std::filesystem::path newest_log(const std::filesystem::path& database) {
  std::filesystem::path newest;
  for (const auto& entry :
       std::filesystem::directory_iterator(database / engine::metadata_file::store_directory))
    if (entry.path().extension() == ".log" && std::filesystem::file_size(entry.path()) > 0)
      newest = std::max(newest, entry.path());
  return newest;
}

inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// Leave the TAIL that was written when the database was made, as a power cut may.
inline void age_tail(const std::filesystem::path& database) {
  const auto file = database / engine::metadata_file::tail;
  codec::TailFile tail = must(codec::decode_tail_file(content(file)));
  tail.commit = 0;
  tail.in_files = false;
  write(file, codec::encode(tail));
}

}  // namespace cairn::test
