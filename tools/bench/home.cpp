// `cairn-bench home`: measures what a home costs in addition to its object store. Unless --home names a store, the store is a
// directory, so commits then measure this disk.
#include "engine/home/object_store.hpp"
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/follower.hpp>
#include <cairn/options.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_in_commit = 1'000;
constexpr const char* make_index =
    "CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: {`vector.dimensions`: "
    "$dimension, `vector.similarity_function`: 'cosine'}}";
constexpr const char* search =
    "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX v FOR $q WHERE m.year > 50 LIMIT 10) SCORE AS s "
    "RETURN m.number, s";

/// Memories that are drawn at random.
class Memories {
 public:
  Memories(std::uint64_t seed, std::uint32_t dimension) : random_(seed), dimension_(dimension) {}

  std::vector<float> vector() {
    std::normal_distribution<float> normal;
    std::vector<float> drawn(dimension_);
    for (float& each : drawn) each = normal(random_);
    return drawn;
  }
  Status add(Database& database, std::uint64_t count) {
    while (count > 0) {
      CAIRN_ASSIGN(Transaction transaction, database.begin());
      const std::uint64_t now = std::min<std::uint64_t>(count, most_in_commit);
      for (std::uint64_t i = 0; i < now; ++i)
        CAIRN_TRY(transaction.create_node({{"Memory"}, properties()}));
      CAIRN_TRY(transaction.commit());
      count -= now;
    }
    return {};
  }
  Status ask(Database& database) {
    List question;
    for (const float each : vector()) question.emplace_back(static_cast<double>(each));
    CAIRN_ASSIGN(Rows rows, execute(database, search, {{"q", std::move(question)}}));
    for (const auto& row : rows) CAIRN_TRY(row);
    return {};
  }

 private:
  Map properties() {
    Map map{{"number", ++number_},
            {"year", static_cast<std::int64_t>(random_() % 100)},
            {"text", "memory " + std::to_string(number_) + std::string(200, 'x')}};
    if (dimension_ > 0) map.emplace("v", Vector(vector()));
    return map;
  }

  std::mt19937_64 random_;
  std::uint32_t dimension_;
  std::int64_t number_ = 0;
};

class HomeRun {
 public:
  HomeRun(const HomeBench& bench, std::ostream& out)
      : bench_(bench),
        out_(out),
        home_(bench.home.empty() ? "dir:" + bench.directory + "/store" : bench.home) {}

  Status run() {
    CAIRN_TRY(measure_memory());
    CAIRN_TRY(time_creates());
    CAIRN_TRY(fill());
    CAIRN_TRY(time_openings());
    CAIRN_TRY(time_commits());
    CAIRN_TRY(time_reads());
    return time_replica();
  }

 private:
  [[nodiscard]] fs::path path(const std::string& name) const {
    return fs::path(bench_.directory) / name;
  }
  [[nodiscard]] Result<Database> open(const std::string& name,
                                      const std::string& tenant = "") const {
    Options options;
    options.home = tenant.empty() ? home_ : home_ + "#" + tenant;
    options.memory_bytes = std::size_t{32} << 20;
    options.vector_memory_bytes = 0;
    return Database::open(path(name), options);
  }
  void print(const std::string& what, const Stopwatch& watch) const {
    const Map figures = watch.figures();
    out_ << what << ": " << figures.at("p50_us").to_text() << " us p50, "
         << figures.at("p99_us").to_text() << " us p99, " << watch.laps() << " runs" << std::endl;
  }

  Status time_creates() const {
    CAIRN_ASSIGN(const auto store, engine::open_object_store(home_));
    CAIRN_ASSIGN(const std::string prefix, engine::random_object_name("bench-"));
    const std::string bytes(4'096, 'x');
    Stopwatch watch;
    for (std::uint64_t i = 0; i < bench_.commits; ++i) {
      const std::string name = prefix + "/" + std::to_string(i);
      watch.restart();
      if (store->create(name, bytes).outcome != engine::WriteOutcome::done)
        return Error{ErrorCode::io_error, "the store did not create the object " + name,
                     std::nullopt};
      watch.lap();
      static_cast<void>(store->erase(name));
    }
    print("create of 4 KiB in the store", watch);
    return {};
  }
  Status fill() {
    CAIRN_ASSIGN(Database database, open("copy"));
    const std::int64_t dimension = bench_.dimension;
    CAIRN_TRY(execute(database, make_index, {{"dimension", dimension}}));
    CAIRN_TRY(memories_.add(database, bench_.memories));
    return database.close();
  }
  /// Times openings with an empty directory and with an existing copy, each up to the first filtered search.
  Status time_openings() {
    for (const bool is_cold : {true, false}) {
      Stopwatch watch;
      for (std::uint64_t i = 0; i < bench_.openings; ++i) {
        if (is_cold) fs::remove_all(path("copy"));
        watch.restart();
        CAIRN_ASSIGN(Database database, open("copy"));
        CAIRN_TRY(memories_.ask(database));
        watch.lap();
        CAIRN_TRY(database.close());
      }
      print(is_cold ? "opening with an empty disk, to the first search"
                    : "takeover after a release, with a copy, to the first search",
            watch);
    }
    return {};
  }
  Status time_commits() {
    CAIRN_ASSIGN(Database database, open("copy"));
    Stopwatch watch;
    for (std::uint64_t i = 0; i < bench_.commits; ++i) {
      watch.restart();
      CAIRN_TRY(memories_.add(database, 1));
      watch.lap();
    }
    print("commit of a memory with a vector", watch);
    return database.close();
  }
  Status time_reads() {
    CAIRN_ASSIGN(Database database, open("copy"));
    Stopwatch watch;
    for (std::uint64_t i = 0; i < bench_.commits; ++i) {
      watch.restart();
      CAIRN_TRY(memories_.ask(database));
      watch.lap();
    }
    print("filtered vector search at the owner", watch);
    return database.close();
  }
  /// Measures the time from a commit until a plain read of the replica sees it. Also measures strong reads.
  Status time_replica() {
    CAIRN_ASSIGN(Database database, open("copy"));
    CAIRN_ASSIGN(HomeFollower replica, HomeFollower::open(home_, path("replica")));
    Stopwatch lag;
    Stopwatch strong;
    for (std::uint64_t i = 0; i < bench_.openings * 5; ++i) {
      CAIRN_TRY(memories_.add(database, 1));
      lag.restart();
      CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
      for (std::uint64_t commit = 0; commit < snapshot.commit_number();) {
        CAIRN_ASSIGN(const FollowedDatabase read, replica.read());
        commit = read.commit;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      lag.lap();
      CAIRN_TRY(memories_.add(database, 1));
      strong.restart();
      CAIRN_TRY(replica.read({.max_staleness = std::chrono::milliseconds(0)}));
      strong.lap();
    }
    print("replica behind the owner", lag);
    print("strong read of a replica behind a commit", strong);
    return database.close();
  }
  [[nodiscard]] static std::string tenant(std::uint64_t number) {
    return "t" + std::to_string(number);
  }
  /// Measures the memory of open homes with a thousand memories each, without vectors. First returns the memory that
  /// was freed after making the homes to the system.
  Status measure_memory() {
    Memories plain(bench_.seed, 0);
    for (std::uint64_t i = 0; i < bench_.homes; ++i) {
      CAIRN_ASSIGN(Database database, open(tenant(i), tenant(i)));
      CAIRN_TRY(plain.add(database, 1'000));
      CAIRN_TRY(database.close());
    }
    ::malloc_trim(0);
    const double before = resident_mebibytes();
    std::vector<Database> open_ones;
    for (std::uint64_t i = 0; i < bench_.homes; ++i) {
      CAIRN_ASSIGN(Database database, open(tenant(i), tenant(i)));
      open_ones.push_back(std::move(database));
    }
    ::malloc_trim(0);
    const double each = (resident_mebibytes() - before) / static_cast<double>(bench_.homes);
    out_ << "memory of an open home of 1,000 memories: " << each << " MiB, " << bench_.homes
         << " homes" << std::endl;
    for (Database& database : open_ones) CAIRN_TRY(database.close());
    return {};
  }
  static double resident_mebibytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    file >> size >> resident;
    return static_cast<double>(resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) /
           (1 << 20);
  }

  const HomeBench& bench_;
  std::ostream& out_;
  const std::string home_;
  Memories memories_{bench_.seed, bench_.dimension};
};

}  // namespace

Status bench_home(const HomeBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  fs::create_directories(bench.directory);
  return HomeRun(bench, out).run();
}

}  // namespace cairn::tools
