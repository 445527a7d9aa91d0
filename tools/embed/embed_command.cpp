#include "tools/embed/embed_command.hpp"

#include "tools/embed/database_embedder.hpp"
#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"
#include "tools/text/shown_text.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/host_embedder.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/snapshot.hpp>

#include <cstdint>
#include <optional>
#include <ostream>
#include <sstream>

namespace cairn::tools {
namespace {

Error wrong_use(const char* message) {
  return {ErrorCode::invalid_argument, message, std::nullopt};
}

/// The error that asks for --embedder. It shows the embedder that the database names, but does not use it unasked: the
/// database may come from others, and its embedder may be a program or an address.
Error wants_model(const Database& database) {
  std::string message = "embed needs the model: --embedder SPEC, as cairn ingest has it";
  const auto snapshot = database.snapshot();
  for (const char* const index : {"memory_embedding", "chunk_embedding"}) {
    const auto model = snapshot ? index_model(*snapshot, index) : Result<std::string>("");
    if (!model || model->empty()) continue;
    message += "; " + std::string(index) + " has vectors of " + shown_text(*model);
    const auto spec = noted_embedder(database, *model);
    if (spec && !spec->empty()) message += ", made with --embedder " + shown_text(*spec);
  }
  return {ErrorCode::invalid_argument, message, std::nullopt};
}

/// "1 vector", "1,234 vectors".
std::string vectors(std::uint64_t count) { return counted(count, "vector", "vectors"); }

void print(const memory::PendingReport& report, double seconds, std::ostream& out) {
  out << vectors(report.embedded) << " made";
  if (report.embedded > 0 && seconds > 0)
    out << ", " << static_cast<std::uint64_t>(static_cast<double>(report.embedded) / seconds)
        << " a second";
  out << "; " << report.left << " pending\n";
  for (const std::string& warning : report.warnings) out << "  warning: " << warning << "\n";
}

}  // namespace

void define_embed(OptionSet options, EmbedCommand& command) {
  options.flag("--pending", command.pending,
               "Make the vectors of records that were written while the model was away");
  options.text("--embedder", command.embedder,
               "Makes the vectors, as for cairn ingest: it must be the model of the index");
}

Status run_embed(Database& database, const EmbedCommand& command, std::ostream& out,
                 const std::stop_token& cancel) {
  if (!command.pending)
    return wrong_use("embed makes the vectors that are pending: give --pending");
  if (command.embedder.empty()) return wants_model(database);
  CAIRN_ASSIGN(const auto embedder, make_shared_embedder(database, command.embedder));
  CAIRN_ASSIGN(const Snapshot before, database.snapshot());
  CAIRN_ASSIGN(const std::uint64_t pending, memory::count_pending(before));
  Progress progress("vectors", pending, true);
  memory::PendingOptions options;
  options.cancel = cancel;
  options.progress = [&](std::uint64_t made) { progress.update(made); };
  CAIRN_ASSIGN(const memory::PendingReport report,
               memory::embed_pending(database, *embedder, options));
  print(report, progress.seconds(), out);
  return {};
}

Result<std::string> embed_imported(Database& database, const std::string& spec,
                                   const std::stop_token& cancel) {
  std::ostringstream text;
  if (!spec.empty()) CAIRN_TRY(run_embed(database, {spec, true}, text, cancel));
  return text.str();
}

}  // namespace cairn::tools
