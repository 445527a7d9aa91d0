// OpenSSL works on memory buffers only. If it wrote to a socket whose peer is gone, the process would get SIGPIPE.
//
//    client  <- encrypted ->  incoming | OpenSSL | outgoing     <- plain ->  connection
//
// One thread for each connection moves bytes in both directions without blocking, and polls both sockets when no bytes
// can move. Each direction buffers at most one piece of bytes, so a slow reader slows down the writer at the other
// side.
#include "query/bolt/tls.hpp"

#include "engine/system/fork_guard.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t piece_bytes = std::size_t{16} << 10U;  // the size of a TLS record
// How long the peer may take to read the last bytes.
constexpr std::chrono::milliseconds farewell_time{1'000};
constexpr std::size_t most_waiting_bytes = std::size_t{64} << 10U;

Error unusable(ErrorCode code, const char* what, const std::filesystem::path& file,
               const std::string& why) {
  return {code, std::string("cannot use the ") + what + " " + file.string() + ": " + why, {}};
}

Status check_readable(const char* what, const std::filesystem::path& file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem))
    return unusable(ErrorCode::io_error, what, file,
                    problem ? problem.message() : "it is not a file");
  return {};
}

// True for errors after which the call can simply be repeated later.
bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

std::string tls_reason() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* text = ERR_reason_error_string(code);
  return text == nullptr ? "it is malformed" : text;
}

// The thread's work. Only end(), has_ended() and failure() are called from other threads.
class TlsTunnel::Pump {
 public:
  Pump(SecureSession secure, engine::FileDescriptor client, engine::FileDescriptor plain)
      : secure_(std::move(secure)), client_(std::move(client)), plain_(std::move(plain)) {
    SSL_set_bio(secure_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  }

  // Closes both sockets at the end, so that both sides see the end of the stream.
  void run() noexcept {
    try {
      move_all();
    } catch (const std::bad_alloc&) {
      ERR_clear_error();  // only this connection ends
    }
    ERR_clear_error();
    static_cast<void>(::shutdown(client_.value(), SHUT_RDWR));
    static_cast<void>(::shutdown(plain_.value(), SHUT_RDWR));
    has_ended_.store(true);
  }

  /// Wakes the thread, which then sees the end of the stream.
  void end() noexcept { static_cast<void>(::shutdown(client_.value(), SHUT_RDWR)); }
  [[nodiscard]] bool has_ended() const noexcept { return has_ended_.load(); }
  [[nodiscard]] std::string failure() const {
    const std::lock_guard lock(failure_mutex_);
    return failure_;
  }

 private:
  /// Bytes on their way to one side, and how many have been passed on.
  struct Piece {
    std::string bytes;
    std::size_t done = 0;

    [[nodiscard]] bool empty() const { return done == bytes.size(); }
    [[nodiscard]] std::string_view rest() const { return std::string_view(bytes).substr(done); }
    void assign(const char* data, std::size_t size) {
      bytes.assign(data, size);
      done = 0;
    }
  };

  using Buffer = std::array<char, piece_bytes>;
  using Clock = std::chrono::steady_clock;

  // Alternates between both directions; waits only if neither made progress.
  void move_all() {
    while (!is_over_) {
      const bool has_come = move_in();
      const bool has_gone = move_out();
      if (!has_come && !has_gone && !is_over_) wait();
    }
  }

  /// Moves bytes from the client to the connection. Returns true if any progress was made.
  /// Receives more only after everything received is decrypted, so that few bytes stay in memory.
  bool move_in() {
    const bool has_come = to_plain_.empty() && (decrypt() || receive());
    const bool is_delivered = deliver();
    return has_come || is_delivered;
  }

  /// Alerts that OpenSSL produces wait in memory while the client reads nothing, so receiving stops at a limit.
  [[nodiscard]] bool may_receive() const {
    return !is_client_done_ && to_plain_.empty() &&
           BIO_ctrl_pending(SSL_get_wbio(secure_.get())) < most_waiting_bytes;
  }

  /// Receives bytes. Bytes after the client's TLS close are dropped.
  bool receive() {
    if (!may_receive()) return false;
    Buffer buffer;
    const ssize_t size = ::recv(client_.value(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size > 0) {
      if (!has_client_ended_)
        BIO_write(SSL_get_rbio(secure_.get()), buffer.data(), static_cast<int>(size));
      return true;
    }
    if (size < 0 && is_temporary(errno)) return false;
    is_client_done_ = true;
    return true;
  }

  // Decrypts the next bytes for the connection, and detects the end of the client's TLS.
  bool decrypt() {
    if (has_client_ended_) return false;
    Buffer buffer;
    ERR_clear_error();
    const int size = SSL_read(secure_.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (size > 0) {
      to_plain_.assign(buffer.data(), static_cast<std::size_t>(size));
      return true;
    }
    const int problem = SSL_get_error(secure_.get(), size);
    const bool wants_more = problem == SSL_ERROR_WANT_READ || problem == SSL_ERROR_WANT_WRITE;
    if (wants_more && !is_client_done_) return false;
    // The client has closed TLS, is gone, or does not speak TLS. The answer of OpenSSL is still sent.
    has_client_ended_ = true;
    if (problem == SSL_ERROR_SSL) note_failure();
    has_failed_ |= SSL_is_init_finished(secure_.get()) == 0;
    static_cast<void>(::shutdown(plain_.value(), SHUT_WR));
    return true;
  }

  // Stores the reason of a TLS failure, with the result of the certificate check.
  void note_failure() {
    has_failed_ = true;
    const long verified = SSL_get_verify_result(secure_.get());
    std::string why = tls_reason();
    const bool is_verified = SSL_get_verify_mode(secure_.get()) != SSL_VERIFY_NONE;
    if (is_verified && verified != X509_V_OK)
      why.append(" (").append(X509_verify_cert_error_string(verified)).append(")");
    const std::lock_guard lock(failure_mutex_);
    failure_ = std::move(why);
  }

  bool deliver() {
    return send(plain_.value(), to_plain_, [this] { is_over_ = true; });
  }

  /// Moves bytes from the connection to the client.
  bool move_out() {
    bool has_moved = false;
    if (to_client_.empty() && to_encrypt_.empty() && !is_plain_done_) has_moved |= fetch();
    if (!to_encrypt_.empty()) has_moved |= encrypt();
    has_moved |= collect();
    has_moved |= send(client_.value(), to_client_, [this] { is_over_ = true; });
    // After a failed handshake nothing can be encrypted, so plain bytes that wait are ignored.
    const bool is_sent = to_client_.empty() && (to_encrypt_.empty() || has_failed_);
    is_over_ |= is_sent && (has_failed_ || (has_client_ended_ && is_plain_done_));
    return has_moved;
  }

  // Reads plain bytes from the connection. At their end TLS is closed as well.
  bool fetch() {
    Buffer buffer;
    const ssize_t size = ::recv(plain_.value(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size > 0) {
      to_encrypt_.assign(buffer.data(), static_cast<std::size_t>(size));
      return true;
    }
    if (size < 0 && is_temporary(errno)) return false;
    is_plain_done_ = true;
    ends_at_ = Clock::now() + farewell_time;
    SSL_shutdown(secure_.get());
    return true;
  }

  /// Encrypts all waiting bytes once the handshake is done. The memory buffer has no limit, so SSL_write() takes
  /// everything.
  bool encrypt() {
    if (SSL_is_init_finished(secure_.get()) == 0) return false;
    ERR_clear_error();
    const std::string_view rest = to_encrypt_.rest();
    const int size = SSL_write(secure_.get(), rest.data(), static_cast<int>(rest.size()));
    if (size > 0) to_encrypt_.done += static_cast<std::size_t>(size);
    if (size <= 0) is_over_ = true;
    return size > 0;
  }

  // Takes encrypted bytes from OpenSSL.
  bool collect() {
    if (!to_client_.empty()) return false;
    Buffer buffer;
    const int size =
        BIO_read(SSL_get_wbio(secure_.get()), buffer.data(), static_cast<int>(buffer.size()));
    if (size > 0) to_client_.assign(buffer.data(), static_cast<std::size_t>(size));
    return size > 0;
  }

  /// Sends as much of a piece as the socket accepts. Calls `gone` if the peer has closed. Returns true if bytes were
  /// sent.
  template <class Gone>
  static bool send(int socket, Piece& piece, const Gone& gone) {
    if (piece.empty()) return false;
    const std::string_view rest = piece.rest();
    const ssize_t size = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) piece.done += static_cast<std::size_t>(size);
    if (size < 0 && !is_temporary(errno)) gone();
    return size > 0;
  }

  /// Waits until one of the sockets can make progress. poll() always reports a closed socket; the plain end, which may be
  /// closed already, is left out while bytes for the client are waiting.
  void wait() {
    const bool is_sent = to_client_.empty() && to_encrypt_.empty();
    const auto events = [](bool reads, bool writes) {
      return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
    };
    const short plain = events(!is_plain_done_ && is_sent, !to_plain_.empty());
    const bool asks_plain = plain != 0 || (is_plain_done_ && is_sent);
    pollfd sockets[2] = {{client_.value(), events(may_receive(), !to_client_.empty()), 0},
                         {asks_plain ? plain_.value() : -1, plain, 0}};
    static_cast<void>(::poll(sockets, 2, wait_time()));
    const auto has_ended = [](const pollfd& socket) {
      return (socket.revents & (POLLHUP | POLLERR)) != 0;
    };
    is_over_ |= has_ended(sockets[0]) || (is_plain_done_ && has_ended(sockets[1]));
    is_over_ |= is_plain_done_ && Clock::now() >= ends_at_;
  }

  /// In milliseconds; -1: without limit. After the plain end is done, the client gets farewell_time to read the rest.
  [[nodiscard]] int wait_time() const {
    if (!is_plain_done_) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(ends_at_ - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
  }

  const SecureSession secure_;
  const engine::FileDescriptor client_;
  const engine::FileDescriptor plain_;
  const engine::ForkGuard guard_{client_.value()};  // closes the socket in forked children
  Piece to_plain_, to_encrypt_, to_client_;
  bool is_client_done_ = false;    // the client's socket is closed
  bool has_client_ended_ = false;  // the client's TLS is closed
  // The connection has closed its end.
  bool is_plain_done_ = false;
  Clock::time_point ends_at_;  // set when the plain end is done
  bool has_failed_ = false;
  bool is_over_ = false;
  std::atomic<bool> has_ended_ = false;
  mutable std::mutex failure_mutex_;  // guards failure_
  std::string failure_;
};

TlsTunnel::TlsTunnel(SecureSession secure, engine::FileDescriptor client,
                     engine::FileDescriptor plain)
    : pump_(std::make_unique<Pump>(std::move(secure), std::move(client), std::move(plain))),
      thread_([this] { pump_->run(); }) {}

// The plain end is closed already, so the thread ends.
TlsTunnel::~TlsTunnel() { thread_.join(); }

void TlsTunnel::end() noexcept { pump_->end(); }

bool TlsTunnel::has_ended() const noexcept { return pump_->has_ended(); }

std::string TlsTunnel::failure() const { return pump_->failure(); }

// The files are tested first, so that an error names the file.
Result<TlsServer> TlsServer::load(const BoltTls& files) {
  CAIRN_TRY(check_readable("certificate", files.certificate));
  CAIRN_TRY(check_readable("key", files.key));
  ERR_clear_error();
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
  if (context == nullptr)
    return Error{ErrorCode::resource_limit, "TLS cannot be set up: " + tls_reason(), {}};
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // A key with a passphrase is refused, because the program cannot ask for the passphrase.
  SSL_CTX_set_default_passwd_cb(context.get(), [](char*, int, int, void*) { return 0; });
  if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1)
    return unusable(ErrorCode::invalid_argument, "certificate", files.certificate, tls_reason());
  if (SSL_CTX_use_PrivateKey_file(context.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    const bool is_of_another = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH;
    const std::string why = tls_reason();
    return unusable(ErrorCode::invalid_argument, "key", files.key,
                    is_of_another
                        ? "it does not belong to the certificate " + files.certificate.string()
                        : why);
  }
  return TlsServer(context);
}

// The tunnel's thread owns the network socket and one end of the socket pair.
Result<TlsEnds> make_tunnel(SecureSession secure, engine::FileDescriptor socket) {
  const auto refused = [](const std::string& why) {
    return Error{ErrorCode::resource_limit, "TLS cannot be set up: " + why, {}};
  };
  if (secure == nullptr) return refused(tls_reason());
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return refused(std::generic_category().message(errno));
  engine::FileDescriptor inner(ends[0]), outer(ends[1]);
  try {
    auto tunnel =
        std::make_unique<TlsTunnel>(std::move(secure), std::move(socket), std::move(inner));
    return TlsEnds{std::move(tunnel), std::move(outer)};
  } catch (const std::system_error& error) {
    return refused(error.what());
  }
}

Result<TlsEnds> TlsServer::wrap(engine::FileDescriptor client) const {
  SecureSession secure(SSL_new(context_.get()), &SSL_free);
  if (secure != nullptr) SSL_set_accept_state(secure.get());
  return make_tunnel(std::move(secure), std::move(client));
}

}  // namespace cairn::query::bolt
