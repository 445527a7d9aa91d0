// `cairn-bench mcp`. Each process is the program as clients start it, with its standard input and output. A time begins
// with a request's line and ends with the line of its answer, so it includes the protocol, the tool and the pipe.
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/child_process.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::array things = {"tea",     "coffee", "rain",  "garden", "train",  "guitar",
                               "harbour", "winter", "bread", "letter", "museum", "bicycle"};
constexpr std::array deeds = {"likes", "sold", "repaired", "painted", "lost", "found"};

/// Draws the words of memories and of questions.
class Words {
 public:
  explicit Words(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string sentence() {
    std::string text = "person" + std::to_string(below(500));
    for (int i = 0; i < 4; ++i)
      text += std::string(" ") + deeds[below(deeds.size())] + " the " +
              things[below(things.size())] + " " + std::to_string(below(2'000));
    return text;
  }
  std::string question() {
    return std::string("who ") + deeds[below(deeds.size())] + " the " +
           things[below(things.size())] + " " + std::to_string(below(2'000));
  }

 private:
  std::mt19937_64 random_;
};

Value memory_of(Words& words, std::uint64_t number) {
  const auto text = [&](const char* prefix, std::uint64_t bound) {
    return Value(prefix + std::to_string(words.below(bound)));
  };
  return Map{{"content", words.sentence()},
             {"session", text("session", 1'000)},
             {"metadata", Map{{"user", text("user", 100)},
                              {"importance", static_cast<std::int64_t>(number % 10)},
                              {"tags", List{text("tag", 3)}}}}};
}

/// Adds memories, each with a relationship to the next one of the list.
constexpr const char* add_statement =
    "CALL memory.add($records) YIELD id WITH collect(id) AS ids "
    "UNWIND range(1, size(ids) - 1) AS i "
    "MATCH (a:Memory) WHERE id(a) = ids[i - 1] MATCH (b:Memory) WHERE id(b) = ids[i] "
    "CREATE (a)-[:FOLLOWED_BY]->(b)";

Status fill(const McpBench& bench) {
  CAIRN_ASSIGN(Database database, Database::open(bench.directory));
  Words words(bench.seed);
  constexpr std::uint64_t at_once = 1'000;
  for (std::uint64_t first = 0; first < bench.memories; first += at_once) {
    List records;
    for (std::uint64_t i = first; i < std::min(first + at_once, bench.memories); ++i)
      records.push_back(memory_of(words, i));
    CAIRN_TRY(execute(database, add_statement, {{"records", std::move(records)}}));
  }
  CAIRN_TRY(database.checkpoint());
  return database.close();
}

/// A process of `cairn mcp` on the database, and its requests.
class McpProcess {
 public:
  [[nodiscard]] static Result<McpProcess> start(const std::string& program,
                                                const std::string& directory) {
    CAIRN_ASSIGN(ChildProcess child, ChildProcess::run(program, {"mcp", directory}));
    return McpProcess(std::move(child));
  }

  /// Calls a tool of the process. Errors: io_error if the process ended or the tool failed.
  [[nodiscard]] Status call(const std::string& tool, const std::string& arguments) {
    const std::string id = std::to_string(++last_id_);
    CAIRN_TRY(child_.send(R"({"jsonrpc":"2.0","id":)" + id +
                          R"(,"method":"tools/call","params":{"name":")" + tool +
                          R"(","arguments":)" + arguments + "}}"));
    CAIRN_ASSIGN(const std::string answer, child_.receive());
    const bool is_result = answer.find("\"result\"") != std::string::npos &&
                           answer.find("\"isError\":true") == std::string::npos;
    if (is_result) return {};
    return Error{ErrorCode::io_error, "cairn mcp answered: " + answer.substr(0, 400), std::nullopt};
  }
  [[nodiscard]] Status shake_hands() {
    CAIRN_TRY(child_.ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":)"
                         R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                         R"("clientInfo":{"name":"bench","version":"1"}}})"));
    return child_.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }
  /// A sum over the process's memory map, in MiB; see proc(5), smaps_rollup.
  [[nodiscard]] double memory_mib(const std::vector<std::string>& fields) const {
    std::ifstream map("/proc/" + std::to_string(child_.process()) + "/smaps_rollup");
    double kib = 0;
    for (std::string word; map >> word;)
      if (std::ranges::find(fields, word) != fields.end()) {
        double amount = 0;
        map >> amount;
        kib += amount;
      }
    return kib / 1'024;
  }

 private:
  explicit McpProcess(ChildProcess child) : child_(std::move(child)) {}

  ChildProcess child_;
  std::uint64_t last_id_ = 0;
};

/// A kind of calls: its name, and the arguments of each call.
struct CallKind {
  const char* name;
  std::function<std::string(Words&)> arguments;
};

std::vector<CallKind> call_kinds() {
  const auto with_question = [](const std::string& rest) {
    return [rest](Words& words) { return R"({"query":")" + words.question() + "\"" + rest + "}"; };
  };
  return {{"a question", with_question("")},
          {"a question and a tag of a third", with_question(R"(,"tags":["tag1"])")},
          {"a question, words alone", with_question(R"(,"mode":"keyword")")},
          {"a question, by meaning and relationships", with_question(R"(,"mode":"semantic")")},
          {"a question and facets", with_question(R"(,"facets":["user","tags"])")},
          {"a question and memories around each hit", with_question(R"(,"context":2)")},
          {"a question and the session of each hit", with_question(R"(,"expand":"session")")},
          {"a question and the sessions of 20 hits",
           with_question(R"(,"expand":"session","limit":20)")},
          {"a question and 100 hits", with_question(R"(,"limit":100)")},
          {"a page", [](Words&) { return std::string("{}"); }},
          {"a page of 100", [](Words&) { return R"({"limit":100})"; }},
          {"a page of a tag of a third", [](Words&) { return R"({"tags":["tag1"]})"; }}};
}

class McpRun {
 public:
  McpRun(const McpBench& bench, std::string program, std::ostream& out)
      : bench_(bench), program_(std::move(program)), out_(out) {}

  Status run() {
    CAIRN_TRY(fill(bench_));
    CAIRN_TRY(measure_starts("search_memory of a page", "{}"));
    CAIRN_TRY(measure_starts("search_memory with a question", R"({"query":"who likes tea"})"));
    CAIRN_ASSIGN(McpProcess host, McpProcess::start(program_, bench_.directory));
    CAIRN_TRY(host.shake_hands());
    for (const CallKind& kind : call_kinds()) CAIRN_TRY(measure_calls(host, kind));
    return measure_attached(host);
  }

 private:
  void print(const std::string& name, double value, const char* unit, const char* wanted) {
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(), "%-60s %9.2f %-4s %s\n", name.c_str(), value, unit,
                  wanted);
    out_ << line.data() << std::flush;
  }

  static double at(std::vector<double> values, double share) {
    std::ranges::sort(values);
    const auto last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(share * last + 0.5)];
  }

  /// Returns the time from the start of a process to its first answer. Errors: those of the calls.
  [[nodiscard]] Result<double> start_ms(const std::string& arguments) const {
    const auto begin = Clock::now();
    CAIRN_ASSIGN(McpProcess process, McpProcess::start(program_, bench_.directory));
    CAIRN_TRY(process.shake_hands());
    CAIRN_TRY(process.call("search_memory", arguments));
    return 1e3 * seconds_since(begin);
  }

  Status measure_starts(const std::string& name, const std::string& arguments) {
    std::vector<double> times;
    for (std::uint64_t i = 0; i < bench_.starts; ++i) {
      CAIRN_ASSIGN(const double ms, start_ms(arguments));
      times.push_back(ms);
    }
    if (times.empty()) return {};
    print("start to the first answer, " + name, at(times, 0.5), "ms", "under 300");
    print("  the slowest", at(times, 1), "ms", "");
    return {};
  }

  Status measure_calls(McpProcess& process, const CallKind& kind) {
    Words words(bench_.seed + 1);
    constexpr std::uint64_t warming = 20;
    std::vector<double> times;
    for (std::uint64_t i = 0; i < warming + bench_.calls; ++i) {
      const std::string arguments = kind.arguments(words);
      const auto begin = Clock::now();
      CAIRN_TRY(process.call("search_memory", arguments));
      if (i >= warming) times.push_back(1e3 * seconds_since(begin));
    }
    if (times.empty()) return {};
    print(std::string("search_memory, ") + kind.name + ": p50", at(times, 0.5), "ms", "");
    print("  p99", at(times, 0.99), "ms", "under 10");
    return {};
  }

  /// The host runs no other call. Pages of files that several processes map do not count as private.
  Status measure_attached(const McpProcess& host) {
    CAIRN_ASSIGN(McpProcess attached, McpProcess::start(program_, bench_.directory));
    CAIRN_TRY(attached.shake_hands());
    CAIRN_TRY(measure_calls(attached, {"attached, a question", call_kinds()[0].arguments}));
    const std::vector<std::string> own = {"Private_Clean:", "Private_Dirty:"};
    print("memory of the host's own", host.memory_mib(own), "MiB", "");
    print("memory of an attached process's own", attached.memory_mib(own), "MiB", "under 30");
    print("  resident, with what it shares", attached.memory_mib({"Rss:"}), "MiB", "");
    return {};
  }

  const McpBench& bench_;
  std::string program_;
  std::ostream& out_;
};

/// The path of `cairn`: in the directory of this program (installed), or in its parent directory
/// (built).
fs::path neighbour() {
  std::error_code problem;
  const fs::path folder = fs::read_symlink("/proc/self/exe", problem).parent_path();
  const fs::path built = folder.parent_path() / "cairn";
  return fs::is_regular_file(built, problem) ? built : folder / "cairn";
}

}  // namespace

Status bench_mcp(const McpBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  const fs::path program = bench.program.empty() ? neighbour() : fs::path(bench.program);
  std::error_code problem;
  if (!fs::exists(program, problem))
    return Error{ErrorCode::not_found,
                 "there is no program " + program.string() + "; name `cairn` with --program",
                 std::nullopt};
  return McpRun(bench, program.string(), out).run();
}

}  // namespace cairn::tools
