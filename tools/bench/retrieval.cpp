// `cairn-bench retrieval DIR`: measures recall() over a corpus with judged questions in BEIR's
// form, with each feature of recall() alone and with all together. Reports nDCG@10, recall at 5, 10
// and 20, and the reciprocal rank. Time is processor time per question.
#include "tools/bench/retrieval.hpp"

#include "tools/bench/retrieval_data.hpp"
#include "tools/bench/scratch.hpp"
#include "tools/bench/stopwatch.hpp"
#include "tools/text/progress.hpp"

#include <cairn/hashing_frequencies.hpp>
#include <cairn/make_embedder.hpp>
#include <cairn/recall.hpp>
#include <cairn/similar_words.hpp>
#include <cairn/word_vectors.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <random>
#include <set>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::size_t hashing_dimension = 1'024;

struct Configuration {
  std::string name;
  RecallFeatures features;
  bool has_vectors = false;
  bool has_text = true;
  bool has_similar_words = false;
};

constexpr const char* word_vectors = "word vectors";

/// All features off, so that each feature of the default can be measured alone.
RecallFeatures text_alone() {
  RecallFeatures features;
  features.propagation_weight = 0;
  features.group_weight = 0;
  features.entity_weight = 0;
  features.author_weight = 0;
  features.date_weight = 0;
  features.feedback_weight = 0;
  features.feature_weight = 0;
  return features;
}

/// Returns the configurations: text alone, text with each feature, the default, the default with
/// changed features, and combinations with vectors.
std::vector<Configuration> configurations(const std::string& vectors) {
  const RecallFeatures defaults;
  const auto with = [](const std::string& name, RecallFeatures features, auto change) {
    change(features);
    return Configuration{name, features};
  };
  std::vector<Configuration> all = {
      {"text", text_alone()},
      with("text + mentions", text_alone(),
           [&](RecallFeatures& l) { l.entity_weight = defaults.entity_weight; }),
      with("text + authors", text_alone(),
           [&](RecallFeatures& l) { l.author_weight = defaults.author_weight; }),
      with("text + dates", text_alone(),
           [&](RecallFeatures& l) { l.date_weight = defaults.date_weight; }),
      with("text + neighbours", text_alone(),
           [&](RecallFeatures& l) { l.propagation_weight = defaults.propagation_weight; }),
      with("text + group", text_alone(),
           [&](RecallFeatures& l) { l.group_weight = defaults.group_weight; }),
      with("text + feedback", text_alone(),
           [&](RecallFeatures& l) { l.feedback_weight = defaults.feedback_weight; }),
      with("text + features", text_alone(),
           [&](RecallFeatures& l) { l.feature_weight = defaults.feature_weight; }),
      {"default", defaults},
      with("default - features", defaults, [](RecallFeatures& l) { l.feature_weight = 0; }),
      with("default + feedback always", defaults, [](RecallFeatures& l) { l.feedback_length = 0; }),
      with("default + diversity 0.3", defaults, [](RecallFeatures& l) { l.diversity = 0.3; }),
  };
  all.push_back({vectors, text_alone(), true, false});
  all.push_back({"text + " + vectors, text_alone(), true});
  all.push_back({"default + " + vectors, defaults, true});
  if (vectors != word_vectors) return all;
  all.push_back({"text + similar words", text_alone(), false, true, true});
  all.push_back({"default + similar words", defaults, false, true, true});
  return all;
}

/// Returns configurations that each leave out one feature of the default, to show what this feature
/// adds to all others.
std::vector<Configuration> without_each() {
  constexpr std::pair<const char*, double RecallFeatures::*> weights[] = {
      {"mentions", &RecallFeatures::entity_weight},
      {"authors", &RecallFeatures::author_weight},
      {"dates", &RecallFeatures::date_weight},
      {"neighbours", &RecallFeatures::propagation_weight},
      {"group", &RecallFeatures::group_weight},
      {"feedback", &RecallFeatures::feedback_weight}};
  std::vector<Configuration> all;
  for (const auto& [name, weight] : weights) {
    Configuration& made = all.emplace_back(Configuration{"default - " + std::string(name), {}});
    made.features.*weight = 0;
  }
  all.emplace_back(Configuration{"default - irregular forms", {}}).features.joins_forms = false;
  return all;
}

double percentile95(std::vector<double> times) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[times.size() * 95 / 100];
}

Error wrong_exclude(const RetrievalBench& bench, const std::string& what) {
  return {ErrorCode::invalid_argument, "--exclude " + bench.exclude + ": " + what, {}};
}

/// Checks the form of --exclude before any file is read.
Status check_exclude(const RetrievalBench& bench) {
  if (bench.exclude.empty() || bench.exclude.find('=') != std::string::npos) return {};
  return wrong_exclude(bench, "write it as name=value");
}

/// Removes the questions that --exclude selects. A name that no question has is an error. A value
/// that no question has is not, because sets of the same kind may lack some values.
Status exclude(const RetrievalBench& bench, std::vector<RetrievalQuery>& queries) {
  if (bench.exclude.empty()) return {};
  const std::size_t equals = bench.exclude.find('=');
  const std::string name = bench.exclude.substr(0, equals);
  const std::string value = bench.exclude.substr(equals + 1);
  std::set<std::string> names;
  for (const RetrievalQuery& query : queries)
    for (const auto& entry : query.metadata) names.insert(entry.first);
  if (!names.contains(name)) {
    std::string known;
    for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
    return wrong_exclude(bench, "no question has the metadata \"" + name +
                                    "\"; there is: " + (known.empty() ? "none" : known));
  }
  std::erase_if(queries, [&](const RetrievalQuery& query) {
    const auto found = query.metadata.find(name);
    return found != query.metadata.end() && found->second.to_text() == value;
  });
  return {};
}

Filter filter_of(const RetrievalQuery& query) {
  std::vector<Filter> all;
  for (const auto& [name, value] : query.filter)
    all.push_back(Filter::where(name, FilterOperator::equals, value));
  return Filter::all_of(std::move(all));
}

/// Computes vectors of texts.
struct TextModel {
  std::unique_ptr<Embedder> embedder;
  const WordVectors* words = nullptr;  ///< the embedder, if it uses word vectors
};

/// Asks every question in one configuration and prints a row. The time includes embedding the
/// question.
Result<Measured> measure(const Snapshot& snapshot, const std::vector<RetrievalQuery>& queries,
                         const Configuration& configuration, const TextModel& model, bool filtered,
                         std::ostream& out) {
  std::vector<RetrievalFigures> figures;
  std::vector<double> times;
  RecallOptions options;
  options.index = "documents";
  options.limit = 20;
  options.features = configuration.features;
  if (configuration.has_vectors) options.vector_index = "meanings";
  for (const RetrievalQuery& query : queries) {
    options.filter = filtered ? filter_of(query) : Filter();
    const double begin = thread_cpu_us();
    if (configuration.has_similar_words && model.words != nullptr)
      options.expansion = similar_words(*model.words, query.text);
    if (configuration.has_vectors) {
      const std::string_view text = query.text;
      CAIRN_ASSIGN(const auto vectors, model.embedder->embed({&text, 1}));
      options.vector.assign(vectors[0].components().begin(), vectors[0].components().end());
    }
    CAIRN_ASSIGN(const auto hits,
                 recall(snapshot, configuration.has_text ? query.text : "", options));
    times.push_back(1e-3 * (thread_cpu_us() - begin));
    std::vector<std::uint64_t> found;
    for (const Hit& hit : hits) found.push_back(hit.id);
    figures.push_back(judge(found, query.wanted));
  }
  const RetrievalFigures result = mean(figures);
  out << "| " << std::left << std::setw(26) << configuration.name << " | "
      << (filtered ? "yes" : "no ") << std::right << std::fixed << std::setprecision(1);
  for (const double value :
       {result.ndcg10, result.recall5, result.recall10, result.recall20, result.reciprocal_rank})
    out << " | " << std::setw(7) << 100 * value;
  out << " | " << std::setw(6) << std::setprecision(2) << percentile95(std::move(times)) << " |\n";
  return Measured{configuration.name, filtered, std::move(figures)};
}

}  // namespace

RetrievalFigures mean(const std::vector<RetrievalFigures>& all) {
  RetrievalFigures sum;
  for (const RetrievalFigures& one : all) {
    sum.ndcg10 += one.ndcg10;
    sum.recall5 += one.recall5;
    sum.recall10 += one.recall10;
    sum.recall20 += one.recall20;
    sum.reciprocal_rank += one.reciprocal_rank;
  }
  const double count = std::max<double>(1, static_cast<double>(all.size()));
  return {sum.ndcg10 / count, sum.recall5 / count, sum.recall10 / count, sum.recall20 / count,
          sum.reciprocal_rank / count};
}

// nDCG with gains as judged, the best possible order as 1.
RetrievalFigures judge(const std::vector<std::uint64_t>& found,
                       const std::map<std::uint64_t, double>& wanted) {
  RetrievalFigures figures;
  double gained = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto gain = wanted.find(found[i]);
    if (gain == wanted.end()) continue;
    const double rank = static_cast<double>(i) + 1;
    if (figures.reciprocal_rank == 0) figures.reciprocal_rank = 1 / rank;
    if (i < 10) gained += gain->second / std::log2(1 + rank);
    const double share = 1 / static_cast<double>(wanted.size());
    if (i < 5) figures.recall5 += share;
    if (i < 10) figures.recall10 += share;
    if (i < 20) figures.recall20 += share;
  }
  std::vector<double> gains;
  for (const auto& [id, gain] : wanted) gains.push_back(gain);
  std::sort(gains.rbegin(), gains.rend());
  double best = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, gains.size()); ++i)
    best += gains[i] / std::log2(2 + static_cast<double>(i));
  figures.ndcg10 = best > 0 ? gained / best : 0;
  return figures;
}

namespace {

/// Returns the name of the vectors in the tables.
std::string vectors_name(const RetrievalBench& bench) {
  if (!bench.word_vectors.empty()) return word_vectors;
  return bench.embedder.empty() ? "hashed vectors" : "vectors";
}

/// Uses the given word vectors or embedder, or else hashes weighted by the word frequencies of the corpus.
Result<TextModel> make_model(const RetrievalBench& bench) {
  if (!bench.embedder.empty() && !bench.word_vectors.empty())
    return Error{ErrorCode::invalid_argument, "give --word-vectors or --embedder, not both",
                 std::nullopt};
  if (!bench.embedder.empty()) {
    CAIRN_ASSIGN(auto embedder, make_embedder(bench.embedder));
    return TextModel{std::move(embedder)};
  }
  if (!bench.word_vectors.empty()) {
    CAIRN_ASSIGN(auto vectors, WordVectors::open(bench.word_vectors));
    const WordVectors* words = vectors.get();
    return TextModel{std::move(vectors), words};
  }
  CAIRN_ASSIGN(const auto texts, read_texts(bench.directory));
  HashingFrequencies frequencies;
  for (const std::string& text : texts) frequencies.add(text);
  return TextModel{make_hashing_embedder(std::move(frequencies), hashing_dimension)};
}

}  // namespace

// Uses one database for all configurations, because they differ only in the question. If questions
// have filters, each configuration is measured with and without them.
Status run_retrieval(const RetrievalBench& bench, std::ostream& out) {
  CAIRN_TRY(check_exclude(bench));
  if (bench.changes) return measure_changes(bench, out);
  const Scratch scratch;
  CAIRN_ASSIGN(Database database, Database::open(scratch.path()));
  CAIRN_ASSIGN(const TextModel model, make_model(bench));
  CAIRN_ASSIGN(const auto nodes, load_corpus(bench.directory, database, model.embedder.get()));
  CAIRN_ASSIGN(auto queries, read_queries(bench.directory, nodes));
  CAIRN_TRY(exclude(bench, queries));
  const bool has_filter = std::any_of(queries.begin(), queries.end(),
                                      [](const auto& query) { return !query.filter.empty(); });
  out << nodes.size() << " documents, " << queries.size() << " questions\n"
      << "| configuration              | filter | nDCG@10 | rec@5 | rec@10 | rec@20 | MRR | p95 ms "
         "|\n"
      << "|---|---|---|---|---|---|---|---|\n";
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  auto all = configurations(vectors_name(bench));
  if (bench.intervals)
    for (Configuration& configuration : without_each()) all.push_back(std::move(configuration));
  std::vector<Measured> measured;
  Progress progress("configurations", all.size() * (has_filter ? 2 : 1), isatty(2) != 0);
  std::uint64_t done = 0;
  for (const Configuration& configuration : all) {
    for (const bool is_filtered : {true, false}) {
      if (is_filtered && !has_filter) continue;
      CAIRN_ASSIGN(measured.emplace_back(),
                   measure(snapshot, queries, configuration, model, is_filtered, out));
    }
    progress.update(done += has_filter ? 2 : 1);
  }
  if (bench.intervals) print_intervals(queries, measured, out);
  return bench.hybrid ? measure_hybrid(snapshot, queries, *model.embedder, out) : Status();
}

}  // namespace cairn::tools
