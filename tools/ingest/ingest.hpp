#pragma once
// Stores a directory of texts and documents (PDF, office files, HTML) as Document and Chunk nodes.
//
// (:Document)-[:HAS_CHUNK]->(:Chunk)-[:NEXT]->(:Chunk). Every chunk has the metadata of its file,
// its text in `content` (with the full-text index `chunk_content`) and the vector of that text in
// `embedding` (with the vector index `chunk_embedding`).

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/graph.hpp>
#include <cairn/memory/chunks.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

// Files below a directory, in path order: regular files except hidden ones, those named in
// `exclude`, and those within a database. Symbolic links are not followed, because they may lead
// out of the directory or form cycles.

struct FileList {
  std::vector<std::filesystem::path> files;       ///< in path order
  std::vector<std::filesystem::path> databases;   ///< Cairn databases, skipped; in path order
  std::vector<std::filesystem::path> unreadable;  ///< could not be examined; in path order
  std::uint64_t hidden = 0;                       ///< skipped hidden files and directories
  std::uint64_t links = 0;                        ///< skipped symbolic links
};

/// Lists the regular files below `root`, without hidden files, files and directories named in
/// `exclude`, symbolic links, and contents of Cairn databases. Files below `unreadable` may still
/// exist. Errors: not_found; io_error, also if `root` cannot be read; invalid_argument if `root`
/// itself is a database.
[[nodiscard]] Result<FileList> list_files(const std::filesystem::path& root,
                                          const std::vector<std::string>& exclude);

/// Reads a file. Errors: io_error; unsupported if it is too large.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file,
                                            std::uint64_t largest_bytes);

/// Checks that bytes are text that can be stored. Errors: unsupported, with the reason.
[[nodiscard]] Status check_text(const std::string& bytes);

// Properties of documents and chunks that are derived from the path and the text of a file.

/// file_path, relative_path, directory (relative, "." for the root), file_name, file_ext (lower
/// case with its dot), file_type (code, doc, data, spreadsheet, presentation, other), language,
/// modified_time (RFC 3339, UTC), file_size in bytes, and of code has_classes and has_functions.
[[nodiscard]] Properties file_metadata(const std::filesystem::path& root,
                                       const std::filesystem::path& file, std::string_view text);

/// Returns the type of a file by its extension, in lower case with the dot.
[[nodiscard]] std::string_view file_type_of(std::string_view extension);

/// Options of an ingest.
struct IngestOptions {
  memory::ChunkSizes chunks;
  std::vector<std::string> exclude;  ///< names of files and directories to skip
  /// Set on every document and chunk: tags, priority, category. Must not have the names that ingest
  /// sets.
  Properties extra;
  std::uint64_t largest_file_bytes = std::uint64_t{16} << 20;
  bool progress = false;  ///< show progress on a terminal
  /// Called after each file with the number of files done and the total.
  std::function<void(std::uint64_t done, std::uint64_t total)> on_progress = nullptr;
  /// Ends the ingest between two files with the error cancelled; complete files stay.
  std::stop_token cancel = {};
  /// When the ingested documents expire, in microseconds since 1970 UTC; also set on unchanged
  /// documents.
  std::optional<std::int64_t> expires_at = std::nullopt;
  /// Paths of the documents that may be removed because their file no longer exists; nullopt: all.
  std::optional<std::set<std::string>> removable = std::nullopt;
};

/// The result of an ingest.
struct IngestReport {
  std::uint64_t added = 0;     ///< new files
  std::uint64_t replaced = 0;  ///< files whose text or options changed
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;         ///< documents whose file no longer exists
  std::uint64_t chunks = 0;          ///< chunks written
  std::vector<std::string> skipped;  ///< "path: reason" of skipped files
  std::vector<std::string> warnings;
  std::uint64_t hidden = 0;  ///< skipped hidden files and directories
  std::uint64_t links = 0;   ///< skipped symbolic links
  /// Skipped files that are documents of another ingested directory, counted by that directory.
  std::map<std::string, std::uint64_t> of_other_roots;
};

/// Makes the documents of `directory` in the database equal to its files. Each file is replaced in
/// one transaction. A document belongs to the directory with which it was first ingested; an ingest
/// of a directory above or below reports the document and does not change it. Files in `exclude`
/// are skipped. Hidden files and symbolic links are skipped and counted. Skipped and listed are:
/// Cairn databases, and files that are too large, or neither UTF-8 text nor a readable document. If
/// a document has pages, slides or sheets, each chunk belongs to one of them, `page_number` from 1.
/// Errors: not_found; io_error; invalid_argument for sizes or names, and if chunks in the database
/// have vectors of another model. If the embedder fails, the chunks are written, and their vectors
/// are made at the end or stay pending (<cairn/memory/pending.hpp>).
[[nodiscard]] Result<IngestReport> ingest_directory(Database& database,
                                                    const std::filesystem::path& directory,
                                                    const Embedder& embedder,
                                                    const IngestOptions& options);

/// Returns the paths of the documents that ingest_directory() would remove now, because their file no
/// longer exists. Writes nothing. Errors: those of ingest_directory() for the directory.
[[nodiscard]] Result<std::set<std::string>> vanished_documents(
    Database& database, const std::filesystem::path& directory, const Embedder& embedder,
    const IngestOptions& options);

[[nodiscard]] std::string to_text(const IngestReport& report);

/// Parses an ISO 8601 time, or an ISO 8601 duration from now ("P30D", "PT12H"); returns
/// microseconds since 1970 UTC. Errors: invalid_argument, also for a time in the past.
[[nodiscard]] Result<std::int64_t> expiry_moment(Database& database, const std::string& text);

}  // namespace cairn::tools
