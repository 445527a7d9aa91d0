// Nodes for `cairn-bench metadata`, as an import file: few kinds and levels of equal chance,
// topics and tags by Zipf's law, serials that are a permutation (a range over many values), dates
// over two years.
#include "tools/bench/metadata_data.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::size_t topics = 1'000;
constexpr std::size_t tag_names = 200;
constexpr std::int64_t days = 730;

/// Draws 0..n-1 with probability proportional to 1 / (rank + 1).
class Zipf {
 public:
  explicit Zipf(std::size_t n) : sums_(n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sums_[i] = sum += 1.0 / static_cast<double>(i + 1);
  }
  std::size_t operator()(std::mt19937_64& random) const {
    const double at = std::uniform_real_distribution<double>(0, sums_.back())(random);
    const auto found = std::lower_bound(sums_.begin(), sums_.end(), at);
    return static_cast<std::size_t>(found - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

std::size_t below(std::mt19937_64& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{19'358 + day}}};
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

/// One to five draws, fewer tags where some fall together.
std::string tags_text(std::mt19937_64& random, const Zipf& zipf) {
  std::vector<std::size_t> tags(1 + below(random, 5));
  for (std::size_t& tag : tags) tag = zipf(random);
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  std::string text;
  for (std::size_t tag : tags)
    text += (text.empty() ? "\"tag" : ",\"tag") + std::to_string(tag) + "\"";
  return text;
}

}  // namespace

// A file of JSON Lines and not calls, because the benchmark measures the import of one.
Status write_metadata_nodes(const std::filesystem::path& file, std::uint64_t nodes,
                            std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Zipf topic(topics);
  const Zipf tag(tag_names);
  std::vector<std::uint64_t> serials(nodes);
  std::iota(serials.begin(), serials.end(), std::uint64_t{0});
  std::shuffle(serials.begin(), serials.end(), random);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  for (std::uint64_t i = 0; i < nodes && out; ++i) {
    const double weight = std::uniform_real_distribution<double>(0, 1)(random);
    out << R"({"type":"node","id":")" << i << R"(","labels":["Memory"],"properties":{"resolved":)"
        << (below(random, 2) == 0 ? "false" : "true") << R"(,"kind":"kind)" << below(random, 20)
        << R"(","topic":"topic)" << topic(random) << R"(","level":)" << below(random, 10)
        << R"(,"tags":[)" << tags_text(random, tag) << R"(],"serial":)" << serials[i]
        << R"(,"created":")" << date_text(static_cast<std::int64_t>(below(random, days)))
        << R"(","weight":)" << weight << "}}\n";
  }
  out.close();
  if (!out) return Error{ErrorCode::io_error, "cannot write " + file.string(), std::nullopt};
  return {};
}

}  // namespace cairn::tools
