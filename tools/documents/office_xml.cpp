// Reads Word documents and presentations of Office Open XML, whose text is in paragraphs p of runs
// t, tab and br; and files of OpenDocument.

#include "tools/documents/document_text.hpp"
#include "tools/documents/office_parts.hpp"
#include "tools/documents/page_writer.hpp"
#include "tools/documents/xml_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn::tools {
namespace {

/// Reads paragraphs of documents and slides, without the duplicated content for older programs.
class ParagraphReader final : public XmlEvents {
 public:
  explicit ParagraphReader(PageWriter& out) : out_(out) {}
  void begin(std::string_view name, Attributes) override {
    if (name == "Fallback") ++hidden_;
    is_text_ = name == "t" && hidden_ == 0;
    if (hidden_ > 0) return;
    if (name == "tab") out_.tab();
    if (name == "br" || name == "cr") out_.line();
  }
  void end(std::string_view name) override {
    if (name == "Fallback") --hidden_;
    if (name == "t") is_text_ = false;
    if (name == "p" && hidden_ == 0) out_.line();
  }
  void text(std::string_view text) override {
    if (is_text_) out_.put(text);
  }
  [[nodiscard]] bool is_done() const override { return out_.is_full(); }

 private:
  PageWriter& out_;
  std::size_t hidden_ = 0;
  bool is_text_ = false;
};

/// Finishes the text, with the title from the file's metadata.
Result<DocumentText> finished(OfficeParts& parts, PageWriter& out, bool has_pages) {
  CAIRN_ASSIGN(DocumentText text, out.finish(has_pages));
  text.title = parts.title();
  return text;
}

}  // namespace

// The file does not state where pages end, because page breaks depend on the printer. Therefore the
// text has no pages, and notes are at its end.
Result<DocumentText> read_docx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(OfficeParts parts, OfficeParts::open(bytes, limits));
  PageWriter out(limits);
  ParagraphReader reader(out);
  CAIRN_TRY(parts.read(parts.main(), reader));
  for (const char* kind : {"footnotes", "endnotes"})
    for (const std::string& notes : parts.related(kind)) CAIRN_TRY(parts.read(notes, reader));
  return finished(parts, out, false);
}

// One page for each slide, in the order in which the presentation shows them.
Result<DocumentText> read_pptx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(OfficeParts parts, OfficeParts::open(bytes, limits));
  CAIRN_ASSIGN(const auto slides, parts.listed("sldId"));
  PageWriter out(limits);
  for (const OfficePart& slide : slides) {
    ParagraphReader reader(out);
    CAIRN_TRY(parts.read(slide.path, reader));
    out.page();
    if (out.is_full()) break;
  }
  return finished(parts, out, true);
}

// OpenDocument: content.xml has the text, meta.xml the title. Slides and sheets are pages; text
// documents have none.

namespace {

/// True for elements that are not part of the text: deletions, comments, speaker notes.
bool is_hidden(std::string_view name) {
  constexpr std::array hidden{std::string_view("tracked-changes"), std::string_view("annotation"),
                              std::string_view("notes")};
  return std::ranges::find(hidden, name) != hidden.end();
}

/// Returns the number of repeated blanks, limited because a file may state any number.
std::size_t blanks(std::string_view count) {
  constexpr std::size_t most = 1'000;
  std::size_t number = 1;
  std::from_chars(count.data(), count.data() + count.size(), number);
  return std::min(number, most);
}

/// Reads repeated cells and rows once: repetitions are layout, and a file may state any number of
/// them.
class ContentReader final : public XmlEvents {
 public:
  explicit ContentReader(PageWriter& out) : out_(out) {}

  void begin(std::string_view name, Attributes attributes) override {
    if (hidden_ > 0 || is_hidden(name)) ++hidden_;
    if (hidden_ > 0) return;
    if (name == "presentation" || name == "spreadsheet") has_pages = true;
    if (name == "spreadsheet") is_sheet_ = true;
    if (name == "table" && is_sheet_) {
      out_.put(attribute(attributes, "name"));
      out_.line();
    }
    if (name == "p" || name == "h") ++paragraphs_;
    if (name == "table-cell") out_.tab();
    if (name == "tab") out_.tab();
    if (name == "line-break") out_.line();
    if (name == "s") out_.put(std::string(blanks(attribute(attributes, "c")), ' '));
  }

  void end(std::string_view name) override {
    if (hidden_ > 0) {
      --hidden_;
      return;
    }
    if (name == "p" || name == "h") {
      --paragraphs_;
      if (is_sheet_)
        out_.blank();  // the cells of a row are on one line
      else
        out_.line();
    }
    if (name == "table-row") out_.line();
    if (name == "page" || (name == "table" && is_sheet_)) out_.page();
  }

  void text(std::string_view text) override {
    if (paragraphs_ > 0 && hidden_ == 0) out_.put(text);
  }
  [[nodiscard]] bool is_done() const override { return out_.is_full(); }

  bool has_pages = false;

 private:
  PageWriter& out_;
  std::size_t hidden_ = 0, paragraphs_ = 0;
  bool is_sheet_ = false;
};

}  // namespace

Result<DocumentText> read_open_document(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(ZipArchive archive, ZipArchive::open(bytes, limits));
  CAIRN_ASSIGN(const std::string content, archive.read("content.xml"));
  PageWriter out(limits);
  ContentReader reader(out);
  CAIRN_TRY(read_xml("content.xml", content, reader, limits));
  CAIRN_ASSIGN(DocumentText text, out.finish(reader.has_pages));
  if (!archive.has("meta.xml")) return text;
  const auto meta = archive.read("meta.xml");
  TitleReader title;  // an unreadable title does not discard the text
  if (meta && read_xml("meta.xml", *meta, title, limits)) text.title = std::move(title.title);
  return text;
}

}  // namespace cairn::tools
