// Stores files of a directory as nodes:
//    (:Document)-[:HAS_CHUNK]->(:Chunk)-[:NEXT]->(:Chunk)
// A later run updates the database: a document is replaced if the content of its file or the
// settings differ (by 128-bit hashes), and documents of deleted files are removed. Each file is one
// commit, so an interrupted run leaves complete files and the next run continues. A document
// belongs to the root directory from which its file was read; documents of other roots are not
// changed. If a file cannot be read, its document stays.
//
// If the host of an attached process ends, the transaction is run again (Database::write()).
#include "tools/ingest/ingest.hpp"

#include "codec/hex.hpp"
#include "tools/documents/document_text.hpp"
#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/json.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/statement.hpp>
#include <cairn/time_span.hpp>

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <ranges>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::string_view remove_document =
    "MATCH (d:Document {file_path: $path, root: $root}) "
    "OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c:Chunk) DETACH DELETE c, d";
constexpr std::string_view nodes_of_document =
    "MATCH (d:Document {file_path: $path, root: $root}) "
    "OPTIONAL MATCH (d)-[:HAS_CHUNK]->(c:Chunk) WITH d, collect(c) AS chunks "
    "UNWIND chunks + [d] AS n RETURN n";
constexpr std::string_view known_documents =
    "MATCH (d:Document) WHERE d.file_path STARTS WITH $below AND d.root IS NOT NULL "
    "RETURN d.file_path, d.root, d.content_hash, d.settings_hash";

/// Properties that ingest sets on documents and chunks.
constexpr std::array<std::string_view, 25> own_names{"file_path",
                                                     "relative_path",
                                                     "directory",
                                                     "file_name",
                                                     "file_ext",
                                                     "file_type",
                                                     "language",
                                                     "modified_time",
                                                     "file_size",
                                                     "has_classes",
                                                     "has_functions",
                                                     "total_chunks",
                                                     "root",
                                                     "content_hash",
                                                     "settings_hash",
                                                     "content",
                                                     "chunk_index",
                                                     "chunk_start_char",
                                                     "chunk_end_char",
                                                     "chunk_start_byte",
                                                     "chunk_end_byte",
                                                     "embedding",
                                                     "page_number",
                                                     "page_count",
                                                     memory::pending_name};

/// Returns 128 bits of XXH3. The hash is not safe against forgery, but the user's own files need no
/// such protection.
std::string hash_of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return codec::hex_text(hash.high64) + codec::hex_text(hash.low64);
}

constexpr std::string_view vector_index = "chunk_embedding";
constexpr std::string_view text_index_statement =
    "CREATE FULLTEXT INDEX chunk_content IF NOT EXISTS FOR (c:Chunk) ON EACH [c.content]";

std::string vector_index_statement(std::size_t dimension) {
  return "CREATE VECTOR INDEX " + std::string(vector_index) +
         " IF NOT EXISTS FOR (c:Chunk) ON (c.embedding) OPTIONS "
         "{indexConfig: {`vector.dimensions`: " +
         std::to_string(dimension) + ", `vector.similarity_function`: 'cosine'}}";
}

/// Returns a hash of everything that determines documents and chunks, except the text: sizes,
/// properties, and the name and dimension of the model.
std::string hash_of(const IngestOptions& options, const Embedder& embedder) {
  return hash_of(std::to_string(options.chunks.size) + " " +
                 std::to_string(options.chunks.overlap) + " " + embedder.model() + " " +
                 std::to_string(embedder.dimension()) + " " + to_json(Value(options.extra)));
}

bool is_zero(const Vector& vector) {
  return std::ranges::all_of(vector.components(), [](float component) { return component == 0; });
}

std::string text_or_nothing(const Value& value) {
  return value.string() != nullptr ? *value.string() : std::string();
}

/// A chunk with its place in the whole text, whose pages are joined by one line break.
struct PlacedChunk {
  memory::TextChunk chunk;
  std::size_t page = 0;  ///< counted from 1
};

/// Splits each page separately, so a chunk belongs to one page.
std::vector<PlacedChunk> chunks_of(const DocumentText& text, const memory::ChunkSizes& sizes) {
  std::vector<PlacedChunk> all;
  std::size_t bytes = 0, characters = 0;  // before the current page
  for (std::size_t page = 0; page < text.pages.size(); ++page) {
    std::size_t length = 0;
    for (memory::TextChunk chunk : memory::split_chunks(text.pages[page], sizes)) {
      length = chunk.end_character;
      chunk.begin_byte += bytes;
      chunk.end_byte += bytes;
      chunk.begin_character += characters;
      chunk.end_character += characters;
      all.push_back({chunk, page + 1});
    }
    bytes += text.pages[page].size() + 1;
    characters += length + 1;
  }
  return all;
}

/// Change this when a reader of documents returns another text for the same file.
constexpr std::string_view readers_edition = " documents 1";

/// A document of an earlier run.
struct KnownDocument {
  std::string content_hash;
  std::string settings_hash;  ///< empty for documents of older versions
};

class Ingest {
 public:
  Ingest(Database& database, std::filesystem::path root, const Embedder& embedder,
         const IngestOptions& options)
      : database_(database),
        root_(std::move(root)),
        embedder_(embedder),
        options_(options),
        settings_hash_(hash_of(options, embedder)) {}

  /// Creates both indexes first, so that chunks can be searched as soon as they are committed.
  Result<IngestReport> run() {
    CAIRN_ASSIGN(const auto list, list_files(root_, options_.exclude));
    const std::vector<std::filesystem::path>& files = list.files;
    for (const auto& path : list.databases) CAIRN_TRY(skip(path, "a Cairn database"));
    for (const auto& path : list.unreadable)
      CAIRN_TRY(skip(path, "cannot be read; its documents stay as they are"));
    report_.hidden = list.hidden;
    report_.links = list.links;
    CAIRN_TRY(execute(database_, vector_index_statement(embedder_.dimension())));
    CAIRN_TRY(execute(database_, text_index_statement));
    // Checked before the first file is replaced; each transaction checks again, because another
    // ingest may run at the same time.
    const auto learn = [this](const Snapshot& snapshot) -> Status {
      CAIRN_TRY(check_model(snapshot, vector_index, embedder_));
      return read_known(snapshot);
    };
    CAIRN_TRY(database_.read(learn));
    Progress progress("files", files.size(), options_.progress);
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (options_.cancel.stop_requested())
        return Error{ErrorCode::cancelled,
                     "stopped after " + std::to_string(i) + " of " + std::to_string(files.size()) +
                         " files; the next run continues",
                     std::nullopt};
      CAIRN_TRY(take(files[i]));
      progress.update(i + 1);
      if (options_.on_progress) options_.on_progress(i + 1, files.size());
    }
    keep_unreadable(list.unreadable);
    CAIRN_TRY(remove_vanished());
    CAIRN_TRY(embed_what_is_pending());
    return std::move(report_);
  }

  /// The documents that run() would remove now.
  Result<std::set<std::string>> vanished() {
    CAIRN_ASSIGN(const auto list, list_files(root_, options_.exclude));
    CAIRN_TRY(database_.read([this](const Snapshot& snapshot) { return read_known(snapshot); }));
    for (const auto& file : list.files) known_.erase(file.generic_string());
    keep_unreadable(list.unreadable);
    const auto paths = std::views::keys(known_);
    return std::set<std::string>(paths.begin(), paths.end());
  }

 private:
  /// Reads the known documents. Documents below this root that belong to another root stay
  /// unchanged; otherwise two ingests with nested roots would replace each other's documents again
  /// and again.
  Status read_known(const Snapshot& snapshot) {
    known_.clear();
    owners_.clear();
    const std::string root = root_.generic_string();
    const std::string below = root.ends_with('/') ? root : root + "/";
    CAIRN_ASSIGN(const Statement statement, Statement::parse(known_documents));
    CAIRN_ASSIGN(Rows rows, statement.run(snapshot, {{"below", below}}));
    CAIRN_ASSIGN(const auto all, rows.all());
    for (const auto& row : all) {
      const std::string path = text_or_nothing(row[0]);
      const std::string owner = text_or_nothing(row[1]);
      if (owner == root)
        known_[path] = {text_or_nothing(row[2]), text_or_nothing(row[3])};
      else
        owners_[path] = owner;
    }
    return {};
  }

  Status skip(const std::filesystem::path& path, const std::string& reason) {
    report_.skipped.push_back(path.lexically_relative(root_).generic_string() + ": " + reason);
    return {};
  }

  /// Stores a file, unless its document is unchanged or belongs to another root. Reports and skips
  /// files that cannot be read.
  Status take(const std::filesystem::path& file) {
    if (const auto owner = owners_.find(file.generic_string()); owner != owners_.end()) {
      ++report_.of_other_roots[owner->second];
      return {};
    }
    const auto known = known_.extract(file.generic_string());  // what remains has no file
    // If the file is skipped, the document of an earlier run stays.
    const auto bytes = read_file(file, options_.largest_file_bytes);
    if (!bytes) return skip(file, bytes.error().message);
    const DocumentKind kind = kind_of(file, *bytes);
    const std::string hash =
        hash_of(*bytes).append(kind == DocumentKind::text ? "" : readers_edition);
    if (known && known.mapped().content_hash == hash &&
        known.mapped().settings_hash == settings_hash_) {
      ++report_.unchanged;
      return options_.expires_at ? renew(file.generic_string()) : Status();
    }
    if (kind == DocumentKind::text) {
      if (const Status is_text = check_text(*bytes); !is_text)
        return skip(file, is_text.error().message);
    }
    const auto text = read_document(kind, file, *bytes, limits());
    if (!text) return skip(file, text.error().message);
    ++(known ? report_.replaced : report_.added);
    return replace(file, *bytes, *text, hash);
  }

  [[nodiscard]] DocumentLimits limits() const {
    DocumentLimits limits;
    limits.text_bytes = options_.largest_file_bytes;
    return limits;
  }

  /// Replaces the document and chunks of a file in one commit.
  Status replace(const std::filesystem::path& file, std::string_view bytes,
                 const DocumentText& text, const std::string& hash) {
    const std::vector<PlacedChunk> chunks = chunks_of(text, options_.chunks);
    Properties metadata = file_metadata(root_, file, bytes);
    if (!text.title.empty()) metadata["title"] = text.title;
    if (text.has_pages) metadata["page_count"] = static_cast<std::int64_t>(text.pages.size());
    for (const auto& [name, value] : options_.extra) metadata[name] = value;
    metadata["total_chunks"] = static_cast<std::int64_t>(chunks.size());
    // Before the transaction, because a service may be slow, and other writers should not wait.
    const auto vectors = embed(chunks);
    std::string warning;
    NewNode document{{"Document"}, metadata, {}, options_.expires_at};
    document.properties["root"] = root_.generic_string();
    document.properties["content_hash"] = hash;
    document.properties["settings_hash"] = settings_hash_;
    const auto write = [&](Transaction& transaction) -> Status {
      CAIRN_ASSIGN(warning, use_model(transaction, vector_index, embedder_));
      CAIRN_TRY(remove(transaction, file.generic_string()));
      CAIRN_ASSIGN(const NodeId id, transaction.create_node(document));
      return add_chunks(transaction, id, metadata, chunks, vectors);
    };
    CAIRN_TRY(database_.write(write));
    report_.chunks += chunks.size();
    if (!warning.empty()) report_.warnings.push_back(std::move(warning));
    return {};
  }

  /// Makes the vectors of all chunks of a file in one call. If that fails, returns nullopt: the
  /// vectors stay pending, and are requested again at the end.
  [[nodiscard]] std::optional<std::vector<Vector>> embed(const std::vector<PlacedChunk>& chunks) {
    if (is_model_away_) return std::nullopt;
    std::vector<std::string_view> texts;
    for (const PlacedChunk& placed : chunks) texts.push_back(placed.chunk.text);
    auto made = embedder_.embed_documents(texts);
    if (made && made->size() == texts.size()) return *std::move(made);
    has_pending_ = true;
    is_model_away_ = !made && made.error().code == ErrorCode::busy;
    return std::nullopt;
  }

  /// Makes the vectors that are pending because the embedder failed. If it fails again, they stay
  /// pending.
  Status embed_what_is_pending() {
    if (!has_pending_) return {};
    auto done = memory::embed_pending(
        database_, embedder_, {.index = std::string(vector_index), .cancel = options_.cancel});
    std::uint64_t left = 0;
    const auto count = [&](const Snapshot& snapshot) -> Status {
      CAIRN_ASSIGN(left, memory::count_pending(snapshot));
      return {};
    };
    CAIRN_TRY(database_.read(count));
    if (done) std::ranges::move(done->warnings, std::back_inserter(report_.warnings));
    if (left > 0)
      report_.warnings.push_back(std::to_string(left) + " vectors are pending" +
                                 (done ? "" : ": " + done.error().message) +
                                 "; `cairn embed DB --pending` makes them");
    return {};
  }

  ///    (document)-[:HAS_CHUNK]->(chunk 1)-[:NEXT]->(chunk 2) ...
  /// Chunks have the metadata of their document, so that filters need no traversal. A chunk whose
  /// vector would be zero has no vector.
  Status add_chunks(Transaction& transaction, NodeId document, const Properties& metadata,
                    const std::vector<PlacedChunk>& chunks,
                    const std::optional<std::vector<Vector>>& vectors) const {
    std::optional<NodeId> previous;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      NewNode node{{"Chunk"}, metadata, {}, options_.expires_at};
      describe(node.properties, chunks[i].chunk, i);
      if (metadata.contains("page_count"))
        node.properties["page_number"] = static_cast<std::int64_t>(chunks[i].page);
      if (!vectors) node.properties[std::string(memory::pending_name)] = true;
      if (vectors && !is_zero((*vectors)[i])) node.properties["embedding"] = (*vectors)[i];
      CAIRN_ASSIGN(const NodeId id, transaction.create_node(node));
      CAIRN_TRY(transaction.create_relationship({document, "HAS_CHUNK", id, {}}));
      if (previous) CAIRN_TRY(transaction.create_relationship({*previous, "NEXT", id, {}}));
      previous = id;
    }
    return {};
  }

  /// Sets places in code points and in bytes; ends are exclusive.
  static void describe(Properties& properties, const memory::TextChunk& chunk, std::size_t index) {
    properties["content"] = chunk.text;
    properties["chunk_index"] = static_cast<std::int64_t>(index);
    properties["chunk_start_char"] = static_cast<std::int64_t>(chunk.begin_character);
    properties["chunk_end_char"] = static_cast<std::int64_t>(chunk.end_character);
    properties["chunk_start_byte"] = static_cast<std::int64_t>(chunk.begin_byte);
    properties["chunk_end_byte"] = static_cast<std::int64_t>(chunk.end_byte);
  }

  /// Extends the lifetime of the document and chunks of an unchanged file.
  Status renew(const std::string& path) const {
    CAIRN_ASSIGN(const Statement statement, Statement::parse(nodes_of_document));
    return database_.write([&](Transaction& transaction) -> Status {
      CAIRN_ASSIGN(Rows rows,
                   statement.run(transaction, {{"path", path}, {"root", root_.generic_string()}}));
      CAIRN_ASSIGN(const auto nodes, rows.all());
      for (const auto& row : nodes)
        CAIRN_TRY(transaction.set_expiry(row[0].as_node().id(), options_.expires_at));
      return {};
    });
  }

  Status remove(Transaction& transaction, const std::string& path) const {
    CAIRN_ASSIGN(const Statement statement, Statement::parse(remove_document));
    CAIRN_TRY(statement.run(transaction, {{"path", path}, {"root", root_.generic_string()}}));
    return {};
  }

  /// Keeps documents below directories that could not be read.
  void keep_unreadable(const std::vector<std::filesystem::path>& unreadable) {
    for (const auto& path : unreadable) {
      const std::string name = path.generic_string();
      known_.erase(name);
      const std::string below = name + "/";
      auto known = known_.lower_bound(below);
      while (known != known_.end() && known->first.starts_with(below)) known = known_.erase(known);
    }
  }

  /// Removes documents whose file no longer exists.
  Status remove_vanished() {
    std::size_t kept = 0;
    for (const auto& [path, document] : known_) {
      if (options_.removable && !options_.removable->contains(path)) {
        ++kept;
        continue;
      }
      const auto write = [&, vanished = path](Transaction& transaction) {
        return remove(transaction, vanished);
      };
      CAIRN_TRY(database_.write(write));
      ++report_.removed;
    }
    if (kept > 0)
      report_.warnings.push_back("files of " + std::to_string(kept) +
                                 " documents have vanished meanwhile; the next run removes these");
    return {};
  }

  Database& database_;
  std::filesystem::path root_;
  const Embedder& embedder_;
  const IngestOptions& options_;
  std::string settings_hash_;
  IngestReport report_;
  bool has_pending_ = false;                    ///< chunks of this ingest lack their vectors
  bool is_model_away_ = false;                  ///< asking for each file would take long
  std::map<std::string, KnownDocument> known_;  ///< documents by path, not yet seen on disk
  std::map<std::string, std::string> owners_;   ///< path -> root, for documents of other roots
};

/// Checks options before anything is read or created.
Status check(const IngestOptions& options) {
  if (options.chunks.size == 0 || options.chunks.overlap >= options.chunks.size)
    return Error{ErrorCode::invalid_argument,
                 "chunks of " + std::to_string(options.chunks.size) +
                     " code points cannot overlap by " + std::to_string(options.chunks.overlap) +
                     ": choose a --chunk-overlap below the --chunk-size",
                 std::nullopt};
  std::string taken;
  for (const std::string_view name : own_names)
    if (options.extra.contains(name)) taken += (taken.empty() ? "" : ", ") + std::string(name);
  if (taken.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "ingest sets these properties itself: " + taken + "; choose other names",
               {}};
}

/// Returns the canonical path, so that links to a directory mean the same root.
Result<std::filesystem::path> root_of(const std::filesystem::path& directory) {
  std::error_code problem;
  auto root = std::filesystem::canonical(directory, problem);
  if (!problem) return root;
  return Error{ErrorCode::not_found, "there is no directory " + directory.string(), std::nullopt};
}

}  // namespace

Result<IngestReport> ingest_directory(Database& database, const std::filesystem::path& directory,
                                      const Embedder& embedder, const IngestOptions& options) {
  CAIRN_TRY(check(options));
  CAIRN_ASSIGN(const auto root, root_of(directory));
  return Ingest(database, root, embedder, options).run();
}

Result<std::set<std::string>> vanished_documents(Database& database,
                                                 const std::filesystem::path& directory,
                                                 const Embedder& embedder,
                                                 const IngestOptions& options) {
  CAIRN_ASSIGN(const auto root, root_of(directory));
  return Ingest(database, root, embedder, options).vanished();
}

Result<std::int64_t> expiry_moment(Database& database, const std::string& text) {
  const Error is_past{ErrorCode::invalid_argument, "--expires " + text + " is in the past", {}};
  if (const auto life = to_time_span(text)) {
    if (life->count() == 0) return is_past;
    using std::chrono::microseconds;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    std::int64_t moment = std::chrono::duration_cast<microseconds>(now).count();
    if (!__builtin_add_overflow(moment, life->count(), &moment)) return moment;
    return Error{ErrorCode::invalid_argument, "--expires " + text + " is too long", std::nullopt};
  }
  auto rows = execute(database, "WITH datetime($text) AS at RETURN at.epochMillis, at > datetime()",
                      {{"text", text}});
  auto found = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
  if (!found)
    return Error{ErrorCode::invalid_argument,
                 "--expires takes a duration such as 30d, 12h or P30D, or a time such as "
                 "2030-01-31T12:00Z: " +
                     found.error().message,
                 std::nullopt};
  if (found->front()[1].as_bool()) return found->front()[0].as_integer() * 1'000;
  return is_past;
}

std::string to_text(const IngestReport& report) {
  std::string text = counted(report.added, "file", "files") + " added, " +
                     std::to_string(report.replaced) + " replaced, " +
                     std::to_string(report.unchanged) + " unchanged, " +
                     std::to_string(report.removed) + " removed; " +
                     counted(report.chunks, "chunk", "chunks") + " written\n";
  for (const std::string& warning : report.warnings) text += "  warning: " + warning + "\n";
  for (const std::string& skipped : report.skipped) text += "  left out " + skipped + "\n";
  if (report.hidden + report.links > 0)
    text += "  left out " +
            counted(report.hidden, "hidden file or directory", "hidden files or directories") +
            " and " + counted(report.links, "symbolic link", "symbolic links") + "\n";
  for (const auto& [root, files] : report.of_other_roots)
    text += "  left out " +
            counted(files, "file whose document belongs to ", "files whose documents belong to ") +
            root + ": ingest that directory to bring them up to date\n";
  return text;
}

}  // namespace cairn::tools
