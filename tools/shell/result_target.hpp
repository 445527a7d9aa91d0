#pragma once
// Where results go that are not shown: a file, or the input of a program.

#include "tools/text/descriptor_buffer.hpp"

#include <cairn/result.hpp>

#include <cstdio>
#include <memory>
#include <ostream>
#include <string>

namespace cairn::tools {

class ResultTarget {
 public:
  /// A file, which is rebuilt, or "|COMMAND" of sh. Errors: io_error.
  [[nodiscard]] static Result<std::unique_ptr<ResultTarget>> open(const std::string& name);
  ResultTarget(const ResultTarget&) = delete;
  ResultTarget& operator=(const ResultTarget&) = delete;
  ~ResultTarget();

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
  /// Then it may stop reading when it likes.
  [[nodiscard]] bool is_program() const;
  /// Write out what is held, and wait for the program. Errors: io_error where not all was taken.
  [[nodiscard]] Status close();

 private:
  ResultTarget(std::FILE* file, std::string name);

  std::FILE* file_;  // none once it is closed
  std::string name_;
  DescriptorBuffer buffer_;
  std::ostream stream_;
  void (*before_)(int) = nullptr;  // what a broken pipe did before there was a program
};

}  // namespace cairn::tools
