#include "tools/serve/statement_log.hpp"

#include <cairn/json.hpp>
#include <cairn/value.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>

namespace cairn::tools {
namespace {

Value time_now() {
  using namespace std::chrono;
  const auto since = system_clock::now().time_since_epoch();
  const auto whole = duration_cast<seconds>(since);
  const auto rest = duration_cast<nanoseconds>(since - whole);
  return DateTime{whole.count(), static_cast<std::int32_t>(rest.count()), 0, ""};
}

Map types_of(const Parameters& parameters) {
  Map types;
  for (const auto& [name, value] : parameters) types.emplace(name, to_string(value.type()));
  return types;
}

std::string line_of(const BoltStatement& statement) {
  return to_json(Map{{"time", time_now()},
                     {"client", statement.client},
                     {"agent", statement.agent},
                     {"database", statement.name_space},
                     {"statement", statement.text},
                     {"parameters", types_of(statement.parameters)}}) +
         "\n";
}

}  // namespace

Result<std::unique_ptr<StatementLog>> StatementLog::open(const std::filesystem::path& file) {
  // The stream would make a new file readable for others.
  const int made =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const int problem = errno;
  if (made >= 0) ::close(made);
  std::unique_ptr<StatementLog> log(new StatementLog());
  if (made >= 0) log->out_.open(file, std::ios::app | std::ios::binary);
  if (log->out_.is_open()) return log;
  return Error{ErrorCode::io_error,
               "cannot write statements to " + file.string() + ": " +
                   std::generic_category().message(problem),
               std::nullopt};
}

void StatementLog::add(const BoltStatement& statement) {
  const std::string line = line_of(statement);
  const std::lock_guard lock(mutex_);
  out_ << line << std::flush;
  out_.clear();
}

}  // namespace cairn::tools
