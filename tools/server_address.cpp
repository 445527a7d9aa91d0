// Opens the database at the address of a server, and refuses options that belong to the other kind of database.
#include "tools/command_line.hpp"
#include "tools/shell/command_words.hpp"
#include "tools/text/cell_text.hpp"

#include <cairn/database.hpp>
#include <cairn/remote.hpp>
#include <cairn/result.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

Error no_token(const std::string& why) {
  return {ErrorCode::io_error, "--token-file: " + why, std::nullopt};
}

/// Returns the first word of the token file, or, without a file, the value of CAIRN_TOKEN. Returns
/// an empty token without both. Errors: io_error if the file has no token.
Result<std::string> read_token(const ShellCommand& command) {
  if (command.token_file.empty()) {
    const char* const token = std::getenv("CAIRN_TOKEN");
    return std::string(token == nullptr ? "" : token);
  }
  const std::string name = make_visible(command.token_file);
  std::error_code problem;
  if (std::filesystem::is_directory(command.token_file, problem))
    return no_token(name + " is a directory; name the file of the token");
  errno = 0;
  std::ifstream file(command.token_file);
  if (!file) return no_token("cannot open " + name + ": " + std::generic_category().message(errno));
  std::string token;
  if (file >> token) return token;
  return no_token(name + " is empty; `cairn token create DB NAME` prints a token for it");
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
  auto opened = open_remote(line.database, options);
  if (opened) return opened;
  Error error = std::move(opened).error();
  error.message = user_words(std::move(error.message), false);
  return error;
}

}  // namespace cairn::tools
