// Word documents and presentations of Office Open XML: texts are paragraphs p of pieces t, with tab and br.
#include "tools/documents/formats.hpp"
#include "tools/documents/office_parts.hpp"
#include "tools/documents/page_writer.hpp"

namespace cairn::tools {
namespace {

/// Paragraphs of documents and slides. What stands there for older programs is there twice.
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

/// With the title that the file says of itself.
Result<DocumentText> finished(OfficeParts& parts, PageWriter& out, bool has_pages) {
  CAIRN_ASSIGN(DocumentText text, out.finish(has_pages));
  text.title = parts.title();
  return text;
}

}  // namespace

// Where pages end the file does not say: that depends on who prints it. So notes stand at the end.
Result<DocumentText> read_docx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(OfficeParts parts, OfficeParts::open(bytes, limits));
  PageWriter out(limits);
  ParagraphReader reader(out);
  CAIRN_TRY(parts.read(parts.main(), reader));
  for (const char* kind : {"footnotes", "endnotes"})
    for (const std::string& notes : parts.related(kind)) CAIRN_TRY(parts.read(notes, reader));
  return finished(parts, out, false);
}

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

}  // namespace cairn::tools
