#include "query/attach/link.hpp"

#include "codec/format_version.hpp"
#include "query/attach/protocol.hpp"

#include <cairn/version.hpp>

#include <unistd.h>

namespace cairn::query::attach {
namespace {

constexpr std::size_t most_idle = 16;
/// For the answer to HELLO: a host that is stopped is found out by the time.
constexpr Patience greeting_patience{1'000};

}  // namespace

Link::Link(std::filesystem::path directory, const Options& options)
    : directory_(std::move(directory)), file_root_(options.file_root) {}

Status Link::attach() {
  CAIRN_ASSIGN(auto connection, connect());
  take_back(std::move(connection));
  return {};
}

Result<Link::Lease> Link::lease() {
  CAIRN_TRY(check_process());
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (!connection->has_ended()) return Lease(shared_from_this(), std::move(connection));
    }
  }
  CAIRN_ASSIGN(auto connection, connect());
  return Lease(shared_from_this(), std::move(connection));
}

Result<std::unique_ptr<Connection>> Link::connect() {
  const Map said{{"protocol", protocol_version},
                 {"library", version()},
                 {"format", std::int64_t{codec::format_version}},
                 {"file_root", file_root_.string()}};
  CAIRN_ASSIGN(auto connection, Connection::open(directory_, said, greeting_patience));
  CAIRN_TRY(check_greeting(*connection));
  return connection;
}

Status Link::check_greeting(const Connection& connection) {
  if (connection.host() == ::getpid())
    return Error{ErrorCode::busy,
                 "database " + directory_.string() + " is open in this process (process " +
                     std::to_string(::getpid()) + ") already; share that handle, or close it first",
                 {}};
  const Map& told = connection.greeting();
  const auto id = told.find("database");
  const std::string name =
      id == told.end() || id->second.string() == nullptr ? "" : *id->second.string();
  const auto files = told.find("files");
  const std::lock_guard lock(mutex_);
  if (!database_id_.empty() && database_id_ != name)
    return Error{ErrorCode::conflict,
                 directory_.string() + " has another database by now (" + name +
                     ", open in process " + std::to_string(connection.host()) +
                     ") than the one that was opened (" + database_id_ +
                     "); close this handle and open the directory again",
                 {}};
  database_id_ = name;
  host_ = connection.host();
  may_use_files_ = files != told.end() && files->second == Value(true);
  return {};
}

void Link::take_back(std::unique_ptr<Connection> connection) {
  if (connection->is_lost()) return;
  const std::lock_guard lock(mutex_);
  if (!is_closed_ && idle_.size() < most_idle) idle_.push_back(std::move(connection));
}

Status Link::check_process() const { return process_.check(); }

std::int64_t Link::host() const {
  const std::lock_guard lock(mutex_);
  return host_;
}

bool Link::may_use_files() const {
  const std::lock_guard lock(mutex_);
  return may_use_files_;
}

void Link::close() {
  std::vector<std::unique_ptr<Connection>> ended;
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  ended.swap(idle_);
}

}  // namespace cairn::query::attach
