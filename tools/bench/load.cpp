// `cairn-bench load`: loads nodes in bulk, then builds the vector index over all of them, as a user
// would. Nodes come from JSON Lines and vectors from a file of floats; row i belongs to line i.
// Reports the seconds for loading, for building the index and for saving it, the memory of each
// part of the index, the peak memory and the bytes on disk.
#include "tools/bench/new_directory.hpp"
#include "tools/bench/replay.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace cairn::tools {
namespace {

std::string quoted_name(const std::string& name) {
  std::string quoted = "`";
  for (const char c : name) quoted += c == '`' ? "``" : std::string(1, c);
  return quoted + "`";
}

std::string index_name(const LoadReplay& work) {
  if (!work.index.empty()) return work.index;
  std::string name = work.label + "_" + work.property;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

/// Peak resident memory of the whole process. Linux reports it in KiB.
std::int64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1'024;
}

/// Sum of the sizes of all files. Files that disappear during the count are skipped.
std::int64_t directory_bytes(const std::filesystem::path& directory) {
  std::int64_t bytes = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, ignored))
    if (entry.is_regular_file(ignored))
      bytes += static_cast<std::int64_t>(entry.file_size(ignored));
  return bytes;
}

Result<Database> open(const LoadReplay& work, OpenMode mode) {
  Options options;
  options.mode = mode;
  options.background_threads = std::max<std::uint32_t>(work.threads, 1);
  return Database::open(work.database, options);
}

/// Stores the nodes in batches. The feed reads and parses the next batch meanwhile.
Result<std::int64_t> load_nodes(const LoadReplay& work) {
  CAIRN_ASSIGN(VectorFile vectors, VectorFile::open(work.vectors, work.dimension));
  CAIRN_ASSIGN(const auto feed,
               NodeFeed::open(work.nodes, std::move(vectors), work.label, work.property));
  CAIRN_ASSIGN(Database database, open(work, OpenMode::bulk_load));
  std::int64_t loaded = 0;
  while (true) {
    CAIRN_ASSIGN(const std::vector<NewNode> nodes, feed->next());
    if (nodes.empty()) break;
    CAIRN_ASSIGN(Transaction transaction, database.begin());
    for (const NewNode& node : nodes) {
      const auto made = transaction.create_node(node);
      ++loaded;
      if (!made)
        return Error{
            made.error().code,
            "line " + std::to_string(loaded) + " with its row of vectors: " + made.error().message,
            std::nullopt};
    }
    CAIRN_TRY(transaction.commit());
  }
  CAIRN_TRY(database.close());
  return loaded;
}

/// Builds the vector index with a time limit of a day, which is never reached in practice.
Status build_index(const LoadReplay& work, Database& database) {
  const std::string text =
      "CREATE VECTOR INDEX " + quoted_name(index_name(work)) +
      " FOR (n:" + quoted_name(work.label) + ") ON (n." + quoted_name(work.property) +
      ") OPTIONS {indexConfig: {`vector.dimensions`: " + std::to_string(work.dimension) +
      ", `vector.similarity_function`: '" + work.metric + "'}}";
  StatementOptions options;
  options.timeout = std::chrono::hours(24);
  CAIRN_TRY(execute(database, text, {}, options));
  return {};
}

/// Memory of the index by the parts that db.indexes() reports, in bytes and in bytes per vector.
Result<Map> memory_of(const Database& database, const std::string& index) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  const auto found = std::ranges::find(indexes, index, &IndexDescription::name);
  if (found == indexes.end()) return Map();
  Map parts = found->memory;
  parts["mapped"] = static_cast<std::int64_t>(found->mapped_bytes);
  Map each;
  const auto vectors = static_cast<double>(std::max<std::uint64_t>(found->entries, 1));
  for (const auto& [part, bytes] : parts)
    each[part] = static_cast<double>(bytes.as_integer()) / vectors;
  return Map{{"bytes", std::move(parts)}, {"bytes_a_vector", std::move(each)}};
}

/// Measures three times: of storing the nodes, of building the index, and of the checkpoint and the
/// close, after which the next opening has nothing to recover.
Status load(const LoadReplay& work) {
  auto begin = Clock::now();
  CAIRN_ASSIGN(const std::int64_t loaded, load_nodes(work));
  const double load_seconds = seconds_since(begin);
  begin = Clock::now();
  CAIRN_ASSIGN(Database database, open(work, OpenMode::read_write));
  CAIRN_TRY(build_index(work, database));
  const double index_seconds = seconds_since(begin);
  begin = Clock::now();
  CAIRN_TRY(database.checkpoint());
  double save_seconds = seconds_since(begin);
  CAIRN_ASSIGN(const Map memory, memory_of(database, index_name(work)));
  begin = Clock::now();
  CAIRN_TRY(database.close());
  save_seconds += seconds_since(begin);
  return write_report(work.report, {{"nodes", loaded},
                                    {"dimension", std::int64_t{work.dimension}},
                                    {"index", index_name(work)},
                                    {"threads", std::int64_t{work.threads}},
                                    {"load_seconds", load_seconds},
                                    {"index_seconds", index_seconds},
                                    {"save_seconds", save_seconds},
                                    {"index_memory", memory},
                                    {"peak_rss_bytes", peak_rss_bytes()},
                                    {"disk_bytes", directory_bytes(work.database)}});
}

}  // namespace

// Removes the directory after a failed load, because a second try would take it for a database.
Status replay(const LoadReplay& work) {
  CAIRN_TRY(check_new_directory(work.database));
  auto loaded = load(work);
  std::error_code ignored;  // a directory that could not be removed is reported by the next run
  if (!loaded) std::filesystem::remove_all(work.database, ignored);
  return loaded;
}

}  // namespace cairn::tools
