// Opens and closes a listener. Its thread is in listener_thread.cpp.
#include "query/bolt/listener_impl.hpp"

#include "engine/database/access.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace cairn {

using query::bolt::ListeningSocket;
using query::bolt::TlsServer;

Result<std::unique_ptr<BoltListener::Impl>> BoltListener::Impl::prepare(
    Database& database, const BoltAddress& address, const BoltOptions& options) {
  CAIRN_TRY(database.snapshot());  // fails in a forked child, with the error that explains it
  auto opened = Access::share(Access::implementation(database).lock());
  std::optional<TlsServer> tls;
  if (options.tls) {
    CAIRN_ASSIGN(tls, TlsServer::load(*options.tls));
  }
  CAIRN_ASSIGN(ListeningSocket socket, query::bolt::listen_at(address, tls.has_value()));
  auto impl = std::make_unique<Impl>(std::move(opened), std::move(socket), options);
  impl->tls_ = std::move(tls);
  return impl;
}

Result<std::unique_ptr<BoltListener::Impl>> BoltListener::Impl::open(Database& database,
                                                                     const BoltAddress& address,
                                                                     const BoltOptions& options) {
  CAIRN_ASSIGN(auto impl, prepare(database, address, options));
  CAIRN_TRY(impl->start());
  return impl;
}

Result<std::unique_ptr<BoltListener::Impl>> BoltListener::Impl::open_for(
    Database& tokens, query::bolt::Tenants& tenants, const BoltAddress& address,
    const BoltOptions& options, const std::function<std::string(const BoltAddress&)>& announce) {
  CAIRN_ASSIGN(auto impl, prepare(tokens, address, options));
  impl->shared_.tenants = &tenants;
  impl->shared_.address = announce(impl->address());
  CAIRN_TRY(impl->start());
  return impl;
}

Result<std::unique_ptr<BoltListener::Impl>> BoltListener::Impl::open_in(
    const std::filesystem::path& directory, std::optional<gid_t> group,
    std::shared_ptr<Database> database, const BoltLimits& limits,
    query::bolt::AttachedCalls& attached, std::chrono::milliseconds closing_time) {
  CAIRN_ASSIGN(ListeningSocket socket, query::bolt::listen_in(directory, group));
  BoltOptions options;
  options.limits = limits;
  auto impl = std::make_unique<Impl>(std::move(database), std::move(socket), options, &attached);
  impl->closing_time_ = closing_time;
  impl->shared_.closing_event = impl->closing_.descriptor();
  CAIRN_TRY(impl->start());
  return impl;
}

BoltListener::Impl::Impl(std::shared_ptr<Database> database, ListeningSocket socket,
                         const BoltOptions& options, query::bolt::AttachedCalls* attached)
    : limits_(options.limits),
      on_statement_(options.on_statement),
      database_(std::move(database)),
      wrong_tokens_(limits_.wrong_tokens_a_minute),
      socket_(std::move(socket)),
      guard_(socket_.descriptor.value()),
      shared_{*database_, limits_, wrong_tokens_, socket_.address.text(), attached, on_statement_} {
}

// A forked child has no copy of the threads, so it must not wait for them. Therefore the child leaks the object:
// destroying a condition variable would wait for the threads that wait on it.
void BoltListener::Impl::let_go(std::unique_ptr<Impl> impl) noexcept {
  if (impl == nullptr || impl->process_.is_this()) return;
  impl->close();
  static_cast<void>(impl.release());
}

// A child closes its copies of the descriptors, so that the port belongs to its parent alone.
void BoltListener::Impl::close() {
  if (process_.is_this() && thread_.joinable()) {
    is_closing_.store(true);
    waker_.wake();
    thread_.join();
  }
  guard_ = engine::ForkGuard();
  socket_.descriptor = engine::FileDescriptor();
  poller_.close();
}

std::vector<std::string> BoltListener::Impl::peers() const {
  const std::lock_guard lock(peers_mutex_);
  return peers_;
}

// Registers the listening socket and the waker with epoll, then starts the thread.
Status BoltListener::Impl::start() {
  const auto failed = [this](const char* what) {
    return Error{ErrorCode::io_error, "cannot listen at " + address().text() + ": " + what, {}};
  };
  if (!waker_.is_open() || !closing_.is_open() || !poller_.is_open() ||
      !poller_.add(socket_.descriptor.value(), listening_number, EPOLLIN) ||
      !poller_.add(waker_.descriptor(), waker_number, EPOLLIN))
    return failed(std::strerror(errno));
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    return failed(error.what());
  }
  return {};
}

}  // namespace cairn
