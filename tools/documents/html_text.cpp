// Reads HTML with libxml2's event parser. No tree is built, so neither depth nor size of a tree
// matters, and nothing is loaded. Blanks are folded as in a browser; block elements end lines.
#include "tools/documents/document_text.hpp"
#include "tools/documents/page_writer.hpp"
#include "tools/text/utf8_text.hpp"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <memory>

namespace cairn::tools {
namespace {

/// Elements whose text is not part of the page.
constexpr std::array<std::string_view, 5> silent{"script", "style", "template", "title", "svg"};
constexpr std::array<std::string_view, 31> lines{
    "address", "article", "aside",   "blockquote", "br", "dd",   "div", "dl",
    "dt",      "figure",  "footer",  "form",       "h1", "h2",   "h3",  "h4",
    "h5",      "h6",      "header",  "hr",         "li", "main", "nav", "ol",
    "p",       "pre",     "section", "table",      "tr", "ul",   "body"};

template <class Names>
bool is_in(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The state of the parser's callbacks.
struct Page {
  PageWriter& out;
  std::string title = {};
  bool is_title = false;
  std::size_t silence = 0;
  std::size_t open = 0;  ///< number of open elements
  std::size_t deepest = 0;

  static Page& of(void* user) { return *static_cast<Page*>(user); }
  static std::string_view name_of(const xmlChar* name) {
    return reinterpret_cast<const char*>(name);
  }

  static void begin(void* user, const xmlChar* element, const xmlChar**) {
    Page& page = of(user);
    const std::string_view name = name_of(element);
    page.deepest = std::max(page.deepest, ++page.open);
    if (is_in(silent, name)) ++page.silence;
    // Only the first title is the page's; images may have titles too.
    page.is_title = name == "title" && page.silence == 1 && page.title.empty();
    if (is_in(lines, name)) page.out.line();
    if (name == "td" || name == "th") page.out.tab();
  }

  static void end(void* user, const xmlChar* element) {
    Page& page = of(user);
    const std::string_view name = name_of(element);
    if (page.open > 0) --page.open;
    if (is_in(silent, name) && page.silence > 0) --page.silence;
    page.is_title = false;
    if (is_in(lines, name)) page.out.line();
  }

  static void text(void* user, const xmlChar* bytes, int size) {
    Page& page = of(user);
    const std::string_view text(reinterpret_cast<const char*>(bytes),
                                static_cast<std::size_t>(size));
    constexpr std::size_t longest_title = 1'000;
    if (page.is_title && page.title.size() + text.size() <= longest_title) page.title += text;
    if (page.silence == 0) page.put_folded(text);
  }

  void put_folded(std::string_view text) const {
    constexpr std::string_view blanks = " \t\r\n\f";
    while (!text.empty() && !out.is_full()) {
      const std::size_t word = text.find_first_not_of(blanks);
      if (word != 0) out.blank();
      if (word == std::string_view::npos) return;
      text.remove_prefix(word);
      const std::size_t end = std::min(text.find_first_of(blanks), text.size());
      out.put(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
};

struct FreeContext {
  void operator()(htmlParserCtxt* context) const noexcept {
    xmlFreeDoc(context->myDoc);
    htmlFreeParserCtxt(context);
  }
};

void trim(std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
  text.erase(text.find_last_not_of(blanks) + 1);
}

}  // namespace

// Valid UTF-8 is read as UTF-8, whatever the page declares; otherwise the declared encoding is
// used.
Result<DocumentText> read_html(std::string_view bytes, const DocumentLimits& limits) {
  PageWriter out(limits);
  Page page{out};
  htmlSAXHandler handler{};
  handler.startElement = Page::begin;
  handler.endElement = Page::end;
  handler.characters = Page::text;
  handler.cdataBlock = Page::text;
  handler.ignorableWhitespace = Page::text;
  const auto encoding = is_utf8(bytes) ? XML_CHAR_ENCODING_UTF8 : XML_CHAR_ENCODING_NONE;
  const std::unique_ptr<htmlParserCtxt, FreeContext> context(
      htmlCreatePushParserCtxt(&handler, &page, nullptr, 0, nullptr, encoding));
  if (!context) return cannot_read("not enough memory for an HTML parser");
  htmlCtxtUseOptions(context.get(), HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                                        HTML_PARSE_RECOVER);
  // For an end tag without a start tag, the parser searches all open elements. Therefore depth and
  // time are limited, and checked after each piece. Real pages leave many elements open, so the
  // depth may be eight times that of XML.
  constexpr std::size_t piece_bytes = 4 * 1024;
  const std::size_t deepest = limits.depth * 8;
  const auto end = std::chrono::steady_clock::now() + limits.time;
  while (!bytes.empty() && !out.is_full()) {
    if (page.deepest > deepest) return cannot_read("its elements are nested too deep");
    if (std::chrono::steady_clock::now() >= end)
      return cannot_read("reading it took more than " + std::to_string(limits.time.count()) + " s");
    const std::string_view piece = bytes.substr(0, piece_bytes);
    htmlParseChunk(context.get(), piece.data(), static_cast<int>(piece.size()), 0);
    bytes.remove_prefix(piece.size());
  }
  htmlParseChunk(context.get(), nullptr, 0, 1);
  CAIRN_ASSIGN(DocumentText text, out.finish(false));
  trim(page.title);
  text.title = std::move(page.title);
  return text;
}

}  // namespace cairn::tools
