#include "tools/transfer/shown_transfer.hpp"

#include "tools/text/progress.hpp"

#include <optional>

namespace cairn::tools {
namespace {

/// The line is there from the first record, which knows the total, to the end of the transfer.
class Shown {
 public:
  template <class Options>
  void watch(Options& options) {
    options.progress = [this](const TransferProgress& progress) {
      if (!line_) line_.emplace("records", progress.total, true);
      line_->update(progress.records, progress.part);
    };
  }

 private:
  std::optional<Progress> line_;
};

}  // namespace

Result<ExportReport> export_shown(Database& database, std::ostream& out, ExportOptions options,
                                  bool is_shown) {
  Shown shown;
  if (is_shown) shown.watch(options);
  return export_jsonl(database, out, options);
}

Result<ImportReport> import_shown(Database& database, const std::filesystem::path& file,
                                  ImportOptions options, bool is_shown) {
  Shown shown;
  if (is_shown) shown.watch(options);
  return import_jsonl(database, file, options);
}

}  // namespace cairn::tools
