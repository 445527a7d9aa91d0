// Generates the graph from a seed. Who knows whom is drawn by preferential attachment: in half of
// the draws, an end is one of the ends drawn before (Barabási, Albert, "Emergence of scaling in
// random networks", Science 1999). Otherwise all persons are equally likely.
#include "tools/bench/graph_data.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <unordered_set>

namespace cairn::tools {
namespace {

using Random = std::mt19937_64;

constexpr std::uint64_t knows_a_person = 20;
constexpr std::uint64_t messages_a_person = 10;
constexpr std::uint32_t cities = 200;
constexpr std::uint32_t most_tags = 3;  // per message
constexpr std::uint64_t first_created = 1'600'000'000'000;
constexpr std::uint64_t created_step = 97'000;

std::uint32_t below(Random& random, std::uint64_t bound) {
  return static_cast<std::uint32_t>(
      std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random));
}

/// Draws a number below `bound`; small numbers are much more likely than large ones.
std::uint32_t skewed_below(Random& random, std::uint64_t bound) {
  const double share = std::uniform_real_distribution<double>(0, 1)(random);
  return static_cast<std::uint32_t>(static_cast<double>(bound) * std::pow(share, 3.0));
}

void add_persons(GraphData& graph, std::uint64_t count, Random& random) {
  for (std::uint64_t i = 0; i < count; ++i)
    graph.persons.push_back({18 + below(random, 63), below(random, cities)});
}

// Half of the draws choose an end of an earlier relationship, so that few persons know many
// (preferential attachment).
void add_knows(GraphData& graph, Random& random) {
  const std::uint64_t wanted = knows_a_person * graph.persons.size();
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::uint32_t> ends;
  const auto draw = [&] {
    const bool is_anybody = ends.empty() || below(random, 2) == 0;
    return is_anybody ? below(random, graph.persons.size()) : ends[below(random, ends.size())];
  };
  while (graph.knows.size() < wanted) {
    const std::uint32_t from = below(random, 3) == 0 ? draw() : below(random, graph.persons.size());
    const std::uint32_t to = draw();
    if (from == to || !seen.insert(std::uint64_t{from} << 32 | to).second) continue;
    graph.knows.push_back({from, to, 1990 + below(random, 36)});
    ends.push_back(from);
    ends.push_back(to);
  }
}

// Times are a shuffled sequence, so that they do not follow the numbers of the messages.
void add_messages(GraphData& graph, Random& random) {
  const std::uint64_t count = messages_a_person * graph.persons.size();
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::shuffle(order.begin(), order.end(), random);
  for (std::uint64_t i = 0; i < count; ++i)
    graph.messages.push_back({skewed_below(random, graph.persons.size()),
                              skewed_below(random, std::size(graph_languages)),
                              1 + below(random, 2'000), first_created + created_step * order[i]});
}

void add_tags(GraphData& graph, Random& random) {
  graph.tags = static_cast<std::uint32_t>(std::max<std::size_t>(graph.persons.size() / 25, 10));
  for (std::uint32_t message = 0; message < graph.messages.size(); ++message) {
    std::vector<std::uint32_t> tags(below(random, most_tags + 1));
    for (std::uint32_t& tag : tags) tag = skewed_below(random, graph.tags);
    std::ranges::sort(tags);
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    for (const std::uint32_t tag : tags) graph.tagged.push_back({message, tag});
  }
}

Status finish(std::ofstream& out, const std::filesystem::path& file) {
  out.close();
  if (out) return {};
  return Error{ErrorCode::io_error, "cannot write " + file.string(), std::nullopt};
}

/// Writes one table to a file, one line per row.
template <class Rows, class Write>
Status write_table(const std::filesystem::path& file, const Rows& rows, const Write& write) {
  std::ofstream out(file, std::ios::trunc);
  std::uint64_t number = 0;
  for (const auto& row : rows) write(out, number++, row);
  return finish(out, file);
}

void write_node(std::ostream& out, char kind, std::uint64_t id, const char* label) {
  out << R"({"type":"node","id":")" << kind << id << R"(","labels":[")" << label
      << R"("],"properties":{"id":)" << id;
}

void write_relationship(std::ostream& out, const char* type, char start_kind, std::uint64_t start,
                        char end_kind, std::uint64_t end) {
  out << R"({"type":"relationship","label":")" << type << R"(","start":{"id":")" << start_kind
      << start << R"("},"end":{"id":")" << end_kind << end << R"("},"properties":{)";
}

}  // namespace

GraphData make_graph(const GraphSize& size) {
  Random random(size.seed);
  GraphData graph;
  add_persons(graph, size.persons, random);
  add_knows(graph, random);
  add_messages(graph, random);
  add_tags(graph, random);
  return graph;
}

std::string person_name(std::uint64_t id) { return "Person " + std::to_string(id); }
std::string city_name(std::uint64_t id) { return "City " + std::to_string(id); }
std::string tag_name(std::uint64_t id) { return "Tag " + std::to_string(id); }

Status write_graph_lines(const std::filesystem::path& file, const GraphData& graph) {
  std::ofstream out(file, std::ios::trunc);
  for (std::uint64_t i = 0; i < graph.persons.size(); ++i) {
    write_node(out, 'p', i, "Person");
    out << R"(,"name":")" << person_name(i) << R"(","age":)" << graph.persons[i].age
        << R"(,"city":")" << city_name(graph.persons[i].city) << "\"}}\n";
  }
  for (std::uint64_t i = 0; i < graph.messages.size(); ++i) {
    const GraphData::Message& message = graph.messages[i];
    write_node(out, 'm', i, "Message");
    out << R"(,"lang":")" << graph_languages[message.language] << R"(","length":)" << message.length
        << R"(,"created":)" << message.created << "}}\n";
  }
  for (std::uint64_t i = 0; i < graph.tags; ++i) {
    write_node(out, 't', i, "Tag");
    out << R"(,"name":")" << tag_name(i) << "\"}}\n";
  }
  for (const GraphData::Knows& knows : graph.knows) {
    write_relationship(out, "KNOWS", 'p', knows.from, 'p', knows.to);
    out << R"("since":)" << knows.since << "}}\n";
  }
  for (std::uint64_t i = 0; i < graph.messages.size(); ++i) {
    write_relationship(out, "WROTE", 'p', graph.messages[i].author, 'm', i);
    out << "}}\n";
  }
  for (const GraphData::Tagged& tagged : graph.tagged) {
    write_relationship(out, "TAGGED", 'm', tagged.message, 't', tagged.tag);
    out << "}}\n";
  }
  return finish(out, file);
}

Status write_graph_tables(const std::filesystem::path& directory, const GraphData& graph) {
  CAIRN_TRY(write_table(directory / "persons.csv", graph.persons,
                        [](auto& out, auto id, const GraphData::Person& one) {
                          out << id << ',' << person_name(id) << ',' << one.age << ','
                              << city_name(one.city) << '\n';
                        }));
  CAIRN_TRY(write_table(directory / "knows.csv", graph.knows,
                        [](auto& out, auto, const GraphData::Knows& one) {
                          out << one.from << ',' << one.to << ',' << one.since << '\n';
                        }));
  CAIRN_TRY(write_table(directory / "messages.csv", graph.messages,
                        [](auto& out, auto id, const GraphData::Message& one) {
                          out << id << ',' << one.author << ',' << graph_languages[one.language]
                              << ',' << one.length << ',' << one.created << '\n';
                        }));
  CAIRN_TRY(write_table(directory / "tagged.csv", graph.tagged,
                        [](auto& out, auto, const GraphData::Tagged& one) {
                          out << one.message << ',' << one.tag << '\n';
                        }));
  std::vector<std::uint64_t> tags(graph.tags);
  return write_table(directory / "tags.csv", tags,
                     [](auto& out, auto id, auto) { out << id << ',' << tag_name(id) << '\n'; });
}

}  // namespace cairn::tools
