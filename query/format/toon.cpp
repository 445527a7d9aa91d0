// Writes and reads TOON pages; cairn/memory/output.hpp has the grammar.
//
// parse(write(page)) == page holds for everything except embeddings. To make this true, separators within fields are
// escaped, and the form of an id shows whether it is internal or external.
#include "codec/instant.hpp"
#include "query/format/format_functions.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace cairn::query {
namespace {

using memory::Output;
using memory::OutputItem;
using memory::OutputPage;
using memory::Record;

// Pairs of the letter after a backslash and the byte that this escape means.
constexpr std::array<std::pair<char, char>, 5> escapes = {
    {{'\\', '\\'}, {'|', '|'}, {'n', '\n'}, {'r', '\r'}, {',', ','}}};

/// Escapes a text. The comma is escaped within tags only.
void append_escaped(std::string& out, std::string_view text, bool is_tag = false) {
  for (const char byte : text) {
    const char* written = nullptr;
    for (const auto& [sign, meant] : escapes)
      if (meant == byte && (is_tag || byte != ',')) written = &sign;
    if (written == nullptr)
      out += byte;
    else
      (out += '\\') += *written;
  }
}

// True for a list of texts that the tags field can represent. A single empty tag would look like an empty list.
bool is_tag_list(const Value& value) {
  const List* list = value.list();
  if (list == nullptr || list->empty()) return false;
  for (const Value& tag : *list)
    if (tag.string() == nullptr) return false;
  return list->size() > 1 || !list->front().as_string().empty();
}

// The tags field: texts separated by commas.
void append_tags(std::string& out, const List& tags) {
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (i > 0) out += ',';
    append_escaped(out, tags[i].as_string(), true);
  }
}

// A time in the metadata; nullopt if it is absent or not a time.
std::optional<std::int64_t> instant_in(const Properties& metadata, const char* name) {
  const auto found = metadata.find(name);
  if (found == metadata.end() || found->second.string() == nullptr) return {};
  return codec::parse_instant(found->second.as_string());
}

// A number is the internal id. An external id that looks like a number or like a quoted text is written in quotes.
std::string id_text(const Record& record) {
  const std::string& given = record.external_id;
  if (given.empty()) return std::to_string(record.id.value);
  return looks_like_number(given) || given.front() == '"' ? '"' + given + '"' : given;
}

/// One line with six fields: content, tags, metadata as JSON, created, updated, id. Values with a field of their own are
/// removed from the metadata.
void append_line(std::string& out, const OutputItem& item) {
  const Record& record = item.record;
  Properties rest = record.metadata;
  for (const auto& [name, value] : item.columns) rest.insert_or_assign(name, value);
  append_escaped(out, record.content);
  out += '|';
  if (const auto tags = rest.find("tags"); tags != rest.end() && is_tag_list(tags->second)) {
    append_tags(out, tags->second.as_list());
    rest.erase(tags);
  }
  const auto created = instant_in(rest, "created_at");
  const auto updated = instant_in(rest, "updated_at");
  if (created) rest.erase("created_at");
  if (updated) rest.erase("updated_at");
  if (!record.kind.empty()) rest.insert_or_assign("kind", record.kind);
  out += '|';
  append_escaped(out, to_json(Value(std::move(rest))));
  out += '|' + (created ? codec::instant_text(*created) : "") + '|';
  out += (updated ? codec::instant_text(*updated) : "") + '|';
  append_escaped(out, id_text(record));
  out += '\n';
}

Error bad_line(std::size_t number, std::string_view problem) {
  return {ErrorCode::invalid_argument,
          "line " + std::to_string(number) + " of the TOON text " + std::string(problem),
          {}};
}

/// Splits at separators that are not escaped. Returns nullopt for an unknown escape.
std::optional<std::vector<std::string>> split_fields(std::string_view line, char separator,
                                                     bool unescape) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == separator) {
      fields.emplace_back();
      continue;
    }
    if (line[i] != '\\') {
      fields.back() += line[i];
      continue;
    }
    if (++i == line.size()) return {};
    const auto* known = std::ranges::find(escapes, line[i], &std::pair<char, char>::first);
    if (known == escapes.end()) return {};
    if (unescape)
      fields.back() += known->second;
    else
      fields.back().append({'\\', line[i]});
  }
  return fields;
}

// Removes the escapes of a field.
std::optional<std::string> unescaped(std::string_view text) {
  auto fields = split_fields(text, '\0', true);
  // The field is not split further. NUL is used as the separator, and a text that contains NUL is joined again.
  if (!fields) return {};
  std::string whole = std::move(fields->front());
  for (std::size_t i = 1; i < fields->size(); ++i) (whole += '\0') += (*fields)[i];
  return whole;
}

// An unquoted number is an internal id. A number that no id can have is an external id.
void read_id(std::string id, Record& record) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool is_quoted = id.size() >= 2 && id.front() == '"' && id.back() == '"';
  if (is_quoted)
    record.external_id = id.substr(1, id.size() - 2);
  else if (looks_like_number(id) && error == std::errc())
    record.id = NodeId{number};
  else
    record.external_id = std::move(id);
}

/// Reads the metadata. The kind is part of this JSON object, but a separate member of a record.
Status read_metadata(std::string_view text, std::size_t number, Record& record) {
  const auto json = unescaped(text);
  if (!json) return bad_line(number, "has a backslash before a character that must not be escaped");
  auto parsed = parse_json(*json);
  if (!parsed || parsed->map() == nullptr)
    return bad_line(number, "has a third field that is not a JSON object");
  record.metadata = *parsed->map();
  const auto kind = record.metadata.find("kind");
  if (kind == record.metadata.end() || kind->second.string() == nullptr) return {};
  record.kind = kind->second.as_string();
  record.metadata.erase(kind);
  return {};
}

/// An empty field means that the record has no tags.
Status read_tags(std::string_view text, std::size_t number, Record& record) {
  if (text.empty()) return {};
  auto tags = split_fields(text, ',', true);
  if (!tags) return bad_line(number, "has a backslash before a character that must not be escaped");
  record.metadata.insert_or_assign("tags", List(tags->begin(), tags->end()));
  return {};
}

/// Stores the text as it was written, so that reading and writing again changes no digit.
Status read_time(std::string_view text, const char* name, std::size_t number, Record& record) {
  if (text.empty()) return {};
  if (!codec::parse_instant(text)) return bad_line(number, "has an invalid timestamp");
  record.metadata.insert_or_assign(name, std::string(text));
  return {};
}

/// Reads one line. Anything that the writer would not produce is refused.
Result<OutputItem> read_line(std::string_view line, std::size_t number) {
  // Fields stay escaped here, because the tags are split once more.
  const auto fields = split_fields(line, '|', false);
  if (!fields)
    return bad_line(number, "has a backslash before a character that must not be escaped");
  if (fields->size() != 6) return bad_line(number, "does not have 6 fields");
  OutputItem item;
  item.record.content = unescaped((*fields)[0]).value_or("");
  CAIRN_TRY(read_metadata((*fields)[2], number, item.record));
  CAIRN_TRY(read_tags((*fields)[1], number, item.record));
  CAIRN_TRY(read_time((*fields)[3], "created_at", number, item.record));
  CAIRN_TRY(read_time((*fields)[4], "updated_at", number, item.record));
  read_id(unescaped((*fields)[5]).value_or(""), item.record);
  return item;
}

// Reads one `name=value` of the header from the front of `text`.
bool read_number(std::string_view& text, std::string_view name, std::uint64_t& number) {
  if (!text.starts_with(name)) return false;
  text.remove_prefix(name.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

/// Reads a name and a word from the front of `text`. If it returns false, `text` is partly consumed.
bool read_flag(std::string_view& text, std::string_view name, bool& flag) {
  if (!text.starts_with(name)) return false;
  text.remove_prefix(name.size());
  flag = text.starts_with("true");
  if (!flag && !text.starts_with("false")) return false;
  text.remove_prefix(flag ? 4 : 5);
  return true;
}

///    # page=1 total=0 page_size=10 has_more=false total_pages=0
///    # page=1 page_size=10 has_more=true
bool read_header(std::string_view text, OutputPage& page) {
  if (!read_number(text, "# page=", page.page)) return false;
  page.has_total = text.starts_with(" total=");
  return (!page.has_total || read_number(text, " total=", page.total)) &&
         read_number(text, " page_size=", page.page_size) &&
         read_flag(text, " has_more=", page.has_more) &&
         (!page.has_total || read_number(text, " total_pages=", page.total_pages)) && text.empty();
}

std::string header_text(const OutputPage& page) {
  const auto total = [&](const char* name, std::uint64_t number) {
    return page.has_total ? name + std::to_string(number) : std::string();
  };
  return "# page=" + std::to_string(page.page) + total(" total=", page.total) +
         " page_size=" + std::to_string(page.page_size) +
         " has_more=" + (page.has_more ? "true" : "false") +
         total(" total_pages=", page.total_pages) + "\n";
}

}  // namespace

// The header comes first, so that a reader knows the page before its records.
std::string toon_text(const Output& output) {
  std::string out = header_text(output.page);
  for (const OutputItem& item : output.items) append_line(out, item);
  return out;
}

}  // namespace cairn::query

namespace cairn::memory {

// An empty text is read as one empty line, which is not a valid header: even a page without records has a header.
Result<Output> parse_toon(std::string_view text) {
  Output output;
  for (std::size_t number = 1; !text.empty() || number == 1; ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (number == 1) {
      if (!query::read_header(line, output.page))
        return query::bad_line(number,
                               "is not a header such as \"# page=1 total=0 page_size=10 "
                               "has_more=false total_pages=0\"");
      continue;
    }
    CAIRN_ASSIGN(OutputItem item, query::read_line(line, number));
    output.items.push_back(std::move(item));
  }
  return output;
}

}  // namespace cairn::memory
