// text.highlights() and text.snippet(): the words of a text that match a full-text query. Both functions use the
// analyzer of a full-text index, so they mark the words that a search would find. They do not run the search. Cost: the
// text is analyzed once.
#include "codec/utf8.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/highlighter.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_features.hpp"
#include "engine/view/view.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/paced_text.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Highlights = std::vector<engine::Highlight>;

struct HighlightOptions {
  std::string index;  ///< the analyzer and the fields of this index; empty: English without fields
  std::size_t size = 160;      ///< length of a snippet, in characters
  std::string before = "**";   ///< inserted before a match
  std::string after = "**";    ///< inserted after a match
  std::string ellipsis = "…";  ///< inserted where the snippet cuts the text
};

Result<std::string> read_text(const Call& call, const std::string& name, const Value& value) {
  if (value.string() != nullptr) return *value.string();
  return call.wrong_value("the option `" + name + "` must be a string, got " + described(value));
}

// The upper bound limits the size of the result.
Result<std::size_t> read_size(const Call& call, const Value& value) {
  constexpr std::int64_t largest = 100'000;
  const auto* size = value.get_if<std::int64_t>();
  if (size != nullptr && *size >= 1 && *size <= largest) return static_cast<std::size_t>(*size);
  return call.wrong_value("the option `size` must be an integer from 1 to 100,000, got " +
                          described(value));
}

// Reads the options from argument `at`, if it is given. An unknown option is an error.
Result<HighlightOptions> read_options(const Call& call, std::size_t at) {
  HighlightOptions options;
  if (!call.has(at)) return options;
  CAIRN_ASSIGN(const Map* map, call.map(at));
  for (const auto& [name, value] : *map) {
    std::string* text = name == "index"      ? &options.index
                        : name == "before"   ? &options.before
                        : name == "after"    ? &options.after
                        : name == "ellipsis" ? &options.ellipsis
                                             : nullptr;
    if (text != nullptr) {
      CAIRN_ASSIGN(*text, read_text(call, name, value));
    } else if (name == "size") {
      CAIRN_ASSIGN(options.size, read_size(call, value));
    } else {
      return call.wrong_value(
          "there is no option `" + name +
          "`; the options are `index`, `size`, `before`, `after` and `ellipsis`");
    }
  }
  return options;
}

/// How an index analyzes texts and queries.
struct Reading {
  engine::AnalyzerOptions analysis;
  std::vector<std::string> fields;
};

/// Returns the reading of an index that the memory calls or `cairn ingest` make with the first record, also before it
/// exists. So the answer does not reveal whether another namespace has such records. Nullopt for other names.
std::optional<Reading> reading_of_calls(const std::string& name, Reading reading) {
  if (name == "memory_contents") {
    reading.analysis.mark_features = true;
    reading.fields = {"content", "title"};
    return reading;
  }
  if (name != "chunk_content") return std::nullopt;
  reading.fields = {"content"};
  return reading;
}

/// Returns the analyzer of the index; without a name, that of an English index.
Result<Reading> find_reading(const Call& call, const std::string& name) {
  Reading reading;
  // The defaults of an index without options.
  reading.analysis.fold_diacritics = reading.analysis.split_elisions = true;
  if (name.empty()) return reading;
  if (call.context.view == nullptr)
    return call.wrong_value("the option `index` is only possible within a database");
  const auto& catalog = call.context.view->catalog();
  const auto id = catalog.find_index(name);
  if (!id)
    if (auto known = reading_of_calls(name, reading)) return *std::move(known);
  const auto entry = id ? catalog.indexes().find(*id) : catalog.indexes().end();
  if (entry == catalog.indexes().end() || entry->second.kind != codec::IndexKind::full_text)
    return call.wrong_value("there is no full-text index \"" + name +
                            "\"; SHOW FULLTEXT INDEXES lists them");
  reading.analysis = engine::analyzer_options(entry->second.text);
  for (const std::uint32_t property : entry->second.properties)
    reading.fields.push_back(catalog.name(codec::CatalogKind::property, property));
  return reading;
}

/// Parses the query as a search in the index does, including fields and quotes.
Result<Highlights> find(const Call& call, const HighlightOptions& options) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::string* question, call.string(1));
  CAIRN_ASSIGN(const Reading reading, find_reading(call, options.index));
  engine::TextWork work(call.context.limits);
  CAIRN_ASSIGN(auto parsed, engine::parse_text_query(*question, reading.fields, work));
  return engine::find_highlights(engine::Analyzer(reading.analysis, *question),
                                 std::move(parsed.root), *text, call.context.limits);
}

// Returns the matches in the order of the text, without overlaps. Offsets count code points, as substring() does.
Result<Value> highlights(const Call& call) {
  CAIRN_ASSIGN(const HighlightOptions options, read_options(call, 2));
  CAIRN_ASSIGN(const Highlights found, find(call, options));
  const std::string_view text = *call[0].string();
  GrowingList list(call.context.limits);
  std::int64_t characters = 0;
  std::size_t at = 0;
  for (const engine::Highlight& highlight : found) {
    const std::string_view word = text.substr(highlight.begin, highlight.end - highlight.begin);
    characters += codec::utf8_length(text.substr(at, highlight.begin - at));
    at = highlight.begin;
    CAIRN_TRY(list.add(Map{{"start", characters},
                           {"end", characters + codec::utf8_length(word)},
                           {"text", std::string(word)}}));
  }
  return list.take();
}

/// Marks are inserted unchanged: a caller that displays HTML must escape the text before.
Result<Value> snippet(const Call& call) {
  CAIRN_ASSIGN(const HighlightOptions options, read_options(call, 2));
  CAIRN_ASSIGN(const Highlights found, find(call, options));
  const std::string_view text = *call[0].string();
  const engine::WordRange piece = engine::choose_snippet(text, found, options.size);
  GrowingText result(call.context.limits);
  if (piece.begin > 0) CAIRN_TRY(result.append(options.ellipsis));
  std::size_t at = piece.begin;
  for (const engine::Highlight& highlight : found) {
    if (highlight.begin < piece.begin || highlight.end > piece.end) continue;
    CAIRN_TRY(result.append(text.substr(at, highlight.begin - at)));
    CAIRN_TRY(result.append(options.before));
    CAIRN_TRY(result.append(text.substr(highlight.begin, highlight.end - highlight.begin)));
    CAIRN_TRY(result.append(options.after));
    at = highlight.end;
  }
  CAIRN_TRY(result.append(text.substr(at, piece.end - at)));
  if (piece.end < text.size()) CAIRN_TRY(result.append(options.ellipsis));
  return result.take();
}

// Returns the names in a fixed order, so that texts with the same features give equal lists.
Result<Value> features(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_TRY(check_readable_whole(call.name, *text));
  List names;
  engine::TextWork work(call.context.limits);
  CAIRN_ASSIGN(const engine::TextFeatures found, engine::features_of(*text, work));
  for (const std::string_view name : found.names()) names.emplace_back(std::string(name));
  return Value(std::move(names));
}

}  // namespace

FunctionFamily highlight_functions() {
  static constexpr std::array entries{
      entry<"text.features(text)", features>(),
      entry<"text.highlights(text, question, options?)", highlights>(),
      entry<"text.snippet(text, question, options?)", snippet>()};
  return entries;
}

}  // namespace cairn::query
