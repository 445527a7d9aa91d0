// Builds records of each kind from typed arguments. Only values are made here; the records are checked when they are
// added.

#include "query/memory/record_writer.hpp"

#include <cairn/memory/records.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cairn::memory {
namespace {

// Typed fields take precedence over `more`. The current version of the schema is added, unless the caller has set one.
NewRecord make(std::string kind, std::string content, Properties typed, Properties more) {
  typed.merge(more);
  typed.try_emplace("schemaVersion", current_schema_version);
  return {std::move(kind), std::move(content), std::move(typed), {}, {}, {}};
}

List text_list(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

constexpr std::string_view process_kinds[] = {"thought", "reflection", "planning", "evaluation",
                                              "decision"};

}  // namespace

// A moment beyond the range of integers means that the record never expires.
std::optional<std::int64_t> Lifetime::moment(std::int64_t now) const {
  std::optional<std::int64_t> after;
  std::int64_t sum = 0;
  if (time_to_live && !__builtin_add_overflow(now, time_to_live->count(), &sum)) after = sum;
  if (!after || !expires_at) return after ? after : expires_at;
  return std::min(*after, *expires_at);
}

NewRecord message(std::string content, std::string role, const StructuredId& user,
                  const StructuredId& agent, const StructuredId& chat, const ThreadInfo& thread,
                  Properties more) {
  return make("message", std::move(content),
              {{"role", std::move(role)},
               {"userId", to_value(user)},
               {"agentId", to_value(agent)},
               {"chatId", to_value(chat)},
               {"thread", to_value(thread)}},
              std::move(more));
}

// An "insight" is a kind of its own with other fields, so a process of that type gets the kind "cognitive".
NewRecord cognitive_process(std::string content, std::string process_type,
                            const StructuredId& agent, Properties more) {
  const bool is_kind = std::ranges::count(process_kinds, process_type) > 0;
  std::string kind = is_kind ? process_type : "cognitive";
  return make(std::move(kind), std::move(content),
              {{"processType", std::move(process_type)}, {"agentId", to_value(agent)}},
              std::move(more));
}

NewRecord thought(std::string content, const StructuredId& agent, Properties more) {
  return cognitive_process(std::move(content), "thought", agent, std::move(more));
}

NewRecord reflection(std::string content, const StructuredId& agent, Properties more) {
  return cognitive_process(std::move(content), "reflection", agent, std::move(more));
}

NewRecord document(std::string content, std::string source, const StructuredId& agent,
                   Properties more) {
  return make("document", std::move(content),
              {{"source", std::move(source)}, {"agentId", to_value(agent)}}, std::move(more));
}

NewRecord task(std::string content, std::string title, std::string status, std::string priority,
               const StructuredId& agent, Properties more) {
  return make("task", std::move(content),
              {{"title", std::move(title)},
               {"status", std::move(status)},
               {"priority", std::move(priority)},
               {"agentId", to_value(agent)}},
              std::move(more));
}

// The content that is searched is the query followed by the reflection.
NewRecord episode(std::string query, double reward, std::string reflection,
                  std::vector<std::string> tags, Properties more) {
  std::string content = reflection.empty() ? query : query + "\n\n" + reflection;
  return make("episode", std::move(content),
              {{"query", std::move(query)},
               {"reward", reward},
               {"reflection", std::move(reflection)},
               {"tags", text_list(tags)}},
              std::move(more));
}

NewRecord insight(std::string content, std::vector<std::string> source_ids,
                  std::vector<std::string> tags, Properties more) {
  return make("insight", std::move(content),
              {{"source_ids", text_list(source_ids)}, {"tags", text_list(tags)}}, std::move(more));
}

NewRecord note(std::string content, Properties more) {
  return make("note", std::move(content), {}, std::move(more));
}

// Memory::remember(): a text with its chunks and the nodes found in it, in one commit. A text that fits into one chunk
// has no chunks.

namespace {

/// Chunks have the metadata of the whole text, so that filters find them in the same way.
NewRecord chunk_record(const NewRecord& whole, const TextChunk& chunk, std::size_t index,
                       std::size_t total) {
  NewRecord record{std::string(query::chunk_kind),
                   std::string(chunk.text),
                   whole.metadata,
                   {},
                   whole.session,
                   whole.lifetime};
  const auto set = [&](const char* name, std::size_t number) {
    record.metadata.insert_or_assign(name, static_cast<std::int64_t>(number));
  };
  set("chunk_index", index);
  set("total_chunks", total);
  set("chunk_start_char", chunk.begin_character);
  set("chunk_end_char", chunk.end_character);
  return record;
}

// The order is: the whole text, its chunks, its nodes.
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

/// The overlap must be smaller than a chunk; otherwise splitting would make no progress.
Status check_sizes(const ChunkSizes& sizes) {
  if (sizes.overlap < sizes.size) return {};
  return Error{ErrorCode::invalid_argument,
               "the overlap of chunks must be smaller than their size, got an overlap of " +
                   std::to_string(sizes.overlap) + " and a size of " + std::to_string(sizes.size),
               {}};
}

}  // namespace

// All or nothing, in one commit. Texts are checked and embedded before the transaction begins, because an embedder may
// take seconds and other writers would wait.
Result<Remembered> Memory::remember(std::string_view content, const Properties& metadata,
                                    const RememberOptions& options) {
  return again([&]() -> Result<Remembered> {
    CAIRN_TRY(check_sizes(options.chunks));
    std::vector<TextChunk> chunks = split_chunks(content, options.chunks);
    if (chunks.size() == 1) chunks.clear();
    CAIRN_ASSIGN(auto prepared,
                 query::prepare_all(
                     *impl_, records_of({options.kind, std::string(content), metadata,
                                         options.external_id, options.session, options.lifetime},
                                        options, chunks)));
    // The chunks are found instead of the whole text. With a vector of its own, the text would be found twice.
    if (!chunks.empty()) prepared.embeddings[0] = query::TextVector();
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
  });
}

}  // namespace cairn::memory
