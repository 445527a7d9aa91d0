#pragma once
// Messages of a database for the program that embeds it, and reports of slow statements.
//
//     Options options;
//     options.log = [](const LogMessage& message) { std::cerr << message.text << "\n"; };
//     options.slow_statement = [](const SlowStatement& slow) { std::cerr << slow.text << "\n"; };

#include <cairn/visibility.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace cairn {

/// How serious a message is. A warning asks for attention; an error says that something failed.
enum class LogLevel : std::uint8_t { info, warning, error };

/// One message. Its texts are only valid during the call.
struct LogMessage {
  LogLevel level = LogLevel::info;
  std::string_view area;  ///< "open", "commit", "checkpoint", "expiry" and others
  std::string_view text;  ///< one sentence, without a line break
};

/// Receives the messages of a database, from any of its threads, one at a time. It should return
/// quickly, and must not call the database.
using LogSink = std::function<void(const LogMessage&)>;

/// A statement that ran longer than Options::slow_statement_after. Its text is only valid during
/// the call.
struct SlowStatement {
  std::string_view text;                ///< without its parameters, which may be confidential
  std::chrono::microseconds elapsed{};  ///< time in the run and in Rows::next()
  std::uint64_t rows = 0;               ///< number of rows returned
  bool failed = false;                  ///< true if it ended with an error
};

/// Receives slow statements, on the thread that ran them, after their last row.
using SlowStatementHook = std::function<void(const SlowStatement&)>;

}  // namespace cairn
