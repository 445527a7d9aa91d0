#include "tests/support/host_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>
#include <vector>

extern char** environ;

namespace cairn::test {
namespace {

template <class T>
void add_number(std::vector<std::string>& words, const char* name, T value, T usual) {
  if (value == usual) return;
  std::string word = name;
  word.append("=").append(std::to_string(value));
  words.push_back(std::move(word));
}

std::vector<std::string> words_of(const std::filesystem::path& database, const Options& options) {
  const Options usual;
  std::vector<std::string> words{CAIRN_ATTACH_HOST, database.string()};
  const auto size = [&](const char* name, std::size_t Options::*option) {
    add_number(words, name, options.*option, usual.*option);
  };
  const auto time = [&](const char* name, std::chrono::milliseconds Options::*option) {
    add_number(words, name, (options.*option).count(), (usual.*option).count());
  };
  size("memory_bytes", &Options::memory_bytes);
  size("vector_memory_bytes", &Options::vector_memory_bytes);
  size("transaction_bytes", &Options::transaction_bytes);
  size("max_paths", &Options::max_paths);
  size("max_key_bytes", &Options::max_key_bytes);
  size("max_value_bytes", &Options::max_value_bytes);
  size("max_list_items", &Options::max_list_items);
  time("attach_timeout", &Options::attach_timeout);
  time("writer_timeout", &Options::writer_timeout);
  time("writer_idle_limit", &Options::writer_idle_limit);
  time("expiry_interval", &Options::expiry_interval);
  add_number(words, "max_nesting_levels", options.max_nesting_levels, usual.max_nesting_levels);
  if (options.durability == Durability::async) words.emplace_back("async=1");
  if (!options.file_root.empty()) words.push_back("file_root=" + options.file_root.string());
  return words;
}

}  // namespace

HostProcess::HostProcess(const std::filesystem::path& database, const Options& options,
                         const std::vector<std::string>& more) {
  int input[2];
  int output[2];
  if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::vector<std::string> words = words_of(database, options);
  words.insert(words.end(), more.begin(), more.end());
  if (std::ranges::any_of(more, [](const auto& word) { return word.starts_with("dies_at="); }))
    words.front() = CAIRN_DYING_HOST;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed =
      ::posix_spawn(&id_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  input_ = input[1];
  if (failed == 0)
    for (char byte = 0; ::read(output[0], &byte, 1) == 1 && byte != '\n';) role_ += byte;
  ::close(output[0]);
  if (!role_.empty() && !role_.starts_with("failed")) return;
  end();
  throw std::runtime_error("the other process: " + role_);
}

int HostProcess::wait() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  ::close(std::exchange(input_, -1));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int HostProcess::end() {
  if (id_ == 0) return 0;
  ::close(std::exchange(input_, -1));
  signal(SIGCONT);
  return wait();
}

void HostProcess::kill() {
  if (id_ == 0) return;
  signal(SIGKILL);
  wait();
}

void HostProcess::signal(int number) const {
  if (id_ != 0) ::kill(id_, number);
}

}  // namespace cairn::test
