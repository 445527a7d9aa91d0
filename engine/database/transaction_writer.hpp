#pragma once
// TransactionWriter: the Writer of a writing transaction. It holds the writer lock (has the turn), the write set and the
// edited catalog. Every change checks that the turn was not lost, that no earlier change failed, and that the transaction is
// not too large.

#include "engine/database/core.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/expired_records.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/unused_names.hpp"
#include "engine/write/writer.hpp"

#include <cairn/options.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {

struct EmbeddingModel;

/// The result of TransactionWriter::commit_for_scrub().
struct ScrubCommit {
  UnusedNames names;
  std::uint64_t commit = 0;  ///< its number
};

/// The error of a change if the database is open with OpenMode::read_only.
[[nodiscard]] Error is_read_only();

/// Its destructor rolls back what was not committed. Threads: one at a time.
class TransactionWriter final : public Writer {
 public:
  /// Waits for the writer lock. Errors: busy; cancelled; unsupported if the database is read-only.
  [[nodiscard]] static Result<std::unique_ptr<TransactionWriter>> begin(
      const std::shared_ptr<Core>& core, const std::stop_token& cancel = {});
  /// Returns nullptr if the writer lock is not free, or others wait for it. Does not evict an idle holder.
  [[nodiscard]] static std::unique_ptr<TransactionWriter> begin_if_free(
      const std::shared_ptr<Core>& core);
  ~TransactionWriter() override;

  /// Returns an object that prevents losing the turn for idleness as long as it lives. It must not outlive the writer.
  /// Errors: those of WriterLock::enter().
  [[nodiscard]] Result<std::shared_ptr<const void>> hold_turn();

  [[nodiscard]] Core& core() const noexcept { return *core_; }
  const GraphView& view() const override { return view_; }
  Result<std::uint64_t> create_node(std::span<const std::string> labels,
                                    const Properties& properties,
                                    std::string_view external_id) override;
  Result<std::uint64_t> create_relationship(std::uint64_t source, std::string_view type,
                                            std::uint64_t target,
                                            const Properties& properties) override;
  /// Like create_node() and create_relationship(), with given system fields: for records from an export or another database.
  Result<std::uint64_t> restore_node(std::span<const std::string> labels,
                                     const Properties& properties, std::string_view external_id,
                                     const SystemFields& fields);
  Result<std::uint64_t> restore_relationship(std::uint64_t source, std::string_view type,
                                             std::uint64_t target, const Properties& properties,
                                             const SystemFields& fields);
  Result<std::uint64_t> create_node(const NewNode& node) override;
  Result<std::uint64_t> create_relationship(const NewRelationship& relationship) override;
  Result<PutNode> put_node(const NewNode& node) override;
  Result<Value> stored_form(codec::EntityKind kind, std::span<const std::string> labels_or_type,
                            std::string_view name, const Value& value) override;
  Status set_property(codec::EntityKind kind, std::uint64_t id, std::string_view name,
                      const Value& value) override;
  Status update_properties(codec::EntityKind kind, std::uint64_t id,
                           const Properties& properties) override;
  Status set_properties(codec::EntityKind kind, std::uint64_t id,
                        const Properties& properties) override;
  Result<bool> add_label(std::uint64_t node, std::string_view label) override;
  Result<bool> remove_label(std::uint64_t node, std::string_view label) override;
  Status erase_node(std::uint64_t node) override;
  Status erase_relationship(std::uint64_t relationship) override;
  Status erase_attached(std::uint64_t relationship) override;
  Status set_deleted(codec::EntityKind kind, std::uint64_t id,
                     std::optional<std::int64_t> at) override;
  Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                    std::optional<std::int64_t> at) override;
  Result<ErasedRecords> erase_expired(std::int64_t now, std::size_t limit) override;
  /// Like the function above; continues at `place`, where an earlier call stopped, and updates it.
  Result<ErasedRecords> erase_expired(std::int64_t now, std::size_t limit, ExpiryPlace& place);
  void use_time(std::optional<std::int64_t> now) noexcept override { editor_.use_time(now); }
  Status use_place(const WritePlace& place) override;
  /// See declare_model() of engine/write/definitions.hpp.
  Result<std::string> use_model(std::string_view index, const EmbeddingModel& model);
  /// Erases the name of a namespace without records.
  Status erase_name_space(std::uint32_t number);
  Status create_index(const IndexRequest& request,
                      const std::function<Status()>& pulse = {}) override;
  Status drop_index(std::string_view name) override;
  Status create_constraint(const ConstraintRequest& request,
                           const std::function<Status()>& pulse) override;
  Status drop_constraint(std::string_view name) override;
  Status check_constraints(const std::function<Status()>& pulse) override;
  /// The maximal memory of the changes of a transaction, Options::transaction_bytes.
  [[nodiscard]] std::size_t byte_limit() const noexcept {
    return core_->options().transaction_bytes;
  }
  bool has_changes() const noexcept override {
    return !write_set_.empty() || catalog_.is_changed();
  }
  std::size_t memory_bytes() const noexcept override { return write_set_.memory_bytes(); }
  Status commit() override;
  /// Erases the names that no record uses from the catalog, merges the logs of all full-text indexes, and commits. Makes a
  /// commit even if all names are used. The transaction must have no other changes.
  [[nodiscard]] Result<ScrubCommit> commit_for_scrub();
  /// Adds a key in family `meta` to the commit. It is not written if the transaction has no changes.
  void note_with_commit(std::string key, std::string value) {
    note_.emplace(std::move(key), std::move(value));
  }
  void commit_for(std::string_view text, const StatementOptions& options,
                  std::optional<std::chrono::steady_clock::time_point> begun) override {
    caller_ = Caller{text, &options, begun};
  }
  void rollback() noexcept override;
  bool is_open() const noexcept override { return open_; }
  void fail(const Error& reason) override;

  /// The statement that commits.
  struct Caller {
    std::string_view text;
    const StatementOptions* options = nullptr;
    std::optional<std::chrono::steady_clock::time_point> begun;
  };

 private:
  TransactionWriter(const std::shared_ptr<Core>& core, WriterLock::Number turn);

  /// Runs a change with the turn held. All changes go through this function.
  template <class Change>
  auto change(Change&& change) -> decltype(change());
  /// Checks that the transaction is open and has not failed before.
  [[nodiscard]] Status check_usable() const;
  /// Checks the memory of the changes. Called after each change, so the limit is exceeded by at most one record.
  [[nodiscard]] Status check_size() const;
  [[nodiscard]] Status commit_changes();
  /// True if the commit adds the texts of existing records to a new index.
  [[nodiscard]] bool fills_text_index() const;
  /// Releases the turn. The changes are dropped when the object is destroyed.
  void end() noexcept;

  // Each member may depend on those before it.
  std::shared_ptr<Core> core_;  // owners: the handles
  WriterLock::Number turn_;     // identifies this holding of the writer lock
  StatePtr base_;               // the published state that the transaction is based on
  WriteSet write_set_;
  CatalogEditor catalog_;
  GraphView view_;
  GraphEditor editor_;
  // Key and value to write with the commit.
  std::optional<std::pair<std::string, std::string>> note_;
  std::optional<Caller> caller_;
  bool open_ = true;
  std::optional<Error> failure_;  // set once the transaction can only be rolled back
};

}  // namespace cairn::engine
