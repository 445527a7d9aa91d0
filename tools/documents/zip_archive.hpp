#pragma once
// The entries of a ZIP archive in memory, unpacked within a limit. Only here stands libzip.

#include "tools/documents/document_text.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct zip;

namespace cairn::tools {

class ZipArchive {
 public:
  /// `bytes` must outlive it. Errors: unsupported where it is no archive, or has more entries than may be.
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

}  // namespace cairn::tools
