#pragma once
// Engines that answer questions about generated records.

#include "tools/bench/compare/metadata_records.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace cairn::compare {

using Records = std::vector<MetadataRecord>;

/// Not safe from two threads. Records are numbered from 1 on.
class MetadataPeer {
 public:
  virtual ~MetadataPeer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual Result<Answer> ask(const Question& question) = 0;
  /// Bytes of the record of this number, as the engine hands it out; 0 where there is none.
  [[nodiscard]] virtual Result<std::size_t> get(std::uint64_t number) = 0;
};

/// The files are made from `records` where they are not there yet.
using PeerResult = Result<std::unique_ptr<MetadataPeer>>;
/// JSON in one column, an index on the expression of each property, tags in a table beside it.
[[nodiscard]] PeerResult make_sqlite_peer(const std::string& file, const Records& records);
/// Typed columns, one thread. Null where `library` is not there. `json_lines` is made from `records`.
[[nodiscard]] PeerResult make_duckdb_peer(const std::string& library, const std::string& file,
                                          const std::string& json_lines, const Records& records);

/// The statements of a question in SQL: `$1` and so on are its operands, `{kind}` the expression of
/// a property and `{has}` that of "tags has $1".
[[nodiscard]] std::vector<std::string> sql_of(Shape shape);
/// With what stands for the names in braces put in their place.
[[nodiscard]] std::string fill_in(std::string text,
                                  const std::map<std::string, std::string>& names);

}  // namespace cairn::compare
