// Generates records like those of an agent's memory: few kinds and many agents, both by Zipf's law
// like tags, sizes with a log-normal distribution, and distinct dates over two years that are
// independent of ids. The seed determines all. Also draws the questions and answers them by a scan.
#include "tools/bench/compare/metadata_peer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

namespace cairn::compare {
namespace {

using Random = std::mt19937_64;
constexpr std::int64_t first_millisecond = 1'700'000'000'000;
constexpr std::int64_t two_years = std::int64_t{730} * 86'400'000;

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

/// Draws i from 0 to n - 1 with a probability proportional to 1 / (i + 1).
class Zipf {
 public:
  explicit Zipf(std::size_t n) : sums_(n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sums_[i] = sum += 1.0 / static_cast<double>(i + 1);
  }
  /// Finds the drawn number by binary search in the sums of the weights.
  std::size_t operator()(Random& random) const {
    const double at = std::uniform_real_distribution<double>(0, sums_.back())(random);
    const auto found = std::ranges::lower_bound(sums_, at) - sums_.begin();
    return std::min(static_cast<std::size_t>(found), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

/// Always UTC with three digits of milliseconds, so that texts sort as their times do; the SQL
/// engines rely on this.
std::string date_text(std::int64_t milliseconds) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{
      std::chrono::milliseconds{milliseconds}};
  const auto date = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day day{date};
  const std::chrono::hh_mm_ss clock{time - date};
  std::array<char, 64> text{};
  std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(day.year()),
      static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text.data();
}

/// Draws one to five tags; there are fewer if some draws are equal.
std::vector<std::string> draw_tags(Random& random, const Zipf& zipf) {
  std::vector<std::string> tags;
  for (std::size_t i = 1 + below(random, 5); i > 0; --i)
    tags.push_back("tag" + std::to_string(zipf(random)));
  std::ranges::sort(tags);
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  return tags;
}

std::string json_string(const std::string& text) { return "\"" + text + "\""; }

/// True if the record passes the filter of the question. The answers of all engines must agree with
/// this function.
bool passes(const Question& question, const MetadataRecord& record) {
  const auto& by = question.operands;
  switch (question.shape) {
    case Shape::count_equal:
      return record.kind == by[0].text &&
             (record.source == by[1].text || record.agent == by[2].text || record.pinned);
    case Shape::count_range:
      return record.kind == by[0].text &&
             (record.source == by[1].text || record.importance >= by[2].number) &&
             record.tokens < by[3].number;
    case Shape::count_period:
      return std::ranges::binary_search(record.tags, by[0].text) && record.created >= by[1].text &&
             !record.pinned;
    case Shape::facets:
    case Shape::facet_tags:
    case Shape::group:
      return record.kind == by[0].text &&
             (record.source == by[1].text || record.importance >= by[2].number);
    case Shape::newest_narrow:
      return record.agent == by[0].text && record.kind == by[1].text && record.source == by[2].text;
    case Shape::newest_few:
      return record.agent == by[0].text && record.kind == by[1].text;
    case Shape::newest_many:
      return record.kind == by[0].text && record.importance >= by[1].number;
  }
  return false;
}

/// Adds a record to the counts, in the form in which engines answer. The result is the reference
/// for facets.
void count(const Question& question, const MetadataRecord& record, Answer& answer) {
  if (question.shape == Shape::facet_tags)
    for (const std::string& tag : record.tags) ++answer.counts["tags=" + tag];
  if (question.shape == Shape::facet_tags) return;
  ++answer.counts["source=" + record.source];
  if (question.shape == Shape::group) return;
  ++answer.counts["agent=" + record.agent];
  ++answer.counts["importance=" + std::to_string(record.importance)];
}

std::vector<Operand> draw_operands(Shape shape, const std::vector<MetadataRecord>& records,
                                   Random& random) {
  // Draws a new record for each operand, so that no single record needs to match all operands.
  const auto any = [&]() -> const MetadataRecord& {
    return records[below(random, records.size())];
  };
  const auto text = [](const std::string& value) { return Operand{value, 0, false}; };
  const auto number = [](std::int64_t value) { return Operand{{}, value, true}; };
  const auto importance = [&] { return number(2 + static_cast<std::int64_t>(below(random, 8))); };
  switch (shape) {
    case Shape::count_equal:
      return {text(any().kind), text(any().source), text(any().agent)};
    case Shape::count_range:
      return {text(any().kind), text(any().source), importance(), number(any().tokens)};
    case Shape::count_period:
      return {text(any().tags.front()), text(any().created)};
    case Shape::facets:
    case Shape::facet_tags:
    case Shape::group:
      return {text(any().kind), text(any().source), importance()};
    case Shape::newest_narrow:
      return {text(any().agent), text(any().kind), text(any().source)};
    case Shape::newest_few:
      return {text(any().agent), text(any().kind)};
    case Shape::newest_many:
      return {text(any().kind), importance()};
  }
  return {};
}

}  // namespace

// Draws kinds, agents and tags by Zipf's law and tokens log-normally around 400. Dates are evenly
// spaced over two years and shuffled, so that they are independent of the numbers of records.
std::vector<MetadataRecord> make_metadata(std::size_t records, std::uint64_t seed) {
  Random random(seed);
  const Zipf kinds(8);
  const Zipf agents(200);
  const Zipf tags(300);
  std::lognormal_distribution<double> tokens(std::log(400.0), 1.0);
  std::vector<std::int64_t> times(records);
  const auto step = two_years / static_cast<std::int64_t>(records);
  for (std::size_t i = 0; i < records; ++i)
    times[i] = first_millisecond + step * static_cast<std::int64_t>(i);
  std::ranges::shuffle(times, random);
  std::vector<MetadataRecord> all(records);
  for (std::size_t i = 0; i < records; ++i) {
    all[i].kind = "kind" + std::to_string(kinds(random));
    all[i].source = "source" + std::to_string(below(random, 24));
    all[i].agent = "agent" + std::to_string(agents(random));
    all[i].session = "session" + std::to_string(below(random, records / 50 + 1));
    all[i].tags = draw_tags(random, tags);
    all[i].importance = 1 + static_cast<std::int64_t>(below(random, 10));
    all[i].tokens = 1 + static_cast<std::int64_t>(tokens(random));
    all[i].score = std::uniform_real_distribution<double>(0, 1)(random);
    all[i].created = date_text(times[i]);
    all[i].pinned = below(random, 20) == 0;
  }
  return all;
}

std::string key_of(std::size_t number) { return "memory/" + std::to_string(number); }

// For the engines that store JSON. Some need the id in the object.
std::string json_text(const MetadataRecord& record, std::size_t id) {
  std::string tags;
  for (const std::string& tag : record.tags) tags += (tags.empty() ? "" : ",") + json_string(tag);
  std::array<char, 32> score{};
  std::snprintf(score.data(), score.size(), "%.17g", record.score);
  return (id > 0 ? "{\"id\":" + std::to_string(id) + "," : "{") +
         "\"kind\":" + json_string(record.kind) + ",\"source\":" + json_string(record.source) +
         ",\"agent\":" + json_string(record.agent) + ",\"session\":" + json_string(record.session) +
         ",\"tags\":[" + tags + "],\"importance\":" + std::to_string(record.importance) +
         ",\"tokens\":" + std::to_string(record.tokens) + ",\"score\":" + score.data() +
         ",\"created\":" + json_string(record.created) +
         ",\"pinned\":" + (record.pinned ? "true" : "false") + "}";
}

// Each shape has its own seed, so that a new shape does not change the questions of the others.
std::vector<Question> draw_questions(Shape shape, std::size_t count,
                                     const std::vector<MetadataRecord>& records,
                                     std::uint64_t seed) {
  Random random(seed + static_cast<std::uint64_t>(shape));
  std::vector<Question> questions;
  for (std::size_t i = 0; i < count; ++i)
    questions.push_back({shape, draw_operands(shape, records, random)});
  return questions;
}

// Takes the newest 20. Dates are distinct, so ties do not occur.
Answer answer_by_reading(const Question& question, const std::vector<MetadataRecord>& records) {
  Answer answer;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!passes(question, records[i])) continue;
    if (has_counts(question.shape)) {
      count(question, records[i], answer);
      continue;
    }
    ++answer.total;
    if (has_ids(question.shape)) answer.ids.push_back(i + 1);
  }
  std::ranges::sort(answer.ids, std::ranges::greater(),
                    [&](std::uint64_t id) { return records[id - 1].created; });
  answer.ids.resize(std::min(answer.ids.size(), newest_wanted));
  return answer;
}

}  // namespace cairn::compare
