#include "tools/shell/new_database.hpp"

#include "tools/text/cell_text.hpp"

#include <system_error>

namespace cairn::tools {

bool is_vacant(const std::filesystem::path& directory) {
  std::error_code problem;
  return !std::filesystem::exists(directory, problem) ||
         std::filesystem::is_empty(directory, problem);
}

std::string make_question(const std::string& path) {
  std::error_code problem;
  const bool exists = std::filesystem::exists(path, problem);
  return make_visible(path) + (exists ? " is empty" : " does not exist") +
         ". Make a new database? [y/N] ";
}

Error no_database(const std::string& path, bool is_refused) {
  const std::string way_out =
      is_refused ? ", and none was made"
                 : "; a statement that writes makes one, and so does cairn DB --create";
  return {ErrorCode::not_found, "there is no database " + make_visible(path) + way_out,
          std::nullopt};
}

}  // namespace cairn::tools
