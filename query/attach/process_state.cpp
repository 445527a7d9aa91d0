#include "query/attach/process_state.hpp"

#include <fstream>
#include <string>

namespace cairn::query::attach {

// In /proc/PID/stat the state is one letter after the name. The name is in brackets and may itself contain brackets, so
// the search begins at the last one.
ProcessState process_state(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (process <= 0 || !std::getline(file, line)) return ProcessState::absent;
  const auto name_end = line.rfind(')');
  const char state =
      name_end == std::string::npos || name_end + 2 >= line.size() ? ' ' : line[name_end + 2];
  if (state == 'Z' || state == 'X') return ProcessState::absent;
  return state == 'T' || state == 't' ? ProcessState::stopped : ProcessState::running;
}

}  // namespace cairn::query::attach
