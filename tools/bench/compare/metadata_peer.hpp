#pragma once
// The interface of engines that answer questions about generated records, and those records and
// questions.

#include <cairn/result.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cairn::compare {

// Records resemble those that agents store. Each has ten properties:

/// kind        8 values, Zipf
/// source      24 values, uniform
/// agent       200 values, Zipf
/// session     one value for about 50 records
/// tags        1 to 5 of 300 values, Zipf
/// importance  1 to 10, uniform
/// tokens      log-normal with median 400: thousands of values
/// score       distinct floats
/// created     distinct ISO texts over two years, independent of ids
/// pinned      a boolean, true for one in 20
struct MetadataRecord {
  std::string kind, source, agent, session;
  std::vector<std::string> tags;  ///< ascending and distinct
  std::int64_t importance = 0, tokens = 0;
  double score = 0;
  std::string created;
  bool pinned = false;
};

[[nodiscard]] std::vector<MetadataRecord> make_metadata(std::size_t records, std::uint64_t seed);
/// The external id of the record with this number; numbers start from 1.
[[nodiscard]] std::string key_of(std::size_t number);
/// The record as one JSON object. If `id` is above 0, the object begins with a member `id`.
[[nodiscard]] std::string json_text(const MetadataRecord& record, std::size_t id = 0);

/// Kinds of questions. The numbers stand for the operands of a question.
enum class Shape : std::uint8_t {
  count_equal,   ///< kind = 1 and (source = 2 or agent = 3 or pinned)
  count_range,   ///< kind = 1 and (source = 2 or importance >= 3) and tokens < 4
  count_period,  ///< tags has 1 and created >= 2 and not pinned
  facets,  ///< kind = 1 and (source = 2 or importance >= 3): counts by source, agent, importance
  facet_tags,     ///< counts by tag, with the filter of `facets`
  group,          ///< counts by source alone, with the filter of `facets`
  newest_few,     ///< agent = 1 and kind = 2: the newest 20 and the total
  newest_many,    ///< kind = 1 and importance >= 2: the newest 20 and the total
  newest_narrow,  ///< agent = 1 and kind = 2 and source = 3: the same
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

/// One operand of a question: a text or an integer.
struct Operand {
  std::string text;
  std::int64_t number = 0;
  bool is_number = false;
};

struct Question {
  Shape shape = Shape::count_equal;
  std::vector<Operand> operands;
};

/// Draws operands from records, so that frequent values are asked for often.
[[nodiscard]] std::vector<Question> draw_questions(Shape shape, std::size_t count,
                                                   const std::vector<MetadataRecord>& records,
                                                   std::uint64_t seed);

/// `counts` has the counts of facets by "field=value"; facets have no total. `ids` has numbers of
/// records, from 1 on, in order.
struct Answer {
  std::uint64_t total = 0;
  std::map<std::string, std::uint64_t> counts;
  std::vector<std::uint64_t> ids;
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// Computes the answer by a scan of all records.
[[nodiscard]] Answer answer_by_reading(const Question& question,
                                       const std::vector<MetadataRecord>& records);

using Records = std::vector<MetadataRecord>;

/// How one record is read, and which part of it.
enum class Get : std::uint8_t {
  by_id,           ///< by number, in the form that the engine returns: a text or a view
  by_id_property,  ///< one property of it
  by_id_statement,  ///< one property by a prepared statement; SQL engines use it for by_id_property too
  by_key,           ///< by external id, in the form that the engine returns
  by_key_property,
  by_key_values,  ///< all properties as values
};
[[nodiscard]] constexpr bool is_by_key(Get get) { return get >= Get::by_key; }

/// One engine. Not thread-safe. Records have numbers from 1 on.
class MetadataPeer {
 public:
  virtual ~MetadataPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Result<Answer> ask(const Question& question) = 0;
  /// Reads the record with this number and returns how many bytes were read; 0 if the record does
  /// not exist.
  [[nodiscard]] virtual Result<std::size_t> get(Get get, std::uint64_t number) = 0;
};

/// The functions below create the files from `records` if they do not exist.
using PeerResult = Result<std::unique_ptr<MetadataPeer>>;
/// How SQLite stores the properties. The JSON is in one table and the tags are in other tables.
enum class SqliteSetting : std::uint8_t {
  covered,  ///< columns of a table, with an index each and indexes for the questions
  json,     ///< read from the JSON, with an index on each expression only
};
/// A file serves one setting only.
[[nodiscard]] PeerResult make_sqlite_peer(SqliteSetting setting, const std::string& file,
                                          const Records& records);
/// Uses typed columns and one thread. `json_lines` is made from `records`. Errors: not_found if
/// `library` does not exist; those of DuckDB.
[[nodiscard]] PeerResult make_duckdb_peer(const std::string& library, const std::string& file,
                                          const std::string& json_lines, const Records& records);

/// The SQL statements of a question: `$1` and so on are its operands, `{has}` stands for "tags has
/// $1" and `{by_tag}` for the counts by tag.
[[nodiscard]] std::vector<std::string> sql_of(Shape shape);
/// Replaces each name in braces by its SQL.
[[nodiscard]] std::string fill_in(std::string text,
                                  const std::map<std::string, std::string>& names);

}  // namespace cairn::compare
