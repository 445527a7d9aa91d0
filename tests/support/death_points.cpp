// Compiled with the calls of disk_calls.cpp, and a bind() of its own, in front of the C library's.
#include "tests/support/death_points.hpp"

#include "tests/engine/disk/disk_calls.hpp"

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace {

/// How often bind() may still be called for the socket of a database; none: as often as wanted.
std::atomic<unsigned long long> binds_left = 0;

}  // namespace

extern "C" int bind(int socket, const sockaddr* address, socklen_t size) noexcept {
  using Bind = int(int, const sockaddr*, socklen_t);
  static auto* const real = reinterpret_cast<Bind*>(::dlsym(RTLD_NEXT, "bind"));
  if (address->sa_family == AF_UNIX && binds_left != 0 && --binds_left == 0)
    ::kill(::getpid(), SIGKILL);
  return real(socket, address, size);
}

namespace cairn::test {
namespace {

using Kind = DiskCall::Kind;

bool is_log(const DiskCall& call) { return call.path.ends_with(".log"); }

struct Point {
  std::string_view name;
  bool is_before;  ///< the call
  bool (*is_at)(const DiskCall& call);
};

constexpr std::array points = {
    Point{"before_write", true,
          [](const DiskCall& call) { return call.kind == Kind::write && is_log(call); }},
    Point{"after_write", false,
          [](const DiskCall& call) { return call.kind == Kind::write && is_log(call); }},
    Point{"before_answer", false,
          [](const DiskCall& call) { return call.kind == Kind::sync && is_log(call); }},
    Point{"opening", true,
          [](const DiskCall& call) {
            return call.kind == Kind::rename && call.other.ends_with("/COMMIT");
          }},
    Point{"naming", true,
          [](const DiskCall& call) {
            return call.kind == Kind::rename && call.other.ends_with("/HOST");
          }},
    Point{"handing_over", true,
          [](const DiskCall& call) {
            return call.kind == Kind::unlink && call.path.ends_with("/HOST");
          }},
};

class Death final : public DiskWatcher {
 public:
  Death(const Point& point, unsigned long long count) : point_(point), left_(count) {}
  int before(const DiskCall& call) override {
    if (point_.is_before) count(call);
    return 0;
  }
  void after(const DiskCall& call) override {
    if (!point_.is_before) count(call);
  }

 private:
  void count(const DiskCall& call) {
    if (point_.is_at(call) && --left_ == 0) ::kill(::getpid(), SIGKILL);
  }

  const Point point_;
  unsigned long long left_;
};

}  // namespace

bool die_at(std::string_view point, unsigned long long count,
            const std::filesystem::path& database) {
  if (point == "binding") {
    binds_left = count;
    return true;
  }
  for (const Point& one : points) {
    if (one.name != point) continue;
    static Death* const death = new Death(one, count);  // files are closed until the very end
    watch_disk(database, death);
    return true;
  }
  return false;
}

}  // namespace cairn::test
