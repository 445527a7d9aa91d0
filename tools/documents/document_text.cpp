#include "tools/documents/document_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn::tools {
namespace {

struct KnownName {
  std::string_view extension;
  DocumentKind kind;
};

constexpr std::array known_names{
    KnownName{".pdf", DocumentKind::pdf},           KnownName{".docx", DocumentKind::docx},
    KnownName{".pptx", DocumentKind::pptx},         KnownName{".xlsx", DocumentKind::xlsx},
    KnownName{".odt", DocumentKind::open_document}, KnownName{".odp", DocumentKind::open_document},
    KnownName{".ods", DocumentKind::open_document}, KnownName{".html", DocumentKind::html},
    KnownName{".htm", DocumentKind::html},          KnownName{".xhtml", DocumentKind::html}};

constexpr std::string_view pdf_mark = "%PDF-";
constexpr std::string_view zip_mark = "PK\x03\x04";

bool is_archive(DocumentKind kind) {
  return kind != DocumentKind::text && kind != DocumentKind::pdf && kind != DocumentKind::html;
}

}  // namespace

// The name is not sufficient: a plain text named x.pdf is still text.
DocumentKind kind_of(const std::filesystem::path& file, std::string_view bytes) {
  if (bytes.starts_with(pdf_mark)) return DocumentKind::pdf;
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* known = std::ranges::find(known_names, extension, &KnownName::extension);
  if (known == known_names.end() || known->kind == DocumentKind::pdf) return DocumentKind::text;
  if (is_archive(known->kind) && !bytes.starts_with(zip_mark)) return DocumentKind::text;
  return known->kind;
}

Result<DocumentText> read_document(DocumentKind kind, const std::filesystem::path& file,
                                   std::string_view bytes, const DocumentLimits& limits) {
  switch (kind) {
    case DocumentKind::pdf:
      return read_pdf(file, limits);
    case DocumentKind::docx:
      return read_docx(bytes, limits);
    case DocumentKind::pptx:
      return read_pptx(bytes, limits);
    case DocumentKind::xlsx:
      return read_xlsx(bytes, limits);
    case DocumentKind::open_document:
      return read_open_document(bytes, limits);
    case DocumentKind::html:
      return read_html(bytes, limits);
    case DocumentKind::text:
      break;
  }
  return DocumentText{{}, {std::string(bytes)}, false};
}

}  // namespace cairn::tools
