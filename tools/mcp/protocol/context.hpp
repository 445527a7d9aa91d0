#pragma once
// Context: what a handler knows about its request, and what it can do while it runs.

#include "tools/mcp/protocol/answer.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// How a client speaks. Handlers rarely need it.
enum class Era : std::uint8_t {
  handshake,  ///< `initialize` first: 2024-11-05 to 2025-11-25
  stateless,  ///< each request names its client and what that can do: from 2026-07-28 on
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
  json::object client;        ///< name, version, ...; empty if the client does not say
  json::object capabilities;  ///< of the client
  json::object responses;     ///< to the questions of the previous round
  json::value state;          ///< of the previous round
  std::stop_token stop;
  std::function<void(const ProgressReport&)> on_progress;  ///< absent: the client wants none
  std::function<void(const LogReport&)> on_log;            ///< absent: the client wants none
};

/// One call of a handler. Used by the thread that runs the handler alone.
class Context {
 public:
  explicit Context(RequestInfo info);

  [[nodiscard]] Era era() const noexcept { return info_.era; }
  [[nodiscard]] const std::string& revision() const noexcept { return info_.revision; }
  [[nodiscard]] const json::value& request_id() const noexcept { return info_.id; }
  /// "claude-code"; empty if the client does not say. It is the client's word, no proof.
  [[nodiscard]] std::string client_name() const;
  [[nodiscard]] std::string client_version() const;

  /// True once nobody waits for the answer: the client cancelled the request or is gone. The answer is then dropped.
  [[nodiscard]] bool is_cancelled() const noexcept { return info_.stop.stop_requested(); }
  /// The same, for calls that take a token or a callback.
  [[nodiscard]] const std::stop_token& stop() const noexcept { return info_.stop; }

  /// Tell the client how far it is. Values must grow; others are left out, and so are reports while the client does not
  /// read. Cheap if the client did not ask.
  void progress(double done, std::optional<double> total = std::nullopt,
                std::string_view message = {});
  [[nodiscard]] bool wants_progress() const noexcept { return info_.on_progress != nullptr; }
  void log(LogLevel level, std::string_view text);
  void log(const LogReport& report);

  // What the client can be asked, see InputRequired.
  [[nodiscard]] bool can_elicit() const;
  [[nodiscard]] bool can_sample() const;
  [[nodiscard]] bool can_list_roots() const;

  /// The client's answer to the question of this key in the previous round; null: none yet, ask. It is input, to be checked.
  [[nodiscard]] const json::object* response(std::string_view key) const;
  /// What the user filled in; null: not asked yet, declined or dismissed.
  [[nodiscard]] const json::object* accepted(std::string_view key) const;
  /// The `state` of the InputRequired before, unchanged; null in the first round.
  [[nodiscard]] const json::value& state() const noexcept { return info_.state; }

 private:
  RequestInfo info_;
  std::optional<double> reported_;
};

}  // namespace cairn::tools::mcp
