// Office Open XML: an archive of XML parts, which name each other by relations.
//
//    word/document.xml              p, t, tab, br
//    ppt/presentation.xml           the order of slides, by relation; their texts are p and t as well
//    xl/workbook.xml                the order of sheets; cells are numbers, texts or places in sharedStrings.xml
#include "tools/documents/formats.hpp"
#include "tools/documents/page_writer.hpp"
#include "tools/documents/xml_reader.hpp"
#include "tools/documents/zip_archive.hpp"

#include <charconv>
#include <map>
#include <utility>

namespace cairn::tools {
namespace {

/// Id of a relation to the part that it leads to.
class RelationReader final : public XmlEvents {
 public:
  void begin(std::string_view name, Attributes attributes) override {
    if (name == "Relationship")
      targets[std::string(attribute(attributes, "Id"))] = attribute(attributes, "Target");
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  std::map<std::string, std::string> targets;
};

/// The ids of relations that elements of one name have, in order, with their names.
class ListReader final : public XmlEvents {
 public:
  explicit ListReader(std::string_view element) : element_(element) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name != element_) return;
    // Both `id` and `r:id` are "id" here; the relation's is the one that is no number.
    std::string relation;
    for (const auto& [key, value] : attributes)
      if (key == "id" && value.find_first_not_of("0123456789") != std::string_view::npos)
        relation = value;
    items.emplace_back(std::move(relation), attribute(attributes, "name"));
  }
  void end(std::string_view) override {}
  void text(std::string_view) override {}

  std::vector<std::pair<std::string, std::string>> items;

 private:
  std::string_view element_;
};

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
  SheetReader(PageWriter& out, const std::vector<std::string>& shared)
      : out_(out), shared_(shared) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name == "c") {
      is_shared_ = attribute(attributes, "t") == "s";
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
    if (!is_shared_) return out_.put(value_);
    std::size_t place = 0;
    const auto read = std::from_chars(value_.data(), value_.data() + value_.size(), place);
    if (read.ec == std::errc() && place < shared_.size()) out_.put(shared_[place]);
  }

  PageWriter& out_;
  const std::vector<std::string>& shared_;
  std::string value_;
  bool is_shared_ = false, is_value_ = false;
};

Status read_part(ZipArchive& archive, const std::string& name, XmlEvents& events,
                 const DocumentLimits& limits) {
  CAIRN_ASSIGN(const std::string xml, archive.read(name));
  return read_xml(name, xml, events, limits);
}

/// A title that cannot be read takes no text along.
Result<DocumentText> with_title(ZipArchive& archive, Result<DocumentText> text,
                                const DocumentLimits& limits) {
  constexpr const char* core = "docProps/core.xml";
  if (!text || !archive.has(core)) return text;
  TitleReader reader;
  const Status is_read = read_part(archive, core, reader, limits);
  if (is_read) text->title = std::move(reader.title);
  return text;
}

/// Parts that a list names, in its order, as names within the archive, each with the name in the list.
Result<std::vector<std::pair<std::string, std::string>>> listed_parts(
    ZipArchive& archive, const std::string& folder, const std::string& list,
    std::string_view element, const DocumentLimits& limits) {
  ListReader reader(element);
  CAIRN_TRY(read_part(archive, folder + list, reader, limits));
  if (reader.items.size() > limits.entries)
    return cannot_read(folder + list + " names " + std::to_string(reader.items.size()) +
                       " parts, more than " + std::to_string(limits.entries));
  RelationReader relations;
  CAIRN_TRY(read_part(archive, folder + "_rels/" + list + ".rels", relations, limits));
  std::vector<std::pair<std::string, std::string>> parts;
  for (auto& [relation, name] : reader.items) {
    const std::string& target = relations.targets[relation];
    parts.emplace_back(target.starts_with('/') ? target.substr(1) : folder + target,
                       std::move(name));
  }
  return parts;
}

}  // namespace

// Where pages end the file does not say: that depends on who prints it.
Result<DocumentText> read_docx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(ZipArchive archive, ZipArchive::open(bytes, limits));
  PageWriter out(limits);
  ParagraphReader reader(out);
  CAIRN_TRY(read_part(archive, "word/document.xml", reader, limits));
  return with_title(archive, out.finish(false), limits);
}

Result<DocumentText> read_pptx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(ZipArchive archive, ZipArchive::open(bytes, limits));
  CAIRN_ASSIGN(const auto slides,
               listed_parts(archive, "ppt/", "presentation.xml", "sldId", limits));
  PageWriter out(limits);
  for (const auto& [part, name] : slides) {
    ParagraphReader reader(out);
    CAIRN_TRY(read_part(archive, part, reader, limits));
    out.page();
    if (out.is_full()) break;
  }
  return with_title(archive, out.finish(true), limits);
}

// A sheet begins with its name, which is often all that says what its numbers are.
Result<DocumentText> read_xlsx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(ZipArchive archive, ZipArchive::open(bytes, limits));
  CAIRN_ASSIGN(const auto sheets, listed_parts(archive, "xl/", "workbook.xml", "sheet", limits));
  SharedTexts shared(limits.unpacked_bytes);
  constexpr const char* shared_part = "xl/sharedStrings.xml";
  if (archive.has(shared_part)) CAIRN_TRY(read_part(archive, shared_part, shared, limits));
  CAIRN_TRY(shared.check());
  PageWriter out(limits);
  for (const auto& [part, name] : sheets) {
    out.put(name);
    out.line();
    SheetReader reader(out, shared.texts);
    CAIRN_TRY(read_part(archive, part, reader, limits));
    out.page();
    if (out.is_full()) break;
  }
  return with_title(archive, out.finish(true), limits);
}

}  // namespace cairn::tools
