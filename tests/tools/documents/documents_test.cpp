// What readers of documents make of sound files, and that hostile ones end within their limits.
#include "tests/support/temporary_directory.hpp"
#include "tests/tools/documents/made_documents.hpp"
#include "tools/documents/document_text.hpp"
#include "tools/ingest/ingest.hpp"

#include <cairn/hashing_frequencies.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <fstream>
#include <random>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
using tools::DocumentKind;
using tools::DocumentLimits;
using tools::DocumentText;

DocumentText read(DocumentKind kind, const std::string& bytes, const DocumentLimits& limits = {}) {
  auto text = tools::read_document(kind, "made", bytes, limits);
  BOOST_REQUIRE_MESSAGE(text.has_value(), (text ? "" : text.error().message));
  return *std::move(text);
}

std::string refusal(DocumentKind kind, const std::string& bytes,
                    const DocumentLimits& limits = {}) {
  const auto text = tools::read_document(kind, "made", bytes, limits);
  BOOST_TEST((text || text.error().code == ErrorCode::unsupported));
  return text ? "read: " + text->pages.at(0).substr(0, 100) : text.error().message;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A PDF needs a file, as another program reads it.
struct Files {
  TemporaryDirectory temporary;
  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(temporary.path() / name, std::ios::binary) << bytes;
    return temporary.path() / name;
  }
  [[nodiscard]] Result<DocumentText> read_pdf(const std::string& bytes,
                                              const DocumentLimits& limits = {}) const {
    return tools::read_document(DocumentKind::pdf, write("x.pdf", bytes), bytes, limits);
  }
  [[nodiscard]] std::string program(const std::string& script) const {
    const fs::path file = write("program", "#!/bin/sh\n" + script + "\n");
    chmod(file.c_str(), 0755);
    return file.string();
  }
};

std::string paragraph(const std::string& text) {
  return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(documents)

BOOST_AUTO_TEST_CASE(a_kind_is_told_by_name_and_content) {
  BOOST_TEST((tools::kind_of("a.txt", "%PDF-1.4") == DocumentKind::pdf));
  BOOST_TEST((tools::kind_of("a.pdf", "no pdf") == DocumentKind::text));
  BOOST_TEST((tools::kind_of("a.DOCX", "PK\x03\x04") == DocumentKind::docx));
  BOOST_TEST((tools::kind_of("a.docx", "a note") == DocumentKind::text));
  BOOST_TEST((tools::kind_of("a.zip", "PK\x03\x04") == DocumentKind::text));
  BOOST_TEST((tools::kind_of("a.Htm", "<p>") == DocumentKind::html));
  BOOST_TEST((tools::kind_of("a.md", "<p>") == DocumentKind::text));
}

BOOST_AUTO_TEST_CASE(paragraphs_of_a_word_document_are_lines) {
  const DocumentText text = read(
      DocumentKind::docx,
      make_docx(
          "<w:p><w:r><w:t>Ada &amp; </w:t></w:r><w:r><w:t>Bob</w:t><w:tab/><w:t>x</w:t></w:r></w:p>"
          "<w:p/><w:p><w:r><w:delText>gone</w:delText><w:t>one</w:t><w:br/><w:t>two</w:t></w:r></"
          "w:p>"
          "<mc:AlternateContent><mc:Choice>" +
              paragraph("once") + "</mc:Choice><mc:Fallback>" + paragraph("once") +
              "</mc:Fallback></mc:AlternateContent>",
          "On &lt;tea&gt;"));
  BOOST_TEST(text.title == "On <tea>");
  BOOST_TEST(!text.has_pages);
  BOOST_TEST(text.pages.size() == 1U);
  BOOST_TEST(text.pages[0] == "Ada & Bob\tx\none\ntwo\nonce");
}

BOOST_AUTO_TEST_CASE(a_word_document_says_where_its_text_and_its_notes_are) {
  const DocumentText text =
      read(DocumentKind::docx, make_docx_with_notes(paragraph("text"), paragraph("a note")));
  BOOST_TEST(text.pages.at(0) == "text\na note");
  BOOST_TEST(has(refusal(DocumentKind::docx, make_zip({{"word/document.xml", paragraph("x")}})),
                 "names no main part"));
}

BOOST_AUTO_TEST_CASE(slides_come_in_the_order_of_the_presentation) {
  const DocumentText text = read(
      DocumentKind::pptx, make_pptx({"<a:p><a:r><a:t>first</a:t></a:r></a:p>", "<a:p/>",
                                     "<a:p><a:t>third</a:t></a:p><a:p><a:t>line</a:t></a:p>"}));
  BOOST_TEST(text.has_pages);
  BOOST_TEST(text.pages == (std::vector<std::string>{"first", "", "third\nline"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sheets_are_pages_and_rows_lines) {
  const DocumentText text = read(
      DocumentKind::xlsx,
      make_xlsx(
          {{"Tea",
            "<row><c t='s'><v>1</v></c><c><v>2.5</v></c></row><row><c t='inlineStr'><is><t>"
            "in</t></is></c><c t='s'><v>9</v></c><c/></row>"},
           {"Milk", "<row><c t='str'><f>A1</f><v>made</v></c></row>"}},
          "<si><t>x</t></si><si><r><t>gre</t></r><r><t>en</t></r><rPh><t>GURIN</t></rPh></si>"));
  BOOST_TEST(text.pages == (std::vector<std::string>{"Tea\ngreen\t2.5\nin", "Milk\nmade"}),
             boost::test_tools::per_element());
}

constexpr const char* date_styles =
    "<numFmts><numFmt numFmtId='170' formatCode='[$-407]dd\\.mm\\.yyyy;@'/>"
    "<numFmt numFmtId='171' formatCode='[hh]:mm'/><numFmt numFmtId='172' "
    "formatCode='&quot;day &quot;0.0[Red]'/></numFmts><cellStyleXfs><xf "
    "numFmtId='14'/></cellStyleXfs>"
    "<cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='170'/><xf numFmtId='22'/>"
    "<xf numFmtId='171'/><xf numFmtId='172'/><xf numFmtId='49'/></cellXfs>";

std::string row_of_cells(std::initializer_list<std::pair<const char*, const char*>> cells) {
  std::string row = "<row>";
  for (const auto& [style, value] : cells)
    row += "<c s='" + std::string(style) + "'><v>" + value + "</v></c>";
  return row + "</row>";
}

BOOST_AUTO_TEST_CASE(numbers_that_a_sheet_shows_as_dates_are_dates) {
  const std::string rows =
      row_of_cells({{"0", "45413"}, {"1", "45413"}, {"2", "45413"}, {"3", "45413.75"}}) +
      row_of_cells({{"1", "0.5"}, {"4", "1.5"}, {"5", "45413"}, {"6", "45413"}, {"99", "45413"}}) +
      row_of_cells(
          {{"1", "1"}, {"1", "59"}, {"1", "61"}, {"1", "-3"}, {"1", "1e300"}, {"1", "x"}}) +
      "<row><c t='b'><v>1</v></c><c t='b'><v>0</v></c><c s='1' t='str'><v>7</v></c></row>";
  const std::string lines =
      "45413\t2024-05-01\t2024-05-01\t2024-05-01T18:00:00\n"
      "12:00:00\t36:00:00\t45413\t45413\t45413\n"
      "1900-01-01\t1900-02-28\t1900-03-01\t-3\t1e300\tx\nTRUE\tFALSE\t7";
  const DocumentText text = read(DocumentKind::xlsx, make_xlsx({{"S", rows}}, "", date_styles));
  BOOST_TEST(text.pages.at(0) == "S\n" + lines);
  const DocumentText other =
      read(DocumentKind::xlsx, make_xlsx({{"S", row_of_cells({{"1", "43951"}})}}, "", date_styles,
                                         "<workbookPr date1904='1'/>"));
  BOOST_TEST(other.pages.at(0) == "S\n2024-05-01");
}

BOOST_AUTO_TEST_CASE(open_documents_of_three_kinds_are_read) {
  const DocumentText text =
      read(DocumentKind::open_document,
           make_open_document(
               "<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
               "<text:h>Head</text:h>\n <text:p>a<text:s text:c='3'/>b<text:tab/>c</text:p>"
               "<table:table table:name='t'><table:table-row><table:table-cell><text:p>1</text:p>"
               "</table:table-cell></table:table-row></table:table></office:text>",
               "Title"));
  BOOST_TEST(text.title == "Title");
  BOOST_TEST(!text.has_pages);
  BOOST_TEST(text.pages.at(0) == "Head\na   b\tc\n1");
  const DocumentText slides =
      read(DocumentKind::open_document,
           make_open_document(
               "<office:presentation><draw:page><text:p>one</text:p><presentation:notes>"
               "<text:p>psst</text:p></presentation:notes></draw:page><draw:page><text:p>two"
               "</text:p></draw:page></office:presentation>",
               ""));
  BOOST_TEST(slides.has_pages);
  BOOST_TEST(slides.pages == (std::vector<std::string>{"one", "two"}),
             boost::test_tools::per_element());
  const DocumentText sheets = read(
      DocumentKind::open_document,
      make_open_document(
          "<office:spreadsheet><table:table table:name='S'><table:table-row>"
          "<table:table-cell "
          "table:number-columns-repeated='999999999'><text:p>a</text:p></table:table-cell>"
          "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
          "</office:spreadsheet>",
          ""));
  BOOST_TEST(sheets.pages.at(0) == "S\na \tb");
}

BOOST_AUTO_TEST_CASE(html_is_read_as_a_browser_shows_it) {
  const DocumentText text =
      read(DocumentKind::html,
           "<!DOCTYPE html><html><head><title> On\n tea "
           "</title><style>p{}</style></head><body><h1>Tea</h1>"
           "<p>green   and\n<b>bl</b>ack<script>var x = '<p>no</p>';</script><br>white"
           "<ul><li>one<li>two</ul><table><tr><td>a<td>b</table>&eacute;&#x20AC; \xC3\xA9</body>");
  BOOST_TEST(text.title == "On\n tea");
  BOOST_TEST(text.pages.at(0) ==
             "Tea\ngreen and black\nwhite\none\ntwo\na\tb\n\xC3\xA9\xE2\x82\xAC \xC3\xA9");
}

BOOST_AUTO_TEST_CASE(html_in_another_encoding_says_which) {
  const DocumentText text = read(DocumentKind::html, "<meta charset=\"iso-8859-1\"><p>caf\xE9</p>");
  BOOST_TEST(text.pages.at(0) == "caf\xC3\xA9");
}

BOOST_FIXTURE_TEST_CASE(pages_of_a_pdf_are_told_apart, Files) {
  const auto text = read_pdf(make_pdf({"first page", "", "third"}));
  BOOST_REQUIRE_MESSAGE(text.has_value(), (text ? "" : text.error().message));
  BOOST_TEST(text->has_pages);
  BOOST_TEST(text->pages == (std::vector<std::string>{"first page", "", "third"}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_pdf_that_cannot_be_read_is_refused_with_the_reason, Files) {
  BOOST_TEST(has(read_pdf("%PDF-1.4 nothing").error().message, "damaged"));
  DocumentLimits limits;
  limits.pdf_program = "no-such-program";
  BOOST_TEST(has(read_pdf("%PDF-", limits).error().message, "poppler-utils"));
  limits.text_bytes = 4;
  limits.pdf_program = "pdftotext";
  BOOST_TEST(has(read_pdf(make_pdf({"more than four"}), limits).error().message, "exceeds the size limit"));
}

BOOST_FIXTURE_TEST_CASE(a_program_that_hangs_floods_or_dies_ends, Files) {
  DocumentLimits limits;
  limits.time = std::chrono::seconds(1);
  limits.pdf_program = program("exec sleep 100");
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(has(read_pdf("%PDF-", limits).error().message, "more than 1 s"));
  limits.pdf_program = program("exec sleep 100 >&-");  // nothing comes, and it goes on
  BOOST_TEST(has(read_pdf("%PDF-", limits).error().message, "more than 1 s"));
  limits.pdf_program = program("sleep 100 & wait");  // what it started goes as well
  BOOST_TEST(has(read_pdf("%PDF-", limits).error().message, "more than 1 s"));
  limits.pdf_program = program("while :; do echo flood flood flood; done");
  limits.text_bytes = 1'000'000;
  BOOST_TEST(has(read_pdf("%PDF-", limits).error().message, "exceeds the size limit"));
  limits.pdf_program = program("kill -SEGV $$");
  BOOST_TEST(has(read_pdf("%PDF-", limits).error().message, "signal 11"));
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)));
}

BOOST_AUTO_TEST_CASE(a_small_archive_that_unpacks_to_much_is_refused) {
  const std::string zeros(std::size_t{8} << 20, '0');
  const std::string bomb = make_docx(paragraph(zeros));
  BOOST_TEST(bomb.size() < 100'000U);
  DocumentLimits limits;
  limits.unpacked_bytes = 1 << 20;
  BOOST_TEST(has(refusal(DocumentKind::docx, bomb, limits), "exceeds the size limit when unpacked"));
  limits = {};
  limits.text_bytes = 1 << 20;
  BOOST_TEST(has(refusal(DocumentKind::docx, bomb, limits), "exceeds the size limit"));
}

// What costs more than it is long: each of these took seconds, or memory by the hundred megabytes.
BOOST_AUTO_TEST_CASE(small_documents_that_ask_for_much_are_refused) {
  DocumentLimits limits;
  limits.unpacked_bytes = 8 << 20;
  std::string shared;
  for (int i = 0; i < 400'000; ++i) shared += "<si/>";
  BOOST_TEST(has(refusal(DocumentKind::xlsx, make_xlsx({{"S", "<row/>"}}, shared), limits),
                 "exceed the size limit when unpacked"));
  std::string ids;
  for (int i = 0; i < 2'000; ++i) ids += "<p:sldId r:id='rId1'/>";
  const std::string many =
      make_zip({begins_at("ppt/presentation.xml"),
                {"ppt/presentation.xml",
                 "<p:presentation xmlns:p='p' xmlns:r='r'>" + ids + "</p:presentation>"},
                {"ppt/_rels/presentation.xml.rels",
                 "<Relationships><Relationship Id='rId1' Target='s.xml'/></Relationships>"},
                {"ppt/s.xml", "<s/>"}});
  limits.entries = 1'000;
  BOOST_TEST(has(refusal(DocumentKind::pptx, many, limits), "2000 parts"));
  limits.time = std::chrono::seconds(1);
  std::string ends;
  for (int i = 0; i < 2'000; ++i) ends += "<b>";
  for (int i = 0; i < 1'500'000; ++i) ends += "</i>";
  const auto begin = std::chrono::steady_clock::now();
  static_cast<void>(refusal(DocumentKind::html, ends, limits));
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)));
}

BOOST_AUTO_TEST_CASE(a_title_that_cannot_be_read_takes_no_text_along) {
  const std::string body = "<d><p><t>text</t></p></d>";
  const DocumentText text =
      read(DocumentKind::docx,
           make_zip({begins_at("x.xml"), {"x.xml", body}, {"docProps/core.xml", "<broken"}}));
  BOOST_TEST(text.pages.at(0) == "text");
  BOOST_TEST(text.title.empty());
}

BOOST_AUTO_TEST_CASE(an_archive_of_too_many_entries_is_refused) {
  Entries entries;
  for (int i = 0; i < 1'001; ++i) entries.emplace_back("e" + std::to_string(i), "");
  DocumentLimits limits;
  limits.entries = 1'000;
  BOOST_TEST(has(refusal(DocumentKind::docx, make_zip(entries), limits), "1001 entries"));
}

BOOST_AUTO_TEST_CASE(entities_and_depth_are_refused) {
  const std::string bomb =
      make_zip({begins_at("x.xml"),
                {"x.xml",
                 "<!DOCTYPE d [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>"
                 "<!ENTITY x SYSTEM 'file:///etc/passwd'>]><d><p><t>&b;&x;</t></p></d>"}});
  BOOST_TEST(has(refusal(DocumentKind::docx, bomb), "document type"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<x>";
  BOOST_TEST(has(refusal(DocumentKind::docx, make_docx(deep)), "too deep"));
  BOOST_TEST(has(refusal(DocumentKind::open_document, make_open_document(deep, "")), "too deep"));
  std::string pages;
  for (int i = 0; i < 1'000; ++i) pages += "<div>";
  BOOST_TEST(read(DocumentKind::html, pages + "deep").pages.at(0) == "deep");
  for (int i = 0; i < 300'000; ++i) pages += "<b>";
  BOOST_TEST(has(refusal(DocumentKind::html, pages), "too deep"));
}

// Sound files with bytes changed and cut: each is read or refused.
BOOST_AUTO_TEST_CASE(damaged_documents_are_read_or_refused) {
  const std::pair<DocumentKind, std::string> sound[] = {
      {DocumentKind::docx, make_docx(paragraph("text"), "title")},
      {DocumentKind::pptx, make_pptx({"<a:p><a:t>x</a:t></a:p>", "<a:p/>"})},
      {DocumentKind::xlsx,
       make_xlsx({{"S", "<row><c t='s'><v>0</v></c></row>"}}, "<si><t>x</t></si>")},
      {DocumentKind::open_document,
       make_open_document("<office:text><text:p>x</text:p></office:text>", "")},
      {DocumentKind::html, "<html><body><p>text &amp; <b>bold</b></body></html>"}};
  std::mt19937_64 random(7);
  for (const auto& [kind, whole] : sound)
    for (int round = 0; round < 400; ++round) {
      std::string bytes = whole.substr(0, round % 3 == 0 ? random() % whole.size() : whole.size());
      for (std::size_t i = 0; i < random() % 4 && !bytes.empty(); ++i)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      static_cast<void>(refusal(kind, bytes));
    }
}

BOOST_FIXTURE_TEST_CASE(ingest_reads_documents_page_by_page, Files) {
  fs::create_directory(temporary.path() / "files");
  write("files/talk.pptx", make_pptx({"<a:p><a:t>green tea</a:t></a:p>", "<a:p/>",
                                      "<a:p><a:t>black tea</a:t></a:p>"}));
  write("files/note.docx", make_docx(paragraph("white tea"), "On tea"));
  write("files/broken.docx", "PK\x03\x04 nothing");
  write("files/page.html", "<title>Oolong</title><p>oolong");
  write("files/book.pdf", make_pdf({"page one", "page two"}));
  Database database = Database::open(temporary.path() / "db").value();
  const auto embedder = make_hashing_embedder(16);
  const auto ingest = [&] {
    return tools::ingest_directory(database, temporary.path() / "files", *embedder, {}).value();
  };
  const auto report = ingest();
  BOOST_TEST(report.added == 4U);
  BOOST_REQUIRE(report.skipped.size() == 1U);
  BOOST_TEST(has(report.skipped[0], "broken.docx: not a ZIP archive"), report.skipped[0]);
  const auto rows = [&](const char* statement) {
    std::string text;
    Rows found = execute(database, statement).value();
    const auto all = found.all().value();
    for (const auto& row : all)
      for (const Value& value : row) text += value.to_text() + " ";
    return text;
  };
  BOOST_TEST(rows("MATCH (c:Chunk {file_name: 'talk.pptx'}) RETURN c.content, c.page_number, "
                  "c.page_count, c.chunk_start_char ORDER BY c.page_number") ==
             "'green tea' 1 3 0 'black tea' 3 3 11 ");
  BOOST_TEST(
      rows("MATCH (d:Document) RETURN d.file_name, d.title, d.page_count, d.file_type "
           "ORDER BY d.file_name") ==
      "'book.pdf' null 2 'doc' 'note.docx' 'On tea' null 'doc' 'page.html' 'Oolong' null 'doc' "
      "'talk.pptx' null 3 'presentation' ");
  BOOST_TEST(ingest().unchanged == 4U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
