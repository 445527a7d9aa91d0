#pragma once
// What a database tells the program that embeds it: messages, and statements that took long.
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

enum class LogLevel : std::uint8_t { info, warning, error };

/// One message. Its texts are valid during the call only.
struct LogMessage {
  LogLevel level = LogLevel::info;
  std::string_view area;  ///< "open", "commit", "checkpoint", "expiry" and the like
  std::string_view text;  ///< one sentence, without a line break
};

/// Takes the messages of a database, from any of its threads, one at a time.
/// It should return soon, and must not call the database.
using LogSink = std::function<void(const LogMessage&)>;

/// A statement that ran longer than Options::slow_statement_after. Its text is valid during the call only.
struct SlowStatement {
  std::string_view text;                ///< without its parameters, which may be secret
  std::chrono::microseconds elapsed{};  ///< inside of the run and of Rows::next()
  std::uint64_t rows = 0;               ///< handed out
  bool failed = false;
};

/// Takes slow statements, on the thread that ran them, after their last row.
using SlowStatementHook = std::function<void(const SlowStatement&)>;

}  // namespace cairn
