#include "engine/telemetry/messages.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace cairn::engine {
namespace {

/// While it lives this thread is inside of a sink.
class Telling {
 public:
  Telling() { is_telling_ = true; }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;
  ~Telling() { is_telling_ = false; }
  [[nodiscard]] static bool is_on() noexcept { return is_telling_; }

 private:
  static thread_local bool is_telling_;
};
thread_local bool Telling::is_telling_ = false;

}  // namespace

void Messages::tell(LogLevel level, std::string_view area, std::string text) noexcept {
  if (!sink_ || Telling::is_on()) return;
  // Messages of the store and of the system may have several lines.
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  try {
    const std::lock_guard one_at_a_time(mutex_);
    const Telling telling;
    sink_({level, area, text});
  } catch (...) {
    // The program's own mistake, which must not become one of the database.
  }
}

std::string duration_text(std::chrono::steady_clock::duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  std::array<char, 48> text{};
  if (seconds < 1)
    std::snprintf(text.data(), text.size(), "%.1f ms", seconds * 1'000);
  else
    std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  return text.data();
}

}  // namespace cairn::engine
