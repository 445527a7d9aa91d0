#pragma once
// One reader for each family of documents; document_text.hpp chooses among them.

#include "tools/documents/document_text.hpp"

namespace cairn::tools {

/// Office Open XML (ECMA-376): texts in order, slides and sheets as pages.
[[nodiscard]] Result<DocumentText> read_docx(std::string_view bytes, const DocumentLimits& limits);
[[nodiscard]] Result<DocumentText> read_pptx(std::string_view bytes, const DocumentLimits& limits);
[[nodiscard]] Result<DocumentText> read_xlsx(std::string_view bytes, const DocumentLimits& limits);
/// OpenDocument (ISO/IEC 26300): texts, presentations and spreadsheets.
[[nodiscard]] Result<DocumentText> read_open_document(std::string_view bytes,
                                                      const DocumentLimits& limits);
/// HTML of any quality; scripts and styles are no text. Only there stands libxml2.
[[nodiscard]] Result<DocumentText> read_html(std::string_view bytes, const DocumentLimits& limits);
/// By `pdftotext` as a process of its own.
[[nodiscard]] Result<DocumentText> read_pdf(const std::filesystem::path& file,
                                            const DocumentLimits& limits);

}  // namespace cairn::tools
