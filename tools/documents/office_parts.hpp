#pragma once
// The parts of an Office Open XML file, which name each other by relations. Private to this folder.

#include "tools/documents/document_text.hpp"
#include "tools/documents/xml_reader.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct zip;
namespace cairn::tools {

// The entries of a ZIP archive in memory, unpacked within a limit. The only user of libzip.

class ZipArchive {
 public:
  /// `bytes` must outlive it. Errors: unsupported where it is not an archive, or has more entries than may be.
  [[nodiscard]] static Result<ZipArchive> open(std::string_view bytes,
                                               const DocumentLimits& limits);

  [[nodiscard]] bool has(const std::string& name) const;
  /// An entry unpacked; what was unpacked before counts against the limit as well, whatever sizes the archive tells.
  /// Errors: unsupported where it is not there, is damaged, has a password or is beyond the limit.
  [[nodiscard]] Result<std::string> read(const std::string& name);

 private:
  struct Close {
    void operator()(zip* archive) const noexcept;
  };
  ZipArchive(zip* archive, std::uint64_t limit) : archive_(archive), left_(limit) {}

  std::unique_ptr<zip, Close> archive_;
  std::uint64_t left_;
};

/// A part that another one names.
struct OfficePart {
  std::string path;  ///< in the archive
  std::string name;  ///< as shown to the reader; of sheets alone
};

class OfficeParts {
 public:
  /// `bytes` must outlive it. Errors: unsupported where it is not an archive, or names no part that is there to begin with.
  [[nodiscard]] static Result<OfficeParts> open(std::string_view bytes,
                                                const DocumentLimits& limits);

  /// Where reading begins: the document, the presentation or the workbook.
  [[nodiscard]] const std::string& main() const noexcept { return main_; }
  /// Errors: unsupported where the part is not there or cannot be read.
  [[nodiscard]] Status read(const std::string& path, XmlEvents& events);
  /// The parts of a kind that the main part leads to, such as "styles"; those that are not there are left out.
  [[nodiscard]] std::vector<std::string> related(std::string_view kind) const;
  /// The parts that elements of the main part list, in its order.
  /// Errors: unsupported where there are more than the limits allow.
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
  /// The relations of the part at `path`, perhaps none. "" is the file itself.
  [[nodiscard]] Result<std::vector<Relation>> relations_of(const std::string& path);

  ZipArchive archive_;
  const DocumentLimits* limits_;
  std::string main_;
  std::vector<Relation> relations_;  // of the main part
};

}  // namespace cairn::tools
