#pragma once
// Engines that answer questions about generated records.

#include "tools/bench/compare/metadata_records.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace cairn::compare {

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
/// A file is of one setting.
[[nodiscard]] PeerResult make_sqlite_peer(SqliteSetting setting, const std::string& file,
                                          const Records& records);
/// Typed columns, one thread. Null where `library` is not there. `json_lines` is made from `records`.
[[nodiscard]] PeerResult make_duckdb_peer(const std::string& library, const std::string& file,
                                          const std::string& json_lines, const Records& records);

/// The statements of a question in SQL: `$1` and so on are its operands, `{has}` stands for
/// "tags has $1" and `{by_tag}` for the counts by tag.
[[nodiscard]] std::vector<std::string> sql_of(Shape shape);
/// With what stands for the names in braces put in their place.
[[nodiscard]] std::string fill_in(std::string text,
                                  const std::map<std::string, std::string>& names);

}  // namespace cairn::compare
