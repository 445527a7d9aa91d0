// Workbooks of Office Open XML: sheets in the order of the workbook, cells with numbers, texts, or places in the texts
// that cells share. A number is a date where its style says so.
#include "tools/documents/cell_formats.hpp"
#include "tools/documents/formats.hpp"
#include "tools/documents/office_parts.hpp"
#include "tools/documents/page_writer.hpp"

#include <charconv>

namespace cairn::tools {
namespace {

/// Texts that cells share, without how they are pronounced.
class SharedTexts final : public XmlEvents {
 public:
  explicit SharedTexts(std::uint64_t most_bytes) : left_(most_bytes) {}
  void begin(std::string_view name, Attributes) override {
    if (name == "si") {
      is_full_ = is_full_ || left_ < sizeof(std::string);  // an empty text takes memory as well
      if (is_full_) return;
      left_ -= sizeof(std::string);
      texts.emplace_back();
    }
    if (name == "rPh") is_spoken_ = true;
    is_text_ = name == "t" && !is_spoken_ && !texts.empty();
  }
  void end(std::string_view name) override {
    if (name == "rPh") is_spoken_ = false;
    if (name == "t") is_text_ = false;
  }
  void text(std::string_view text) override {
    if (!is_text_ || is_done()) return;
    is_full_ = text.size() > left_;
    if (is_full_) return;
    left_ -= text.size();
    texts.back() += text;
  }
  [[nodiscard]] bool is_done() const override { return is_full_; }
  [[nodiscard]] Status check() const {
    return is_full_ ? Status(cannot_read("its texts unpack to more than may be read")) : Status();
  }

  std::vector<std::string> texts;

 private:
  std::uint64_t left_;
  bool is_spoken_ = false, is_text_ = false, is_full_ = false;
};

class SheetReader final : public XmlEvents {
 public:
  SheetReader(PageWriter& out, const std::vector<std::string>& shared, const CellFormats& formats)
      : out_(out), shared_(shared), formats_(formats) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name == "c") {
      kind_ = attribute(attributes, "t");
      style_ = attribute(attributes, "s");
      value_.clear();
    }
    is_value_ = name == "v" || name == "t";
  }
  void end(std::string_view name) override {
    is_value_ = false;
    if (name == "c") put_cell();
    if (name == "row") out_.line();
  }
  void text(std::string_view text) override {
    if (is_value_) value_ += text;
  }
  [[nodiscard]] bool is_done() const override { return out_.is_full(); }

 private:
  void put_cell() {
    if (value_.empty()) return;
    out_.tab();
    if (kind_ == "s") return put_shared();
    if (kind_ == "b") return out_.put(value_ == "0" ? "FALSE" : "TRUE");
    out_.put(kind_.empty() || kind_ == "n" ? formats_.shown(style_, value_) : value_);
  }
  void put_shared() {
    std::size_t place = 0;
    const auto read = std::from_chars(value_.data(), value_.data() + value_.size(), place);
    if (read.ec == std::errc() && place < shared_.size()) out_.put(shared_[place]);
  }

  PageWriter& out_;
  const std::vector<std::string>& shared_;
  const CellFormats& formats_;
  std::string kind_, style_, value_;
  bool is_value_ = false;
};

}  // namespace

// A sheet begins with its name, which is often all that says what its numbers are.
Result<DocumentText> read_xlsx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(OfficeParts parts, OfficeParts::open(bytes, limits));
  CAIRN_ASSIGN(const auto sheets, parts.listed("sheet"));
  SharedTexts shared(limits.unpacked_bytes);
  for (const std::string& part : parts.related("sharedStrings"))
    CAIRN_TRY(parts.read(part, shared));
  CAIRN_TRY(shared.check());
  CellFormats formats;
  CAIRN_TRY(parts.read(parts.main(), formats));
  for (const std::string& part : parts.related("styles")) CAIRN_TRY(parts.read(part, formats));
  PageWriter out(limits);
  for (const OfficePart& sheet : sheets) {
    out.put(sheet.name);
    out.line();
    SheetReader reader(out, shared.texts, formats);
    CAIRN_TRY(parts.read(sheet.path, reader));
    out.page();
    if (out.is_full()) break;
  }
  CAIRN_ASSIGN(DocumentText text, out.finish(true));
  text.title = parts.title();
  return text;
}

}  // namespace cairn::tools
