// Opens the database at the address of a server, and refuses options that belong to the other kind of database.
#include "tools/command_line.hpp"

#include <cairn/database.hpp>
#include <cairn/remote.hpp>
#include <cairn/result.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

namespace cairn::tools {
namespace {

/// Returns the first word of the token file, or, without a file, the value of CAIRN_TOKEN. Returns
/// an empty token without both. Errors: io_error if the file has no token.
Result<std::string> read_token(const ShellCommand& command) {
  if (command.token_file.empty()) {
    const char* const token = std::getenv("CAIRN_TOKEN");
    return std::string(token == nullptr ? "" : token);
  }
  std::ifstream file(command.token_file);
  std::string token;
  if (file >> token) return token;
  return Error{ErrorCode::io_error, "cannot read a token from " + command.token_file, {}};
}

/// Refuses options for a directory if the database is a server.
Status check_remote(const ShellCommand& command) {
  const char* const option = command.read_only            ? "--read-only"
                             : command.create             ? "--create"
                             : !command.file_root.empty() ? "--file-root"
                             : !command.home.empty()      ? "--home"
                             : !command.embedder.empty()  ? "--embedder"
                                                          : nullptr;
  if (option == nullptr) return {};
  return Error{
      ErrorCode::invalid_argument,
      std::string(option) +
          " is for a directory, not for a server, where the role of the token decides what is "
          "allowed",
      {}};
}

}  // namespace

Status check_local(const CommandLine& line, const ShellCommand& command) {
  const char* const option = !command.token_file.empty()    ? "--token-file"
                             : !command.authorities.empty() ? "--tls-ca"
                                                            : nullptr;
  if (option == nullptr || is_remote_address(line.database)) return {};
  return Error{ErrorCode::invalid_argument,
               std::string(option) +
                   " is for the address of a server, such as bolt+s://HOST:PORT, but " +
                   line.database + " is a directory",
               {}};
}

Result<Database> open_address(const CommandLine& line, const ShellCommand& command) {
  CAIRN_TRY(check_remote(command));
  RemoteOptions options;
  options.authorities = command.authorities;
  CAIRN_ASSIGN(options.token, read_token(command));
  return open_remote(line.database, options);
}

}  // namespace cairn::tools
