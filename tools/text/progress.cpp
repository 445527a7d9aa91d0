// One progress line on standard error, redrawn ten times per second and cleared at the end. Silent
// if standard error is not a terminal.
#include "tools/text/progress.hpp"

#include "tools/text/quantity.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace cairn::tools {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr std::size_t bar_width = 24;

/// "0:07", "12:30", "3:00:00"
std::string clock_text(double seconds) {
  constexpr double most = 999 * 3'600;
  const auto whole = static_cast<unsigned>(std::clamp(seconds, 0.0, most));
  std::array<char, 24> text{};
  if (whole < 3'600)
    std::snprintf(text.data(), text.size(), "%u:%02u", whole / 60, whole % 60);
  else
    std::snprintf(text.data(), text.size(), "%u:%02u:%02u", whole / 3'600, whole / 60 % 60,
                  whole % 60);
  return text.data();
}

}  // namespace

// The remaining time is estimated from the rate so far.
std::string progress_text(std::string_view what, const ProgressState& state) {
  const double seconds = std::max(state.seconds, 1e-3);
  const std::string rate =
      ", " + grouped(static_cast<std::uint64_t>(static_cast<double>(state.done) / seconds)) +
      " a second";
  const std::string count = grouped(state.done) + " " + std::string(what);
  if (state.total == 0) return count + rate;
  const double share =
      std::min(1.0, static_cast<double>(state.part) / static_cast<double>(state.total));
  const auto full = static_cast<std::size_t>(share * bar_width);
  const std::string bar = std::string(full, '#') + std::string(bar_width - full, '-');
  const std::string left =
      share > 0 ? ", " + clock_text(seconds * (1 - share) / share) + " left" : "";
  return count + " [" + bar + "] " + std::to_string(static_cast<int>(share * 100)) + " %" + rate +
         left;
}

Progress::Progress(std::string what, std::uint64_t total, bool enabled)
    : what_(std::move(what)),
      total_(total),
      enabled_(enabled && isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()),
      drawn_(begin_) {}

Progress::~Progress() {
  if (enabled_) std::fputs("\r\x1b[K", stderr);
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

// Uses standard error, so that results can be piped.
void Progress::update(std::uint64_t done, std::uint64_t part) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < redraw_interval) return;
  drawn_ = now;
  const std::string text = progress_text(what_, {done, part, total_, seconds()});
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  std::fflush(stderr);
}

}  // namespace cairn::tools
