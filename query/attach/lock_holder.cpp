#include "query/attach/lock_holder.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace cairn::query::attach {

// The line has the process id, and also the id of the database unless the holder is opening or
// closing the database.
LockHolder lock_holder(const std::filesystem::path& directory) {
  std::ifstream file(directory / "LOCK");
  std::string line, database;
  std::getline(file, line);
  std::istringstream words(line);
  LockHolder holder;
  if (!(words >> holder.process)) return {};
  holder.is_changing = !(words >> database);
  return holder;
}

}  // namespace cairn::query::attach
