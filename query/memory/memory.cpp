// The handle itself: opening, its indexes, finding one record.

#include "codec/catalog_entry.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/memory/retrievers.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::memory {
namespace {

/// The record that a caller gets.
std::optional<Record> given(const Memory::Impl& impl, const std::optional<Node>& node) {
  if (!node) return std::nullopt;
  impl.note_access(node->id());
  return query::record_of(*node);
}

}  // namespace

Memory::Impl::Impl(const Database& opened, MemoryOptions chosen)
    : options(std::move(chosen)),
      has_model(options.embedder != nullptr),
      database_(Access::implementation(opened)) {
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

// Read and written in one transaction, so that two memories count one record right. What is no number starts again.
Result<bool> Memory::Impl::add_accesses(const query::AccessCounter::Counts& counts,
                                        bool waits) const {
  constexpr const char* field = "access_count";
  std::optional<Writing> writing;
  if (waits) {
    CAIRN_ASSIGN(writing, Writing::begin(*this));
  } else {
    CAIRN_ASSIGN(writing, Writing::begin_if_free(*this));
  }
  if (!writing) return false;
  for (const auto& [id, count] : counts) {
    CAIRN_ASSIGN(const auto node, load(writing->writer().view(), NodeId{id}, false));
    if (!node) continue;
    const auto known = node->properties().find(field);
    const auto* before =
        known == node->properties().end() ? nullptr : known->second.get_if<std::int64_t>();
    const auto total = static_cast<std::int64_t>(count) + (before == nullptr ? 0 : *before);
    CAIRN_TRY(writing->writer().set_property(codec::EntityKind::node, id, field, total));
  }
  CAIRN_TRY(writing->commit());
  return true;
}

Result<std::shared_ptr<Database>> Memory::Impl::database() const {
  if (auto open = database_.lock()) return Access::share(std::move(open));
  return Error{ErrorCode::conflict,
               "the database of this memory was closed; open it again, and the memory on it",
               {}};
}

// Microseconds since 1970 UTC; fixed by an option, for tests and for replays.
std::int64_t Memory::Impl::now() const {
  if (options.now) return *options.now;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count();
}

// One clock for the records and for the relative times in filters, which an application can set.
StatementOptions Memory::Impl::statement_options() const {
  StatementOptions chosen;
  chosen.now = now();
  chosen.name_space = options.name_space;
  return chosen;
}

Result<std::shared_ptr<const engine::View>> Memory::Impl::view(bool include_deleted) const {
  CAIRN_ASSIGN(const auto open, database());
  CAIRN_ASSIGN(const Snapshot snapshot, open->snapshot());
  return include_deleted ? Access::view_with_deleted(snapshot) : Access::view(snapshot);
}

std::optional<std::uint32_t> Memory::Impl::name_space(const engine::View& view) const {
  if (options.name_space.empty()) return 0;
  return view.catalog().find_name_space(options.name_space);
}

// By id, so that visibility is checked here: namespace, expiry, soft deletion. A node without the
// label is no record.
Result<std::optional<Node>> Memory::Impl::load(const engine::View& view, NodeId id,
                                               bool include_deleted) const {
  CAIRN_ASSIGN(const auto record, view.find_node(id.value));
  const auto label = view.catalog().find_label(memory_label);
  if (!record || !label || std::ranges::count(record->labels, *label) == 0)
    return std::optional<Node>();
  const codec::RecordHeader& header = record->header;
  const bool is_hidden =
      (header.deleted_at && !include_deleted) || (header.expires_at && *header.expires_at <= now());
  if (is_hidden || header.name_space != name_space(view)) return std::optional<Node>();
  return view.load_node(id.value);
}

// Vectors of another dimension could neither be added nor compared, those of another model must not be.
Status Memory::Impl::check_index(const engine::View& view) const {
  const engine::Catalog& catalog = view.catalog();
  const auto id = catalog.find_index(embedding_index);
  if (!id) return {};
  const codec::IndexEntry& entry = catalog.indexes().at(*id);
  if (entry.kind != codec::IndexKind::vector)
    return Error{
        ErrorCode::invalid_argument,
        "index \"" + std::string(embedding_index) +
            "\" is no vector index, and the memory calls keep their vectors in one of this "
            "name; drop it, and rebuild it under another name",
        {}};
  const std::string model = options.embedder->model();
  return engine::check_model(entry, engine::EmbeddingModel{model, options.embedder->dimension()});
}

Status Memory::Impl::check_index() const {
  CAIRN_ASSIGN(const auto open_view, view(false));
  return check_index(*open_view);
}

// Once, as an application that shows warnings would show it with each answer.
void Memory::Impl::warn_of_unknown_model(const engine::View& view,
                                         std::vector<std::string>& warnings) const {
  const auto id = view.catalog().find_index(embedding_index);
  if (!id || !view.catalog().indexes().at(*id).model.empty() || has_warned_.exchange(true)) return;
  warnings.push_back("index \"" + std::string(embedding_index) +
                     "\" does not say which model made its vectors; they are compared with those "
                     "of \"" +
                     options.embedder->model() + "\", which the next write declares");
}

// Made with the first record, because the vectors' needs the dimension. In transactions of their own, before
// the record's: IF NOT EXISTS for two who come at once.
Status Memory::Impl::prepare_indexes() {
  CAIRN_ASSIGN(const auto open_view, view(false));
  CAIRN_TRY(check_index(*open_view));
  if (!open_view->catalog().find_index(embedding_index)) CAIRN_TRY(make_vector_index());
  if (!query::content_index(open_view->catalog())) CAIRN_TRY(make_content_index());
  return {};
}

// Features tell records that answer the question from those that only share its words.
Status Memory::Impl::make_content_index() {
  CAIRN_ASSIGN(const auto open, database());
  CAIRN_TRY(execute(*open, "CREATE FULLTEXT INDEX " + std::string(contents_index) +
                               " IF NOT EXISTS FOR (m:" + std::string(memory_label) +
                               ") ON EACH [m.content] "
                               "OPTIONS {indexConfig: {`fulltext.features`: true}}"));
  return {};
}

// Its model comes with the first vectors (Writing::use_model): there may be some of an index that was dropped.
Status Memory::Impl::make_vector_index() {
  CAIRN_ASSIGN(const auto open, database());
  CAIRN_TRY(execute(*open, "CREATE VECTOR INDEX " + std::string(embedding_index) +
                               " IF NOT EXISTS FOR (m:" + std::string(memory_label) +
                               ") ON (m.embedding) OPTIONS {indexConfig: {`vector.dimensions`: " +
                               std::to_string(options.embedder->dimension()) +
                               ", `vector.similarity_function`: 'cosine'}}"));
  return check_index();
}

// The cosine of a vector of length 0 is not defined: such a text is found by its fields only.
Result<std::vector<Value>> Memory::Impl::embed(const std::vector<std::string_view>& texts) const {
  CAIRN_ASSIGN(const auto vectors, options.embedder->embed(texts));
  std::vector<Value> values;
  for (const Vector& vector : vectors) {
    const bool is_zero =
        std::ranges::all_of(vector.components(), [](float component) { return component == 0; });
    values.push_back(is_zero ? Value() : Value(vector));
  }
  return values;
}

// Waits for its turn: there is one writer at a time.
Result<Writing> Writing::begin(const Memory::Impl& impl) {
  CAIRN_ASSIGN(const auto open, impl.database());
  CAIRN_ASSIGN(Transaction transaction, open->begin());
  return prepare(impl, std::move(transaction));
}

Result<std::optional<Writing>> Writing::begin_if_free(const Memory::Impl& impl) {
  CAIRN_ASSIGN(const auto open, impl.database());
  auto transaction = Access::begin_if_free(*open);
  if (!transaction) return std::optional<Writing>();
  CAIRN_ASSIGN(Writing writing, prepare(impl, *std::move(transaction)));
  return std::optional<Writing>(std::move(writing));
}

Result<Writing> Writing::prepare(const Memory::Impl& impl, Transaction transaction) {
  Writing writing(std::move(transaction));
  CAIRN_TRY(writing.writer().use_name_space(impl.options.name_space));
  writing.writer().use_time(impl.now());
  return writing;
}

// Where somebody has dropped the index in between there is nothing to compare with.
Status Writing::use_model(const Embedder& embedder, std::vector<std::string>& warnings) {
  auto warning = cairn::use_model(*transaction_, embedding_index, embedder);
  if (!warning && warning.error().code == ErrorCode::not_found) return {};
  if (!warning) return warning.error();
  if (!warning->empty()) warnings.push_back(*std::move(warning));
  return {};
}

Memory::Memory(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;
Memory::~Memory() = default;

// An index that is there with another model or dimension is found here, and not by the first search.
Result<Memory> Memory::open(Database& database, MemoryOptions options) {
  auto impl = std::make_unique<Impl>(database, std::move(options));
  CAIRN_TRY(impl->check_index());
  return Memory(std::move(impl));
}

Result<std::optional<Record>> Memory::find(NodeId id, const FindOptions& options) const {
  CAIRN_ASSIGN(const auto view, impl_->view(options.include_deleted));
  CAIRN_ASSIGN(const auto node, impl_->load(*view, id, options.include_deleted));
  return given(*impl_, node);
}

// A name is unique within its namespace only, so a database without the namespace has no such
// record.
Result<std::optional<Record>> Memory::find(std::string_view external_id,
                                           const FindOptions& options) const {
  CAIRN_ASSIGN(const auto view, impl_->view(options.include_deleted));
  const auto name_space = impl_->name_space(*view);
  if (!name_space) return std::optional<Record>();
  CAIRN_ASSIGN(const auto id, view->find_external(*name_space, external_id));
  if (!id) return std::optional<Record>();
  CAIRN_ASSIGN(const auto node, impl_->load(*view, NodeId{*id}, options.include_deleted));
  return given(*impl_, node);
}

Status Memory::write_access_counts() const { return impl_->write_access_counts(); }

}  // namespace cairn::memory
