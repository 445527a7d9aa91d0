#include "tests/tools/cluster/node_process.hpp"

#include "engine/home/object_store.hpp"
#include "tests/support/graph_builder.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace cairn::test {
namespace {

using query::bolt::Tag;

/// The address behind a mark in the line that the program writes.
BoltAddress address_in(const std::string& line, const std::string& mark) {
  const std::size_t begin = line.find(mark);
  if (begin == std::string::npos) throw std::runtime_error("the node says: " + line);
  const std::size_t from = begin + mark.size();
  return must(BoltAddress::parse(line.substr(from, line.find_first_of(",/ ", from) - from)));
}

std::string read_line(int descriptor) {
  std::string line;
  for (char c = 0; ::read(descriptor, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

}  // namespace

NodeProcess::NodeProcess(const std::string& directory, const std::string& store,
                         const std::vector<std::string>& more) {
  std::vector<std::string> words{CAIRN_PROGRAM, "serve",  directory,    "--home",
                                 store,         "--bolt", "127.0.0.1:0"};
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  id_ = ::fork();
  if (id_ == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execv(CAIRN_PROGRAM, arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  output_ = ends[0];
  const std::string line = read_line(output_);
  bolt_ = address_in(line, "neo4j://");
  health_ = address_in(line, "http://");
}

void NodeProcess::signal(int number) const {
  if (id_ > 0) ::kill(id_, number);
}

int NodeProcess::end() {
  if (id_ <= 0) return -1;
  int status = 0;
  ::waitpid(id_, &status, 0);
  id_ = 0;
  ::close(output_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 4'096> room{};
  while (std::fgets(room.data(), room.size(), pipe) != nullptr) text += room.data();
  ::pclose(pipe);
  return text;
}

ClusterFixture::ClusterFixture() {
  const char* const outside = std::getenv("CAIRN_TEST_STORE");
  if (outside != nullptr) store = outside + must(engine::random_object_name("/cluster-"));
  std::string command = CAIRN_PROGRAM;
  command.append(" token create ").append(store);
  command.append(" all --role admin --namespace '*' 2>/dev/null");
  secret = output_of(command);
  if (secret.empty()) throw std::runtime_error("no token was made");
  secret.pop_back();
}

NodeClient::NodeClient(const BoltAddress& node, const std::string& secret) : socket_(node) {
  if (!socket_.log_on(secret)) throw std::runtime_error("cannot log on");
}

std::optional<std::string> NodeClient::run(const std::string& text, const std::string& name_space,
                                           const std::string& request_id) {
  Map extra{{"db", name_space}};
  if (!request_id.empty()) extra.emplace("tx_metadata", Map{{"cairn_request_id", request_id}});
  if (!socket_.send_request(Tag::run, {text, Map(), extra}) ||
      !socket_.send_request(Tag::pull, {Map{{"n", -1}}}))
    return std::nullopt;
  const auto started = socket_.answer();
  if (!started) return std::nullopt;
  std::string rows;
  for (auto answer = socket_.answer();; answer = socket_.answer()) {
    if (!answer) return std::nullopt;
    if (answer->tag == Tag::record) {
      rows += (rows.empty() ? "" : "; ") + answer->content.to_text();
      continue;
    }
    if (answer->tag == Tag::success) return rows;
    const BoltAnswer& failure = started->tag == Tag::failure ? *started : *answer;
    if (!socket_.send_request(Tag::reset) || !socket_.answer()) return std::nullopt;
    return failure_text(failure);
  }
}

std::uint16_t NodeClient::route(const std::string& name_space) {
  const BoltAnswer answer = socket_.ask(Tag::route, {Map(), List(), Map{{"db", name_space}}});
  const Map* const table = answer["rt"].map();
  if (table == nullptr) throw std::runtime_error("no routing table: " + failure_text(answer));
  for (const Value& server : table->at("servers").as_list())
    if (server.as_map().at("role") == Value("WRITE"))
      return must(BoltAddress::parse(server.as_map().at("addresses").as_list()[0].as_string()))
          .port;
  throw std::runtime_error("the routing table has no server for writing");
}

}  // namespace cairn::test
