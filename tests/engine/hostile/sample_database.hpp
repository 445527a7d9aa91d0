#pragma once
// A database with keys in every family, tables, a log, files of segments, and perhaps the file of a vector index.

#include <cairn/options.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::test {

/// Makes a database in `place` and leaves it as a process that died would. Each number gives other records. A vector
/// file needs thousands of vectors, which every later operation on the database has to process.
void make_sample_database(const std::filesystem::path& place, int number, bool has_vector_file);

/// Small caches, and segments at once, so that statements read their files.
[[nodiscard]] Options sample_options();

/// Statements that read all of it by scans, indexes, texts and relationships. The last one writes.
[[nodiscard]] const std::vector<std::string>& sample_questions();

/// Its files, as paths within it, in their order.
[[nodiscard]] std::vector<std::filesystem::path> files_of(const std::filesystem::path& database);

}  // namespace cairn::test
