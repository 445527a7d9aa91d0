#pragma once
// The implementation of Memory and the steps that its calls share. It uses only public headers, like an application.

#include "query/memory/statements.hpp"
#include "query/memory/text_vectors.hpp"

#include <cairn/database.hpp>
#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/memory/pending.hpp>
#include <cairn/memory/session.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace cairn::query {

// Counts how often records are returned. A read only notes the id; a background thread writes the counts.

/// Threads: note() and flush() from any.
class AccessCounter {
 public:
  /// Number of accesses by node id.
  using Counts = std::map<std::uint64_t, std::uint64_t>;
  /// Adds counts to the records in one commit. Returns false if `waits` is false and another writer holds the lock.
  using Write = std::function<Result<bool>(const Counts& counts, bool waits)>;

  explicit AccessCounter(Write write);
  AccessCounter(const AccessCounter&) = delete;
  AccessCounter& operator=(const AccessCounter&) = delete;
  /// Writes the remaining counts. Counts that cannot be written are lost.
  ~AccessCounter();

  /// Counts one access. Cost: an insertion into a map. The first call starts the thread; without a thread, counts wait
  /// for flush().
  void note(NodeId id);
  /// Writes all counts noted before this call. Errors: those of writing; the counts are not lost then.
  [[nodiscard]] Status flush() { return write(true); }

 private:
  /// Counts that are not written yet.
  struct Noted {
    std::mutex mutex;  // guards the following members
    std::condition_variable_any changed;
    Counts counts;
  };

  [[nodiscard]] Status write(bool waits);
  void start();
  void run(const std::stop_token& stop);

  const Write write_;
  const int process_;         // the process that created the object
  std::mutex one_at_a_time_;  // serialises writes, which read and write a record's count
  std::unique_ptr<Noted> noted_ = std::make_unique<Noted>();
  bool is_started_ = false;  // guarded by the mutex of noted_
  std::jthread thread_;      // last: it uses all of the above
};

}  // namespace cairn::query

namespace cairn::memory {

/// Threads: any. The functions read or write through snapshots and transactions of their own.
class Memory::Impl {
 public:
  Impl(const Database& opened, MemoryOptions chosen);

  /// Returns the database and prevents its closing while the caller uses it. Errors: conflict if it was closed.
  [[nodiscard]] Result<std::shared_ptr<Database>> database() const;

  /// Microseconds since 1970 UTC, by the memory's clock.
  [[nodiscard]] std::int64_t now() const;
  /// The limits, namespaces, author and clock of the memory's statements.
  [[nodiscard]] StatementOptions statement_options() const;
  [[nodiscard]] Result<Snapshot> snapshot(bool include_deleted) const;
  [[nodiscard]] Result<query::Table> run(const query::Source& source, std::string_view text,
                                         const Parameters& parameters) const;
  /// The node if it is a record that this memory sees; a deleted one only with `include_deleted`.
  [[nodiscard]] Result<std::optional<Node>> load(const query::Source& source, NodeId id,
                                                 bool include_deleted) const;
  /// As load(), for a record that will be changed. Errors: also unsupported if the record is in a namespace that is only
  /// read.
  [[nodiscard]] Result<std::optional<Node>> load_own(const query::Source& source, NodeId id,
                                                     bool include_deleted) const;
  /// True if the memory reads the namespace.
  [[nodiscard]] bool sees(std::string_view name_space) const;

  /// Creates the vector index and the full-text index of the contents if they are missing. Errors: invalid_argument if an
  /// index has another model or dimension; those of creating an index.
  [[nodiscard]] Status prepare_indexes();
  /// False if the caller may not use all namespaces and sees no memory. Then it may not know the indexes of memories (see
  /// query/execute/pipeline/known_indexes.hpp), and there is nothing to find in them.
  [[nodiscard]] Result<bool> may_know_indexes(const query::Source& source) const;
  /// False if the caller may not use all namespaces and sees no vector of a memory. Then it may not know the model of the
  /// vectors.
  [[nodiscard]] Result<bool> may_know_model(const query::Source& source) const;
  /// True if the vector index exists. Errors: invalid_argument if its vectors cannot be compared with those of the
  /// embedder; the message names the model of the vectors only if the caller may know it.
  [[nodiscard]] Result<bool> check_index(const Snapshot& snapshot) const;
  /// The finished full-text index of the contents; the application's own index is preferred to the memory's.
  [[nodiscard]] Result<std::optional<std::string>> content_index(const Snapshot& snapshot) const;
  /// Warns at the first search in vectors whose model is unknown.
  [[nodiscard]] Status warn_of_unknown_model(const Snapshot& snapshot,
                                             std::vector<std::string>& warnings) const;
  /// The vectors of texts that will be stored. If the embedder fails, all are pending, and a warning says why.
  [[nodiscard]] std::vector<query::TextVector> embed(const std::vector<std::string_view>& texts,
                                                     std::vector<std::string>& warnings) const;
  /// The vector of a question; null if it is zero. Errors: those of the embedder.
  [[nodiscard]] Result<Value> embed_question(std::string_view question) const;

  /// Counts that a caller gets the record, if MemoryOptions::count_accesses is set.
  void note_access(NodeId id) const;
  [[nodiscard]] Status write_access_counts() const;

  MemoryOptions options;
  /// True if the application set an embedder. The built-in one compares spelling, not meaning.
  bool has_model = false;
  mutable query::StatementCache statements;

 private:
  [[nodiscard]] Status make_vector_index();
  [[nodiscard]] Status make_content_index();
  [[nodiscard]] Result<bool> add_accesses(const query::AccessCounter::Counts& counts,
                                          bool waits) const;

  DatabaseReference database_;
  mutable std::atomic<bool> has_warned_ = false;
  // nullptr if accesses are not counted. Last, as it uses the other members.
  std::unique_ptr<query::AccessCounter> accesses_;
};

// Names of labels, relationships and indexes that the memory calls create.
inline constexpr std::string_view memory_label = "Memory";
inline constexpr std::string_view contents_index = "memory_contents";

/// True if the call failed because the host of the database ended, and nothing was written.
[[nodiscard]] bool is_of_ended_host(const Error& error);

/// Makes a call again if the host of the database ends during it. A call that writes must commit as its last step.
template <class Call>
[[nodiscard]] auto again(const Call& call) -> decltype(call()) {
  constexpr int most_hosts = 8;  // a call that sees so many hosts end may itself be the reason
  for (int hosts = 1;; ++hosts) {
    auto result = call();
    if (result || hosts == most_hosts || !is_of_ended_host(result.error())) return result;
  }
}

/// A writing transaction whose new records go to the memory's own namespace.
class Writing {
 public:
  /// Errors: busy, also if `mode` does not wait and another writer holds the lock.
  [[nodiscard]] static Result<Writing> begin(const Memory::Impl& impl,
                                             TransactionMode mode = TransactionMode::write);
  [[nodiscard]] Transaction& transaction() const { return *transaction_; }
  /// Creates a node. A record that has expired by the memory's clock gives up its external id.
  [[nodiscard]] Result<NodeId> create_node(const NewNode& node) const;
  /// Creates a relationship.
  [[nodiscard]] Status relate(NodeId source, std::string_view type, NodeId target,
                              const Properties& properties = {}) const;
  /// The node with an external id in the memory's own namespace.
  [[nodiscard]] Result<std::optional<NodeId>> find(std::string_view external_id) const;
  /// As find(), then in the namespaces that the memory also reads.
  [[nodiscard]] Result<std::optional<NodeId>> find_seen(std::string_view external_id) const;
  /// Declares the model of the embedder before vectors are written. Errors: invalid_argument if the index has vectors of
  /// another model.
  [[nodiscard]] Status use_model(std::vector<std::string>& warnings);
  [[nodiscard]] Status commit() { return transaction_->commit(); }

 private:
  Writing(const Memory::Impl& impl, Transaction transaction)
      : impl_(&impl), transaction_(std::make_unique<Transaction>(std::move(transaction))) {}
  /// Erases the owner of an external id if it has expired by the memory's clock. Errors: already_exists otherwise.
  [[nodiscard]] Status free_external_id(std::string_view external_id) const;

  const Memory::Impl* impl_;
  std::unique_ptr<Transaction> transaction_;
};

/// The records that a statement is about, as parts of its text.
struct Selection {
  std::string pattern;  ///< "(m:...)"
  std::string where;    ///< " WHERE ..." or empty
  Parameters parameters;
  /// The same selection as a filter; nullopt if a condition is text of the language.
  std::optional<Filter> filter;

  [[nodiscard]] std::string match() const { return "MATCH " + pattern + where; }
};
/// Errors: parse_error if `where` is not a complete condition.
[[nodiscard]] Result<Selection> select_records(const Memory::Impl& impl,
                                               const SearchRequest& request,
                                               query::Conditions conditions = {});
/// A filter for the records of the selection in a snapshot. Adds warnings about names that no record has.
[[nodiscard]] Result<Filter> filter_of(const Memory::Impl& impl, const Snapshot& snapshot,
                                       const SearchRequest& request, const Selection& selection,
                                       std::vector<std::string>& warnings);
/// Runs a recall with additional conditions.
[[nodiscard]] Result<RecallResult> recall_records(const Memory::Impl& impl,
                                                  const RecallRequest& request,
                                                  query::Conditions conditions = {});
/// Sorts hits by `sort_by`, if it is set. Hits without the field come last; equal hits stay in the order of their ranks.
void sort_hits(std::vector<Hit>& hits, const SearchRequest& scope);
/// The ids of the selected records in the memory's own namespace, ascending. Limit, offset, query and order are ignored.
/// Adds warnings about names that no record has, if `warnings` is not nullptr.
[[nodiscard]] Result<std::vector<NodeId>> selected_ids(const Memory::Impl& impl,
                                                       const query::Source& source,
                                                       const SearchRequest& request,
                                                       std::vector<std::string>* warnings = nullptr,
                                                       query::Conditions conditions = {});
/// The error of a call that is not a dry run and includes deleted records. `done`: what cannot be done to them, as "changed".
[[nodiscard]] Error refuse_deleted(const char* done);
/// True if the selection has no condition, so that it contains all records.
[[nodiscard]] bool selects_everything(const SearchRequest& request);
/// The chunks of a record's text, deleted ones included.
[[nodiscard]] Result<std::vector<NodeId>> chunks_of(const Transaction& transaction, NodeId id);

/// What was deleted or erased together.
struct Removed {
  std::vector<NodeId> nodes;
  std::size_t relationships = 0;
  std::vector<NodeId> sessions;  ///< of what was erased; a session may be there repeatedly
};
/// Soft-deletes a record and the chunks of its text, all with the deletion time `time`. Returns those that were not
/// deleted before.
[[nodiscard]] Result<Removed> hide_record(Transaction& transaction, NodeId id, std::int64_t time);
/// Erases a record and the chunks of its text. Returns those that existed.
[[nodiscard]] Result<Removed> purge_record(Transaction& transaction, NodeId id);
/// Adds the sessions of a record that are in its own namespace.
[[nodiscard]] Status add_sessions(const Transaction& transaction, NodeId id,
                                  const std::string& name_space, std::vector<NodeId>& sessions);
/// Erases the sessions that have nothing but their name, and no relationships: a name is a text of a user, too.
[[nodiscard]] Status erase_empty_sessions(Transaction& transaction,
                                          const std::vector<NodeId>& sessions);
/// Reads the page of a request.
[[nodiscard]] Result<Page> read_page(const Memory::Impl& impl, const SearchRequest& request,
                                     query::Conditions conditions = {});

}  // namespace cairn::memory
