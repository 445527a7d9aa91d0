#pragma once
// The implementation of Memory, and the steps that its calls share. Like a program it uses only public headers.

#include "query/memory/statements.hpp"

#include <cairn/database.hpp>
#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/memory/memory.hpp>
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

// Counts how often records are returned, in the background: a read notes ids and goes on, a thread writes
// the counts.

class AccessCounter {
 public:
  /// How often each node was given back.
  using Counts = std::map<std::uint64_t, std::uint64_t>;
  /// Adds counts to the records, in one commit. False where it was not to wait for the writer's turn and would have to.
  using Write = std::function<Result<bool>(const Counts& counts, bool waits)>;

  explicit AccessCounter(Write write);
  AccessCounter(const AccessCounter&) = delete;
  AccessCounter& operator=(const AccessCounter&) = delete;
  /// Writes the remaining counts; those that cannot be written are lost.
  ~AccessCounter();

  /// Cost: an insertion into a map. The first one starts the thread; where none can be had, counts wait for flush().
  void note(NodeId id);
  /// Write what was noted before this call. Errors: those of the write; the counts stay for the next one.
  [[nodiscard]] Status flush() { return write(true); }

 private:
  /// Counts not yet written.
  struct Noted {
    std::mutex mutex;  // guards what follows
    std::condition_variable_any changed;
    Counts counts;
  };

  [[nodiscard]] Status write(bool waits);
  void start();
  void run(const std::stop_token& stop);

  const Write write_;
  const int process_;         ///< that began it
  std::mutex one_at_a_time_;  // of writes: a record's count is read and written
  std::unique_ptr<Noted> noted_ = std::make_unique<Noted>();
  bool is_started_ = false;  // guarded by the mutex of noted_
  std::jthread thread_;      // last: it uses all of the above
};

}  // namespace cairn::query

namespace cairn::memory {

class Memory::Impl {
 public:
  Impl(const Database& opened, MemoryOptions chosen);

  /// Keeps the database open while the caller works with it. Errors: conflict if it was closed.
  [[nodiscard]] Result<std::shared_ptr<Database>> database() const;

  [[nodiscard]] std::int64_t now() const;
  [[nodiscard]] StatementOptions statement_options() const;
  [[nodiscard]] Result<Snapshot> snapshot(bool include_deleted) const;
  [[nodiscard]] Result<query::Table> run(const query::Source& source, std::string_view text,
                                         const Parameters& parameters) const;
  /// The node if it is a record that this memory sees; a hidden one only on request.
  [[nodiscard]] Result<std::optional<Node>> load(const query::Source& source, NodeId id,
                                                 bool include_deleted) const;
  /// The same of a record that is to be changed. Errors: also unsupported, where it is of a namespace that is only read.
  [[nodiscard]] Result<std::optional<Node>> load_own(const query::Source& source, NodeId id,
                                                     bool include_deleted) const;
  [[nodiscard]] bool sees(std::string_view name_space) const;

  /// Make the indexes of vectors and of contents if they are missing. Errors: invalid_argument for
  /// another model or dimension.
  [[nodiscard]] Status prepare_indexes();
  /// Whether there is an index of vectors. Errors: invalid_argument, where those of the embedder may not be compared
  /// with its own.
  [[nodiscard]] Result<bool> check_index(const Snapshot& snapshot) const;
  /// The full-text index of records' contents, if one is online; the caller's own before the memory's.
  [[nodiscard]] Result<std::optional<std::string>> content_index(const Snapshot& snapshot) const;
  /// The first time that vectors of an unknown model were searched.
  [[nodiscard]] Status warn_of_unknown_model(const Snapshot& snapshot,
                                             std::vector<std::string>& warnings) const;
  /// A vector for each text; null where the text has nothing to make one of.
  [[nodiscard]] Result<std::vector<Value>> embed(const std::vector<std::string_view>& texts) const;

  /// A caller gets the record; counted where MemoryOptions::count_accesses says so.
  void note_access(NodeId id) const;
  [[nodiscard]] Status write_access_counts() const;

  MemoryOptions options;
  /// Whether the caller gave an embedder: the built-in one knows spelling, and not what words mean.
  bool has_model = false;
  mutable query::StatementCache statements;

 private:
  [[nodiscard]] Status make_vector_index();
  [[nodiscard]] Status make_content_index();
  [[nodiscard]] Result<bool> add_accesses(const query::AccessCounter::Counts& counts,
                                          bool waits) const;

  DatabaseReference database_;
  mutable std::atomic<bool> has_warned_ = false;
  // Null: nobody counts. Last, as it uses the others.
  std::unique_ptr<query::AccessCounter> accesses_;
};

inline constexpr std::string_view memory_label = "Memory";
inline constexpr std::string_view session_label = "Session";
inline constexpr std::string_view session_relationship = "IN_SESSION";
inline constexpr std::string_view embedding_index = "memory_embedding";
inline constexpr std::string_view contents_index = "memory_contents";

/// Whether what failed went with the host of the database, and nothing of it was written.
[[nodiscard]] bool is_of_ended_host(const Error& error);

/// What a call gives, which is made again where the host of the database ends in it. It commits last of all, if it does.
template <class Call>
[[nodiscard]] auto again(const Call& call) -> decltype(call()) {
  constexpr int most_hosts = 8;  // a call that has seen so many end may be what ends them
  for (int hosts = 1;; ++hosts) {
    auto result = call();
    if (result || hosts == most_hosts || !is_of_ended_host(result.error())) return result;
  }
}

/// A writing transaction whose new records go to the memory's namespace.
class Writing {
 public:
  /// Errors: busy, also where `mode` is not to wait and somebody else has the turn.
  [[nodiscard]] static Result<Writing> begin(const Memory::Impl& impl,
                                             TransactionMode mode = TransactionMode::write);
  [[nodiscard]] Transaction& transaction() const { return *transaction_; }
  /// A record that has expired by the memory's clock frees its external id.
  [[nodiscard]] Result<NodeId> create_node(const NewNode& node) const;
  [[nodiscard]] Status relate(NodeId source, std::string_view type, NodeId target,
                              const Properties& properties = {}) const;
  /// The node of the memory's namespace with this name.
  [[nodiscard]] Result<std::optional<NodeId>> find(std::string_view external_id) const;
  /// Where its own namespace has none, that of one which is read besides.
  [[nodiscard]] Result<std::optional<NodeId>> find_seen(std::string_view external_id) const;
  /// Called before vectors of the embedder are written. Errors: invalid_argument if the index has vectors of another.
  [[nodiscard]] Status use_model(std::vector<std::string>& warnings);
  [[nodiscard]] Status commit() { return transaction_->commit(); }

 private:
  Writing(const Memory::Impl& impl, Transaction transaction)
      : impl_(&impl), transaction_(std::make_unique<Transaction>(std::move(transaction))) {}
  [[nodiscard]] Status free_external_id(std::string_view external_id) const;

  const Memory::Impl* impl_;
  std::unique_ptr<Transaction> transaction_;
};

/// Which records a statement is about: "(m:...)", " WHERE ..." or nothing, and parameters.
struct Selection {
  std::string pattern;
  std::string where;
  Parameters parameters;
  /// The same as a filter; nothing where a condition is text of the language.
  std::optional<Filter> filter;

  [[nodiscard]] std::string match() const { return "MATCH " + pattern + where; }
};
/// Errors: parse_error where `where` is not a whole condition.
[[nodiscard]] Result<Selection> select_records(const Memory::Impl& impl,
                                               const SearchRequest& request,
                                               query::Conditions conditions = {});
/// A filter that its records pass, of a snapshot. Names that no record has may give a warning in `warnings`.
[[nodiscard]] Result<Filter> filter_of(const Memory::Impl& impl, const Snapshot& snapshot,
                                       const SearchRequest& request, const Selection& selection,
                                       std::vector<std::string>& warnings);
[[nodiscard]] Result<RecallResult> recall_records(const Memory::Impl& impl,
                                                  const RecallRequest& request,
                                                  query::Conditions conditions = {});
/// By `sort_by`, where there is one: hits without the field last, equal ones as they were ranked.
void sort_hits(std::vector<Hit>& hits, const SearchRequest& scope);
/// The ids of a selection among the memory's own records, ascending. Limit, offset, query and order are not looked at. Names that no
/// record has give a warning in `warnings`, where there is one.
[[nodiscard]] Result<std::vector<NodeId>> selected_ids(const Memory::Impl& impl,
                                                       const query::Source& source,
                                                       const SearchRequest& request,
                                                       std::vector<std::string>* warnings = nullptr,
                                                       query::Conditions conditions = {});
/// Whether the selection has no condition, so that it is all records.
[[nodiscard]] bool selects_everything(const SearchRequest& request);
/// The chunks of a record's text, hidden ones too.
[[nodiscard]] Result<std::vector<NodeId>> chunks_of(const Transaction& transaction, NodeId id);

/// The records hidden or erased together.
struct Removed {
  std::vector<NodeId> nodes;
  std::size_t relationships = 0;
};
/// Hide a record and the chunks of its text at one time; gives those that were not hidden before.
[[nodiscard]] Result<Removed> hide_record(Transaction& transaction, NodeId id, std::int64_t time);
/// Erase a record and the chunks of its text; gives those that were there.
[[nodiscard]] Result<Removed> purge_record(Transaction& transaction, NodeId id);
/// The page that a request asks for.
[[nodiscard]] Result<Page> read_page(const Memory::Impl& impl, const SearchRequest& request,
                                     query::Conditions conditions = {});

}  // namespace cairn::memory
