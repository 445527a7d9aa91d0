#pragma once
// The generated social network of `cairn-bench graph`: persons, whom they know, their messages and
// tags.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::tools {

/// How much is generated. On average, a person has 20 KNOWS and 10 messages, and a message has 1.5
/// tags.
struct GraphSize {
  std::uint64_t persons = 50'000;
  std::uint64_t seed = 1;
};

/// Ids of each kind start from 0. Only numbers are stored, because texts are derived from ids.
struct GraphData {
  struct Person {
    std::uint32_t age;   ///< 18 to 80
    std::uint32_t city;  ///< one of 200
  };
  /// A directed relationship; no pair occurs twice. The degrees are skewed: few persons know
  /// thousands.
  struct Knows {
    std::uint32_t from, to;
    std::uint32_t since;  ///< year, 1990 to 2025
  };
  struct Message {
    std::uint32_t author;
    std::uint32_t language;  ///< one of graph_languages, skewed
    std::uint32_t length;    ///< 1 to 2,000
    std::uint64_t created;   ///< milliseconds, distinct
  };
  /// A tag of a message; no pair occurs twice.
  struct Tagged {
    std::uint32_t message, tag;
  };

  std::vector<Person> persons;
  std::vector<Knows> knows;
  std::vector<Message> messages;
  std::vector<Tagged> tagged;
  std::uint32_t tags = 0;
};

inline constexpr const char* graph_languages[] = {"en", "es", "de", "fr", "pt", "zh",
                                                  "ja", "ar", "ru", "it", "nl", "pl"};

[[nodiscard]] GraphData make_graph(const GraphSize& size);

[[nodiscard]] std::string person_name(std::uint64_t id);
[[nodiscard]] std::string city_name(std::uint64_t id);
[[nodiscard]] std::string tag_name(std::uint64_t id);

/// Writes the graph as JSON Lines for `import`: labels Person, Message and Tag with a property
/// `id`, and relationships KNOWS (since), WROTE and TAGGED. Errors: io_error.
[[nodiscard]] Status write_graph_lines(const std::filesystem::path& file, const GraphData& graph);

/// Writes each table as comma-separated values: persons, knows, messages, tagged, tags. Errors:
/// io_error.
[[nodiscard]] Status write_graph_tables(const std::filesystem::path& directory,
                                        const GraphData& graph);

}  // namespace cairn::tools
