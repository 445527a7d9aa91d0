// The tool ingest: stores files below --root as documents, like `cairn ingest`.

#include "tools/ingest/ingest.hpp"
#include "tools/mcp/memory/confirmation.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/embedder.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace cairn::tools::mcp {
namespace {

namespace fs = std::filesystem;

Error outside(const std::string& shown) {
  return {ErrorCode::invalid_argument,
          "the path " + shown + " is not within the directory that this server may read",
          std::nullopt};
}

/// Resolves a directory below the root, following links. Errors: invalid_argument if it is outside;
/// not_found.
Result<fs::path> directory_in(const fs::path& root, const std::string& given) {
  std::error_code problem;
  const fs::path top = fs::canonical(root, problem);
  if (problem)
    return Error{ErrorCode::not_found, "the directory of --root does not exist any more",
                 std::nullopt};
  const fs::path path = fs::weakly_canonical(top / given, problem);
  if (problem) return outside(given);
  const auto [end, rest] = std::ranges::mismatch(top, path);
  if (end != top.end()) return outside(given);
  if (!fs::is_directory(path, problem))
    return Error{ErrorCode::not_found, "there is no directory " + given, std::nullopt};
  return path;
}

std::size_t size_of(const ToolArguments& arguments, const char* name, std::size_t usual) {
  const std::int64_t given = arguments.number(name, static_cast<std::int64_t>(usual));
  return static_cast<std::size_t>(std::clamp<std::int64_t>(given, 0, 1'000'000));
}

IngestOptions options_of(const ToolArguments& arguments, Context& context) {
  IngestOptions options;
  options.chunks.size = size_of(arguments, "chunk_size", options.chunks.size);
  options.chunks.overlap = size_of(arguments, "chunk_overlap", options.chunks.overlap);
  if (const Value* exclude = arguments.find("exclude"))
    for (const Value& one : *exclude->list())
      if (one.string() != nullptr) options.exclude.push_back(*one.string());
  if (const Value* tags = arguments.find("tags")) options.extra.emplace("tags", *tags);
  options.cancel = context.stop();
  options.on_progress = [&context](std::uint64_t done, std::uint64_t total) {
    context.progress(static_cast<double>(done), static_cast<double>(total), "files");
  };
  return options;
}

/// Asks before many documents go because their files are gone: a disk may be missing.
std::optional<Answer<ToolResult>> ask_to_remove(const std::set<std::string>& paths,
                                                const ToolArguments& arguments,
                                                const Context& context) {
  Selection selection{paths.size(), "paths"};
  // A path has no zero byte.
  for (const std::string& path : paths) (selection.identity += '\0') += path;
  return ask_for("erase " + std::to_string(paths.size()) + " documents whose files are gone",
                 selection, unasked_records, arguments, context);
}

Answer<ToolResult> run_ingest(const MemoryCaller& caller, const json::object& given,
                              Context& context) {
  const auto arguments = ToolArguments::read("ingest", given);
  if (!arguments) return answer_error(arguments.error());
  const auto directory = directory_in(caller.settings().root, arguments->text("path"));
  if (!directory) return answer_error(directory.error());
  auto embedder = caller.settings().embedder;
  if (embedder == nullptr) embedder = make_hashing_embedder();
  IngestOptions options = options_of(*arguments, context);
  auto vanished = vanished_documents(caller.database(), *directory, *embedder, options);
  if (!vanished) return answer_error(vanished.error());
  if (auto asked = ask_to_remove(*vanished, *arguments, context)) return *std::move(asked);
  // Not more than what was counted.
  options.removable = *std::move(vanished);
  const auto report = ingest_directory(caller.database(), *directory, *embedder, options);
  if (!report) return answer_error(report.error());
  AnswerHead head;
  head.total = report->added + report->replaced + report->unchanged;
  head.message = std::to_string(report->added) + " files added, " +
                 std::to_string(report->replaced) + " replaced, " +
                 std::to_string(report->unchanged) + " unchanged, " +
                 std::to_string(report->removed) + " removed, " + std::to_string(report->chunks) +
                 " chunks; search_documents finds them";
  head.warnings = report->warnings;
  for (const std::string& one : report->skipped) head.warnings.push_back("left out " + one);
  return answer_message(std::move(head), arguments->answer());
}

}  // namespace

Tool ingest_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "ingest";
  tool.title = "Read files";
  tool.description =
      "Read the files of a directory (text, PDF, office, HTML) into documents and chunks for "
      "search_documents; again, it reads what has changed, and documents whose file is gone go. "
      "Only beneath the directory that the server was started for. Example: {\"path\": \"docs\", "
      "\"tags\": [\"manual\"]}";
  tool.input_schema = input_schema(
      R"("path":{"type":"string","description":"relative; . is all of it"},)"
      R"("exclude":{"type":"array","items":{"type":"string"},"description":"names of files and directories"},)"
      R"("tags":{"type":"array","items":{"type":"string"}},"chunk_size":{"type":"integer"},"chunk_overlap":{"type":"integer"},"confirm":{"type":"integer"})",
      R"("path")");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = false, .destructive = true, .idempotent = true, .open_world = true};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_ingest(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
