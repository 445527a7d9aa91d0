// `cairn-bench text`: measures full-text indexing and search of Cairn. Then starts another program,
// which measures FTS5 and Xapian on the same texts with the same questions.
#include "tools/bench/text.hpp"

#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/cairn.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <ostream>
#include <random>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>

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

/// Adds texts in commits of 1,000. The size of the index is taken after reopening, when the engine
/// has written its memory to disk.
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

/// Asks all questions twice; the first round warms caches. Slow engines do not get through all
/// questions.
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

/// A variant of the questions of one kind.
struct Variant {
  const char* name;
  bool needs_all;
  bool has_filter;
};
constexpr std::array<Variant, 4> variants{{{" words, any", false, false},
                                           {" words, all", true, false},
                                           {" words, any, filter of 5 %", false, true},
                                           {" words, all, filter of 5 %", true, true}}};

/// Path of another program in the directory of this program, wherever it is installed.
std::string program_beside_us(const char* name) {
  std::error_code problem;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? name : self.parent_path() / name;
}

/// Runs a program and returns its exit status; the program shares our output. Uses fork and exec
/// without a shell, so that paths may contain any character.
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

/// Runs a separate program, so that cairn-bench needs neither SQLite nor Xapian.
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

// Asks questions of two and three words, any or all of them, with and without a filter; the same
// for every engine.
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

// Closes Cairn before the other engines start.
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

// Texts of 9 to 25 generated words by Zipf's law (frequent words are short), or the lines of a
// file. The words of a question come from one text, so that a search for all words has an answer.

namespace {

constexpr std::size_t vocabulary = 60'000;
constexpr std::size_t shortest = 9;
constexpr std::size_t longest = 25;

constexpr std::array<std::string_view, 20> heads{"b", "c", "d",  "f",  "g",  "h", "j",
                                                 "l", "m", "n",  "p",  "r",  "s", "t",
                                                 "v", "w", "br", "st", "tr", "pl"};
constexpr std::array<std::string_view, 6> vowels{"a", "e", "i", "o", "u", "ea"};
constexpr std::array<std::string_view, 8> tails{"", "n", "r", "s", "l", "t", "nd", "ck"};
constexpr std::array<std::string_view, 6> endings{"", "", "", "s", "ing", "ed"};

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

/// Makes a pronounceable word. Frequent words are short, and some words have English endings.
std::string make_word(std::mt19937_64& random, std::size_t rank) {
  const std::size_t syllables = rank < 100 ? 1 : rank < 5'000 ? 2 : 2 + below(random, 2);
  std::string word;
  for (std::size_t i = 0; i < syllables; ++i) {
    word += heads[below(random, heads.size())];
    word += vowels[below(random, vowels.size())];
    word += tails[below(random, tails.size())];
  }
  return word + std::string(endings[below(random, endings.size())]);
}

/// Makes distinct words; a repeated word is drawn again, so that the vocabulary has its full size.
std::vector<std::string> make_vocabulary(std::mt19937_64& random) {
  std::vector<std::string> words;
  std::set<std::string> known;
  while (words.size() < vocabulary) {
    std::string word = make_word(random, words.size());
    if (known.insert(word).second) words.push_back(std::move(word));
  }
  return words;
}

/// Generates texts. With ranks from 0 on, the weights 1 / (rank + 2) make the first word less
/// frequent than Zipf's law would.
std::vector<std::string> generate(const TextWorkload& workload) {
  std::mt19937_64 random(workload.seed);
  const std::vector<std::string> words = make_vocabulary(random);
  std::vector<double> sums;
  double sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    sums.push_back(sum += 1.0 / static_cast<double>(i + 2));
  std::uniform_real_distribution<double> place(0, sum);
  std::vector<std::string> texts(workload.texts);
  for (std::string& text : texts) {
    for (std::size_t i = shortest + below(random, longest - shortest + 1); i > 0; --i) {
      const auto found = std::lower_bound(sums.begin(), sums.end(), place(random));
      if (!text.empty()) text += ' ';
      text += words[static_cast<std::size_t>(found - sums.begin())];
    }
  }
  return texts;
}

Result<std::vector<std::string>> read_lines(const TextWorkload& workload) {
  std::ifstream file(workload.file, std::ios::binary);
  if (!file) return Error{ErrorCode::io_error, "cannot read " + workload.file, std::nullopt};
  std::vector<std::string> texts;
  for (std::string line; texts.size() < workload.texts && std::getline(file, line);)
    if (!line.empty()) texts.push_back(line);
  return texts;
}

/// Words of letters only, so that no engine reads them as syntax.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream input(text);
  std::vector<std::string> words;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::string word; input >> word;)
    if (std::all_of(word.begin(), word.end(), is_letter)) words.push_back(word);
  return words;
}

}  // namespace

Result<std::vector<std::string>> make_texts(const TextWorkload& workload) {
  return workload.file.empty() ? generate(workload) : read_lines(workload);
}

// Takes all words of a question from one text, so that a search for all words finds something.
std::vector<TextQuestion> make_questions(const std::vector<std::string>& texts,
                                         const TextWorkload& workload, std::size_t words) {
  std::mt19937_64 random(workload.seed + words);
  std::vector<TextQuestion> questions;
  // Limits the number of tries, in case hardly any text has so many words.
  for (std::uint64_t tries = 0;
       questions.size() < workload.questions && tries < 100 * workload.questions; ++tries) {
    std::vector<std::string> all = words_of(texts[below(random, texts.size())]);
    std::shuffle(all.begin(), all.end(), random);
    TextQuestion question;
    for (std::string& word : all) {
      const bool is_new =
          std::find(question.words.begin(), question.words.end(), word) == question.words.end();
      if (is_new && question.words.size() < words) question.words.push_back(std::move(word));
    }
    if (question.words.size() == words) questions.push_back(std::move(question));
  }
  return questions;
}

// Cairn as an engine. The size of the index and the time of indexing are the differences between
// two databases, with and without the index.

namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_of(const fs::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code gone;  // ignores files that disappear during a compaction
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::uintmax_t size = entry.is_regular_file(gone) ? entry.file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

/// Returns the smallest size within half a minute, because a compaction stores data twice until it
/// ends.
std::uint64_t settled_bytes_of(const fs::path& directory) {
  std::uint64_t least = bytes_of(directory);
  for (int second = 0; second < 30; ++second) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const std::uint64_t now = bytes_of(directory);
    if (now == least) break;
    least = std::min(least, now);
  }
  return least;
}

Result<Database> open(const fs::path& directory) { return Database::open(directory, {}); }

/// Adds all texts in one transaction, as the other engines do.
Status fill(Database& database, std::span<const std::string> texts, std::uint64_t first) {
  CAIRN_ASSIGN(Transaction transaction, database.begin());
  for (std::size_t i = 0; i < texts.size(); ++i)
    CAIRN_TRY(transaction.create_node(
        {{"Text"},
         {{"content", texts[i]},
          {"group", static_cast<std::int64_t>((first + i) % text_groups)}}}));
  return transaction.commit();
}

std::string search_statement(bool has_filter) {
  return std::string("MATCH (m:Text) SEARCH m IN (FULLTEXT INDEX texts FOR $text ") +
         (has_filter ? "WHERE m.group = $group " : "") +
         "LIMIT 10) SCORE AS s RETURN id(m) AS id, s";
}

class CairnEngine final : public TextEngine {
 public:
  CairnEngine(fs::path directory, Database database, Statement all, Statement filtered)
      : directory_(std::move(directory)),
        database_(std::move(database)),
        all_(std::move(all)),
        filtered_(std::move(filtered)) {}

  std::string name() const override { return "Cairn"; }

  Status add(std::span<const std::string> texts, std::uint64_t first) override {
    batches_.push_back(texts);
    return fill(database_, texts, first);
  }

  Status reopen() override {
    CAIRN_TRY(database_.close());
    CAIRN_ASSIGN(database_, open(directory_ / "indexed"));
    return {};
  }

  /// Also fills the database without the index.
  Result<std::uint64_t> index_bytes() override {
    {
      CAIRN_ASSIGN(Database plain, open(directory_ / "plain"));
      const auto begin = Clock::now();
      std::uint64_t first = 0;
      for (const auto texts : batches_) {
        CAIRN_TRY(fill(plain, texts, first));
        first += texts.size();
      }
      plain_seconds_ = seconds_since(begin);
      CAIRN_TRY(plain.close());
    }
    const std::uint64_t plain_bytes = bytes_of(directory_ / "plain");
    return settled_bytes_of(directory_ / "indexed") - plain_bytes;
  }

  double seconds_without_index() const override { return plain_seconds_; }

  /// A word after "+" must occur. Without "+", any of the words suffices.
  Result<std::size_t> search(const TextQuestion& question) override {
    std::string text;
    for (const std::string& word : question.words) {
      text += question.needs_all ? " +" : " ";
      text += word;
    }
    Parameters parameters{{"text", std::move(text)}};
    if (question.group) parameters.emplace("group", static_cast<std::int64_t>(*question.group));
    CAIRN_ASSIGN(Rows rows, (question.group ? filtered_ : all_).run(database_, parameters));
    CAIRN_ASSIGN(const auto all, rows.all());
    return all.size();
  }

 private:
  fs::path directory_;
  Database database_;
  Statement all_;
  Statement filtered_;
  double plain_seconds_ = 0;
  std::vector<std::span<const std::string>> batches_;  // for the database without the index
};

}  // namespace

// Makes the index before the texts, so that indexing counts as part of loading, as for the other
// engines.
Result<std::unique_ptr<TextEngine>> make_cairn_engine(const std::string& directory,
                                                      const TextWorkload& workload) {
  fs::create_directories(directory);
  CAIRN_ASSIGN(Database database, open(fs::path(directory) / "indexed"));
  CAIRN_ASSIGN(Rows rows,
               execute(database,
                       "CREATE FULLTEXT INDEX texts FOR (m:Text) ON EACH [m.content] OPTIONS "
                       "{indexConfig: {`fulltext.analyzer`: '" +
                           workload.analyzer + "'}}"));
  CAIRN_TRY(rows.all());
  CAIRN_ASSIGN(Statement all, Statement::parse(search_statement(false)));
  CAIRN_ASSIGN(Statement filtered, Statement::parse(search_statement(true)));
  return std::unique_ptr<TextEngine>(std::make_unique<CairnEngine>(
      directory, std::move(database), std::move(all), std::move(filtered)));
}

}  // namespace cairn::tools
