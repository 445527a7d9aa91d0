// Reads a document of any bytes. It is read or refused within limits, and its text is UTF-8 without
// NUL. PDF is not fuzzed, because another program reads it.
//
// input := kind byte, bytes of the document. Small archives hold little, so some kinds take the bytes as one XML part and put
// it into an archive.

#include "fuzz/support/expect.hpp"
#include "tests/tools/documents/made_documents.hpp"
#include "tools/documents/document_text.hpp"
#include "tools/ingest/ingest.hpp"

#include <cstdint>
#include <string>

namespace {

using namespace cairn;
using tools::DocumentKind;

constexpr std::size_t most_bytes = 4'096;

struct Case {
  DocumentKind kind;
  std::string bytes;
};

/// Selects the kind of document, and packs the text as that kind requires.
Case case_of(std::uint8_t kind, const std::string& text) {
  switch (kind % 10) {
    case 0:
      return {DocumentKind::html, text};
    case 1:
      return {DocumentKind::docx, text};
    case 2:
      return {DocumentKind::pptx, text};
    case 3:
      return {DocumentKind::xlsx, text};
    case 4:
      return {DocumentKind::open_document, text};
    case 5:
      return {DocumentKind::docx, test::make_docx_with_notes(text, text)};
    case 6:
      return {DocumentKind::pptx, test::make_pptx({text, text})};
    case 7:
      return {DocumentKind::xlsx, test::make_xlsx({{"s", text}}, text, text)};
    case 8:  // relations, and a part that they may refer to
      return {DocumentKind::docx, test::make_zip({{"_rels/.rels", text}, {"x", text}})};
    default:
      return {DocumentKind::open_document, test::make_zip({{"content.xml", text}})};
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > most_bytes) return 0;
  const Case one = case_of(data[0], std::string(data + 1, data + size));
  tools::DocumentLimits limits;
  limits.text_bytes = 10'000;
  limits.unpacked_bytes = 100'000;
  const auto text = tools::read_document(one.kind, "made", one.bytes, limits);
  if (!text) {
    fuzz::expect(text.error().code == ErrorCode::unsupported, text.error().message);
    return 0;
  }
  std::size_t bytes = 0;
  for (const std::string& page : text->pages) {
    fuzz::expect(tools::check_text(page).has_value(), page);
    bytes += page.size();
  }
  fuzz::expect(bytes <= limits.text_bytes, "too long");
  return 0;
}
