#pragma once
// Context: information about a handler's request, and what the handler can do while it runs.

#include "tools/mcp/protocol/answer.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// How a client identifies itself. Handlers rarely need it.
enum class Era : std::uint8_t {
  handshake,  ///< `initialize` first: 2024-11-05 to 2025-11-25
  stateless,  ///< each request describes its client: since 2026-07-28
};

struct ProgressReport {
  double done = 0;
  std::optional<double> total;
  std::string message;
};

/// The parts of a context. A test of a handler fills in what it needs.
struct RequestInfo {
  Era era = Era::stateless;
  std::string revision = "2026-07-28";
  json::value id;             ///< string or integer
  json::object client;        ///< name, version, ...; empty if not given
  json::object capabilities;  ///< of the client
  json::object responses;     ///< answers to the questions of the previous round
  json::value state;          ///< of the previous round
  std::stop_token stop;
  std::function<void(const ProgressReport&)> on_progress;  ///< absent: no progress requested
  std::function<void(const LogReport&)> on_log;            ///< absent: no logs requested
};

/// One call of a handler. Only the thread that runs the handler may use it.
class Context {
 public:
  explicit Context(RequestInfo info);

  [[nodiscard]] Era era() const noexcept { return info_.era; }
  [[nodiscard]] const std::string& revision() const noexcept { return info_.revision; }
  [[nodiscard]] const json::value& request_id() const noexcept { return info_.id; }
  /// For example "claude-code"; empty if not given. It is what the client claims, without proof.
  [[nodiscard]] std::string client_name() const;
  [[nodiscard]] std::string client_version() const;

  /// True if the client has cancelled the request or disconnected. The result will be discarded.
  [[nodiscard]] bool is_cancelled() const noexcept { return info_.stop.stop_requested(); }
  /// The same condition as a token, for calls that take one.
  [[nodiscard]] const std::stop_token& stop() const noexcept { return info_.stop; }

  /// Reports progress to the client. Values must grow; others are skipped, and so are reports while
  /// the client does not read. Cheap if the client requested no progress.
  void progress(double done, std::optional<double> total = std::nullopt,
                std::string_view message = {});
  [[nodiscard]] bool wants_progress() const noexcept { return info_.on_progress != nullptr; }
  void log(LogLevel level, std::string_view text);
  void log(const LogReport& report);

  // Which questions the client can be asked, see InputRequired.
  [[nodiscard]] bool can_elicit() const;
  [[nodiscard]] bool can_sample() const;
  [[nodiscard]] bool can_list_roots() const;

  /// Returns the client's answer to the question with this key in the previous round; nullptr: not
  /// answered, so ask. The answer is input and must be checked.
  [[nodiscard]] const json::object* response(std::string_view key) const;
  /// Returns what the user entered; nullptr: not asked yet, declined or dismissed.
  [[nodiscard]] const json::object* accepted(std::string_view key) const;
  /// Returns the `state` of the previous InputRequired, unchanged; null in the first round.
  [[nodiscard]] const json::value& state() const noexcept { return info_.state; }

 private:
  RequestInfo info_;
  std::optional<double> reported_;
};

}  // namespace cairn::tools::mcp
