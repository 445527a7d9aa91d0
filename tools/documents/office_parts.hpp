#pragma once
// Reads the parts of an Office Open XML file, which refer to each other by relations. Only used in
// this folder.

#include "tools/documents/document_text.hpp"
#include "tools/documents/xml_reader.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct zip;
namespace cairn::tools {

// Reads entries of a ZIP archive in memory, within a limit. The only user of libzip.

class ZipArchive {
 public:
  /// Opens an archive. `bytes` must outlive it. Errors: unsupported if it is not an archive, or has
  /// too many entries.
  [[nodiscard]] static Result<ZipArchive> open(std::string_view bytes,
                                               const DocumentLimits& limits);

  [[nodiscard]] bool has(const std::string& name) const;
  /// Unpacks an entry. All unpacked bytes count against the limit, whatever sizes the archive
  /// states. Errors: unsupported if the entry is missing, damaged, encrypted or beyond the limit.
  [[nodiscard]] Result<std::string> read(const std::string& name);

 private:
  struct Close {
    void operator()(zip* archive) const noexcept;
  };
  ZipArchive(zip* archive, std::uint64_t limit) : archive_(archive), left_(limit) {}

  std::unique_ptr<zip, Close> archive_;
  std::uint64_t left_;
};

/// A part that another part refers to.
struct OfficePart {
  std::string path;  ///< in the archive
  std::string name;  ///< shown to the reader; only sheets have one
};

/// An opened office file.
class OfficeParts {
 public:
  /// Opens a file. `bytes` must outlive it. Errors: unsupported if it is not an archive, or has no
  /// main part.
  [[nodiscard]] static Result<OfficeParts> open(std::string_view bytes,
                                                const DocumentLimits& limits);

  /// The path of the main part: the document, the presentation or the workbook.
  [[nodiscard]] const std::string& main() const noexcept { return main_; }
  /// Parses a part. Errors: unsupported if it is missing or cannot be read.
  [[nodiscard]] Status read(const std::string& path, XmlEvents& events);
  /// Returns the parts of a kind, such as "styles", that the main part refers to and that exist.
  [[nodiscard]] std::vector<std::string> related(std::string_view kind) const;
  /// Returns the parts that elements of the main part list, in order. Errors: unsupported if there
  /// are too many.
  [[nodiscard]] Result<std::vector<OfficePart>> listed(std::string_view element);
  /// The title in the file's metadata; empty if absent or unreadable.
  [[nodiscard]] std::string title();

 private:
  struct Relation {
    std::string id, kind, target;
  };
  class RelationReader;

  OfficeParts(ZipArchive archive, const DocumentLimits& limits)
      : archive_(std::move(archive)), limits_(&limits) {}
  /// Returns the relations of the part at `path`, possibly none. "" means the file itself.
  [[nodiscard]] Result<std::vector<Relation>> relations_of(const std::string& path);

  ZipArchive archive_;
  const DocumentLimits* limits_;
  std::string main_;
  std::vector<Relation> relations_;  // of the main part
};

}  // namespace cairn::tools
