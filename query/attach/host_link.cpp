#include "query/attach/host_link.hpp"

#include "codec/format_version.hpp"
#include "query/attach/protocol.hpp"

#include <cairn/version.hpp>

#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace cairn::query::attach {
namespace {

/// How long to wait for the answer to HELLO. A host that is stopped is noticed by this time.
constexpr Patience greeting_patience{1'000};

void add_note(Map& said, const bolt::CommitNote* note) {
  if (note != nullptr) said.emplace("note", list_of({note->client, note->count}));
}

// The metadata of RUN and BEGIN: {"cairn": {...}}, or nothing.
Map extra_of(Map said) {
  if (said.empty()) return {};
  return {{bolt::attached_entry, std::move(said)}};
}

}  // namespace

HostLink::HostLink(std::filesystem::path directory, const Options& options)
    : directory_(std::move(directory)),
      file_root_(options.file_root),
      trusted_(options.share_group.empty() ? bolt::TrustedHost::of_this_user
                                           : bolt::TrustedHost::of_owner) {}

// HELLO carries our versions, and the file root, by which the host decides whether we may use files.
Result<std::unique_ptr<Connection>> HostLink::connect() {
  const Map said{{"protocol", protocol_version},
                 {"library", version()},
                 {"format", std::int64_t{codec::format_version}},
                 {"file_root", file_root_.string()}};
  CAIRN_ASSIGN(auto connection, Connection::open(directory_, said, greeting_patience, trusted_));
  CAIRN_TRY(check_greeting(*connection));
  return connection;
}

// A process that connects to itself has two handles to one database, which are not supported.
Status HostLink::check_greeting(const Connection& connection) {
  if (connection.host() == ::getpid())
    return Error{ErrorCode::busy,
                 "database " + directory_.string() + " is already open in this process (process " +
                     std::to_string(::getpid()) + "); use that handle, or close it first",
                 {}};
  const Map& greeting = connection.greeting();
  const auto id = greeting.find("database");
  const std::string name =
      id == greeting.end() || id->second.string() == nullptr ? "" : *id->second.string();
  const auto files = greeting.find("files");
  const std::lock_guard lock(mutex_);
  if (!database_id_.empty() && database_id_ != name)
    return Error{ErrorCode::conflict,
                 directory_.string() + " now contains database " + name + " (open in " +
                     bolt::process_name(connection.host()) + "), but this handle opened database " +
                     database_id_ + "; close this handle and open the directory again",
                 {}};
  database_id_ = name;
  host_ = connection.host();
  may_use_files_ = files != greeting.end() && files->second == Value(true);
  is_guest_ = greeting.contains("guest");
  const auto client = greeting.find(bolt::client_entry);
  client_ = client == greeting.end() || client->second.string() == nullptr
                ? ::getpid()
                : std::strtoll(client->second.string()->c_str(), nullptr, 10);
  return {};
}

std::int64_t HostLink::client() const {
  const std::lock_guard lock(mutex_);
  return client_;
}

std::int64_t HostLink::host() const {
  const std::lock_guard lock(mutex_);
  return host_;
}

// The memory calls recognise by the end of this text that they can be repeated (is_of_ended_host()).
Error HostLink::lost(const Connection& connection, std::string_view what) const {
  return {ErrorCode::conflict,
          bolt::process_name(connection.host()) + ", the host of " + directory_.string() +
              ", ended, and " + std::string(what) +
              " with it; nothing of this was written: run it again",
          std::nullopt};
}

Error HostLink::given_up(int hosts) const {
  return {ErrorCode::conflict,
          std::to_string(hosts) + " hosts of " + directory_.string() +
              " ended while they ran this call, at last " + bolt::process_name(host()) +
              ", so the call may be why; nothing of this was written: run it again",
          std::nullopt};
}

bool HostLink::may_use_files() const {
  const std::lock_guard lock(mutex_);
  return may_use_files_;
}

std::string HostLink::why_no_files() const {
  if (file_root_.empty())
    return "statements read and write no files here: Options::file_root is not set, which names "
           "the directory for them";
  if (is_guest())
    return peer() +
           ", belongs to another user and uses no files for this process; run the "
           "statement as that user";
  return peer() + ", uses no files beneath " + file_root_.string() +
         ", because its own Options::file_root is another one or none; end that process, or open "
         "the database with the same Options::file_root in both (of the program cairn: start both "
         "in one directory, or give both the same --file-root)";
}

bool HostLink::is_guest() const {
  const std::lock_guard lock(mutex_);
  return is_guest_;
}

std::string HostLink::peer() const {
  return bolt::process_name(host()) + ", which is the host of " + directory_.string();
}

Map HostLink::extra_of_run(const StatementOptions& options, const bolt::CommitNote* note,
                           bool sees_deleted) const {
  Map said = bolt::statement_map_of(options);
  if (sees_deleted) said.emplace(bolt::deleted_entry, true);
  add_note(said, note);
  return extra_of(std::move(said));
}

Map HostLink::extra_of_begin(WorkKind kind, const bolt::CommitNote* note,
                             const StatementOptions& /*options*/) const {
  Map said;
  if (kind == WorkKind::writing_if_free) said.emplace("if_free", true);
  if (kind == WorkKind::reading) said.emplace(bolt::transaction_entry, true);
  add_note(said, note);
  Map extra = extra_of(std::move(said));
  if (kind == WorkKind::snapshot || kind == WorkKind::reading) extra.emplace("mode", "r");
  return extra;
}

}  // namespace cairn::query::attach
