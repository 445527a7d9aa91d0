// `cairn-bench text`: full-text indexing and questions of Cairn, then, by another program, of
// FTS5 and Xapian on the same texts with the same questions.
#include "tools/bench/text.hpp"

#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <ostream>

namespace cairn::tools {
namespace {

constexpr std::size_t batch = 1'000;

class Report {
 public:
  Report(const TextEngine& engine, std::ostream& out) : name_(engine.name()), out_(out) {}

  void line(const std::string& what, double value, const char* unit) {
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(), "%-8s %-44s %12.3f %s\n", name_.c_str(), what.c_str(),
                  value, unit);
    out_ << text.data() << std::flush;
  }

 private:
  std::string name_;
  std::ostream& out_;
};

/// Commits of 1,000 texts; the size is taken after reopening, when the engine has put away what it
/// had in memory.
Status load(TextEngine& engine, const std::vector<std::string>& texts, Report& report) {
  const std::size_t bytes =
      std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                      [](std::size_t sum, const std::string& text) { return sum + text.size(); });
  const auto begin = Clock::now();
  const std::clock_t ticks = std::clock();
  for (std::size_t first = 0; first < texts.size(); first += batch)
    CAIRN_TRY(
        engine.add(std::span(texts).subspan(first, std::min(batch, texts.size() - first)), first));
  const double seconds = seconds_since(begin);
  const double busy = static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC;
  CAIRN_TRY(engine.reopen());
  CAIRN_ASSIGN(const std::uint64_t index, engine.index_bytes());
  report.line("indexing, commits of 1,000", static_cast<double>(texts.size()) / seconds, "texts/s");
  report.line("indexing, commits of 1,000", 1e-6 * static_cast<double>(bytes) / seconds, "MB/s");
  if (const double rest = engine.seconds_without_index(); rest > 0)
    report.line("indexing alone, without storing",
                static_cast<double>(texts.size()) / (seconds - rest), "texts/s");
  report.line("indexing, of all threads' processor time", static_cast<double>(texts.size()) / busy,
              "texts/s");
  report.line("index", 1e-6 * static_cast<double>(index), "MB");
  report.line("index of the raw text", static_cast<double>(index) / static_cast<double>(bytes), "");
  return {};
}

/// Twice: the first round warms. Slow ones do not get through all questions.
Status ask(TextEngine& engine, const std::vector<TextQuestion>& questions, const std::string& what,
           Report& report) {
  constexpr double most_seconds = 4;
  double seconds = 0;
  std::size_t asked = 0;
  std::size_t hits = 0;
  for (int round = 0; round < 2; ++round) {
    asked = hits = 0;
    const auto begin = Clock::now();
    for (; asked < questions.size() && seconds_since(begin) < most_seconds; ++asked) {
      CAIRN_ASSIGN(const std::size_t found, engine.search(questions[asked]));
      hits += found;
    }
    seconds = seconds_since(begin);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(asked, 1));
  report.line(what, count / seconds, "queries/s");
  report.line("  hits of 10, mean", static_cast<double>(hits) / count, "");
  return {};
}

/// How the questions of one kind differ.
struct Variant {
  const char* name;
  bool needs_all;
  bool has_filter;
};
constexpr std::array<Variant, 4> variants{{{" words, any", false, false},
                                           {" words, all", true, false},
                                           {" words, any, filter of 5 %", false, true},
                                           {" words, all, filter of 5 %", true, true}}};

/// In the directory of this program, wherever it is installed.
std::string program_beside_us(const char* name) {
  std::error_code problem;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? name : self.parent_path() / name;
}

/// The exit status of a program, its output going where ours goes.
/// fork and exec without a shell: paths may have any sign in them.
int run_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execv(arguments.front(), arguments.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/// A program of its own, so that cairn-bench needs neither SQLite nor Xapian.
Status compare(const TextBench& bench, std::ostream& out) {
  const TextWorkload& workload = bench.workload;
  const std::string program = program_beside_us("cairn_compare_text");
  if (!std::filesystem::exists(program)) {
    out << "NOT COMPARED: " << program << " is missing. Install libsqlite3-dev and libxapian-dev "
        << "(./tools/setup compare), configure again and build cairn_compare_text.\n";
    return {};
  }
  const int status = run_program({program, bench.directory, std::to_string(workload.texts),
                                  std::to_string(workload.questions), std::to_string(workload.seed),
                                  workload.analyzer, workload.file});
  if (status == 0) return {};
  return Error{ErrorCode::io_error, program + " failed; its message is above", std::nullopt};
}

}  // namespace

Status measure_indexing(TextEngine& engine, const std::vector<std::string>& texts,
                        std::ostream& out) {
  Report report(engine, out);
  return load(engine, texts, report);
}

// Two and three words, all or any of them, with and without a filter: the same for every engine.
Status measure_text_engine(TextEngine& engine, const std::vector<std::string>& texts,
                           const TextWorkload& workload, std::ostream& out) {
  CAIRN_TRY(measure_indexing(engine, texts, out));
  Report report(engine, out);
  for (const std::size_t words : {std::size_t{2}, std::size_t{3}}) {
    std::vector<TextQuestion> questions = make_questions(texts, workload, words);
    for (const Variant& variant : variants) {
      for (std::size_t i = 0; i < questions.size(); ++i) {
        questions[i].needs_all = variant.needs_all;
        questions[i].group.reset();
        if (variant.has_filter) questions[i].group = i % text_groups;
      }
      CAIRN_TRY(ask(engine, questions, std::to_string(words) + variant.name, report));
    }
  }
  return {};
}

// Cairn is closed before the others begin.
Status bench_text(const TextBench& bench, std::ostream& out) {
  CAIRN_TRY(check_new_directory(bench.directory));
  CAIRN_ASSIGN(const auto texts, make_texts(bench.workload));
  if (texts.empty())
    return Error{ErrorCode::invalid_argument, bench.workload.file + " has no text", std::nullopt};
  {
    CAIRN_ASSIGN(const auto engine, make_cairn_engine(bench.directory, bench.workload));
    CAIRN_TRY(measure_text_engine(*engine, texts, bench.workload, out));
  }
  return compare(bench, out);
}

}  // namespace cairn::tools
