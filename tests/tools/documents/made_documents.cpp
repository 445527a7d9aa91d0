#include "tests/tools/documents/made_documents.hpp"

#include <zip.h>

#include <cstdio>
#include <stdexcept>

namespace cairn::test {
namespace {

constexpr const char* relation =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

std::string relation_to(const std::string& id, const std::string& kind, const std::string& target) {
  return "<Relationship Id='" + id + "' Type='" + relation + "/" + kind + "' Target='" + target +
         "'/>";
}

std::string relations(const std::string& inner) {
  return "<Relationships>" + inner + "</Relationships>";
}

std::string numbered_relations(const std::string& kind, const std::string& folder,
                               std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i)
    text += relation_to("rId" + std::to_string(i), kind,
                        folder + std::to_string(count + 1 - i) + ".xml");
  return text;
}

void must(bool is_done) {
  if (!is_done) throw std::runtime_error("libzip failed");
}

}  // namespace

Entries::value_type begins_at(const std::string& part) {
  return {"_rels/.rels", relations(relation_to("rId1", "officeDocument", part))};
}

std::string make_zip(const Entries& entries) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  must(target != nullptr);
  zip_source_keep(target);
  zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  must(archive != nullptr);
  for (const auto& [name, content] : entries) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    must(source != nullptr && zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE) >= 0);
  }
  must(zip_close(archive) == 0);
  must(zip_source_open(target) == 0);
  zip_source_seek(target, 0, SEEK_END);
  std::string bytes(static_cast<std::size_t>(zip_source_tell(target)), '\0');
  zip_source_seek(target, 0, SEEK_SET);
  must(zip_source_read(target, bytes.data(), bytes.size()) ==
       static_cast<zip_int64_t>(bytes.size()));
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

std::string make_docx(const std::string& body, const std::string& title) {
  Entries entries = {begins_at("word/document.xml"),
                     {"word/document.xml", "<w:document xmlns:w='w' xmlns:mc='mc'><w:body>" + body +
                                               "</w:body></w:document>"}};
  if (!title.empty())
    entries.emplace_back("docProps/core.xml",
                         "<c xmlns:dc='dc'><dc:title>" + title + "</dc:title></c>");
  return make_zip(entries);
}

std::string make_docx_with_notes(const std::string& body, const std::string& notes) {
  return make_zip(
      {begins_at("/text/main.xml"),
       {"text/main.xml", "<w:document xmlns:w='w'>" + body + "</w:document>"},
       {"text/_rels/main.xml.rels", relations(relation_to("a", "endnotes", "../gone.xml") +
                                              relation_to("b", "footnotes", "../notes/foot.xml"))},
       {"notes/foot.xml", "<w:footnotes xmlns:w='w'>" + notes + "</w:footnotes>"}});
}

std::string make_pptx(const std::vector<std::string>& slides) {
  std::string list = "<p:presentation xmlns:p='p' xmlns:r='" + std::string(relation) + "'>";
  Entries entries = {begins_at("ppt/presentation.xml")};
  for (std::size_t i = 0; i < slides.size(); ++i) {
    list +=
        "<p:sldId id='" + std::to_string(256 + i) + "' r:id='rId" + std::to_string(i + 1) + "'/>";
    entries.emplace_back("ppt/slides/slide" + std::to_string(slides.size() - i) + ".xml",
                         "<s xmlns:a='a'>" + slides[i] + "</s>");
  }
  entries.emplace_back("ppt/presentation.xml", list + "</p:presentation>");
  entries.emplace_back("ppt/_rels/presentation.xml.rels",
                       relations(numbered_relations("slide", "slides/slide", slides.size())));
  return make_zip(entries);
}

std::string make_xlsx(const Entries& sheets, const std::string& shared_strings,
                      const std::string& styles, const std::string& properties) {
  std::string list = "<workbook xmlns:r='" + std::string(relation) + "'>" + properties + "<sheets>";
  Entries entries = {begins_at("xl/workbook.xml")};
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    list += "<sheet name='" + sheets[i].first + "' sheetId='" + std::to_string(i + 1) +
            "' r:id='rId" + std::to_string(i + 1) + "'/>";
    entries.emplace_back("xl/worksheets/sheet" + std::to_string(sheets.size() - i) + ".xml",
                         "<worksheet><sheetData>" + sheets[i].second + "</sheetData></worksheet>");
  }
  entries.emplace_back("xl/workbook.xml", list + "</sheets></workbook>");
  entries.emplace_back(
      "xl/_rels/workbook.xml.rels",
      relations(numbered_relations("worksheet", "worksheets/sheet", sheets.size()) +
                relation_to("texts", "sharedStrings", "sharedStrings.xml") +
                relation_to("styles", "styles", "styles.xml")));
  entries.emplace_back("xl/styles.xml", "<styleSheet>" + styles + "</styleSheet>");
  entries.emplace_back("xl/sharedStrings.xml", "<sst>" + shared_strings + "</sst>");
  return make_zip(entries);
}

std::string make_open_document(const std::string& body, const std::string& title) {
  return make_zip(
      {{"content.xml",
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='b' xmlns:draw='d' "
        "xmlns:presentation='p'><office:body>" +
            body + "</office:body></office:document-content>"},
       {"meta.xml", "<m xmlns:dc='dc'><dc:title>" + title + "</dc:title></m>"}});
}

std::string make_pdf(const std::vector<std::string>& pages) {
  std::string kids;
  std::vector<std::string> objects = {"<< /Type /Catalog /Pages 2 0 R >>", "",
                                      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
  for (const std::string& page : pages) {
    const std::string stream = "BT /F1 12 Tf 72 700 Td (" + page + ") Tj ET";
    objects.push_back("<< /Length " + std::to_string(stream.size()) + " >>\nstream\n" + stream +
                      "\nendstream");
    objects.push_back("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents " +
                      std::to_string(objects.size()) +
                      " 0 R /Resources << /Font << /F1 3 0 R >> >> >>");
    kids += std::to_string(objects.size()) + " 0 R ";
  }
  objects[1] =
      "<< /Type /Pages /Count " + std::to_string(pages.size()) + " /Kids [" + kids + "] >>";
  std::string bytes = "%PDF-1.4\n", table;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    char line[32];
    std::snprintf(line, sizeof line, "%010zu 00000 n \n", bytes.size());
    table += line;
    bytes += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string size = std::to_string(objects.size() + 1), at = std::to_string(bytes.size());
  return bytes + "xref\n0 " + size + "\n0000000000 65535 f \n" + table + "trailer\n<< /Size " +
         size + " /Root 1 0 R >>\nstartxref\n" + at + "\n%%EOF\n";
}

}  // namespace cairn::test
