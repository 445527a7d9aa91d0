#pragma once
// Results as text for models and programs: markdown, TOON, the formats of document search, JSON.
//
// Texts of records are data: they stand as they are, so that a reader must not take them for orders.
// Only what frames them (ids, paths, fields of TOON) is escaped.
//
//     CAIRN_ASSIGN(const RecallResult found, memory.recall(request));
//     const Output output = output_of(found, request.scope.filter);
//     std::cout << to_text(OutputFormat::markdown, output) << "\n";
//
// A text goes into a prompt as it was stored: tell the model that it is quoted. Nothing here reads
// the database or fails for what it is given, parse_toon() apart.

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

/// How results are written: markdown, context and triplets for language models, json and rag for
/// programs, toon for either, as parse_toon() reads it back.
enum class OutputFormat : std::uint8_t {
  markdown,      ///< for a language model: relevance, content, relationships, context
  toon,          ///< one line a record, see parse_toon()
  rag,           ///< JSON {links, output, metadata, total_results}
  rag_markdown,  ///< **Sources**, **Chunks** and **Answer**
  json,          ///< everything, as JSON
  // At most five fields of metadata for each record, those of the filter first, what every record
  // has last.
  context,   ///< "[1] content", a line of metadata below each
  triplets,  ///< "source -- target (weight)" below each type of relationship; contents are cut
};
/// The format of a name: "markdown", "toon", "rag", "rag_markdown", "json", "context", "triplets";
/// nothing for another text.
[[nodiscard]] CAIRN_EXPORT std::optional<OutputFormat> find_output_format(std::string_view name);

/// One result: a record, or a row of a statement that is not one (id 0 and no external id).
struct OutputItem {
  Record record;
  /// Shown as whole percents by markdown.
  std::optional<double> score = std::nullopt;
  /// Of the three heaviest markdown shows type and `weight`; a relationship without one weighs 1.
  std::vector<Relationship> relationships = {};
  Properties columns = {};  ///< what a row has beside the record; shown like its metadata
};

/// The place of a page among all results.
///
/// A recall is one page with all that was found; for Page the number comes from offset and limit. Where nobody has
/// counted the results, `has_total` is false, and neither `total` nor `total_pages` is written.
struct OutputPage {
  std::uint64_t page = 1;
  std::uint64_t page_size = 0;
  std::uint64_t total = 0;
  std::uint64_t total_pages = 0;
  bool has_more = false;
  bool has_total = true;

  friend bool operator==(const OutputPage&, const OutputPage&) = default;
};

/// What is to be written. `output_of` makes one of a result.
struct Output {
  std::vector<OutputItem> items;
  OutputPage page = {};
  /// Fields of the filter, as fields_of() gives them.
  std::vector<std::string> filtered_fields = {};  ///< shown first, with a mark
  /// Beginnings of paths and what links have in their place, for files that lie elsewhere for the
  /// reader: {{"/srv/notes", "/home/ada/notes"}}. Whole components are compared, and the first that fits
  /// counts. For rag and rag_markdown.
  std::vector<std::pair<std::string, std::string>> roots = {};
};
/// Results with their place; `filter` is named and marked only.
/// Cost: copies of the records.
[[nodiscard]] CAIRN_EXPORT Output output_of(const RecallResult& result, const Filter& filter = {});
[[nodiscard]] CAIRN_EXPORT Output output_of(const Page& page, const Filter& filter = {});
[[nodiscard]] CAIRN_EXPORT Output output_of(const FacetedPage& page, const Filter& filter = {});

/// The names of a filter's fields, each once, in its order.
/// Fields below any_element are those of elements, and not among them.
[[nodiscard]] CAIRN_EXPORT std::vector<std::string> fields_of(const Filter& filter);

/// Write the output. UTF-8; invalid bytes come out as they are, in JSON as U+FFFD.
/// Cost: linear in the text. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::string to_text(OutputFormat format, const Output& output);

/// About how many tokens of a language model a text takes: one for each four bytes of ASCII, rounded up, and one for each
/// character beyond it.
[[nodiscard]] CAIRN_EXPORT std::size_t estimate_tokens(std::string_view text);

/// The answer of a search tool: {success, memory, message, metadata:
/// {query, explored, resultCount, filtersApplied}}, with the markdown in `memory`.
[[nodiscard]] CAIRN_EXPORT Value search_answer(const Output& output, std::string_view query,
                                               bool explored);

/// Read what the format `toon` wrote:
///
///   text   := header { line }
///   header := "# page=" n " total=" n " page_size=" n " has_more=" bool " total_pages=" n LF
///           | "# page=" n " page_size=" n " has_more=" bool LF            the total is not known
///   line   := content '|' [tag {',' tag}] '|' json '|' [time] '|' [time] '|' id LF
///
/// In content, tags, JSON and id a backslash is written `\\`, a bar `\|`, LF `\n` and CR `\r`, and in a
/// tag a comma `\,`. Times are created_at and updated_at in UTC, with a fraction of a second only where
/// there is one. The JSON has `kind` and the rest of the metadata, and tags or times that are invalid.
/// The id is the external one or, without one, the number; an external one of digits alone, or that
/// begins with a quote, is quoted. Scores are not written. What JSON can hold comes back equal, times
/// as equal instants.
/// Errors: invalid_argument with the line.
[[nodiscard]] CAIRN_EXPORT Result<Output> parse_toon(std::string_view text);

}  // namespace cairn::memory
