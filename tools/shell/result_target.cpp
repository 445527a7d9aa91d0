// A program that ends early breaks its pipe, which is no end of ours.
#include "tools/shell/result_target.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

namespace cairn::tools {
namespace {

bool names_program(const std::string& name) { return name.starts_with('|'); }

Error target_error(const std::string& name, const std::string& problem) {
  return {ErrorCode::io_error, name + " " + problem, std::nullopt};
}

}  // namespace

Result<std::unique_ptr<ResultTarget>> ResultTarget::open(const std::string& name) {
  std::FILE* file =
      names_program(name) ? popen(name.c_str() + 1, "we") : std::fopen(name.c_str(), "wbe");
  if (file == nullptr)
    return target_error(name, std::string("cannot be written: ") + std::strerror(errno) +
                                  "; results are shown here");
  return std::unique_ptr<ResultTarget>(new ResultTarget(file, name));
}

ResultTarget::ResultTarget(std::FILE* file, std::string name)
    : file_(file), name_(std::move(name)), buffer_(fileno(file)), stream_(&buffer_) {
  if (is_program()) before_ = std::signal(SIGPIPE, SIG_IGN);
}

bool ResultTarget::is_program() const { return names_program(name_); }

ResultTarget::~ResultTarget() { static_cast<void>(close()); }

Status ResultTarget::close() {
  if (file_ == nullptr) return {};
  const int failure = buffer_.finish();
  std::FILE* const file = std::exchange(file_, nullptr);
  if (is_program()) {
    const int status = pclose(file);
    std::signal(SIGPIPE, before_);
    // One that read no further has what it wanted, as head has.
    if (status == 0 || failure == EPIPE) return {};
    return target_error(name_, WIFEXITED(status)
                                   ? "ended with status " + std::to_string(WEXITSTATUS(status))
                                   : std::string("was ended by a signal"));
  }
  if (std::fclose(file) == 0 && failure == 0) return {};
  return target_error(name_, std::string("did not take all results: ") + std::strerror(failure));
}

}  // namespace cairn::tools
