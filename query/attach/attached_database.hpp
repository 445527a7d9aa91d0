#pragma once
// AttachedDatabase: a handle to a database that another process (the host) has open. If the host ends, this process
// attaches to the next host or becomes the host; then all calls run locally.

#include "engine/database/handles.hpp"
#include "query/attach/client_names.hpp"
#include "query/attach/host_link.hpp"
#include "query/attach/host_watch.hpp"
#include "query/attach/opening.hpp"
#include "query/attach/work.hpp"
#include "query/bolt/doubt.hpp"

#include <cairn/embedder.hpp>
#include <cairn/options.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cairn::query::attach {

/// Threads: any. Most calls are sent to the host as procedures (procedures.hpp) and repeated with the next host if the
/// host ends.
class AttachedDatabase final : public Database::Impl,
                               public engine::Forwarding,
                               public std::enable_shared_from_this<AttachedDatabase> {
 public:
  AttachedDatabase(std::shared_ptr<HostLink> link, const Options& options);
  ~AttachedDatabase() override { watch_.reset(); }

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode, const std::stop_token& cancel) override;
  Status checkpoint() override;
  Result<std::vector<Finding>> check(std::size_t limit) override;
  Result<DatabaseStatistics> statistics() override;
  Result<std::size_t> erase_expired(std::size_t limit) override;
  Result<ScrubReceipt> scrub(const ScrubOptions& options, const std::stop_token& cancel) override;
  Result<BackupReport> backup(const std::filesystem::path& directory,
                              const std::stop_token& cancel) override;
  Result<DatabaseRole> role() override;
  Metrics metrics() override;
  const std::vector<std::string>& warnings() const noexcept override { return warnings_; }
  Status close() override;

  /// The engine of this process once it is the host; nullptr before.
  std::shared_ptr<engine::Core> core() const override;
  /// nullptr once this process is the host, because statements run locally then.
  engine::Forwarding* forwarding() noexcept override;

  Result<std::unique_ptr<Rows::Impl>> run(const engine::ForwardedStatement& statement) override;
  Result<Value> call(std::string_view name, Map arguments,
                     const StatementOptions& options) override;

  /// Finds out whether the commit with this note was made, after its answer was lost. Returns what the statement
  /// returned, or nullopt if the commit was not made. Attaches to the next host or becomes the host if necessary.
  /// Errors: those of opening.
  [[nodiscard]] Result<std::optional<Value>> outcome_of(const CommitNote& note);
  /// Keeps an embedder, see set_embedder(), for the time when this process is the host.
  bool keep_embedder(std::shared_ptr<const Embedder> embedder, std::string spec) override;
  /// The names under which this handle commits.
  [[nodiscard]] ClientNames& names() noexcept { return names_; }

 private:
  /// The database in this process once it is the host; nullptr before.
  [[nodiscard]] std::shared_ptr<Database> local() const;
  /// Called after the host has ended: attaches to its successor or becomes the host. Does nothing if another thread has
  /// done it.
  /// Errors: those of open_or_attach().
  [[nodiscard]] Status change_host();
  /// Asks the host to erase the notes of this handle's names, which will commit no more.
  void forget_names();
  /// Errors: unsupported if the options demand OpenMode::read_only, as for a local database.
  [[nodiscard]] Status check_mode() const;
  /// Errors: busy if this thread has a writing transaction open, since a second one would wait for the first forever.
  [[nodiscard]] Status check_thread();
  /// Runs a call: `here` if this process is the host, else `there`. Repeats the call if the host ends meanwhile, so the
  /// call must be safe to repeat.
  /// After an error, `doubt` is set if a host may have executed the call, or may still execute it; its value says why.
  template <class T>
  [[nodiscard]] Result<T> ask(const std::function<Result<T>(Database&)>& here,
                              const std::function<Result<T>(Work&)>& there,
                              std::optional<bolt::Doubt>* doubt = nullptr);
  /// Begins a snapshot or transaction in the host. Returns nullptr if this process is the host.
  [[nodiscard]] Result<std::shared_ptr<Work>> begin_work(WorkKind kind, const CommitNote* note);
  /// Runs a statement in this process, which is the host.
  [[nodiscard]] Result<std::unique_ptr<Rows::Impl>> run_here(
      Database& database, const engine::ForwardedStatement& statement);
  /// Runs a statement in the host. Returns nullptr if it must run again, because the host ended before it wrote anything.
  [[nodiscard]] Result<std::unique_ptr<Rows::Impl>> run_there(
      Link::Lease lease, const engine::ForwardedStatement& statement);

  const std::shared_ptr<HostLink> link_;  // owners: this and leases
  const Options options_;
  std::vector<std::string> warnings_;
  ClientNames names_;
  std::mutex change_mutex_;                   // held during a change of host
  mutable std::mutex local_mutex_;            // guards local_; locked after change_mutex_
  std::shared_ptr<Database> local_;           // owners: this object and running calls
  std::shared_ptr<const Embedder> embedder_;  // guarded by local_mutex_, as its spec
  std::string embedder_spec_;
  std::mutex writers_mutex_;  // guards writers_
  std::map<std::thread::id, std::weak_ptr<Work>>
      writers_;  // open writing transactions, by their threads
  std::unique_ptr<HostWatch>
      watch_;  // nullptr without HostPreference::high; last, as it uses the others
};

}  // namespace cairn::query::attach
