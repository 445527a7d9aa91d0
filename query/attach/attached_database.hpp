#pragma once
// AttachedDatabase: a database that another process has open, or had: where that ends, this one attaches to its successor, or
// becomes it.

#include "engine/database/handles.hpp"
#include "query/attach/client_names.hpp"
#include "query/attach/host_link.hpp"
#include "query/attach/host_watch.hpp"
#include "query/attach/opening.hpp"
#include "query/attach/work.hpp"

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

/// Threads: any.
class AttachedDatabase final : public Database::Impl,
                               public engine::Forwarding,
                               public std::enable_shared_from_this<AttachedDatabase> {
 public:
  AttachedDatabase(std::shared_ptr<HostLink> link, const Options& options);
  ~AttachedDatabase() override { watch_.reset(); }

  Result<Snapshot> snapshot() override;
  Result<Transaction> begin(TransactionMode mode) override;
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

  /// Once this process is the host.
  std::shared_ptr<engine::Core> core() const override;
  /// Null once it is.
  engine::Forwarding* forwarding() noexcept override;

  Result<std::unique_ptr<Rows::Impl>> run(const engine::ForwardedStatement& statement) override;
  Result<Value> call(std::string_view name, Map arguments,
                     const StatementOptions& options) override;

  /// What became of a commit whose answer was lost: what its statement gave, or nothing where it was not made. Attaches
  /// again, or becomes the host. Errors: as of opening.
  [[nodiscard]] Result<std::optional<Value>> outcome_of(const CommitNote& note);
  [[nodiscard]] ClientNames& names() noexcept { return names_; }

 private:
  /// The database of this process, once it is the host; null before.
  [[nodiscard]] std::shared_ptr<Database> local() const;
  /// After the host ended: attach to its successor or become it. Nothing where another thread has done so.
  /// Errors: as of open_or_attach().
  [[nodiscard]] Status change_host();
  void forget_names();
  /// Errors: busy, where this thread has a writing transaction open: it would wait for itself.
  [[nodiscard]] Status check_thread();
  /// Ask until somebody answers: `here` where this process is the host, else `there`, again where its host ended.
  template <class T>
  [[nodiscard]] Result<T> ask(const std::function<Result<T>(Database&)>& here,
                              const std::function<Result<T>(Work&)>& there);
  [[nodiscard]] Result<Value> ask_call(std::string_view name, const Map& arguments,
                                       const StatementOptions& options,
                                       const std::function<Result<Value>(Database&)>& here);
  /// Null where this process is the host.
  [[nodiscard]] Result<std::shared_ptr<Work>> begin_work(WorkKind kind, const CommitNote* note);
  [[nodiscard]] Result<std::unique_ptr<Rows::Impl>> run_here(
      Database& database, const engine::ForwardedStatement& statement);
  [[nodiscard]] Result<std::unique_ptr<Rows::Impl>> run_there(
      Link::Lease lease, const engine::ForwardedStatement& statement);

  const std::shared_ptr<HostLink> link_;  // owners: this and leases
  const Options options_;
  std::vector<std::string> warnings_;
  ClientNames names_;
  std::mutex change_mutex_;                                 // one change of host at a time
  mutable std::mutex local_mutex_;                          // guards local_; within change_mutex_
  std::shared_ptr<Database> local_;                         // owners: this, and calls that run
  std::mutex writers_mutex_;                                // guards writers_
  std::map<std::thread::id, std::weak_ptr<Work>> writers_;  // by the thread that began it
  std::unique_ptr<HostWatch> watch_;  // null without a preference; last: it uses the others
};

}  // namespace cairn::query::attach
