// All engines get the same operands in the same order. The answers of reads must equal those of the
// first engine; the order of rows counts only if the question requires an order.
#include "tools/bench/benchmarks.hpp"
#include "tools/bench/graph_peer.hpp"
#include "tools/bench/new_directory.hpp"
#include "tools/bench/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <ostream>
#include <random>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::size_t most_runs = 20'000;
constexpr std::size_t operand_sets = 20;

using Operands = std::vector<std::int64_t>;

struct Timing {
  double first_ms = 0;
  double median_ms = 0;
  std::vector<GraphAnswer> answers;  // one for each of the first sets of operands
};

/// The operands of each run of one question: ids of persons with a KNOWS relationship, from a cycle
/// of twenty sets, or a number that is new in each run.
class OperandSource {
 public:
  OperandSource(const GraphData& graph, GraphOperands kind) : graph_(graph), kind_(kind) {}

  [[nodiscard]] Operands at(std::size_t run) const {
    const std::size_t knows = 7'919 * (run % operand_sets + 1);
    switch (kind_) {
      case GraphOperands::none:
        return {};
      case GraphOperands::person:
        return {person(knows)};
      case GraphOperands::two_persons:
        return {person(knows), person(knows + 104'729)};
      case GraphOperands::number:
        return {static_cast<std::int64_t>(100'000'000 + run)};
    }
    return {};
  }

 private:
  [[nodiscard]] std::int64_t person(std::size_t knows) const {
    return graph_.knows[knows % graph_.knows.size()].from;
  }

  const GraphData& graph_;
  GraphOperands kind_;
};

class GraphRun {
 public:
  GraphRun(const GraphBench& bench, const GraphData& graph, std::ostream& out)
      : bench_(bench), graph_(graph), out_(out) {}

  Status make_peers() {
    const GraphSource source{graph_, bench_.directory, bench_.threads};
    CAIRN_TRY(add(make_graph_cairn(source)));
    if (bench_.sqlite) CAIRN_TRY(add(make_graph_sqlite(source)));
    if (!bench_.duckdb.empty()) CAIRN_TRY(add(make_graph_duckdb(source, bench_.duckdb)));
    if (!bench_.kuzu.empty()) CAIRN_TRY(add(make_graph_kuzu(source, bench_.kuzu)));
    return {};
  }

  Status run() {
    print_head();
    for (std::size_t i = 0; i < graph_questions().size(); ++i)
      if (is_wanted(graph_questions()[i])) CAIRN_TRY(ask(i));
    return {};
  }

 private:
  Status add(GraphPeerResult made) {
    if (!made) return made.error();
    peers_.push_back(*std::move(made));
    return {};
  }

  [[nodiscard]] bool is_wanted(const GraphQuestion& question) const {
    const auto& names = bench_.questions;
    return names.empty() || std::ranges::find(names, question.name) != names.end();
  }

  Status ask(std::size_t question) {
    const GraphQuestion& content = graph_questions()[question];
    std::vector<std::optional<Timing>> timings;
    for (const auto& peer : peers_) {
      timings.emplace_back();
      if (!peer->has(question)) continue;
      CAIRN_ASSIGN(timings.back(), measure(*peer, question));
      CAIRN_TRY(compare(content, *timings.front(), *timings.back(), peer->name()));
    }
    print(content, timings);
    return {};
  }

  Result<Timing> measure(GraphPeer& peer, std::size_t question) {
    const GraphQuestion& content = graph_questions()[question];
    const OperandSource operands(graph_, content.operands);
    const std::size_t least = content.operands == GraphOperands::none ? 5 : operand_sets;
    Timing timing;
    std::vector<double> times;
    const auto begin = Clock::now();
    for (std::size_t run = 0; run < most_runs; ++run) {
      if (run > least && seconds_since(begin) > bench_.seconds) break;
      if (run > 0 && content.writes && content.operands == GraphOperands::none) break;
      const auto start = Clock::now();
      CAIRN_ASSIGN(GraphAnswer answer, peer.ask(question, operands.at(run)));
      times.push_back(peer.own_milliseconds().value_or(1e3 * seconds_since(start)));
      if (run < least && !content.writes) timing.answers.push_back(std::move(answer));
    }
    timing.first_ms = times.front();
    if (times.size() > 1) times.erase(times.begin());
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    timing.median_ms = times[times.size() / 2];
    return timing;
  }

  static Status compare(const GraphQuestion& question, const Timing& expected, const Timing& other,
                        const std::string& name) {
    for (std::size_t i = 0; i < std::min(expected.answers.size(), other.answers.size()); ++i) {
      GraphAnswer one = expected.answers[i];
      GraphAnswer two = other.answers[i];
      if (!question.is_ordered) {
        std::ranges::sort(one);
        std::ranges::sort(two);
      }
      if (one == two) continue;
      return Error{ErrorCode::conflict,
                   std::string(question.name) + ", operands " + std::to_string(i) + ": " + name +
                       " gives " + std::to_string(two.size()) + " rows, first " +
                       (two.empty() ? "none" : two.front()) + "; Cairn " +
                       std::to_string(one.size()) + ", first " +
                       (one.empty() ? "none" : one.front()),
                   std::nullopt};
    }
    return {};
  }

  void print_head() {
    out_ << "Medians in milliseconds, the first run in brackets\n";
    std::array<char, 64> cell{};
    std::snprintf(cell.data(), cell.size(), "%-10s", "question");
    out_ << cell.data();
    for (const auto& peer : peers_) {
      std::snprintf(cell.data(), cell.size(), " %22s", peer->name().c_str());
      out_ << cell.data();
    }
    out_ << "\n";
  }

  void print(const GraphQuestion& question, const std::vector<std::optional<Timing>>& timings) {
    std::array<char, 64> cell{};
    std::snprintf(cell.data(), cell.size(), "%-10s", std::string(question.name).c_str());
    out_ << cell.data();
    for (const auto& timing : timings) {
      if (timing)
        std::snprintf(cell.data(), cell.size(), " %11.3f [%8.3f]", timing->median_ms,
                      timing->first_ms);
      else
        std::snprintf(cell.data(), cell.size(), " %22s", "-");
      out_ << cell.data();
    }
    out_ << "\n" << std::flush;
  }

  const GraphBench& bench_;
  const GraphData& graph_;
  std::ostream& out_;
  std::vector<std::unique_ptr<GraphPeer>> peers_;
};

Status check_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(graph_questions(), name, &GraphQuestion::name) != graph_questions().end())
      continue;
    std::string all;
    for (const GraphQuestion& question : graph_questions())
      all += (all.empty() ? "" : ", ") + std::string(question.name);
    return Error{ErrorCode::invalid_argument,
                 "there is no question \"" + name + "\"; there are " + all, std::nullopt};
  }
  return {};
}

}  // namespace

Status bench_graph(const GraphBench& bench, std::ostream& out) {
  CAIRN_TRY(check_names(bench.questions));
  CAIRN_TRY(check_new_directory(bench.directory));
  std::filesystem::create_directories(bench.directory);
  const GraphData graph = make_graph(bench.size);
  out << graph.persons.size() << " persons, " << graph.knows.size() << " KNOWS, "
      << graph.messages.size() << " messages, " << graph.tagged.size() << " TAGGED\n"
      << std::flush;
  GraphRun run(bench, graph, out);
  CAIRN_TRY(run.make_peers());
  return run.run();
}

}  // namespace cairn::tools
