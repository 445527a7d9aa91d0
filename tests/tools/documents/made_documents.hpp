#pragma once
// Small documents, made here so that everything in them is known.

#include <string>
#include <utility>
#include <vector>

namespace cairn::test {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// The entry of an Office Open XML file that says in which part reading begins.
[[nodiscard]] Entries::value_type begins_at(const std::string& part);
/// A ZIP archive with these entries.
[[nodiscard]] std::string make_zip(const Entries& entries);
/// A Word document with this body of `word/document.xml`.
[[nodiscard]] std::string make_docx(const std::string& body, const std::string& title = {});
/// One with footnotes, whose parts have other names, and whose list of endnotes is gone.
[[nodiscard]] std::string make_docx_with_notes(const std::string& body, const std::string& notes);
/// Slides in this order; their files are numbered the other way round.
[[nodiscard]] std::string make_pptx(const std::vector<std::string>& slides);
/// A workbook with a sheet for each entry (a name and the XML of its rows), and the XML of styles and workbook.
[[nodiscard]] std::string make_xlsx(const Entries& sheets, const std::string& shared_strings,
                                    const std::string& styles = {},
                                    const std::string& properties = {});
[[nodiscard]] std::string make_open_document(const std::string& body, const std::string& title);
/// One page for each line of ASCII text.
[[nodiscard]] std::string make_pdf(const std::vector<std::string>& pages);

}  // namespace cairn::test
