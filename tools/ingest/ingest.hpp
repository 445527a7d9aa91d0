#pragma once
// A directory of texts and documents (PDF, office files, HTML) as Document and Chunk nodes.
//
// (:Document)-[:HAS_CHUNK]->(:Chunk)-[:NEXT]->(:Chunk); every chunk carries its file's metadata, its
// text in `content`, covered by the full-text index `chunk_content`, and that text's vector in
// `embedding`, covered by the vector index `chunk_embedding`.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/memory/chunks.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace cairn::tools {

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
