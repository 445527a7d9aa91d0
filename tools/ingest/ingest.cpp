#include "tools/ingest/ingest.hpp"

#include "tools/ingest/file_metadata.hpp"
#include "tools/ingest/text_files.hpp"
#include "tools/text/progress.hpp"

#include <cairn/statement.hpp>

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <map>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::string_view remove_document =
    "MATCH (d:Document {file_path: $path}) "
    "OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c:Chunk) DETACH DELETE c, d";
constexpr std::string_view known_documents =
    "MATCH (d:Document {root: $root}) RETURN d.file_path, d.content_hash";

std::string hash_of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::array<char, 33> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits.data();
}

std::string index_statement(std::size_t dimension) {
  return "CREATE VECTOR INDEX chunk_embedding IF NOT EXISTS FOR (c:Chunk) ON (c.embedding) OPTIONS "
         "{indexConfig: {`vector.dimensions`: " +
         std::to_string(dimension) + ", `vector.similarity_function`: 'cosine'}}";
}

class Ingest {
 public:
  Ingest(Database& database, std::filesystem::path root, const Embedder& embedder,
         const IngestOptions& options)
      : database_(database), root_(std::move(root)), embedder_(embedder), options_(options) {}

  Result<IngestReport> run() {
    CAIRN_ASSIGN(const auto files, list_files(root_, options_.exclude));
    CAIRN_TRY(execute(database_, index_statement(embedder_.dimension())));
    CAIRN_TRY(read_known());
    Progress progress("files", files.size(), options_.progress);
    for (std::size_t i = 0; i < files.size(); ++i) {
      CAIRN_TRY(take(files[i]));
      progress.update(i + 1);
    }
    CAIRN_TRY(remove_vanished());
    return std::move(report_);
  }

 private:
  Status read_known() {
    CAIRN_ASSIGN(Rows rows,
                 execute(database_, known_documents, {{"root", root_.generic_string()}}));
    CAIRN_ASSIGN(const auto all, rows.all());
    for (const auto& row : all)
      if (row[0].string() != nullptr)
        known_[*row[0].string()] = row[1].string() != nullptr ? *row[1].string() : "";
    return {};
  }

  Status take(const std::filesystem::path& file) {
    auto text = read_text_file(file, options_.largest_file_bytes);
    if (!text) {
      report_.skipped.push_back(file.lexically_relative(root_).generic_string() + ": " +
                                text.error().message);
      known_.erase(file.generic_string());  // what an earlier run read of it stays
      return {};
    }
    const auto known = known_.find(file.generic_string());
    const bool is_known = known != known_.end();
    const std::string hash = hash_of(*text);
    const bool is_unchanged = is_known && known->second == hash;
    if (is_known) known_.erase(known);
    if (is_unchanged) {
      ++report_.unchanged;
      return {};
    }
    ++(is_known ? report_.replaced : report_.added);
    return replace(file, *text, hash);
  }

  /// The file's old document and chunks go, the new ones come, in one commit.
  Status replace(const std::filesystem::path& file, std::string_view text,
                 const std::string& hash) {
    const std::vector<memory::TextChunk> chunks = memory::split_chunks(text, options_.chunks);
    Properties metadata = file_metadata(root_, file, text);
    for (const auto& [name, value] : options_.extra) metadata[name] = value;
    metadata["total_chunks"] = static_cast<std::int64_t>(chunks.size());
    CAIRN_ASSIGN(Transaction transaction, database_.begin());
    CAIRN_TRY(remove(transaction, file.generic_string()));
    NewNode document{{"Document"}, metadata, {}};
    document.properties["root"] = root_.generic_string();
    document.properties["content_hash"] = hash;
    CAIRN_ASSIGN(const NodeId id, transaction.create_node(document));
    CAIRN_TRY(add_chunks(transaction, id, metadata, chunks));
    return transaction.commit();
  }

  Status add_chunks(Transaction& transaction, NodeId document, const Properties& metadata,
                    const std::vector<memory::TextChunk>& chunks) {
    std::vector<std::string_view> texts;
    for (const memory::TextChunk& chunk : chunks) texts.push_back(chunk.text);
    CAIRN_ASSIGN(const std::vector<Vector> vectors, embedder_.embed(texts));
    std::optional<NodeId> previous;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      NewNode node{{"Chunk"}, metadata, {}};
      describe(node.properties, chunks[i], i);
      node.properties["embedding"] = vectors[i];
      CAIRN_ASSIGN(const NodeId id, transaction.create_node(node));
      CAIRN_TRY(transaction.create_relationship({document, "HAS_CHUNK", id, {}}));
      if (previous) CAIRN_TRY(transaction.create_relationship({*previous, "NEXT", id, {}}));
      previous = id;
      ++report_.chunks;
    }
    return {};
  }

  static void describe(Properties& properties, const memory::TextChunk& chunk, std::size_t index) {
    properties["content"] = chunk.text;
    properties["chunk_index"] = static_cast<std::int64_t>(index);
    properties["chunk_start_char"] = static_cast<std::int64_t>(chunk.begin_character);
    properties["chunk_end_char"] = static_cast<std::int64_t>(chunk.end_character);
    properties["chunk_start_byte"] = static_cast<std::int64_t>(chunk.begin_byte);
    properties["chunk_end_byte"] = static_cast<std::int64_t>(chunk.end_byte);
  }

  static Status remove(Transaction& transaction, const std::string& path) {
    CAIRN_ASSIGN(const Statement statement, Statement::parse(remove_document));
    CAIRN_TRY(statement.run(transaction, {{"path", path}}));
    return {};
  }

  Status remove_vanished() {
    for (const auto& [path, hash] : known_) {
      CAIRN_ASSIGN(Transaction transaction, database_.begin());
      CAIRN_TRY(remove(transaction, path));
      CAIRN_TRY(transaction.commit());
      ++report_.removed;
    }
    return {};
  }

  Database& database_;
  std::filesystem::path root_;
  const Embedder& embedder_;
  const IngestOptions& options_;
  IngestReport report_;
  std::map<std::string, std::string> known_;  ///< path -> hash of documents not yet seen on disk
};

}  // namespace

Result<IngestReport> ingest_directory(Database& database, const std::filesystem::path& directory,
                                      const Embedder& embedder, const IngestOptions& options) {
  if (options.chunks.size == 0 || options.chunks.overlap >= options.chunks.size)
    return Error{ErrorCode::invalid_argument, "the overlap must be smaller than the chunk size",
                 std::nullopt};
  std::error_code problem;
  const auto root = std::filesystem::canonical(directory, problem);
  if (problem)
    return Error{ErrorCode::not_found, "there is no directory " + directory.string(), std::nullopt};
  return Ingest(database, root, embedder, options).run();
}

std::string to_text(const IngestReport& report) {
  std::string text = std::to_string(report.added) + " files added, " +
                     std::to_string(report.replaced) + " replaced, " +
                     std::to_string(report.unchanged) + " unchanged, " +
                     std::to_string(report.removed) + " removed; " + std::to_string(report.chunks) +
                     " chunks written\n";
  for (const std::string& skipped : report.skipped) text += "  left out " + skipped + "\n";
  return text;
}

}  // namespace cairn::tools
