#pragma once
// StatementLog: what clients of a served database send, a line of JSON for each statement.

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <memory>
#include <mutex>

namespace cairn::tools {

/// Threads: any.
class StatementLog {
 public:
  /// Lines are added to what the file has; a new file is of mode 0600. Errors: io_error.
  [[nodiscard]] static Result<std::unique_ptr<StatementLog>> open(
      const std::filesystem::path& file);

  /// {"time", "client", "agent", "database", "statement", "parameters"}: of parameters the types, for their values may
  /// be private. Written at once; a line that cannot be written is left out.
  void add(const BoltStatement& statement);

  StatementLog(const StatementLog&) = delete;
  StatementLog& operator=(const StatementLog&) = delete;
  ~StatementLog();

 private:
  explicit StatementLog(int descriptor);

  const int descriptor_;
  std::mutex mutex_;     // guards is_cut_
  bool is_cut_ = false;  // the last line
};

}  // namespace cairn::tools
