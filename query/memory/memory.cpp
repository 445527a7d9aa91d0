// The Memory handle: opening it, its indexes, finding a record by id or name.

#include "query/memory/memory_impl.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/hybrid_search.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace cairn::memory {
namespace {

/// Converts a node for the caller and counts the access.
std::optional<Record> given(const Memory::Impl& impl, const std::optional<Node>& node) {
  if (!node) return std::nullopt;
  impl.note_access(node->id());
  return record_of(*node);
}

}  // namespace

Memory::Impl::Impl(const Database& opened, MemoryOptions chosen)
    : options(std::move(chosen)), has_model(options.embedder != nullptr), database_(opened) {
  if (options.embedder == nullptr) options.embedder = make_hashing_embedder();
  if (!options.count_accesses) return;
  accesses_ = std::make_unique<query::AccessCounter>(
      [this](const query::AccessCounter::Counts& counts, bool waits) {
        return add_accesses(counts, waits);
      });
}

void Memory::Impl::note_access(NodeId id) const {
  if (accesses_) accesses_->note(id);
}

Status Memory::Impl::write_access_counts() const {
  return accesses_ ? accesses_->flush() : Status();
}

// Reads and writes the counts in one transaction, so that two memories count correctly. A property that is not an integer
// is replaced.
Result<bool> Memory::Impl::add_accesses(const query::AccessCounter::Counts& counts,
                                        bool waits) const {
  constexpr const char* field = "access_count";
  auto writing =
      Writing::begin(*this, waits ? TransactionMode::write : TransactionMode::write_if_free);
  if (!writing && !waits && writing.error().code == ErrorCode::busy) return false;
  if (!writing) return writing.error();
  Transaction& transaction = writing->transaction();
  for (const auto& [id, count] : counts) {
    const auto node = load_own(transaction, NodeId{id}, false);
    // Records of other namespaces are read-only here, so their accesses are not counted.
    if (!node && node.error().code == ErrorCode::unsupported) continue;
    if (!node) return node.error();
    if (!*node) continue;
    const auto* before = (*node)->property(field).get_if<std::int64_t>();
    const auto total = static_cast<std::int64_t>(count) + (before == nullptr ? 0 : *before);
    CAIRN_TRY(transaction.set_property(NodeId{id}, field, total));
  }
  CAIRN_TRY(writing->commit());
  return true;
}

// The memory does not own the database, which the application may close at any time.
Result<std::shared_ptr<Database>> Memory::Impl::database() const {
  if (auto open = database_.lock()) return open;
  return Error{ErrorCode::conflict,
               "the database of this memory was closed; open the database and the memory again",
               {}};
}

// Microseconds since 1970 UTC. The option fixes the time, for tests and replays.
std::int64_t Memory::Impl::now() const {
  if (options.now) return *options.now;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
}

// Records and relative times in filters use the same clock, which an application can set.
StatementOptions Memory::Impl::statement_options() const {
  StatementOptions chosen = options.limits;
  chosen.now = now();
  chosen.name_space = options.name_space;
  chosen.also_read = options.also_read;
  chosen.author = options.author;
  return chosen;
}

Result<Snapshot> Memory::Impl::snapshot(bool include_deleted) const {
  CAIRN_ASSIGN(const auto open, database());
  CAIRN_ASSIGN(Snapshot snapshot, open->snapshot());
  return include_deleted ? snapshot.with_deleted() : std::move(snapshot);
}

Result<query::Table> Memory::Impl::run(const query::Source& source, std::string_view text,
                                       const Parameters& parameters) const {
  return query::run_statement(source, statements, text, parameters, statement_options());
}

// A lookup by id bypasses the visibility rules of statements, so namespace, expiry and soft deletion are checked here. A
// node without the label Memory is not a record.
Result<std::optional<Node>> Memory::Impl::load(const query::Source& source, NodeId id,
                                               bool include_deleted) const {
  CAIRN_ASSIGN(const auto fields, source.system_fields(id));
  if (!fields || !sees(fields->name_space)) return std::optional<Node>();
  const bool is_hidden = (fields->deleted_at && !include_deleted) ||
                         (fields->expires_at && *fields->expires_at <= now());
  if (is_hidden) return std::optional<Node>();
  CAIRN_ASSIGN(auto node, source.find_node(id));
  if (!node || !node->has_label(memory_label)) return std::optional<Node>();
  return node;
}

bool Memory::Impl::sees(std::string_view name_space) const {
  return name_space == options.name_space ||
         std::ranges::find(options.also_read, name_space) != options.also_read.end();
}

Result<std::optional<Node>> Memory::Impl::load_own(const query::Source& source, NodeId id,
                                                   bool include_deleted) const {
  CAIRN_ASSIGN(auto node, load(source, id, include_deleted));
  if (!node || options.also_read.empty()) return node;
  CAIRN_ASSIGN(const auto fields, source.system_fields(id));
  if (!fields || fields->name_space == options.name_space) return node;
  return Error{ErrorCode::unsupported,
               "record " + std::to_string(id.value) + " belongs to the namespace \"" +
                   fields->name_space +
                   "\", which this memory may only read; change it with a memory of that namespace",
               {}};
}

Result<bool> Memory::Impl::may_know_indexes(const query::Source& source) const {
  if (!options.limits.listed_name_spaces) return true;
  CAIRN_ASSIGN(const query::Table table, run(source, "MATCH (m:Memory) RETURN true LIMIT 1", {}));
  return !table.rows.empty();
}

Result<bool> Memory::Impl::may_know_model(const query::Source& source) const {
  if (!options.limits.listed_name_spaces) return true;
  CAIRN_ASSIGN(
      const query::Table table,
      run(source, "MATCH (m:Memory) WHERE m.embedding IS NOT NULL RETURN true LIMIT 1", {}));
  return !table.rows.empty();
}

namespace {

Error other_model(const Embedder& embedder) {
  return {ErrorCode::invalid_argument,
          "index \"" + std::string(embedding_index) +
              "\" belongs to all namespaces, and vectors of \"" + embedder.model() +
              "\" do not fit it; use the embedder of this database",
          std::nullopt};
}

}  // namespace

// Vectors of another dimension cannot be stored or compared; those of another model must not be.
Result<bool> Memory::Impl::check_index(const Snapshot& snapshot) const {
  const Status status = check_model(snapshot, embedding_index, *options.embedder);
  if (status) return true;
  if (status.error().code == ErrorCode::not_found) return false;
  if (status.error().code != ErrorCode::invalid_argument) return status.error();
  // If the index has no model, index_model() fails too: then it is not a vector index.
  if (index_model(snapshot, embedding_index)) {
    CAIRN_ASSIGN(const bool may_know, may_know_model(snapshot));
    return may_know ? status.error() : other_model(*options.embedder);
  }
  return Error{ErrorCode::invalid_argument,
               "index \"" + std::string(embedding_index) +
                   "\" is not a vector index, but the memory calls store their vectors in a vector "
                   "index of this name; drop it, and create it under another name",
               {}};
}

// Warns only once, because an application would show the warning with every answer.
Status Memory::Impl::warn_of_unknown_model(const Snapshot& snapshot,
                                           std::vector<std::string>& warnings) const {
  if (has_warned_) return {};
  const auto model = index_model(snapshot, embedding_index);
  if (!model && model.error().code == ErrorCode::not_found) return {};
  if (!model) return model.error();
  if (!model->empty() || has_warned_.exchange(true)) return {};
  warnings.push_back(
      "index \"" + std::string(embedding_index) +
      "\" does not name the model of its vectors; they are compared with those of \"" +
      options.embedder->model() + "\", and the next write declares that model");
  return {};
}

// An index that the program made is preferred to that of this library. full_text_indexes() lists finished
// ones only, as an index that is being built would miss records.
Result<std::optional<std::string>> Memory::Impl::content_index(const Snapshot& snapshot) const {
  CAIRN_ASSIGN(const auto names, full_text_indexes(snapshot, memory_label, "content"));
  if (names.empty()) return std::optional<std::string>();
  const auto of_program =
      std::ranges::find_if(names, [](const auto& name) { return name != contents_index; });
  return std::optional(of_program == names.end() ? names.front() : *of_program);
}

// The indexes are created with the first record, because the vector index needs the dimension. They are created in their
// own transactions, before that of the record; IF NOT EXISTS handles two writers at once.
Status Memory::Impl::prepare_indexes() {
  CAIRN_ASSIGN(const Snapshot before, snapshot(false));
  CAIRN_ASSIGN(const bool has_vectors, check_index(before));
  // A model that has never been there does not know its dimension.
  if (!has_vectors && options.embedder->dimension() > 0) CAIRN_TRY(make_vector_index());
  CAIRN_ASSIGN(const auto contents, content_index(before));
  if (!contents) CAIRN_TRY(make_content_index());
  return {};
}

// Ranking features distinguish records that answer a question from records that only share its words. Titles are indexed
// because they summarise documents and tasks in a few words.
Status Memory::Impl::make_content_index() {
  CAIRN_ASSIGN(const auto open, database());
  CAIRN_TRY(execute(*open, "CREATE FULLTEXT INDEX " + std::string(contents_index) +
                               " IF NOT EXISTS FOR (m:" + std::string(memory_label) +
                               ") ON EACH [m.content, m.title] "
                               "OPTIONS {indexConfig: {`fulltext.features`: true}}"));
  return {};
}

// The model is declared with the first vectors (Writing::use_model), as records may still have vectors from an index that
// was dropped.
Status Memory::Impl::make_vector_index() {
  CAIRN_ASSIGN(const auto open, database());
  CAIRN_TRY(execute(*open, "CREATE VECTOR INDEX " + std::string(embedding_index) +
                               " IF NOT EXISTS FOR (m:" + std::string(memory_label) +
                               ") ON (m.embedding) OPTIONS {indexConfig: {`vector.dimensions`: " +
                               std::to_string(options.embedder->dimension()) +
                               ", `vector.similarity_function`: 'cosine'}}"));
  CAIRN_ASSIGN(const Snapshot made, snapshot(false));
  CAIRN_TRY(check_index(made));
  return {};
}

// A memory is written even if the model is away.
std::vector<query::TextVector> Memory::Impl::embed(const std::vector<std::string_view>& texts,
                                                   std::vector<std::string>& warnings) const {
  auto made = query::text_vectors(options.embedder->embed(texts), texts.size(), *options.embedder);
  if (made) return *std::move(made);
  warnings.push_back((texts.size() == 1 ? "the vector of a text is pending: "
                                        : "the vectors of " + std::to_string(texts.size()) +
                                              " texts are pending: ") +
                     made.error().message);
  return std::vector<query::TextVector>(texts.size(), query::TextVector{Value(), true});
}

Result<Value> Memory::Impl::embed_question(std::string_view question) const {
  CAIRN_ASSIGN(auto made,
               query::text_vectors(options.embedder->embed({&question, 1}), 1, *options.embedder));
  return std::move(made.front().vector);
}

bool is_of_ended_host(const Error& error) {
  return error.code == ErrorCode::conflict &&
         error.message.ends_with("nothing of this was written: run it again");
}

// Waits for the writer lock, unless `mode` says otherwise: there is one writer at a time.
Result<Writing> Writing::begin(const Memory::Impl& impl, TransactionMode mode) {
  CAIRN_ASSIGN(const auto open, impl.database());
  CAIRN_ASSIGN(Transaction transaction, open->begin(mode));
  return Writing(impl, std::move(transaction));
}

// Writes the system fields too, because a memory may have its own namespace and author.
Result<NodeId> Writing::create_node(const NewNode& node) const {
  if (!node.external_id.empty() && impl_->options.now)
    CAIRN_TRY(free_external_id(node.external_id));
  SystemFields fields;
  fields.name_space = impl_->options.name_space;
  fields.author = impl_->options.author;
  fields.expires_at = node.expires_at;
  return restore_node(*transaction_, node, fields);
}

// The database frees the external ids of expired nodes by the system clock. This function does it by the memory's clock.
Status Writing::free_external_id(std::string_view external_id) const {
  CAIRN_ASSIGN(const auto owner, find(external_id));
  if (!owner) return {};
  CAIRN_ASSIGN(const auto fields, system_fields(*transaction_, *owner));
  if (fields && fields->expires_at && *fields->expires_at <= impl_->now()) {
    std::vector<NodeId> sessions;
    CAIRN_TRY(add_sessions(*transaction_, *owner, fields->name_space, sessions));
    CAIRN_TRY(transaction_->erase_node_and_relationships(*owner));
    return erase_empty_sessions(*transaction_, sessions);
  }
  return Error{ErrorCode::already_exists,
               "external id \"" + std::string(external_id) + "\" is used by another node",
               {}};
}

Status Writing::relate(NodeId source, std::string_view type, NodeId target,
                       const Properties& properties) const {
  SystemFields fields;
  fields.name_space = impl_->options.name_space;
  fields.author = impl_->options.author;
  CAIRN_TRY(
      restore_relationship(*transaction_, {source, std::string(type), target, properties}, fields));
  return {};
}

Result<std::optional<NodeId>> Writing::find(std::string_view external_id) const {
  return find_node_id(*transaction_, impl_->options.name_space, external_id);
}

// The memory's own namespace comes first.
Result<std::optional<NodeId>> Writing::find_seen(std::string_view external_id) const {
  CAIRN_ASSIGN(auto found, find(external_id));
  for (const std::string& name : impl_->options.also_read) {
    if (found) break;
    CAIRN_ASSIGN(found, find_node_id(*transaction_, name, external_id));
  }
  return found;
}

// If the index was dropped meanwhile, no model remains to compare with.
Status Writing::use_model(std::vector<std::string>& warnings) {
  auto warning = cairn::use_model(*transaction_, embedding_index, *impl_->options.embedder);
  if (!warning && warning.error().code == ErrorCode::not_found) return {};
  if (!warning && warning.error().code != ErrorCode::invalid_argument) return warning.error();
  if (warning && warning->empty()) return {};
  CAIRN_ASSIGN(const bool may_know, impl_->may_know_model(*transaction_));
  if (!may_know) return warning ? Status() : other_model(*impl_->options.embedder);
  if (!warning) return warning.error();
  warnings.push_back(*std::move(warning));
  return {};
}

Memory::Memory(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;
Memory::~Memory() = default;

// An index with another model or dimension is reported here and not at the first search.
Result<Memory> Memory::open(Database& database, MemoryOptions options) {
  auto impl = std::make_unique<Impl>(database, std::move(options));
  CAIRN_ASSIGN(const Snapshot snapshot, impl->snapshot(false));
  const auto fits = impl->check_index(snapshot);
  if (fits) return Memory(std::move(impl));
  if (fits.error().code != ErrorCode::invalid_argument) return fits.error();
  CAIRN_ASSIGN(const bool may_know, impl->may_know_indexes(snapshot));
  if (may_know) return fits.error();
  return Memory(std::move(impl));
}

Result<std::optional<Record>> Memory::find(NodeId id, const FindOptions& options) const {
  return again([&]() -> Result<std::optional<Record>> {
    CAIRN_ASSIGN(const Snapshot snapshot, impl_->snapshot(false));
    CAIRN_ASSIGN(const auto node, impl_->load(snapshot, id, options.include_deleted));
    return given(*impl_, node);
  });
}

// External ids are unique only within a namespace: the memory's own namespace comes before those that it also reads.
Result<std::optional<Record>> Memory::find(std::string_view external_id,
                                           const FindOptions& options) const {
  return again([&]() -> Result<std::optional<Record>> {
    CAIRN_ASSIGN(const Snapshot snapshot, impl_->snapshot(false));
    std::vector<std::string> names = {impl_->options.name_space};
    names.insert(names.end(), impl_->options.also_read.begin(), impl_->options.also_read.end());
    for (const std::string& name : names) {
      CAIRN_ASSIGN(const auto id, find_node_id(snapshot, name, external_id));
      if (!id) continue;
      // A hidden record of one namespace does not hide that of the next.
      CAIRN_ASSIGN(const auto node, impl_->load(snapshot, *id, options.include_deleted));
      if (node) return given(*impl_, node);
    }
    return std::optional<Record>();
  });
}

Status Memory::write_access_counts() const { return impl_->write_access_counts(); }

}  // namespace cairn::memory
