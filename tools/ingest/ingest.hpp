#pragma once
// A directory of texts and documents (PDF, office files, HTML) as Document and Chunk nodes.
//
// (:Document)-[:HAS_CHUNK]->(:Chunk)-[:NEXT]->(:Chunk); every chunk carries its file's metadata, its
// text in `content`, covered by the full-text index `chunk_content`, and that text's vector in
// `embedding`, covered by the vector index `chunk_embedding`.

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
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

// The files below a directory.
// Which files below a directory are taken, in the order of their paths: regular ones that are not
// hidden, no symbolic link (a link may lead out of the directory, or in a circle), not named in
// `exclude`, not within a database.

struct FileList {
  std::vector<std::filesystem::path> files;       ///< in path order
  std::vector<std::filesystem::path> databases;   ///< Cairn databases, left out; in path order
  std::vector<std::filesystem::path> unreadable;  ///< what cannot be looked into; in path order
  std::uint64_t hidden = 0;                       ///< files and directories left out by their dot
  std::uint64_t links = 0;                        ///< symbolic links, which are not followed
};

/// Regular files below `root` without hidden ones, those whose name or whose directory's name is in
/// `exclude`, symbolic links, and what is in Cairn databases. What lies below `unreadable` may be there
/// as before. Errors: not_found, io_error (also where `root` may not be read);
/// invalid_argument where `root` itself is a database.
[[nodiscard]] Result<FileList> list_files(const std::filesystem::path& root,
                                          const std::vector<std::string>& exclude);

/// The file's bytes. Errors: io_error; unsupported where there are too many.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file,
                                            std::uint64_t largest_bytes);

/// Whether bytes are text that can be stored as it is. Errors: unsupported with the reason where not.
[[nodiscard]] Status check_text(const std::string& bytes);

// What a file's name, place and text say about it, as properties of its document and chunks.

/// file_path, relative_path, directory (relative, "." for the root), file_name, file_ext (lower case
/// with its dot), file_type (code, doc, data, spreadsheet, presentation, other), language,
/// modified_time (RFC 3339, UTC), file_size in bytes, and of code has_classes and has_functions.
[[nodiscard]] Properties file_metadata(const std::filesystem::path& root,
                                       const std::filesystem::path& file, std::string_view text);

/// The file type of a lower-case extension with its dot.
[[nodiscard]] std::string_view file_type_of(std::string_view extension);

struct IngestOptions {
  memory::ChunkSizes chunks;
  std::vector<std::string> exclude;  ///< names of files and directories to leave out
  /// Set on every document and chunk: tags, priority, category. Not the names that ingest sets itself.
  Properties extra;
  std::uint64_t largest_file_bytes = std::uint64_t{16} << 20;
  bool progress = false;  ///< a line on a terminal
  /// After each file: how many are done, and of how many.
  std::function<void(std::uint64_t done, std::uint64_t total)> on_progress = nullptr;
  /// Ends it between two files, with the error cancelled; whole files stay.
  std::stop_token cancel = {};
  /// When the ingested documents expire, in microseconds since 1970 UTC; also set on unchanged documents.
  std::optional<std::int64_t> expires_at = std::nullopt;
};

struct IngestReport {
  std::uint64_t added = 0;     ///< files that were not there
  std::uint64_t replaced = 0;  ///< files whose text changed, or that were read with other options
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;         ///< documents whose file is gone
  std::uint64_t chunks = 0;          ///< chunks written
  std::vector<std::string> skipped;  ///< "path: reason" of files that were left out
  std::vector<std::string> warnings;
  std::uint64_t hidden = 0;  ///< files and directories left out by the dot of their name
  std::uint64_t links = 0;   ///< symbolic links, which are not followed
  /// Files left out since they are documents of another ingested directory, by that directory.
  std::map<std::string, std::uint64_t> of_other_roots;
};

/// Make the database's documents of `directory` equal to its files. Each file is replaced in one
/// transaction. A document belongs to the directory it was first ingested with: another one above or
/// below leaves it alone and reports it. Those of `exclude` are left out;
/// hidden ones and symbolic links too, with their number; files that are neither UTF-8 text nor a document that can
/// be read, too large ones and Cairn databases by name. Chunks of documents with pages, slides or sheets are each
/// of one, `page_number` from 1.
/// Errors: not_found, io_error, invalid_argument for sizes or names and where the database's chunks have vectors
/// of another model, those of the embedder.
[[nodiscard]] Result<IngestReport> ingest_directory(Database& database,
                                                    const std::filesystem::path& directory,
                                                    const Embedder& embedder,
                                                    const IngestOptions& options);

[[nodiscard]] std::string to_text(const IngestReport& report);

/// An ISO 8601 time, or the time after an ISO 8601 duration from now ("P30D", "PT12H"), in
/// microseconds since 1970 UTC. Errors: invalid_argument, for a moment that is past as well.
[[nodiscard]] Result<std::int64_t> expiry_moment(Database& database, const std::string& text);

}  // namespace cairn::tools
