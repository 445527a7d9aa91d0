#pragma once
// Engines that answer questions about generated records.

#include <cairn/result.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cairn::compare {

// Generated records as agents keep them, ten properties each, and questions about them.

/// kind    8 texts, Zipf         source   24 texts, even     agent  200 texts, Zipf
/// session nodes / 50 texts      tags     1 to 5 of 300 texts, Zipf
/// importance 1 to 10, even      tokens   log-normal, median 400: thousands of values
/// score   distinct floats       created  distinct ISO texts over two years, in no order of ids
/// pinned  a boolean, one in 20
struct MetadataRecord {
  std::string kind, source, agent, session;
  std::vector<std::string> tags;  ///< ascending, each once
  std::int64_t importance = 0, tokens = 0;
  double score = 0;
  std::string created;
  bool pinned = false;
};

[[nodiscard]] std::vector<MetadataRecord> make_metadata(std::size_t records, std::uint64_t seed);
/// The id that a program gives to the record of this number, from 1 on.
[[nodiscard]] std::string key_of(std::size_t number);
/// The record as one JSON object; `id` first if it is above 0.
[[nodiscard]] std::string json_text(const MetadataRecord& record, std::size_t id = 0);

/// What is asked. Texts and numbers of a question are its `operands`, written as texts.
enum class Shape : std::uint8_t {
  count_equal,   ///< kind = 1 and (source = 2 or agent = 3 or pinned)
  count_range,   ///< kind = 1 and (source = 2 or importance >= 3) and tokens < 4
  count_period,  ///< tags has 1 and created >= 2 and not pinned
  facets,  ///< kind = 1 and (source = 2 or importance >= 3): counts by source, agent, importance
  facet_tags,     ///< the same filter: counts by tag
  group,          ///< the same filter: counts by source alone
  newest_few,     ///< agent = 1 and kind = 2: the newest 20 and how many there are
  newest_many,    ///< kind = 1 and importance >= 2: likewise
  newest_narrow,  ///< agent = 1 and kind = 2 and source = 3: likewise
};
inline constexpr std::array shapes = {Shape::count_equal, Shape::count_range, Shape::count_period,
                                      Shape::facets,      Shape::facet_tags,  Shape::group,
                                      Shape::newest_few,  Shape::newest_many, Shape::newest_narrow};
[[nodiscard]] constexpr bool has_counts(Shape shape) {
  return shape == Shape::facets || shape == Shape::facet_tags || shape == Shape::group;
}
[[nodiscard]] constexpr bool has_ids(Shape shape) {
  return shape == Shape::newest_few || shape == Shape::newest_many || shape == Shape::newest_narrow;
}
inline constexpr std::size_t newest_wanted = 20;

/// One of several in a statement: a text or an integer.
struct Operand {
  std::string text;
  std::int64_t number = 0;
  bool is_number = false;
};

struct Question {
  Shape shape = Shape::count_equal;
  std::vector<Operand> operands;
};

/// Constants are drawn from records, so that frequent values are asked for often.
[[nodiscard]] std::vector<Question> draw_questions(Shape shape, std::size_t count,
                                                   const std::vector<MetadataRecord>& records,
                                                   std::uint64_t seed);

/// `counts`: of facets by "field=value", and no total. `ids`: numbers of records, from 1 on, in order.
struct Answer {
  std::uint64_t total = 0;
  std::map<std::string, std::uint64_t> counts;
  std::vector<std::uint64_t> ids;
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Answers by a scan of all records.
[[nodiscard]] Answer answer_by_reading(const Question& question,
                                       const std::vector<MetadataRecord>& records);

using Records = std::vector<MetadataRecord>;

/// How one record is got, and what is made of it.
enum class Get : std::uint8_t {
  by_id,            ///< by its number, as the engine hands it out: a text, a view
  by_id_property,   ///< one property of it
  by_id_statement,  ///< the same by a prepared statement, which is all that SQL has
  by_key,           ///< by key_of() its number, as the engine hands it out
  by_key_property,
  by_key_values,  ///< every property as a value
};
[[nodiscard]] constexpr bool is_by_key(Get get) { return get >= Get::by_key; }

/// Not safe from two threads. Records are numbered from 1 on.
class MetadataPeer {
 public:
  virtual ~MetadataPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Result<Answer> ask(const Question& question) = 0;
  /// Bytes of what was looked at of the record of this number; 0 if it does not exist.
  [[nodiscard]] virtual Result<std::size_t> get(Get get, std::uint64_t number) = 0;
};

/// The files are made from `records` where they are not there yet.
using PeerResult = Result<std::unique_ptr<MetadataPeer>>;
/// JSON in one table, tags in tables beside it; the properties by setting.
enum class SqliteSetting : std::uint8_t {
  covered,  ///< columns of another table, with an index each and indexes made for the questions
  json,     ///< read from the JSON, with an index on the expression of each and none for a question
};
/// A file has one setting.
[[nodiscard]] PeerResult make_sqlite_peer(SqliteSetting setting, const std::string& file,
                                          const Records& records);
/// Typed columns, one thread. Null where `library` is not there. `json_lines` is made from `records`.
[[nodiscard]] PeerResult make_duckdb_peer(const std::string& library, const std::string& file,
                                          const std::string& json_lines, const Records& records);

/// The statements of a question in SQL: `$1` and so on are its operands, `{has}` stands for
/// "tags has $1" and `{by_tag}` for the counts by tag.
[[nodiscard]] std::vector<std::string> sql_of(Shape shape);
/// Replaces the names in braces by their SQL.
[[nodiscard]] std::string fill_in(std::string text,
                                  const std::map<std::string, std::string>& names);

}  // namespace cairn::compare
