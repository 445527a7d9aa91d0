#include "tools/mcp/protocol/stdio_server.hpp"

#include "tools/mcp/protocol/line_reader.hpp"
#include "tools/mcp/protocol/machine.hpp"
#include "tools/mcp/protocol/outbox.hpp"
#include "tools/mcp/protocol/pending_changes.hpp"
#include "tools/mcp/protocol/wake_up.hpp"
#include "tools/mcp/protocol/worker_pool.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t read_bytes = std::size_t{64} << 10U;

/// One client: a thread reads, threads run handlers, a thread writes.
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
      const Readiness readiness = wait_for(options_.input, POLLIN, wake_up_, -1);
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
    // A request that was cancelled while it waited has no outcome that anybody sees.
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

  /// With the sinks that the client wants. They are used while the call runs.
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
