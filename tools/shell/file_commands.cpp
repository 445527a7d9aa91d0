#include "tools/shell/file_commands.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

/// A program as it was typed, a path, or nothing for the output itself.
Result<std::string> target_in(const Arguments& arguments) {
  const std::string_view typed = arguments.typed();
  if (typed.starts_with('|')) return std::string(typed);
  CAIRN_ASSIGN(const auto words, split_words(typed));
  std::string path = path_in({typed, words});
  return path == "stdout" || path == "-" ? std::string() : std::move(path);
}

}  // namespace

Status read_file(Session& session, const Arguments& arguments) {
  return session.run_file(path_in(arguments));
}

Status output(Session& session, const Arguments& arguments) {
  CAIRN_ASSIGN(const std::string target, target_in(arguments));
  return session.redirect(target);
}

Status once(Session& session, const Arguments& arguments) {
  CAIRN_ASSIGN(const std::string target, target_in(arguments));
  return session.redirect(target, true);
}

Status change_directory(Session&, const Arguments& arguments) {
  const std::string path = arguments.empty() ? user_path("~") : path_in(arguments);
  std::error_code problem;
  std::filesystem::current_path(path, problem);
  if (!problem) return {};
  return Error{ErrorCode::io_error, path + ": " + problem.message(), std::nullopt};
}

}  // namespace cairn::tools
