#pragma once
// Results as text for language models and programs: markdown, TOON, the formats of document search,
// JSON.
//
// Texts of records are data and are written unchanged, so a reader must not follow instructions in
// them. Only the framing (ids, paths, fields of TOON) is escaped.
//
//     CAIRN_ASSIGN(const RecallResult found, memory.recall(request));
//     const Output output = output_of(found, request.scope.filter);
//     std::cout << to_text(OutputFormat::markdown, output) << "\n";
//
// Stored text goes into a prompt unchanged, so tell the model that it is quoted. These functions do
// not read the database, and only parse_toon() can fail.

#include <cairn/facets.hpp>
#include <cairn/filter.hpp>
#include <cairn/memory/recall.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::memory {

/// Formats of results: markdown, context and triplets are for language models, json and rag for
/// programs, and toon for both; parse_toon() reads toon back.
enum class OutputFormat : std::uint8_t {
  markdown,      ///< for a language model: relevance, content, relationships, context
  toon,          ///< one line per record, see parse_toon()
  rag,           ///< JSON {links, output, metadata, total_results}
  rag_markdown,  ///< **Sources**, **Chunks** and **Answer**
  json,          ///< everything, as JSON
  // At most five metadata fields for each record: first those of the filter, last those that every
  // record has.
  context,   ///< "[1] content", with a line of metadata below each
  triplets,  ///< "source -- target (weight)" by type of relationship; contents are shortened
};
/// Finds a format by its name: "markdown", "toon", "rag", "rag_markdown", "json", "context" or
/// "triplets"; nullopt for any other text.
[[nodiscard]] CAIRN_EXPORT std::optional<OutputFormat> find_output_format(std::string_view name);

/// One result: a record, or a row of a statement without a record (id 0 and no external id).
struct OutputItem {
  Record record;
  /// Markdown shows it in whole percent.
  std::optional<double> score = std::nullopt;
  /// Markdown shows type and `weight` of the three heaviest; a relationship without a weight counts
  /// as 1.
  std::vector<Relationship> relationships = {};
  Properties columns = {};  ///< columns of a row besides the record; shown like metadata
};

/// The place of a page among all results.
///
/// A recall is one page with all that was found; for Page the number comes from offset and limit.
/// If the results were not counted, `has_total` is false, and `total` and `total_pages` are not
/// written.
struct OutputPage {
  std::uint64_t page = 1;
  std::uint64_t page_size = 0;
  std::uint64_t total = 0;
  std::uint64_t total_pages = 0;
  bool has_more = false;
  bool has_total = true;

  friend bool operator==(const OutputPage&, const OutputPage&) = default;
};

/// What is to be written. output_of() makes it from a result.
struct Output {
  std::vector<OutputItem> items;
  OutputPage page = {};
  /// Fields of the filter, see fields_of().
  std::vector<std::string> filtered_fields = {};  ///< shown first, with a mark
  /// Markdown shows all fields of each record, not only five.
  bool shows_all_fields = false;
  /// Prefixes of paths and their replacements in links, if the reader has files elsewhere:
  /// {{"/srv/notes", "/home/ada/notes"}}. Prefixes match whole components, and the first match is
  /// used. For rag and rag_markdown.
  std::vector<std::pair<std::string, std::string>> roots = {};
};
/// Makes an Output from a result. `filter` only determines which fields are shown first and marked.
/// Cost: copies the records.
[[nodiscard]] CAIRN_EXPORT Output output_of(const RecallResult& result, const Filter& filter = {});
[[nodiscard]] CAIRN_EXPORT Output output_of(const Page& page, const Filter& filter = {});
[[nodiscard]] CAIRN_EXPORT Output output_of(const FacetedPage& page, const Filter& filter = {});

/// Returns the names of a filter's fields, each once, in order. Fields below any_element are keys
/// of elements and are not included.
[[nodiscard]] CAIRN_EXPORT std::vector<std::string> fields_of(const Filter& filter);

/// Writes the output as UTF-8. Invalid bytes are copied, or replaced by U+FFFD in JSON. Markdown
/// identifies a record by its external id. If the external id consists of digits, it is shown as a
/// field, and the internal id is used instead. Cost: linear in the text. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::string to_text(OutputFormat format, const Output& output);

/// Estimates the tokens of a language model for a text: one for each four ASCII bytes, rounded up,
/// and one for each other character.
[[nodiscard]] CAIRN_EXPORT std::size_t estimate_tokens(std::string_view text);

/// Returns the answer of a search tool: {success, memory, message, metadata: {query, explored,
/// resultCount, filtersApplied}}, with the markdown in `memory`.
[[nodiscard]] CAIRN_EXPORT Value search_answer(const Output& output, std::string_view query,
                                               bool explored);

/// Parses text of the format `toon`:
///
///   text   := header { line }
///   header := "# page=" n " total=" n " page_size=" n " has_more=" bool " total_pages=" n LF
///           | "# page=" n " page_size=" n " has_more=" bool LF            the total is not known
///   line   := content '|' [tag {',' tag}] '|' json '|' [time] '|' [time] '|' id LF
///
/// In content, tags, JSON and id a backslash is written `\\`, a bar `\|`, LF `\n` and CR `\r`; in
/// tags also a comma `\,`. Times are created_at and updated_at in UTC, with a fraction only if it
/// is not zero. The JSON has `kind` and the other metadata, and also invalid tags and times. The id
/// is the external id or, without one, the number. An external id is quoted if it consists of
/// digits or begins with a quote. Scores are not written. Values that JSON can represent come back
/// equal, times as equal instants. Errors: invalid_argument with the line.
[[nodiscard]] CAIRN_EXPORT Result<Output> parse_toon(std::string_view text);

}  // namespace cairn::memory
