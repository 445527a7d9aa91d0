#pragma once
// TransactionWriter: the Writer of one writing transaction. Holds the turn, the write_set and the
// edited catalog; guards every call against a lost turn, an earlier failure and the byte limit.

#include "engine/database/core.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/expired_records.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/unused_names.hpp"
#include "engine/write/writer.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace cairn::engine {

struct EmbeddingModel;

class TransactionWriter final : public Writer {
 public:
  /// Waits for the turn. Errors: busy; unsupported, if the database is read-only.
  [[nodiscard]] static Result<std::unique_ptr<TransactionWriter>> begin(
      const std::shared_ptr<Core>& core);
  /// Null if the writer lock is not free at once: no holder loses it, and no waiting writer is overtaken.
  [[nodiscard]] static std::unique_ptr<TransactionWriter> begin_if_free(
      const std::shared_ptr<Core>& core);
  ~TransactionWriter() override;

  /// While what it returns lives, the turn cannot be taken away for idleness; null where it is lost
  /// already, which the next change reports. It must not outlive the writer.
  [[nodiscard]] std::shared_ptr<const void> hold_turn();

  [[nodiscard]] Core& core() const noexcept { return *core_; }
  const GraphView& view() const override { return view_; }
  Result<std::uint64_t> create_node(std::span<const std::string> labels,
                                    const Properties& properties,
                                    std::string_view external_id) override;
  Result<std::uint64_t> create_relationship(std::uint64_t source, std::string_view type,
                                            std::uint64_t target,
                                            const Properties& properties) override;
  /// create_node() and create_relationship() with the system fields of a record that was elsewhere before.
  Result<std::uint64_t> restore_node(std::span<const std::string> labels,
                                     const Properties& properties, std::string_view external_id,
                                     const SystemFields& fields);
  Result<std::uint64_t> restore_relationship(std::uint64_t source, std::string_view type,
                                             std::uint64_t target, const Properties& properties,
                                             const SystemFields& fields);
  Result<std::uint64_t> create_node(const NewNode& node) override;
  Result<std::uint64_t> create_relationship(const NewRelationship& relationship) override;
  Result<PutNode> put_node(const NewNode& node) override;
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
  Status set_deleted(codec::EntityKind kind, std::uint64_t id,
                     std::optional<std::int64_t> at) override;
  Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                    std::optional<std::int64_t> at) override;
  Result<std::size_t> erase_expired(std::int64_t now, std::size_t limit) override;
  /// The same, from where an earlier call had got to.
  Result<std::size_t> erase_expired(std::int64_t now, std::size_t limit, ExpiryPlace& place);
  void use_time(std::optional<std::int64_t> now) noexcept override { editor_.use_time(now); }
  Status use_place(const WritePlace& place) override;
  /// See declare_model() of engine/write/definitions.hpp.
  Result<std::string> use_model(std::string_view index, const EmbeddingModel& model);
  /// Forget the name of a namespace that has no record any more.
  Status erase_name_space(std::uint32_t number);
  Status create_index(const IndexRequest& request) override;
  Status drop_index(std::string_view name) override;
  Status create_constraint(const ConstraintRequest& request,
                           const std::function<Status()>& pulse) override;
  Status drop_constraint(std::string_view name) override;
  Status check_constraints(const std::function<Status()>& pulse) override;
  /// Options::transaction_bytes.
  [[nodiscard]] std::size_t byte_limit() const noexcept {
    return core_->options().transaction_bytes;
  }
  std::size_t memory_bytes() const noexcept override { return write_set_.memory_bytes(); }
  Status commit() override;
  /// Erase the names that no record has from the catalog, and commit with the logs of all full-text indexes merged, also
  /// where that is all. The transaction must have no other changes.
  [[nodiscard]] Result<UnusedNames> commit_for_scrub();
  /// Write this into family `meta` with the commit, where that changes anything.
  void note_with_commit(std::string key, std::string value) {
    note_.emplace(std::move(key), std::move(value));
  }
  void rollback() noexcept override;
  bool is_open() const noexcept override { return open_; }
  void fail(const Error& reason) override;

 private:
  TransactionWriter(const std::shared_ptr<Core>& core, WriterLock::Number turn);

  /// Run one change within the turn.
  /// The one way through which every change goes.
  template <class Change>
  auto change(Change&& change) -> decltype(change());
  /// Open, and not failed before.
  [[nodiscard]] Status check_usable() const;
  /// After each change, so that one statement overshoots by one record at most.
  [[nodiscard]] Status check_size() const;
  /// Give the turn back. The write_set goes with this object.
  void end() noexcept;

  // Declared in the order in which they depend on each other.
  std::shared_ptr<Core> core_;  // owners: the handles
  WriterLock::Number turn_;
  StatePtr base_;
  WriteSet write_set_;
  CatalogEditor catalog_;
  GraphView view_;
  GraphEditor editor_;
  std::optional<std::pair<std::string, std::string>> note_;
  bool open_ = true;
  std::optional<Error> failure_;
};

}  // namespace cairn::engine
