// The host side of attached processes: a Bolt listener on the socket of the database, and the calls beyond Bolt.
//
// Closing order matters: HOST and the socket file are removed while the lock is still held, so that a successor's
// files are never removed.
#include "codec/format_version.hpp"
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/core.hpp"
#include "engine/store/lock_place.hpp"
#include "engine/system/bounded_duration.hpp"
#include "engine/system/clock.hpp"
#include "engine/system/process.hpp"
#include "query/attach/client_names.hpp"
#include "query/attach/opening.hpp"
#include "query/attach/outcome.hpp"
#include "query/attach/procedures.hpp"
#include "query/attach/protocol.hpp"
#include "query/attach/share_group.hpp"
#include "query/bolt/attached.hpp"
#include "query/bolt/listener_impl.hpp"
#include "query/bolt/stored_outcome.hpp"

#include <cairn/version.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query::attach {
namespace {

constexpr const char* host_file = "HOST";

/// Limits for attached processes. They are generous, because attached processes are programs of the same user (or group).
/// A connection costs a thread.
BoltLimits limits_of(const Options& options) {
  BoltLimits limits;
  limits.reading_idle_limit = options.writer_idle_limit;
  limits.connections = 1'024;
  limits.results = std::size_t{1} << 20;
  limits.message_bytes = most_message_bytes;
  limits.memory_bytes = most_value_bytes;
  limits.nesting_levels = most_levels;
  return limits;
}

/// How long a host that closes lets the requests of attached processes end. The next host waits meanwhile, for at most
/// Options::attach_timeout.
std::chrono::milliseconds closing_time_of(const Options& options) {
  constexpr std::chrono::milliseconds most{2'000};
  return std::min<std::chrono::milliseconds>(most, engine::bounded(options.attach_timeout) / 2);
}

/// Entries of clients are erased a day after their last commit: a client that was killed cannot ask for its erasure.
constexpr std::chrono::microseconds most_client_age = std::chrono::hours(24);

/// The entry of a map; -1 if it is absent or of another type.
std::int64_t integer_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  const auto* integer = found == map.end() ? nullptr : found->second.get_if<std::int64_t>();
  return integer == nullptr ? -1 : *integer;
}

/// The entry of a map; "?" if it is absent or of another type.
std::string text_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() || found->second.string() == nullptr ? "?" : *found->second.string();
}

/// The commits of attached processes that are running in this host. Threads: any.
///
/// If a connection breaks during COMMIT, the client asks on another connection whether its commit was made. The COMMIT
/// may still be unread or running at that time. So the host first gives the commit up: if the commit has not begun, it is
/// refused later; if it has begun, the call waits for its end.
class CommitsUnderWay {
 public:
  /// Registers a commit before it is made. Errors: conflict if the client has given it up.
  [[nodiscard]] Status begin(const bolt::CommitNote& note);
  void end(const bolt::CommitNote& note) noexcept;
  /// Returns when the commit was made or never will be. Errors: cancelled.
  [[nodiscard]] Status give_up(const bolt::CommitNote& note, const std::stop_token& cancel);

 private:
  struct Client {
    std::int64_t under_way = 0;  ///< number of the running commit; 0: none
    std::int64_t given_up = 0;   ///< this commit and all earlier ones must not begin any more
  };

  std::mutex mutex_;  // guards clients_
  std::condition_variable_any ended_;
  std::map<std::string, Client> clients_;
};

// A commit number that was given up, or a lower one, is refused.
Status CommitsUnderWay::begin(const bolt::CommitNote& note) {
  const std::lock_guard lock(mutex_);
  Client& client = clients_[note.client];
  if (note.count > client.given_up) {
    client.under_way = note.count;
    return {};
  }
  return Error{ErrorCode::conflict, "the client has cancelled this commit", {}};
}

// Wakes the calls of give_up() that wait for this commit.
void CommitsUnderWay::end(const bolt::CommitNote& note) noexcept {
  const std::lock_guard lock(mutex_);
  const auto client = clients_.find(note.client);
  if (client == clients_.end() || client->second.under_way != note.count) return;
  client->second.under_way = 0;
  if (client->second.given_up == 0) clients_.erase(client);
  ended_.notify_all();
}

// Entries of commits that were given up stay, as the refused COMMIT may arrive at any later time.
Status CommitsUnderWay::give_up(const bolt::CommitNote& note, const std::stop_token& cancel) {
  std::unique_lock lock(mutex_);
  Client& client = clients_[note.client];
  client.given_up = std::max(client.given_up, note.count);
  const auto has_ended = [&client, &note] {
    return client.under_way == 0 || client.under_way > note.count;
  };
  if (ended_.wait(lock, cancel, has_ended)) return {};
  return Error{ErrorCode::cancelled, "the request was cancelled", {}};
}

/// Serves one database. Threads: any.
class Host final : public engine::Hosting, private bolt::AttachedCalls {
 public:
  /// See open_host().
  [[nodiscard]] static Result<std::unique_ptr<Host>> open(const Database& database,
                                                          const std::filesystem::path& directory,
                                                          const Options& options);
  ~Host() override { close(); }

  std::vector<std::int64_t> attached() const override;
  void close() override;

 private:
  Host(std::filesystem::path directory, const Options& options, std::string database_id)
      : directory_(std::move(directory)),
        file_root_(options.file_root),
        database_id_(std::move(database_id)),
        place_(engine::LockPlace::of(directory_ / "LOCK")) {}

  Result<Value> call(std::string_view name, const Map& arguments,
                     const bolt::CallPlace& place) override;
  Result<Map> greet(const Map& said) override;
  Status begin_commit(const bolt::CommitNote& note) override { return commits_.begin(note); }
  void end_commit(const bolt::CommitNote& note) noexcept override { commits_.end(note); }
  [[nodiscard]] Status write_host_file() const;

  const engine::Process process_;
  CommitsUnderWay commits_;
  const std::filesystem::path directory_;
  const std::filesystem::path file_root_;
  const std::string database_id_;  // a client that is attached again must find the same database
  const std::optional<engine::LockPlace> place_;
  std::unique_ptr<BoltListener::Impl> listener_;
};

// The entries of clients that ended without a farewell are erased when the next host opens.
Result<std::unique_ptr<Host>> Host::open(const Database& database,
                                         const std::filesystem::path& directory,
                                         const Options& options) {
  const auto core = Access::core(database);
  CAIRN_ASSIGN(const auto group, share_group_of(options));
  std::unique_ptr<Host> host(new Host(directory, options, core->database_id()));
  auto shared = Access::share(Access::implementation(database).lock());
  CAIRN_ASSIGN(host->listener_,
               BoltListener::Impl::open_in(directory, group, std::move(shared), limits_of(options),
                                           *host, closing_time_of(options)));
  CAIRN_TRY(host->write_host_file());
  CAIRN_TRY(forget_clients_before(database, engine::system_time() - most_client_age.count()));
  return host;
}

// Removes the files before the lock is released, so that it cannot remove those of the next host. If other processes are
// attached, the socket file is left, as a crash would leave it: while it exists, a process with HostPreference::low waits,
// because one of the attached processes may take over (Yielding in opening.cpp). If the directory was replaced, the files in
// it belong to another host.
void Host::close() {
  if (listener_ == nullptr) return;
  const bool is_alone = process_.is_this() && attached().empty();
  const std::filesystem::path socket = listener_->socket_path();
  BoltListener::Impl::let_go(std::move(listener_));
  if (!process_.is_this() || (place_ && !place_->is_in_place())) return;
  std::error_code ignored;
  if (is_alone) std::filesystem::remove(socket, ignored);
  std::filesystem::remove(directory_ / host_file, ignored);
}

// A process may have several connections, so duplicates are removed.
std::vector<std::int64_t> Host::attached() const {
  std::vector<std::int64_t> processes;
  for (const std::string& peer : listener_->peers())
    processes.push_back(std::strtoll(peer.c_str(), nullptr, 10));
  std::ranges::sort(processes);
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  return processes;
}

// Writes HOST for people, and for the error of a process that cannot attach (deleted_socket() in opening.cpp). The file
// is not synced, but it is renamed into place, so that a reader sees a complete file.
Status Host::write_host_file() const {
  const std::filesystem::path& socket = listener_->socket_path();
  const bool is_here = socket.parent_path() == directory_;
  const std::string text =
      "process " + std::to_string(::getpid()) + "\nsince " +
      std::to_string(engine::system_time() / 1'000'000) + "\nprotocol " +
      std::to_string(protocol_version) + "\nlibrary " + std::string(version()) + "\nformat " +
      std::to_string(codec::format_version) + "\nsocket " +
      (is_here ? socket.filename() : socket).string() + "\nterm " + draw_name() + "\n";
  const std::filesystem::path made = directory_ / "HOST.new";
  CAIRN_ASSIGN(const auto file, engine::create_regular(made));
  CAIRN_TRY(engine::write_bytes(file.value(), text, made));
  std::error_code error;
  std::filesystem::rename(made, directory_ / host_file, error);
  if (!error) return {};
  return Error{ErrorCode::io_error,
               "cannot write " + (directory_ / host_file).string() + ": " + error.message(),
               {}};
}

// Both sides exchange their versions. A process may use files only if both have the same Options::file_root.
Result<Map> Host::greet(const Map& said) {
  if (integer_in(said, "protocol") != protocol_version)
    return Error{
        ErrorCode::unsupported,
        "process " + std::to_string(::getpid()) + " has the database open and speaks protocol " +
            std::to_string(protocol_version) + " (Cairn " + std::string(version()) +
            "), but this process speaks protocol " + std::to_string(integer_in(said, "protocol")) +
            " (Cairn " + text_in(said, "library") +
            "); update the older program, or end the other process",
        {}};
  const bool may_use_files = !file_root_.empty() && text_in(said, "file_root") == file_root_;
  return Map{{"protocol", protocol_version},
             {"library", version()},
             {"format", std::int64_t{codec::format_version}},
             {"database", database_id_},
             {"files", may_use_files}};
}

// "outcome" and "forget" concern the notes of commits; all other calls are in the tables of procedures.
Result<Value> Host::call(std::string_view name, const Map& arguments,
                         const bolt::CallPlace& place) {
  if (name == "outcome") {
    CAIRN_ASSIGN(const bolt::CommitNote note, note_from(arguments));
    CAIRN_TRY(commits_.give_up(note, place.options.cancel));
    CAIRN_ASSIGN(auto outcome, bolt::find_outcome(place.database, note));
    return outcome ? *std::move(outcome) : Value();
  }
  if (name == "forget") {
    engine::CallReader reader(arguments);
    CAIRN_TRY(forget_clients(place.database, reader.texts("clients")));
    return Value();
  }
  return run_procedure(name, arguments, place);
}

}  // namespace

Result<std::unique_ptr<engine::Hosting>> open_host(const Database& database,
                                                   const std::filesystem::path& directory,
                                                   const Options& options) {
  CAIRN_ASSIGN(std::unique_ptr<engine::Hosting> made, Host::open(database, directory, options));
  return made;
}

}  // namespace cairn::query::attach
