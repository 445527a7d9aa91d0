// One line on standard error, drawn over itself ten times a second and wiped out at the end;
// nothing where that is no terminal.
#include "tools/text/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace cairn::tools {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);

}  // namespace

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

void Progress::update(std::uint64_t done) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < redraw_interval) return;
  drawn_ = now;
  draw(done);
}

// Overwrites its line on standard error, so that results can be piped.
void Progress::draw(std::uint64_t done) {
  const double rate = static_cast<double>(done) / std::max(seconds(), 1e-3);
  std::fprintf(stderr, "\r\x1b[K%llu %s", static_cast<unsigned long long>(done), what_.c_str());
  if (total_ != 0)
    std::fprintf(stderr, " of %llu (%.0f %%)", static_cast<unsigned long long>(total_),
                 100.0 * static_cast<double>(done) / static_cast<double>(total_));
  std::fprintf(stderr, ", %.0f a second", rate);
  std::fflush(stderr);
}

}  // namespace cairn::tools
