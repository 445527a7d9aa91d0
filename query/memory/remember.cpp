// A text with its chunks and what was found in it, in one commit.
//    (whole)-[:HAS_CHUNK]->(chunk)-[:NEXT]->(chunk)     (whole)-[:MENTIONS]->(node)
// with the type of the first from record_writer.hpp. A text that fits into one chunk has none.

#include "query/memory/record_writer.hpp"

#include <cstddef>
#include <utility>

namespace cairn::memory {
namespace {

/// Chunks have the whole's metadata, so that a filter finds them as it finds the whole.
NewRecord chunk_record(const NewRecord& whole, const TextChunk& chunk, std::size_t index,
                       std::size_t total) {
  NewRecord record{"chunk", std::string(chunk.text), whole.metadata,
                   {},      whole.session,           whole.lifetime};
  const auto set = [&](const char* name, std::size_t number) {
    record.metadata.insert_or_assign(name, static_cast<std::int64_t>(number));
  };
  set("chunk_index", index);
  set("total_chunks", total);
  set("chunk_start_char", chunk.begin_character);
  set("chunk_end_char", chunk.end_character);
  return record;
}

// The whole text first, then its chunks, then its nodes.
std::vector<NewRecord> records_of(NewRecord whole, const RememberOptions& options,
                                  const std::vector<TextChunk>& chunks) {
  whole.metadata.try_emplace("schemaVersion", current_schema_version);
  std::vector<NewRecord> records = {whole};
  for (std::size_t i = 0; i < chunks.size(); ++i)
    records.push_back(chunk_record(whole, chunks[i], i, chunks.size()));
  for (NewRecord node : options.nodes) {
    node.metadata.insert(whole.metadata.begin(), whole.metadata.end());
    node.session = whole.session;
    if (!node.lifetime.moment(0)) node.lifetime = whole.lifetime;
    records.push_back(std::move(node));
  }
  return records;
}

///    (text)-[:HAS_CHUNK]->(chunk 1)-[:NEXT]->(chunk 2) ...     (text)-[:MENTIONS]->(node)
Status connect(const Writing& writing, const Remembered& remembered) {
  for (std::size_t i = 0; i < remembered.chunks.size(); ++i) {
    CAIRN_TRY(writing.relate(remembered.id, query::chunk_relationship, remembered.chunks[i]));
    if (i > 0) CAIRN_TRY(writing.relate(remembered.chunks[i - 1], "NEXT", remembered.chunks[i]));
  }
  for (const NodeId node : remembered.nodes)
    CAIRN_TRY(writing.relate(remembered.id, "MENTIONS", node));
  return {};
}

/// Else cutting would not advance.
Status check_sizes(const ChunkSizes& sizes) {
  if (sizes.overlap < sizes.size) return {};
  return Error{
      ErrorCode::invalid_argument, "the overlap of chunks must be smaller than their size", {}};
}

}  // namespace

// All or nothing, in one commit. Texts are checked and embedded before the writer is taken, because
// an embedder may take seconds and writers wait for each other. A text that fits one chunk has
// none.
Result<Remembered> Memory::remember(std::string_view content, const Properties& metadata,
                                    const RememberOptions& options) {
  CAIRN_TRY(check_sizes(options.chunks));
  std::vector<TextChunk> chunks = split_chunks(content, options.chunks);
  if (chunks.size() == 1) chunks.clear();
  CAIRN_ASSIGN(auto prepared,
               query::prepare_all(
                   *impl_, records_of({options.kind, std::string(content), metadata,
                                       options.external_id, options.session, options.lifetime},
                                      options, chunks)));
  // The chunks stand for the whole text, which would be found a second time by its own vector.
  if (!chunks.empty()) prepared.embeddings[0] = Value();
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  if (prepared.has_vectors()) CAIRN_TRY(writing.use_model(prepared.warnings));
  query::RecordWriter writer(*impl_, writing);
  Remembered remembered;
  CAIRN_ASSIGN(const auto ids, writer.add_all(prepared));
  const auto chunks_end = ids.begin() + 1 + static_cast<std::ptrdiff_t>(chunks.size());
  remembered.id = ids.front();
  remembered.chunks.assign(ids.begin() + 1, chunks_end);
  remembered.nodes.assign(chunks_end, ids.end());
  CAIRN_TRY(connect(writing, remembered));
  CAIRN_TRY(writing.commit());
  remembered.warnings = std::move(prepared.warnings);
  return remembered;
}

}  // namespace cairn::memory
