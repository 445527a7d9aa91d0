// `cairn-bench retrieval DIR --changes`. Changes how the records of a set are stored, or how its questions are
// asked; the relevant records stay the same. The figures show how much recall users lose who store or ask like
// this.
#include "tools/bench/retrieval.hpp"
#include "tools/bench/retrieval_data.hpp"
#include "tools/bench/scratch.hpp"

#include <cairn/database.hpp>
#include <cairn/recall.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iomanip>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

/// How a run differs from the unchanged set.
struct Change {
  std::string name;
  CorpusForm form;
  std::function<std::string(std::string)> ask = nullptr;  ///< changes a question
  std::size_t context = 0;                                ///< RecallOptions::context
  double feedback_weight = RecallFeatures().feedback_weight;
};

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return text;
}

/// Calls visit(place, length) for each run of letters.
void for_each_word(const std::string& text,
                   const std::function<void(std::size_t, std::size_t)>& visit) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > i) visit(i, end - i);
    i = end + 1;
  }
}

/// Exchanges two letters in the middle of a word, like a typing error.
void exchange_letters(std::string& text, std::size_t place, std::size_t length) {
  std::swap(text[place + length / 2 - 1], text[place + length / 2]);
}

/// Misspells the longest word.
std::string misspelt(std::string text) {
  std::size_t best = 0, length = 0;
  for_each_word(text, [&](std::size_t place, std::size_t letters) {
    if (letters > length) std::tie(best, length) = std::pair(place, letters);
  });
  if (length > 4) exchange_letters(text, best, length);
  return text;
}

/// Misspells the names of speakers from four letters on.
Change misspelt_names() {
  const auto speakers = std::make_shared<std::set<std::string>>();
  Change change{"misspelt names", {}, nullptr};
  change.form.edit = [speakers](const Properties& properties) {
    const auto speaker = properties.find("speaker");
    if (speaker != properties.end() && speaker->second.string() != nullptr)
      speakers->insert(*speaker->second.string());
  };
  change.ask = [speakers](const std::string& question) {
    std::string text = question;
    for_each_word(question, [&](std::size_t place, std::size_t length) {
      if (length > 3 && speakers->contains(question.substr(place, length)))
        exchange_letters(text, place, length);
    });
    return text;
  };
  return change;
}

void keep_only(Properties& properties, const std::set<std::string>& names) {
  std::erase_if(properties, [&](const auto& property) { return !names.contains(property.first); });
}

/// Renames properties to names that recall() does not recognise.
void rename(Properties& properties) {
  constexpr std::array<std::array<const char*, 2>, 5> names = {{{"conversation", "chat"},
                                                                {"session", "part"},
                                                                {"speaker", "voice"},
                                                                {"turn", "line"},
                                                                {"time", "said_on"}}};
  for (const auto& [before, after] : names) {
    auto entry = properties.extract(before);
    if (entry.empty()) continue;
    entry.key() = after;
    properties.insert(std::move(entry));
  }
}

/// Returns changes as pairs of a name and the properties that the change removes. These changes
/// also leave out the relationships.
std::vector<std::pair<std::string, std::set<std::string>>> without_each() {
  return {{"without speakers", {"speaker", "listener"}},
          {"without times", {"time"}},
          {"without sessions", {"session"}},
          {"without any group", {"session", "conversation"}}};
}

std::vector<Change> changes() {
  std::vector<Change> all = {{"as it is", {}, nullptr}};
  CorpusForm speaker_indexed;
  speaker_indexed.indexed = {"text", "title", "speaker"};
  all.push_back({"speaker is searched too", speaker_indexed, nullptr});
  CorpusForm surnames;
  surnames.edit = [](Properties& properties) {
    const auto speaker = properties.find("speaker");
    if (speaker != properties.end() && speaker->second.string() != nullptr)
      speaker->second = *speaker->second.string() + " Lindgren";
  };
  all.push_back({"speakers have surnames", surnames, nullptr});
  CorpusForm no_edges;
  no_edges.joins_turns = false;
  all.push_back({"no relationships", no_edges, nullptr});
  CorpusForm bare = no_edges;
  bare.edit = [](Properties& properties) { keep_only(properties, {"text", "conversation"}); };
  all.push_back({"text and conversation alone", bare, nullptr});
  for (const auto& [name, removed] : without_each()) {
    CorpusForm form;
    form.joins_turns = false;
    form.edit = [removed](Properties& properties) {
      std::erase_if(properties, [&](const auto& one) { return removed.contains(one.first); });
    };
    all.push_back({name, form, nullptr});
  }
  CorpusForm renamed;
  renamed.edit = rename;
  all.push_back({"other names", renamed, nullptr});
  CorpusForm renamed_bare = renamed;
  renamed_bare.joins_turns = false;
  all.push_back({"other names, no relationships", renamed_bare, nullptr});
  all.push_back({"questions in lower case", {}, in_lower_case});
  all.push_back({"lower case, surnames", surnames, in_lower_case});
  all.push_back({"a misspelt word", {}, misspelt});
  all.push_back(misspelt_names());
  for (const std::size_t turns : {3U, 6U}) {
    CorpusForm form;
    form.turns_in_record = turns;
    const std::string name = std::to_string(turns) + " turns in a record";
    all.push_back({name, form, nullptr});
    all.push_back({name + ", no feedback", form, nullptr, 0, 0.0});
  }
  all.push_back({"10 hits with context 1", {}, nullptr, 1});
  all.push_back({"10 hits with context 2", {}, nullptr, 2});
  return all;
}

using Halves = std::array<std::vector<RetrievalFigures>, 2>;

/// The share of the wanted records that are in the passages of the first 10 hits.
double share_in_passages(const std::vector<Hit>& hits,
                         const std::map<std::uint64_t, double>& wanted) {
  std::set<std::uint64_t> given;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, hits.size()); ++i)
    given.insert(hits[i].passage.begin(), hits[i].passage.end());
  const auto found = std::ranges::count_if(
      wanted, [&](const auto& record) { return given.contains(record.first); });
  return static_cast<double>(found) / static_cast<double>(wanted.size());
}

/// Asks every question without its filter.
Result<Halves> ask_all(const RetrievalBench& bench, const Change& change) {
  const Scratch scratch;
  CAIRN_ASSIGN(Database database, Database::open(scratch.path()));
  CAIRN_ASSIGN(const auto nodes, load_corpus(bench.directory, database, nullptr, change.form));
  CAIRN_ASSIGN(const auto queries, read_queries(bench.directory, nodes));
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  RecallOptions options;
  options.index = "documents";
  options.limit = 20;
  options.context = change.context;
  options.features.feedback_weight = change.feedback_weight;
  Halves halves;
  for (std::size_t place = 0; place < queries.size(); ++place) {
    const RetrievalQuery& query = queries[place];
    CAIRN_ASSIGN(const auto hits,
                 recall(snapshot, change.ask ? change.ask(query.text) : query.text, options));
    std::vector<std::uint64_t> found;
    for (const Hit& hit : hits) found.push_back(hit.id);
    RetrievalFigures figures = judge(found, query.wanted);
    if (change.context > 0) figures.recall10 = share_in_passages(hits, query.wanted);
    halves[half_of(query, place)].push_back(figures);
  }
  return halves;
}

}  // namespace

Status measure_changes(const RetrievalBench& bench, std::ostream& out) {
  out << "| change                      | rec@10 first half | rec@10 second half | rec@10 all | "
         "nDCG@10 "
         "all |\n|---|---|---|---|---|\n";
  for (const Change& change : changes()) {
    CAIRN_ASSIGN(Halves halves, ask_all(bench, change));
    const RetrievalFigures first = mean(halves[0]);
    const RetrievalFigures second = mean(halves[1]);
    halves[0].insert(halves[0].end(), halves[1].begin(), halves[1].end());
    const RetrievalFigures all = mean(halves[0]);
    out << "| " << std::left << std::setw(27) << change.name << std::right << std::fixed
        << std::setprecision(1);
    for (const double value : {first.recall10, second.recall10, all.recall10, all.ndcg10})
      out << " | " << std::setw(6) << 100 * value;
    out << " |\n" << std::flush;
  }
  return {};
}

}  // namespace cairn::tools
