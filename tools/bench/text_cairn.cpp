// The size of the index is the difference of two databases, with and without it; so is the time
// that indexing takes.
#include "tools/bench/stopwatch.hpp"
#include "tools/bench/text.hpp"

#include <cairn/cairn.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

namespace cairn::tools {
namespace {

namespace fs = std::filesystem;

std::uint64_t bytes_of(const fs::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code gone;  // files come and go while the store is tidied up
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::uintmax_t size = entry.is_regular_file(gone) ? entry.file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

/// The least of half a minute: what is being rewritten lies there twice.
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

/// One transaction a call, as the peers have.
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

  /// Makes the one without.
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

  /// `+word` must occur; any word otherwise.
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

// The index is there before the texts, so that loading it counts, as it does for the others.
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
