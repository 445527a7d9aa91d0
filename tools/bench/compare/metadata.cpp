// `cairn_compare_metadata`: compares filters, facets, newest records, single reads and durable
// writes of Cairn with those of other engines, on the same records in one run. Answers are first
// checked against a scan of all records, because a fast wrong answer would have the best figure.
// Rates are per second of processor time, so that other programs do not affect them. Durable writes
// use the wall clock, because they wait for the disk.
#include "tools/arguments/command_parser.hpp"
#include "tools/bench/compare/metadata_cairn.hpp"
#include "tools/bench/stopwatch.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <random>

namespace cairn::compare {
namespace {

using tools::Clock;

struct Work {
  std::string directory;
  std::string duckdb;
  std::vector<std::string> only;
  std::size_t nodes = 331'479;
  std::uint64_t seed = 1;
  double seconds = 2;  // for each question and engine
  std::size_t questions = 400, checked = 10, writes = 400;
};

constexpr const char* names[] = {
    "count, two equalities and an OR", "count, OR and a range over many values",
    "count, a tag and a period",       "three facets under a filter",
    "facet of tags under a filter",    "GROUP BY one field under a filter",
    "newest 20 and total, few pass",   "newest 20 and total, many pass",
    "newest 20 and total, narrow"};

constexpr std::array<std::pair<Get, const char*>, 6> gets = {
    {{Get::by_id, "get by id, as it lies"},
     {Get::by_id_property, "get by id, one property"},
     {Get::by_id_statement, "get by id by a statement, one property"},
     {Get::by_key, "get by key, as it lies"},
     {Get::by_key_property, "get by key, one property"},
     {Get::by_key_values, "get by key, all properties"}}};

constexpr const char* same_row = "get by internal id, the same records";
constexpr const char* read_row = "get by internal id, JSON for RocksDB";
constexpr const char* property_row = "get by internal id, JSON for RocksDB, one property";
constexpr const char* insert_row = "durable insert with a vector";
constexpr const char* update_row = "durable update of one property";

void say(const std::string& text) { std::cerr << text << std::endl; }

Error wrong(const std::string& engine, Shape shape, const char* what) {
  return {
      ErrorCode::corruption,
      engine + " answers \"" + names[static_cast<std::size_t>(shape)] + "\" otherwise than " + what,
      std::nullopt};
}

/// Calls `once(i)` with i from 0 on until the time is over. Returns the number of calls per second
/// of processor time. Reading the clock is a system call that would slow short reads down, so it is
/// read after each 1 % of the calls.
template <class Once>
Result<double> rate_of(double seconds, const Once& once) {
  const double begin = tools::thread_cpu_us();
  std::size_t runs = 0;
  double used = 0;
  while (used < seconds * 1e6) {
    for (const std::size_t step = runs + runs / 100 + 1; runs < step; ++runs) CAIRN_TRY(once(runs));
    used = tools::thread_cpu_us() - begin;
  }
  return 1e6 * static_cast<double>(runs) / used;
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(),
                value < 10    ? "%.2f"
                : value < 100 ? "%.1f"
                              : "%.0f",
                value);
  return text.data();
}

void print_row(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) std::cout << "| " << cell << " ";
  std::cout << "|" << std::endl;
}

class Comparison {
 public:
  explicit Comparison(const Work& work)
      : work_(work), records_(make_metadata(work.nodes, work.seed)) {}

  /// Reads first and writes last, because written records would change the compared answers.
  Status run() {
    std::filesystem::create_directories(work_.directory);
    CAIRN_TRY(open_peers());
    std::vector<std::string> head = {"a second of processor time"};
    for (const auto& peer : peers_) head.push_back(peer->name());
    for (std::size_t i = 1; i < peers_.size(); ++i) head.push_back("x " + peers_[i]->name());
    print_row(head);
    print_row(std::vector<std::string>(head.size(), "---"));
    for (const Shape shape : shapes)
      if (is_wanted(names[static_cast<std::size_t>(shape)])) CAIRN_TRY(compare(shape));
    for (const auto& [get, name] : gets)
      if (is_wanted(name)) CAIRN_TRY(compare_gets(get, name));
    peers_.clear();
    CAIRN_TRY(compare_stores());
    return database_->close();
  }

 private:
  bool is_wanted(const std::string& row) const {
    return work_.only.empty() || std::ranges::any_of(work_.only, [&](const std::string& part) {
             return row.find(part) != std::string::npos;
           });
  }
  std::string file(const char* name) const { return work_.directory + "/" + name; }

  /// Reports a missing engine and leaves out its columns; the comparison continues.
  Status open_peers() {
    say("opening Cairn");
    CAIRN_ASSIGN(Database database, open_cairn(file("cairn"), records_));
    database_ = std::make_unique<Database>(std::move(database));
    CAIRN_TRY(add(make_cairn_peer(*database_)));
    say("opening SQLite");
    CAIRN_TRY(add(make_sqlite_peer(SqliteSetting::covered, file("memories.sqlite"), records_)));
    CAIRN_TRY(add(make_sqlite_peer(SqliteSetting::json, file("memories-json.sqlite"), records_)));
    if (!std::filesystem::exists(work_.duckdb)) {
      say("NO DUCKDB: there is no " + work_.duckdb + "; its columns are left out");
      return {};
    }
    say("opening DuckDB");
    return add(
        make_duckdb_peer(work_.duckdb, file("memories.duckdb"), file("memories.jsonl"), records_));
  }

  Status add(PeerResult peer) {
    if (!peer) return peer.error();
    peers_.push_back(std::move(peer).value());
    return {};
  }

  // Uses half of the questions to warm caches and the other half to measure. A question is asked
  // again only if an engine runs out of questions within the time.
  Status compare(Shape shape) {
    const auto all = draw_questions(shape, 2 * work_.questions, records_, work_.seed);
    for (std::size_t i = 0; i < work_.checked; ++i) {
      const Answer right = answer_by_reading(all[i], records_);
      for (const auto& peer : peers_) {
        CAIRN_ASSIGN(const Answer answer, peer->ask(all[i]));
        if (answer != right) return wrong(peer->name(), shape, "reading all records");
      }
    }
    std::vector<double> rates;
    for (const auto& peer : peers_) {
      const auto ask = [&](std::size_t at) -> Status {
        CAIRN_ASSIGN(const Answer answer, peer->ask(all[at]));
        return {};
      };
      const std::size_t half = work_.questions;
      CAIRN_TRY(rate_of(work_.seconds / 2, [&](std::size_t i) { return ask(i % half); }));
      CAIRN_ASSIGN(const double rate,
                   rate_of(work_.seconds, [&](std::size_t i) { return ask(half + i % half); }));
      rates.push_back(rate);
    }
    print(names[static_cast<std::size_t>(shape)], rates);
    return {};
  }

  /// Reads random records, so that the working set is the whole table.
  Status compare_gets(Get kind, const char* name) {
    std::vector<double> rates;
    for (const auto& peer : peers_) {
      std::mt19937_64 random(work_.seed);
      const auto get = [&](std::size_t) -> Status {
        CAIRN_ASSIGN(const std::size_t size, peer->get(kind, 1 + random() % records_.size()));
        if (size > 0) return {};
        return Error{
            ErrorCode::not_found,
            peer->name() + " lacks a record that was loaded; remove its files and run again",
            std::nullopt};
      };
      CAIRN_TRY(rate_of(work_.seconds / 2, get));
      CAIRN_ASSIGN(const double rate, rate_of(work_.seconds, get));
      rates.push_back(rate);
    }
    print(name, rates);
    return {};
  }

  /// Prints the rates, then the ratio of the first rate to each other rate.
  static void print(const std::string& name, const std::vector<double>& rates) {
    std::vector<std::string> cells = {name};
    for (const double rate : rates) cells.push_back(number_text(rate));
    for (std::size_t i = 1; i < rates.size(); ++i)
      cells.push_back(number_text(rates[0] / rates[i]));
    print_row(cells);
  }

  // Alternates between both stores, so that changes in the load of the disk affect both.
  Status compare_stores() {
    CAIRN_ASSIGN(auto cairn, make_cairn_store(*database_));
    CAIRN_ASSIGN(auto bare, make_rocksdb_store(file("rocksdb"), records_));
    std::cout << "\n";
    print_row({"a second", "Cairn", "RocksDB", "x RocksDB"});
    print_row({"---", "---", "---", "---"});
    if (is_wanted(same_row)) {
      CAIRN_ASSIGN(auto same, make_rocksdb_reader(file("cairn/store"), *cairn));
      CAIRN_TRY(compare_reads<RecordPeer>(same_row, &RecordPeer::read, *cairn, *same));
    }
    if (is_wanted(read_row))
      CAIRN_TRY(compare_reads<RecordPeer>(read_row, &RecordPeer::read, *cairn, *bare));
    if (is_wanted(property_row))
      CAIRN_TRY(compare_reads<StorePeer>(property_row, &StorePeer::read_property, *cairn, *bare));
    return is_wanted(insert_row) || is_wanted(update_row) ? compare_writes(*cairn, *bare)
                                                          : Status();
  }

  /// Warms caches for half of the time, then measures. Both stores read the same records. The ids
  /// are drawn beforehand, because looking up an id is not the work of the store.
  template <class Peer>
  Status compare_reads(const char* name, Result<std::size_t> (Peer::*read)(std::uint64_t),
                       Peer& cairn, Peer& bare) {
    constexpr std::size_t drawn = std::size_t{1} << 20;
    std::vector<double> rates;
    for (Peer* store : {&cairn, &bare}) {
      std::mt19937_64 random(work_.seed);
      std::vector<std::uint64_t> ids(drawn);
      for (std::uint64_t& id : ids) id = store->id_of(1 + random() % records_.size());
      const auto once = [&](std::size_t i) -> Status {
        CAIRN_ASSIGN(const std::size_t bytes, (store->*read)(ids[i % drawn]));
        if (bytes > 0) return {};
        return Error{ErrorCode::not_found,
                     store->name() + " lacks the record " + std::to_string(ids[i % drawn]) +
                         "; remove its files and run again",
                     std::nullopt};
      };
      CAIRN_TRY(rate_of(work_.seconds / 2, once));
      CAIRN_ASSIGN(const double rate, rate_of(work_.seconds, once));
      rates.push_back(rate);
    }
    print(name, rates);
    return {};
  }

  /// Writes each record to one store and then to the other.
  Status compare_writes(StorePeer& cairn, StorePeer& bare) {
    const auto fresh = make_metadata(work_.writes, work_.seed + 1);
    std::mt19937_64 random(work_.seed);
    std::normal_distribution<float> component;
    std::vector<float> vector(write_dimension);
    std::array<double, 2> inserts{};
    std::array<double, 2> updates{};
    const std::array<StorePeer*, 2> stores = {&cairn, &bare};
    const auto timed = [](double& sum, const auto& work) -> Status {
      const auto begin = Clock::now();
      CAIRN_TRY(work());
      sum += tools::seconds_since(begin);
      return {};
    };
    for (const MetadataRecord& record : fresh) {
      for (float& one : vector) one = component(random);
      for (std::size_t i = 0; i < 2; ++i)
        CAIRN_TRY(timed(inserts[i], [&] { return stores[i]->insert(record, vector); }));
    }
    for (std::size_t n = 0; n < fresh.size(); ++n)
      for (std::size_t i = 0; i < 2; ++i)
        CAIRN_TRY(
            timed(updates[i], [&] { return stores[i]->update(n, fresh[n].importance % 10 + 1); }));
    const auto count = static_cast<double>(fresh.size());
    print(insert_row, {count / inserts[0], count / inserts[1]});
    print(update_row, {count / updates[0], count / updates[1]});
    return {};
  }

  const Work& work_;
  Records records_;
  std::unique_ptr<Database> database_;
  std::vector<std::unique_ptr<MetadataPeer>> peers_;
};

}  // namespace
}  // namespace cairn::compare

int main(int argc, char** argv) {
  cairn::compare::Work work;
  cairn::tools::CommandParser parser(
      "cairn_compare_metadata",
      "Metadata of Cairn and of others, on the same records in one run.\n"
      "SQLite, covered: a column and an index for each property, an index that covers counts and "
      "facets, one for each question about the newest.\n"
      "SQLite, JSON: an index on the JSON's expression for each property, none for a question.");
  auto options = parser.options();
  options.text("DIR", work.directory, "Where the databases go").required();
  options.text("--duckdb", work.duckdb, "DuckDB's shared library");
  options.texts("--only", work.only, "Rows with one of these in their names; several");
  options.whole_number("--nodes", work.nodes, "Records");
  options.whole_number("--seed", work.seed, "Of records and questions");
  options.amount("--seconds", work.seconds, "Of each cell");
  options.whole_number("--questions", work.questions, "Different ones of a kind");
  options.whole_number("--checked", work.checked, "Of them, compared with all records");
  options.whole_number("--writes", work.writes, "Durable writes");
  if (const auto status = parser.parse(argc, argv)) return *status;
  const cairn::Status status = cairn::compare::Comparison(work).run();
  if (status) return 0;
  std::cerr << "error: " << status.error().message << "\n";
  return 1;
}
