// Serves one client by standard input and output. The calling thread reads lines, a pool of threads
// runs handlers, and the Outbox writes answers on a thread of its own, so that a client that does
// not read cannot block the server forever.
#include "tools/mcp/protocol/stdio_server.hpp"

#include "tools/mcp/protocol/calls.hpp"
#include "tools/mcp/protocol/machine.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/pending_changes.hpp"
#include "tools/mcp/protocol/worker_pool.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// An event that can be polled together with a file descriptor. wake() makes descriptor() readable
/// until clear().
class WakeUp {
 public:
  /// Throws std::system_error if the process has no descriptors left.
  WakeUp() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  ~WakeUp() { close(descriptor_); }

  /// Safe from any thread.
  void wake() noexcept {
    const std::uint64_t one = 1;
    // Fails only if the counter is full; the descriptor is readable then anyway.
    static_cast<void>(!write(descriptor_, &one, sizeof one));
  }
  void clear() noexcept {
    std::uint64_t times = 0;
    static_cast<void>(!read(descriptor_, &times, sizeof times));
  }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// The result of wait_for().
struct Readiness {
  bool is_ready = false;  ///< reading or writing will not block, but may fail
  bool is_woken = false;
};

/// Waits, without a timeout, until the descriptor has one of the poll() `events` or `wake_up` is
/// woken.
Readiness wait_for(int descriptor, short events, const WakeUp& wake_up) {
  std::array<pollfd, 2> polled{pollfd{descriptor, events, 0},
                               pollfd{wake_up.descriptor(), POLLIN, 0}};
  if (poll(polled.data(), polled.size(), -1) <= 0) return {};
  return {polled[0].revents != 0, polled[1].revents != 0};
}

/// Writes lines to a descriptor on a thread of its own. Stores at most `most_bytes`, plus the line
/// that exceeds that.
class Outbox {
 public:
  /// `on_failure` is called once, on that thread, if the client is gone.
  Outbox(int descriptor, std::size_t most_bytes, std::function<void()> on_failure);
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  /// Discards lines that are not written yet; see flush().
  ~Outbox();

  /// Adds a line, without its end. Waits while too many bytes are stored. Returns false if nothing
  /// can be written any more.
  bool put(std::string line);
  /// Adds an optional line, unless half of the capacity is in use.
  void offer(std::string line);
  /// Waits until everything is written, at most for `limit`.
  void flush(std::chrono::milliseconds limit);
  /// Discards lines that are not written yet, and ends all waits for capacity.
  void stop();
  /// True if the client no longer reads.
  [[nodiscard]] bool has_failed() const;

 private:
  void run();
  /// Returns false if the client is gone or the outbox ends.
  [[nodiscard]] bool write_line(std::string_view line);
  void fail();

  const int descriptor_;
  const std::size_t most_bytes_;
  const std::function<void()> on_failure_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;  ///< including the line that is being written
  bool has_failed_ = false;
  bool is_ending_ = false;
  WakeUp end_;
  std::thread thread_;
};

/// The bytes that a pipe takes without blocking when it is ready (PIPE_BUF of Linux). The
/// descriptor is not made non-blocking, because other processes may share it.
constexpr std::size_t most_written_bytes = 4'096;

/// Makes write() return an error if the client is gone, instead of a signal that ends the program.
void block_broken_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

Outbox::Outbox(int descriptor, std::size_t most_bytes, std::function<void()> on_failure)
    : descriptor_(descriptor),
      most_bytes_(most_bytes),
      on_failure_(std::move(on_failure)),
      thread_([this] { run(); }) {}

Outbox::~Outbox() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  end_.wake();
  thread_.join();
}

bool Outbox::put(std::string line) {
  line += '\n';
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_failed_ || bytes_ < most_bytes_; });
  if (has_failed_) return false;
  bytes_ += line.size();
  lines_.push_back(std::move(line));
  changed_.notify_all();
  return true;
}

void Outbox::offer(std::string line) {
  line += '\n';
  const std::scoped_lock lock(mutex_);
  if (has_failed_ || bytes_ >= most_bytes_ / 2) return;
  bytes_ += line.size();
  lines_.push_back(std::move(line));
  changed_.notify_all();
}

void Outbox::flush(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return has_failed_ || bytes_ == 0; });
}

void Outbox::stop() {
  const std::scoped_lock lock(mutex_);
  fail();
}

bool Outbox::has_failed() const {
  const std::scoped_lock lock(mutex_);
  return has_failed_;
}

void Outbox::run() {
  block_broken_pipe_signal();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !lines_.empty(); });
    if (is_ending_) return;
    const std::string line = std::move(lines_.front());
    lines_.pop_front();
    lock.unlock();
    const bool is_written = write_line(line);
    lock.lock();
    bytes_ -= std::min(bytes_, line.size());
    changed_.notify_all();
    if (is_written) continue;
    fail();
    lock.unlock();
    on_failure_();
    return;
  }
}

bool Outbox::write_line(std::string_view line) {
  while (!line.empty()) {
    const Readiness readiness = wait_for(descriptor_, POLLOUT, end_);
    if (readiness.is_woken) return false;
    if (!readiness.is_ready) continue;
    const ssize_t written =
        write(descriptor_, line.data(), std::min(line.size(), most_written_bytes));
    if (written >= 0) line.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
  }
  return true;
}

/// Ends all waits for capacity. Precondition: the lock is held.
void Outbox::fail() {
  has_failed_ = true;
  lines_.clear();
  bytes_ = 0;
  changed_.notify_all();
}

constexpr std::size_t read_bytes = std::size_t{64} << 10U;

/// One client: one thread reads, a pool of threads runs handlers, one thread writes.
class StdioConnection {
 public:
  StdioConnection(const ServerDefinition& server, const StdioOptions& options)
      : options_(options),
        machine_(server, signer_),
        changes_(server.changes.get(), [this] { wake_up_.wake(); }),
        lines_(options.most_message_bytes),
        outbox_(options.output, options.most_unread_bytes, [this] { wake_up_.wake(); }),
        workers_(options.workers) {}

  StdioEnd serve() {
    const StdioEnd end = read_all();
    if (end == StdioEnd::input_ended) workers_.wait_until_idle(options_.drain);
    {
      const std::scoped_lock lock(mutex_);
      machine_.stop();
    }
    outbox_.flush(options_.drain);
    const bool has_failed = outbox_.has_failed();
    outbox_.stop();
    return has_failed ? StdioEnd::output_failed : end;
  }

 private:
  StdioEnd read_all() {
    std::string buffer(read_bytes, '\0');
    while (!outbox_.has_failed()) {
      const Readiness readiness = wait_for(options_.input, POLLIN, wake_up_);
      if (readiness.is_woken) tell_changes();
      if (!readiness.is_ready) continue;
      const ssize_t bytes = read(options_.input, buffer.data(), buffer.size());
      if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (bytes < 0) return StdioEnd::input_failed;
      if (bytes == 0) {
        take_line(lines_.last());
        return StdioEnd::input_ended;
      }
      std::string_view unread(buffer.data(), static_cast<std::size_t>(bytes));
      while (auto line = lines_.next(unread)) take_line(std::move(line));
    }
    return StdioEnd::output_failed;
  }

  void take_line(std::optional<LineReader::Line> line) {
    if (!line || outbox_.has_failed()) return;
    workers_.wait_for_room(options_.most_waiting_calls, options_.most_waiting_bytes);
    Step step;
    {
      const std::scoped_lock lock(mutex_);
      if (line->is_too_long)
        Machine::refuse_long_line(options_.most_message_bytes, step);
      else
        machine_.receive(line->text, step);
    }
    deliver(std::move(step));
  }

  void tell_changes() {
    wake_up_.clear();
    if (outbox_.has_failed()) return;
    Step step;
    {
      const std::scoped_lock lock(mutex_);
      for (const Change& change : changes_.take()) machine_.change(change, step);
    }
    deliver(std::move(step));
  }

  void run_call(const Call& call) {
    Outcome outcome;
    // The outcome of a cancelled request is discarded, so the handler need not run.
    if (!call.info.stop.stop_requested()) {
      Context context(info_of(call));
      outcome = call.run(context);
    }
    Step step;
    {
      const std::scoped_lock lock(mutex_);
      machine_.finish(call.number, std::move(outcome), step);
    }
    deliver(std::move(step));
  }

  /// Adds the callbacks for progress and logs that the client wants. They are used while the call
  /// runs.
  RequestInfo info_of(const Call& call) {
    RequestInfo info = call.info;
    if (!call.progress_token.is_null())
      info.on_progress = [this, &call](const ProgressReport& report) {
        outbox_.offer(to_line(Machine::progress_message(call, report)));
      };
    if (call.log_level)
      info.on_log = [this, &call](const LogReport& message) {
        if (message.level >= *call.log_level) outbox_.offer(to_line(Machine::log_message(message)));
      };
    return info;
  }

  void deliver(Step step) {
    for (const Outgoing& outgoing : step.messages) outbox_.put(to_line(outgoing.message));
    for (Call& call : step.calls) {
      const std::size_t cost = call.cost;
      workers_.add([this, call = std::move(call)] { run_call(call); }, cost);
    }
  }

  const StdioOptions options_;
  StateSigner signer_;
  std::mutex mutex_;
  Machine machine_;
  WakeUp wake_up_;
  PendingChanges changes_;
  LineReader lines_;
  Outbox outbox_;
  WorkerPool workers_;
};

}  // namespace

StdioEnd serve_stdio(const ServerDefinition& server, const StdioOptions& options) {
  return StdioConnection(server, options).serve();
}

}  // namespace cairn::tools::mcp
