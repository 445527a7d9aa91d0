// `cairn-bench attach`: compares calls in the process that has the database open (the host) with
// calls from attached processes. All child processes start before the first database is opened,
// because fork() is unsafe with threads. Each figure appears next to a reference of the same run:
// the same call in the host, a bare message over a pair of sockets, or the time of an opening.
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/child_process.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/json.hpp>
#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::size_t searchers = 4;  // also the number of attached processes that search at once
constexpr int calls = 3'000, warming = 300;
constexpr int openings = 50;

constexpr std::string_view point_read = "MATCH (d:Doc {number: $number}) RETURN d.text";
constexpr std::string_view search =
    "MATCH (d:Doc) SEARCH d IN (VECTOR INDEX docs FOR $vector WHERE d.group = $group LIMIT 10) "
    "SCORE AS score RETURN d.number, score";

double now_ms() {
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

Result<Database> open_shared(const std::string& directory) {
  Options options;
  options.share = Share::automatic;
  return Database::open(directory, options);
}

/// Draws random parameters for both statements.
class Questions {
 public:
  Questions(const AttachBench& bench, std::uint64_t seed) : bench_(bench), random_(seed) {}

  Value vector() {
    std::vector<float> components(bench_.dimension);
    for (float& one : components) one = std::normal_distribution<float>()(random_);
    return Vector(std::move(components));
  }
  Parameters next() {
    return {{"number", static_cast<std::int64_t>(random_() % bench_.nodes)},
            {"group", static_cast<std::int64_t>(random_() % 10)},
            {"vector", vector()}};
  }

 private:
  const AttachBench& bench_;
  std::mt19937_64 random_;
};

Status load(const AttachBench& bench, Database& database) {
  CAIRN_TRY(execute(database,
                    "CREATE VECTOR INDEX docs FOR (d:Doc) ON (d.v) OPTIONS "
                    "{indexConfig: {`vector.dimensions`: " +
                        std::to_string(bench.dimension) + "}}"));
  Questions random(bench, bench.seed);
  constexpr std::uint64_t batch = 1'000;
  for (std::uint64_t first = 0; first < bench.nodes; first += batch) {
    CAIRN_ASSIGN(Transaction transaction, database.begin());
    for (std::uint64_t i = first; i < std::min(first + batch, bench.nodes); ++i)
      CAIRN_TRY(transaction.create_node({{"Doc"},
                                         {{"number", static_cast<std::int64_t>(i)},
                                          {"group", static_cast<std::int64_t>(i % 10)},
                                          {"text", "text " + std::to_string(i)},
                                          {"v", random.vector()}}}));
    CAIRN_TRY(transaction.commit());
  }
  return database.checkpoint();
}

Status take_all(const Statement& statement, Database& database, const Parameters& parameters) {
  CAIRN_ASSIGN(Rows rows, statement.run(database, parameters));
  CAIRN_TRY(rows.all());
  return {};
}

/// Median time of one call, in microseconds.
Result<double> call_us(const AttachBench& bench, Database& database, std::string_view text) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  Questions questions(bench, bench.seed + 1);
  std::vector<double> times;
  for (int i = 0; i < warming + calls; ++i) {
    const Parameters parameters = questions.next();
    const double begin = now_ms();
    CAIRN_TRY(take_all(statement, database, parameters));
    if (i >= warming) times.push_back(1e3 * (now_ms() - begin));
  }
  return median(std::move(times));
}

/// Searches per second of one thread.
Result<double> rate(const AttachBench& bench, Database& database, std::uint64_t seed) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(search));
  Questions questions(bench, seed);
  const double end = now_ms() + 1e3 * bench.seconds;
  std::uint64_t done = 0;
  for (; now_ms() < end; ++done) CAIRN_TRY(take_all(statement, database, questions.next()));
  return static_cast<double>(done) / bench.seconds;
}

Result<double> import_seconds(const std::string& file, Database& database) {
  const double begin = now_ms();
  CAIRN_TRY(import_jsonl(database, file));
  return (now_ms() - begin) / 1e3;
}

/// Returns the time at which the first write of this process was answered. All processes read the
/// same clock.
Result<double> first_write_ms(Database& database) {
  CAIRN_TRY(execute(database, "CREATE (:TakenOver)"));
  return now_ms();
}

/// Returns the first and the last processor that this process may use; they are equal if there is
/// only one.
std::array<int, 2> processors() {
  cpu_set_t allowed;
  std::array<int, 2> ends{-1, -1};
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {0, 0};
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &allowed)) continue;
    if (ends[0] < 0) ends[0] = i;
    ends[1] = i;
  }
  return ends;
}

/// Restricts all threads of this process, and threads that they start later, to processors `first`
/// to `last`.
void run_on(int first, int last) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (int i = first; i <= last; ++i) CPU_SET(i, &wanted);
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    static_cast<void>(
        ::sched_setaffinity(std::stoi(task.path().filename().string()), sizeof wanted, &wanted));
}

/// Answers the lines that a child receives. A line is a command such as "search" or "run_on 3", or
/// a seed for rate().
class Worker {
 public:
  explicit Worker(const AttachBench& bench) : bench_(bench) {}

  std::string answer(const std::string& line) {
    if (line.starts_with("echo")) return line;
    if (line.starts_with("run_on ")) {
      const int processor = std::stoi(line.substr(7));
      run_on(processor, processor);
      return "0";
    }
    const auto number = work(line);
    return number ? std::to_string(*number) : "error " + number.error().message;
  }

 private:
  Result<double> work(const std::string& line) {
    if (!database_) {
      CAIRN_ASSIGN(Database opened, open_shared(bench_.directory));
      database_.emplace(std::move(opened));
    }
    if (line == "point") return call_us(bench_, *database_, point_read);
    if (line == "search") return call_us(bench_, *database_, search);
    if (line == "write") return first_write_ms(*database_);
    if (line == "close") {
      CAIRN_TRY(database_->close());
      database_.reset();
      return 0.0;
    }
    if (line.starts_with("import ")) return import_seconds(line.substr(7), *database_);
    return rate(bench_, *database_, std::stoull(line));
  }

  const AttachBench& bench_;
  std::optional<Database> database_;
};

Result<double> number_of(const std::string& answer) {
  if (answer.starts_with("error "))
    return Error{ErrorCode::io_error, "an attached process: " + answer.substr(6), std::nullopt};
  return std::stod(answer);
}

Result<double> ask(ChildProcess& child, const std::string& line) {
  CAIRN_ASSIGN(const std::string answer, child.ask(line));
  return number_of(answer);
}

class AttachRun {
 public:
  AttachRun(const AttachBench& bench, std::ostream& out) : bench_(bench), out_(out) {}

  Status run() {
    for (std::size_t i = 0; i <= searchers; ++i) CAIRN_TRY(add_child(children_));
    for (std::uint64_t i = 0; i <= bench_.takeovers; ++i) CAIRN_TRY(add_child(hosts_));
    CAIRN_TRY(measure_openings());
    CAIRN_TRY(measure_takeovers());
    hosts_.clear();
    CAIRN_ASSIGN(Database database, open_shared(bench_.directory));
    CAIRN_TRY(measure_calls(database));
    CAIRN_TRY(measure_rates(database));
    CAIRN_TRY(measure_imports(database));
    children_.clear();
    return database.close();
  }

 private:
  Status add_child(std::vector<ChildProcess>& to) {
    Worker worker(bench_);
    CAIRN_ASSIGN(ChildProcess child, ChildProcess::start([&worker](const std::string& line) {
                   return worker.answer(line);
                 }));
    to.push_back(std::move(child));
    return {};
  }

  void print(const char* name, double value, const char* unit, const std::string& wanted = "") {
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(), "%-52s %10.2f %-8s %s\n", name, value, unit,
                  wanted.c_str());
    out_ << line.data() << std::flush;
  }

  /// Opens the database in exclusive and automatic mode alternately, so that the load of the
  /// machine affects both alike. An opening that is not measured makes the database first.
  Status measure_openings() {
    {
      CAIRN_ASSIGN(Database database, open_shared(bench_.directory));
      CAIRN_TRY(load(bench_, database));
      CAIRN_TRY(database.close());
    }
    std::array<std::vector<double>, 2> times;
    for (int i = 0; i < 2 * openings; ++i) {
      Options options;
      options.share = i % 2 == 0 ? Share::exclusive : Share::automatic;
      const double begin = now_ms();
      CAIRN_ASSIGN(Database database, Database::open(bench_.directory, options));
      times[static_cast<std::size_t>(i % 2)].push_back(now_ms() - begin);
      CAIRN_TRY(database.close());
    }
    opening_ms_ = median(times[1]);
    print("opening, exclusive", median(times[0]), "ms");
    print("opening, automatic", opening_ms_, "ms", "at most 1 ms more");
    return {};
  }

  /// Kills one host after the other. An attached process takes over, and the next process attaches
  /// to it.
  Status measure_takeovers() {
    std::vector<double> times;
    CAIRN_TRY(ask(hosts_[0], "write"));
    for (std::uint64_t i = 0; i < bench_.takeovers; ++i) {
      CAIRN_TRY(ask(hosts_[i + 1], "write"));
      const double begin = now_ms();
      hosts_[i].kill();
      CAIRN_ASSIGN(const double answered, ask(hosts_[i + 1], "write"));
      times.push_back(answered - begin);
    }
    CAIRN_TRY(ask(hosts_[bench_.takeovers], "close"));
    if (times.empty()) return {};
    print("host killed, to the next answered write", median(times), "ms",
          "at most the opening + 250 ms");
    print("  the slowest", *std::ranges::max_element(times), "ms");
    return {};
  }

  Result<double> round_trip_us() {
    const std::string message = "echo" + std::string(295, 'x');
    std::vector<double> times;
    for (int i = 0; i < warming + calls; ++i) {
      const double begin = now_ms();
      CAIRN_TRY(children_.back().ask(message));
      if (i >= warming) times.push_back(1e3 * (now_ms() - begin));
    }
    return median(std::move(times));
  }

  /// A message between two processors takes about ten times as long as on one processor, because
  /// the receiving processor has to wake up. Therefore calls are compared with messages between the
  /// same two processors.
  Status measure_calls(Database& database) {
    const auto [first, last] = processors();
    run_on(first, first);
    for (const int place : {first, last}) {
      CAIRN_TRY(ask(children_.back(), "run_on " + std::to_string(place)));
      out_ << (place == first ? "on the processor of the host:\n" : "on another processor:\n");
      CAIRN_TRY(measure_calls_there(database));
      if (first == last) break;
    }
    run_on(first, last);
    children_.pop_back();
    return {};
  }

  Status measure_calls_there(Database& database) {
    CAIRN_ASSIGN(const double trip, round_trip_us());
    print("round trip of 300 bytes over a pair of sockets", trip, "us");
    for (const auto& [name, text] : {std::pair("point", point_read), std::pair("search", search)}) {
      CAIRN_ASSIGN(const double here, call_us(bench_, database, text));
      CAIRN_ASSIGN(const double there, ask(children_.back(), name));
      print((std::string(name) + ", in the host").c_str(), here, "us");
      print((std::string(name) + ", attached").c_str(), there, "us");
      print("  more, in round trips", (there - here) / trip, "", "at most 3");
    }
    return {};
  }

  // The children search at the same time: all are sent their work before any answer is read.
  Status measure_rates(Database& database) {
    std::array<Result<double>, searchers> rates{0.0, 0.0, 0.0, 0.0};
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < searchers; ++i)
        threads.emplace_back([&, i] { rates[i] = rate(bench_, database, 100 + i); });
    }
    double here = 0, there = 0;
    for (const auto& one : rates) {
      CAIRN_TRY(one);
      here += *one;
    }
    for (std::size_t i = 0; i < searchers; ++i)
      CAIRN_TRY(children_[i].send(std::to_string(100 + i)));
    for (ChildProcess& child : children_) {
      CAIRN_ASSIGN(const std::string answer, child.receive());
      CAIRN_ASSIGN(const double one, number_of(answer));
      there += one;
    }
    print("searches by four threads of the host", here, "a second");
    print("searches by four attached processes", there, "a second");
    print("  of the host's", there / here, "", "at least 0.7");
    return {};
  }

  /// Both imports add new nodes to the same database.
  Status measure_imports(Database& database) {
    const std::string file = bench_.directory + ".jsonl";
    write_lines(file);
    CAIRN_ASSIGN(const double here, import_seconds(file, database));
    CAIRN_ASSIGN(const double there, ask(children_.front(), "import " + file));
    std::filesystem::remove(file);
    print("import, in the host", here, "s");
    print("import, attached", there, "s");
    print("  speed of the host's", here / there, "", "at least 0.7");
    return {};
  }

  void write_lines(const std::string& file) const {
    std::ofstream out(file);
    for (std::uint64_t i = 0; i < bench_.nodes; ++i)
      out << to_json(Map{{"type", "node"},
                         {"id", std::to_string(i)},
                         {"labels", List{"Imported"}},
                         {"properties", Map{{"number", static_cast<std::int64_t>(i)},
                                            {"text", "imported " + std::to_string(i)}}}})
          << "\n";
  }

  const AttachBench& bench_;
  std::ostream& out_;
  std::vector<ChildProcess> children_;
  std::vector<ChildProcess> hosts_;
  double opening_ms_ = 0;
};

}  // namespace

Status bench_attach(const AttachBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  return AttachRun(bench, out).run();
}

}  // namespace cairn::tools
