#include "tests/tools/cluster/append_client.hpp"

#include "tests/support/graph_builder.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t lists_of_tenant = 8;
// Each element is also a record of its own, in the same transaction.
constexpr const char* append_text =
    "MERGE (l:L {k: $k}) SET l.v = coalesce(l.v, []) + [$n] CREATE (:E {k: $k, n: $n}) RETURN l.v";
constexpr const char* read_text =
    "OPTIONAL MATCH (l:L {k: $k}) OPTIONAL MATCH (e:E {k: $k}) RETURN l.v, count(e)";
/// Without demands, an owner answers reads for so long after it has seen that it owns the home.
constexpr milliseconds vouching_time{2'000};
/// An element with a request id is given up after this time.
constexpr std::chrono::seconds patience{60};

Elements elements_of(const Value& cell) {
  Elements elements;
  if (const List* const list = cell.list())
    for (const Value& each : *list) elements.push_back(each.as_integer());
  return elements;
}

std::string tenant_of(const std::string& list) { return list.substr(0, list.find('/')); }
std::string key_of(const std::string& list) { return list.substr(list.find('/') + 1); }

}  // namespace

std::unique_ptr<SocketClient> AppendClient::connect(const BoltAddress& place) const {
  auto socket = std::make_unique<SocketClient>(place);
  if (!socket->log_on(secret_)) throw std::runtime_error("cannot log on");
  return socket;
}

BoltAddress AppendClient::owner_of(const std::string& tenant) {
  const auto asked = connect(nodes_.place(random_()));
  const BoltAnswer answer = asked->ask(Tag::route, {Map(), List(), Map{{"db", tenant}}});
  const Map* const table = answer["rt"].map();
  if (table == nullptr) throw std::runtime_error(failure_text(answer));
  for (const Value& server : table->at("servers").as_list())
    if (server.as_map().at("role") == Value("WRITE"))
      return must(BoltAddress::parse(server.as_map().at("addresses").as_list()[0].as_string()));
  throw std::runtime_error("the routing table has no server for writing");
}

AppendClient::Reply AppendClient::ask(SocketClient& socket, const std::string& text,
                                      const Map& parameters, const Map& extra) {
  Reply reply;
  if (!socket.send_request(Tag::run, {text, parameters, extra}) ||
      !socket.send_request(Tag::pull, {Map{{"n", -1}}}))
    return reply;
  for (int ends = 0; ends < 2;) {
    const auto answer = socket.answer();
    if (!answer) return reply;
    if (answer->tag == Tag::record) {
      const List& row = answer->content.as_list();
      reply.list = elements_of(row[0]);
      if (row.size() > 1) reply.records = row[1].as_integer();
      continue;
    }
    if (answer->tag != Tag::success) {
      const bool is_unknown = failure_text(*answer).find("UnknownError") != std::string::npos;
      reply.sent = is_unknown ? Sent::unknown : Sent::refused;
      return reply;
    }
    if (const Value mark = (*answer)["bookmark"]; mark.string() != nullptr)
      reply.bookmark = mark.as_string();
    ++ends;
  }
  reply.sent = Sent::acknowledged;
  return reply;
}

AppendClient::Reply AppendClient::at_owner(const std::string& tenant, const std::string& text,
                                           const Map& parameters, Map extra) {
  auto& owner = owners_[tenant];
  try {
    if (!owner) {
      const BoltAddress place = owner_of(tenant);
      owner = connect(place);
      owner_ports_[tenant] = place.port;
    }
  } catch (const std::exception&) {
    return {Sent::refused, {}, 0, {}};
  }
  extra.emplace("db", tenant);
  Reply reply = ask(*owner, text, parameters, extra);
  if (reply.sent != Sent::acknowledged) owner.reset();
  return reply;
}

bool AppendClient::make_indexes(const std::string& tenant) {
  for (const char* label : {"L", "E"}) {
    const std::string text = std::string("CREATE INDEX FOR (n:") + label + ") ON (n.k)";
    if (at_owner(tenant, text, {}, {}).sent != Sent::acknowledged) return false;
  }
  return true;
}

// Lists change with the elements of a client, so that none becomes long.
std::string AppendClient::any_list() {
  const std::string tenant = tenants[random_() % tenants.size()];
  const std::int64_t age = count_ / 200;
  return tenant + "/" + std::to_string(age) + "." + std::to_string(random_() % lists_of_tenant);
}

void AppendClient::append() {
  Append append;
  append.list = any_list();
  append.element = ++count_ * 100 + number_;
  const Map parameters{{"k", key_of(append.list)}, {"n", append.element}};
  const bool has_id = count_ % 2 == 0;
  Map extra;
  if (has_id)
    extra.emplace("tx_metadata", Map{{"cairn_request_id", "r" + std::to_string(append.element)}});
  append.begin = Clock::now();
  Reply reply = at_owner(tenant_of(append.list), append_text, parameters, extra);
  bool was_unknown = reply.sent == Sent::unknown;
  while (reply.sent != Sent::acknowledged && (has_id || !was_unknown)) {
    if (Clock::now() - append.begin > patience) break;
    std::this_thread::sleep_for(milliseconds(20));
    reply = at_owner(tenant_of(append.list), append_text, parameters, extra);
    was_unknown = was_unknown || reply.sent == Sent::unknown;
  }
  append.end = Clock::now();
  const bool is_unknown = was_unknown && reply.sent != Sent::acknowledged;
  append.sent = is_unknown ? Sent::unknown : reply.sent;
  if (append.sent == Sent::acknowledged) {
    std::size_t& known = known_[append.list];
    known = std::max(known, reply.list.size());
    if (!reply.bookmark.empty()) bookmarks_[tenant_of(append.list)] = reply.bookmark;
  }
  append.seen = std::move(reply.list);
  history_.add(std::move(append));
}

AppendClient::Reply AppendClient::read_at_owner(ListRead& read) {
  read.longest_lag = vouching_time;
  read.at = ReadAt::owner;
  return at_owner(tenant_of(read.list), read_text, {{"k", key_of(read.list)}}, {});
}

// The owner is known while the connection to it lasts.
AppendClient::Reply AppendClient::read_anywhere(ListRead& read) {
  const std::string tenant = tenant_of(read.list);
  const BoltAddress place = nodes_.place(random_());
  const bool knows_owner = owners_[tenant] != nullptr;
  if (knows_owner && owner_ports_[tenant] != place.port) read.at = ReadAt::replica;
  read.at_least = known_[read.list];
  try {
    const auto node = connect(place);
    return ask(*node, read_text, {{"k", key_of(read.list)}},
               Map{{"db", tenant}, {"mode", "r"}, {"bookmarks", List{bookmarks_[tenant]}}});
  } catch (const std::exception&) {
    return {Sent::refused, {}, 0, {}};
  }
}

void AppendClient::read() {
  ListRead read;
  read.list = any_list();
  const bool is_anywhere = random_() % 2 == 0 && !bookmarks_[tenant_of(read.list)].empty();
  read.begin = Clock::now();
  Reply reply = is_anywhere ? read_anywhere(read) : read_at_owner(read);
  read.is_answered = reply.sent == Sent::acknowledged;
  // A list and its records are of one state.
  const bool is_whole = reply.records == static_cast<std::int64_t>(reply.list.size());
  if (read.is_answered) read.seen = is_whole ? std::move(reply.list) : Elements{-reply.records};
  history_.add(std::move(read));
}

}  // namespace cairn::test
