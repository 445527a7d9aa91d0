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

StatementLog::StatementLog(int descriptor) : descriptor_(descriptor) {}

StatementLog::~StatementLog() { ::close(descriptor_); }

Result<std::unique_ptr<StatementLog>> StatementLog::open(const std::filesystem::path& file) {
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0) return std::unique_ptr<StatementLog>(new StatementLog(descriptor));
  return Error{
      ErrorCode::io_error,
      "cannot write statements to " + file.string() + ": " + std::generic_category().message(errno),
      std::nullopt};
}

// A line is written at once. Behind one that was cut, as on a full disk, the next begins on a new line.
void StatementLog::add(const BoltStatement& statement) {
  std::string line = line_of(statement);
  const std::lock_guard lock(mutex_);
  if (is_cut_) line.insert(0, 1, '\n');
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written > 0) is_cut_ = static_cast<std::size_t>(written) < line.size();
}

}  // namespace cairn::tools
