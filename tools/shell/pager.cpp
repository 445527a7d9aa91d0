// Buffers output until it has more lines than the terminal, then starts the pager. `less -F` does
// the same, but other pagers do not.
#include "tools/shell/pager.hpp"

#include "tools/text/cell_text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string_view>

namespace cairn::tools {
namespace {

winsize terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) size.ws_row = 24;
  if (size.ws_col == 0) size.ws_col = 80;
  return size;
}

}  // namespace

class PagedOutput::Buffer final : public std::streambuf {
 public:
  explicit Buffer(std::string command)
      : command_(std::move(command)),
        size_(terminal_size()),
        out_(std::cout.rdbuf(this)),
        err_(isatty(STDERR_FILENO) == 1 ? std::cerr.rdbuf(this) : nullptr) {}

  ~Buffer() override {
    finish();
    std::cout.rdbuf(out_);
    if (err_ != nullptr) std::cerr.rdbuf(err_);
    if (!is_left_) return;
    std::cout.clear();
    std::cerr.clear();
  }

  [[nodiscard]] bool is_left() const { return is_left_; }

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char byte = traits_type::to_char_type(c);
    return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
  }

  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::string_view piece(text, static_cast<std::size_t>(size));
    if (pager_ != nullptr) return give(piece) ? size : 0;
    if (is_plain_) return out_->sputn(text, size);
    held_ += piece;
    count_lines();
    if (lines_ < size_.ws_row) return size;
    start();
    return is_left_ ? 0 : size;
  }

 private:
  /// Counts screen lines: a line wider than the terminal takes several.
  void count_lines() {
    for (std::size_t end; (end = held_.find('\n', counted_)) != std::string::npos;) {
      const std::string_view line = std::string_view(held_).substr(counted_, end - counted_);
      const std::size_t columns = std::max<std::size_t>(size_.ws_col, 1);
      lines_ += (std::max<std::size_t>(display_width(line), 1) + columns - 1) / columns;
      counted_ = end + 1;
    }
  }

  /// Starts the pager. SIGPIPE is ignored, because the pipe breaks when the user leaves the pager.
  void start() {
    std::cout.rdbuf(out_);
    if (can_start_pager(command_)) {
      out_->pubsync();
      pager_ = popen(command_.c_str(), "we");
    }
    std::cout.rdbuf(this);
    if (pager_ != nullptr) {
      before_ = std::signal(SIGPIPE, SIG_IGN);
      give(held_);
    } else {
      is_plain_ = true;
      held_.insert(0, "the pager " + make_visible(command_) +
                          " cannot be started: .pager COMMAND sets another one, and .pager off "
                          "disables it\n");
      out_->sputn(held_.data(), static_cast<std::streamsize>(held_.size()));
    }
    held_.clear();
  }

  bool give(std::string_view piece) {
    is_left_ = is_left_ || std::fwrite(piece.data(), 1, piece.size(), pager_) != piece.size();
    return !is_left_;
  }

  void finish() {
    if (pager_ != nullptr) {
      is_left_ = std::fflush(pager_) != 0 || is_left_;
      pclose(pager_);
      std::signal(SIGPIPE, before_);
    } else {
      out_->sputn(held_.data(), static_cast<std::streamsize>(held_.size()));
      out_->pubsync();
    }
  }

  std::string command_;
  winsize size_;
  std::streambuf* out_;  // of the terminal
  std::streambuf* err_;
  std::string held_;
  std::size_t counted_ = 0;  // bytes up to the last complete line
  std::size_t lines_ = 0;    // screen lines of these bytes
  std::FILE* pager_ = nullptr;
  void (*before_)(int) = SIG_DFL;
  bool is_plain_ = false;  // no pager is used
  bool is_left_ = false;
};

bool can_start_pager(const std::string& command) {
  std::istringstream words(command);
  std::string program;
  words >> program;
  if (program.starts_with('/')) return access(program.c_str(), X_OK) == 0;
  if (program.find_first_of("/=$~'\"(") != std::string::npos) return true;
  const char* path = std::getenv("PATH");
  std::istringstream directories(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (access((std::filesystem::path(directory) / program).c_str(), X_OK) == 0) return true;
  return false;
}

PagedOutput::PagedOutput(const std::string& command) {
  if (!command.empty() && isatty(STDOUT_FILENO) == 1) buffer_ = std::make_unique<Buffer>(command);
}

PagedOutput::~PagedOutput() = default;

bool PagedOutput::was_left() const { return buffer_ != nullptr && buffer_->is_left(); }

}  // namespace cairn::tools
