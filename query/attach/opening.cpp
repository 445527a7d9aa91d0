// Decides in a loop whether this process becomes the host or attaches to the host.
//
// Each round tries to take the lock of the database (become_host) and, if another process holds it, to connect
// (try_to_attach). Both fail while the other process is opening or closing the database, so the loop repeats with short
// pauses until Options::attach_timeout.
#include "query/attach/opening.hpp"

#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/core.hpp"
#include "engine/store/lock_place.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/system/bounded_duration.hpp"
#include "query/attach/process_state.hpp"
#include "query/attach/share_group.hpp"
#include "query/attach/work.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/stored_outcome.hpp"
#include "query/memory_calls/install.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::query::attach {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* lock_file = "LOCK";

/// True if all holders of the lock only read. A process that opens the database does not wait for readers, because they
/// may hold the lock for days. A process that was attached does wait: a reader may have taken the lock only between two
/// hosts. Reads the system's list of locks, since trying to take the lock would disturb other processes. A line of the
/// list: "1: FLOCK ADVISORY  READ 123 08:01:456 0 EOF".
bool is_held_by_readers(const std::filesystem::path& directory) {
  struct stat status{};
  if (::stat((directory / lock_file).c_str(), &status) != 0) return false;
  const std::string inode = ":" + std::to_string(status.st_ino) + " ";
  std::ifstream locks("/proc/locks");
  bool is_read = false;
  for (std::string line; std::getline(locks, line);) {
    if (line.find(" FLOCK ") == std::string::npos || line.find(inode) == std::string::npos)
      continue;
    if (line.find(" WRITE ") != std::string::npos) return false;
    is_read = true;
  }
  return is_read;
}

/// The text of a file of the directory; empty if it is missing or not a regular file of a plausible size. The directory may
/// come from anywhere, and nothing has checked these files.
std::string text_of(const std::filesystem::path& file) {
  auto text = engine::read_file(file);
  return text ? (*std::move(text)).value_or("") : "";
}

/// Returns the path of the host's socket if the socket file was deleted while the host listens; else an empty path. The
/// file HOST names the process and its socket. A host writes HOST after it has written LOCK. So if HOST is older than
/// LOCK, an earlier process with the same process id wrote HOST.
std::filesystem::path deleted_socket(const std::filesystem::path& directory, std::int64_t host) {
  std::istringstream text(text_of(directory / "HOST"));
  std::string socket;
  bool is_of_host = false;
  for (std::string line; std::getline(text, line);) {
    if (line == "process " + std::to_string(host)) is_of_host = true;
    if (line.starts_with("socket ")) socket = line.substr(7);
  }
  std::error_code error;
  const auto written = std::filesystem::last_write_time(directory / "HOST", error);
  if (error || written < std::filesystem::last_write_time(directory / lock_file, error)) return {};
  const std::filesystem::path path = directory / socket;  // `socket` may be absolute
  if (!is_of_host || socket.empty() || std::filesystem::exists(path, error) || error) return {};
  return path;
}

/// What the holder of the lock does, and the fix. The system may hide the holder from other users.
std::string advice_on(const std::filesystem::path& directory, const LockHolder& holder) {
  const ProcessState state = process_state(holder.process);
  if (state == ProcessState::stopped)
    return "it is stopped; resume it (kill -CONT " + std::to_string(holder.process) + ") or end it";
  const bool is_known = state == ProcessState::running;
  if (is_known && holder.is_changing) return "it is opening or closing the database; wait longer";
  if (const auto socket = deleted_socket(directory, holder.process); !socket.empty())
    return "its socket " + socket.string() + " was deleted or is not visible here" +
           (socket.parent_path() == directory ? "" : " (set the same XDG_RUNTIME_DIR)") +
           "; end it and start it again, which makes the socket again";
  return std::string(is_known ? "it does not share the database"
                              : "it is opening or closing the database, or does not share it") +
         " (Options::share exclusive, an import in bulk, a repair, or an older version); end it or "
         "wait longer";
}

/// The error after the timeout.
Error busy_after(const Error& last, const std::filesystem::path& directory, milliseconds waited) {
  return {ErrorCode::busy,
          last.message + "; that process let no other process attach for " +
              std::to_string(waited.count()) +
              " ms (Options::attach_timeout): " + advice_on(directory, lock_holder(directory)),
          {}};
}

/// The error of a process that may not become the host.
Error no_host(const std::filesystem::path& directory, bool is_guest, milliseconds waited) {
  return {ErrorCode::busy,
          "no process has database " + directory.string() +
              " open, and this process may only attach to a host (" +
              (is_guest ? "the directory belongs to another user, who alone may be the host"
                        : "Options::share attach_only") +
              "); none appeared within " + std::to_string(waited.count()) +
              " ms: start one, for instance cairn serve " + directory.string(),
          {}};
}

/// The error of a handle whose directory now contains another database.
Error other_database(const HostLink& before) {
  return {ErrorCode::conflict,
          before.directory().string() +
              " now contains another database than the one that was opened (" +
              before.database_id() + "); close this handle and open the directory again",
          {}};
}

/// The option because of which this process does not share the database.
std::string_view alone_by(const Options& options) {
  if (options.repair) return "Options::repair";
  if (!options.home.empty()) return "Options::home";
  if (options.mode == OpenMode::bulk_load) return "OpenMode::bulk_load";
  return options.mode == OpenMode::read_only ? "OpenMode::read_only" : "Share::exclusive";
}

/// The processes that are attached to the host, without this one.
Result<std::vector<std::int64_t>> attached_to(const std::shared_ptr<HostLink>& link) {
  CAIRN_ASSIGN(auto lease, link->lease());
  Work work(std::move(lease));
  CAIRN_ASSIGN(DatabaseRole role,
               engine::read_result<DatabaseRole>(work.call("role", {}, {}), engine::read_role));
  std::erase(role.attached, link->client());
  return std::move(role.attached);
}

/// The error of an exclusive open. All attached processes must end, because one of them would become the next host.
Error busy_with(const std::filesystem::path& directory, const Options& options, std::int64_t host,
                const std::vector<std::int64_t>& attached) {
  std::string others;
  for (const std::int64_t process : attached)
    others += (others.empty() ? "" : ", ") +
              (process == 0 ? "others (of another container)" : std::to_string(process));
  if (!others.empty()) others = ", with the attached processes " + others;
  return {ErrorCode::busy,
          "database " + directory.string() + " is open in " + bolt::process_name(host) + others +
              "; " + std::string(alone_by(options)) +
              " requires that no process writes to it: end " +
              (attached.empty() ? "that process" : "them all") + ", or wait",
          {}};
}

/// True if another process has the lock, so that opening continues.
bool is_held(const Error& error) { return error.code == ErrorCode::busy; }

/// If another user owns the directory and this user may not read it, the error names the owner.
Error with_owner(Error error, const std::filesystem::path& directory) {
  struct stat status{};
  const bool is_of_other = error.code == ErrorCode::io_error &&
                           ::stat(directory.c_str(), &status) == 0 && status.st_uid != ::geteuid();
  if (is_of_other)
    error.message += "; the directory belongs to user " + std::to_string(status.st_uid) +
                     ", and only processes of one user can share a database, unless all set the "
                     "same Options::share_group: run as that user";
  return error;
}

/// How long a process of HostPreference::low waits for another process to become the host.
constexpr milliseconds yielding_time{300};
/// How long a process that only reads waits for a host: long enough for a server that is restarted.
constexpr milliseconds reader_yielding_time{1000};

/// Decides whether this process leaves the role of the host to others. One that only reads would keep them from it, so it
/// lets all go first that may wait for the same lock. It waits only while the socket file exists: a host leaves the file
/// behind if other processes were attached, and these may become the host.
class Yielding {
 public:
  /// `was_attached`: to a host that has ended.
  Yielding(const std::filesystem::path& directory, const Options& options, bool was_attached)
      : directory_(directory),
        reads_(options.mode == OpenMode::read_only),
        length_(std::min<milliseconds>(reads_ ? reader_yielding_time : yielding_time,
                                       engine::bounded(options.attach_timeout) / 2)),
        end_(Clock::now() + length_),
        yields_(options.host_preference == HostPreference::low || (was_attached && reads_)) {}
  [[nodiscard]] bool operator()() {
    yields_ = yields_ && Clock::now() < end_ && bolt::has_socket(directory_);
    return yields_;
  }
  /// Must be called if another process has the lock. A reader then begins to wait again, until `most` at the latest: those
  /// that write may have waited for the lock for long.
  void lock_is_held(Clock::time_point most) {
    if (!reads_) return;
    yields_ = true;
    end_ = std::min(Clock::now() + length_, most);
  }

 private:
  const std::filesystem::path& directory_;
  const bool reads_;
  const milliseconds length_;  // at most half of the timeout, which leaves time to become the host
  Clock::time_point end_;
  bool yields_;
};

/// Opens the database in this process, with the memory procedures. Failing to erase the outcomes of old requests is not
/// an error, because they are erased later. A database with a home does not erase them now, as that needs the object
/// store: the next request erases them.
Result<Database> open_here(const std::filesystem::path& directory, const Options& options) {
  CAIRN_ASSIGN(Database database, Access::open_local(directory, options));
  if (options.home.empty()) static_cast<void>(bolt::forget_old_requests(database));
  install_memory_calls(database, nullptr, {});
  return database;
}

/// Takes the lock and serves other processes. A process that only reads shares the lock with others that read, and serves
/// none. If serving fails, the database is still usable by this process alone, so that is only a warning.
Result<Opened> become_host(const std::filesystem::path& directory, Options options,
                           const std::shared_ptr<HostLink>& before) {
  if (before) options.create_if_missing = false;
  CAIRN_ASSIGN(Database database, open_here(directory, options));
  const auto core = Access::core(database);
  if (before && core->database_id() != before->database_id()) return other_database(*before);
  if (options.mode == OpenMode::read_only) return Opened{std::move(database), nullptr};
  auto hosting = open_host(database, directory, options);
  if (hosting)
    Access::serve_by(database, *std::move(hosting));
  else
    core->messages().tell(LogLevel::warning, "open",
                          "other processes cannot attach: " + hosting.error().message);
  return Opened{std::move(database), nullptr};
}

/// Returns nullopt if no process listens.
Result<std::optional<Opened>> try_to_attach(const std::shared_ptr<HostLink>& link) {
  const Status attached = link->attach();
  if (attached) return std::optional(Opened{std::nullopt, link});
  if (attached.error().code == ErrorCode::not_found) return std::optional<Opened>();
  return attached.error();
}

}  // namespace

// The line has the process id, and also the id of the database unless the holder is opening or closing the database.
LockHolder lock_holder(const std::filesystem::path& directory) {
  std::istringstream text(text_of(directory / lock_file));
  std::string line, database;
  std::getline(text, line);
  std::istringstream words(line);
  LockHolder holder;
  if (!(words >> holder.process)) return {};
  holder.is_changing = !(words >> database);
  return holder;
}

bool shares(const Options& options) noexcept {
  return options.mode != OpenMode::bulk_load && !options.repair &&
         options.share != Share::exclusive && options.home.empty();
}

// If the lock is held, asks the host for the attached processes, so that the error names every process that must end.
Result<Database> open_alone(const std::filesystem::path& path, const Options& options) {
  auto opened = open_here(path, options);
  if (opened || !is_held(opened.error())) return opened;
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::absolute(path, error);
  const auto link = std::make_shared<HostLink>(directory, options);
  const Status listens = link->attach();
  if (!listens) return listens.error().code == ErrorCode::busy ? listens.error() : opened.error();
  const auto attached = attached_to(link);
  if (!attached) return opened;
  return busy_with(directory, options, link->host(), *attached);
}

Result<Opened> open_or_attach(const std::filesystem::path& directory, const Options& options,
                              const std::shared_ptr<HostLink>& before) {
  const auto link = before ? before : std::make_shared<HostLink>(directory, options);
  const auto end = Clock::now() + engine::bounded(options.attach_timeout);
  milliseconds pause{1};
  int vain_looks = 0;  // rounds in which this process, or only readers, seemed to hold the lock
  CAIRN_ASSIGN(const auto group, share_group_of(options));
  const bool is_guest = group && is_of_other_user(directory);
  // A guest that only reads can open another user's directory, unless the files are private.
  const bool may_be_host =
      options.share == Share::automatic && (!is_guest || options.mode == OpenMode::read_only);
  Yielding yields(directory, options, before != nullptr);
  while (true) {
    // A process that may not become the host only connects.
    Error last = no_host(directory, is_guest, options.attach_timeout);
    const bool is_tried = may_be_host && !yields();
    if (is_tried) {
      auto opened = become_host(directory, options, before);
      if (opened) return opened;
      const bool is_locked = is_held(opened.error());
      if (!is_locked && !is_guest) return with_owner(std::move(opened).error(), directory);
      if (is_locked) yields.lock_is_held(end);
      last = with_owner(std::move(opened).error(), directory);
    }
    CAIRN_ASSIGN(auto attached, try_to_attach(link));
    if (attached) return *std::move(attached);
    if (is_tried) {
      const bool is_vain = engine::LockPlace::is_held_here(directory / lock_file) ||
                           (before == nullptr && is_held_by_readers(directory));
      vain_looks = is_vain ? vain_looks + 1 : 0;
      // Waiting cannot help in these cases. After several rounds, it is certain that the lock was not just changing
      // hands.
      if (vain_looks > 3) return last;
    }
    // A process that waited for others tries to be the host before it gives up: connecting may have taken all of the time.
    const bool may_try = may_be_host && !is_tried;
    if (Clock::now() >= end && !may_try)
      return is_tried && is_held(last) ? busy_after(last, directory, options.attach_timeout) : last;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, milliseconds(20));
  }
}

}  // namespace cairn::query::attach
