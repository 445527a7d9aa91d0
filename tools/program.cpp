#include "tools/program.hpp"

#include "tools/text/standard_output.hpp"

#include <csignal>
#include <iostream>

namespace cairn::tools {

int exit_status(const Status& status) {
  if (status) return 0;
  if (!status.error().message.empty())
    std::cerr << "error (" << to_string(status.error().code) << "): " << status.error().message
              << "\n";
  // Only an interrupt cancels a command; 130 is the status of a program that an interrupt ended.
  constexpr int interrupted = 130;
  return status.error().code == ErrorCode::cancelled ? interrupted : 1;
}

int run_main(int argc, char** argv, int (*work)(int, char**)) {
  // Without this signal, a write beyond the limit on file sizes (`ulimit -f`) returns an error.
  std::signal(SIGXFSZ, SIG_IGN);
  StandardOutput output;
  const int status = work(argc, argv);
  const auto failure = output.finish();
  if (!failure) return status;
  std::cerr << "error (io_error): standard output: " << *failure << "\n";
  return 1;
}

}  // namespace cairn::tools
