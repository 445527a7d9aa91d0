// Connects clients, their protocol machines and the worker threads. Everything runs on the thread
// of the io_context except run_call() and report(), which post their results to it. Sessions and
// memory are limited here.
#include "tools/mcp/protocol/http_hub.hpp"

#include <boost/asio/post.hpp>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// Progress and log messages of one client that wait for the io_context; further ones are dropped.
constexpr int most_reports = 256;

/// Returns 128 random bits as hexadecimal digits.
std::string new_session_name() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("OpenSSL cannot provide random numbers; check its configuration");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string name;
  for (const unsigned char byte : bytes) {
    name += digits[byte >> 4U];
    name += digits[byte & 0xfU];
  }
  return name;
}

MachineOptions asking_in(SharedRoom& room, const std::string& caller) {
  MachineOptions options;
  options.asking_room = &room;
  options.caller = caller;
  return options;
}

}  // namespace

HttpPeer::HttpPeer(HttpCaller of, SharedRoom& asking)
    : caller(std::move(of)),
      machine(*caller.server, *caller.signer, asking_in(asking, caller.name)) {}

HttpHub::HttpHub(HttpLogin login, boost::asio::io_context& io, const HttpOptions& options)
    : login_(std::move(login)),
      io_(io),
      options_(options),
      messages_(options.most_connections),
      message_bytes_(options.most_waiting_bytes),
      calls_(options.most_waiting_calls),
      call_bytes_(options.most_waiting_bytes),
      asking_bytes_(options.most_waiting_bytes),
      workers_(options.workers, 1) {}

HttpHub::~HttpHub() {
  for (const auto& weak : peers_)
    if (const auto peer = weak.lock()) peer->machine.stop();
}

std::shared_ptr<HttpPeer> HttpHub::add_guest(const HttpCaller& caller) {
  auto peer = std::make_shared<HttpPeer>(caller, asking_bytes_);
  std::erase_if(peers_, [](const auto& known) { return known.expired(); });
  forget_changes();
  listen_to(caller.server->changes);
  peers_.push_back(peer);
  return peer;
}

std::shared_ptr<HttpPeer> HttpHub::add_session(std::string& name, const HttpCaller& caller) {
  name = new_session_name();
  if (sessions_.size() >= options_.most_sessions) end_a_session_for(caller);
  sessions_.push_front({name, add_guest(caller)});
  return sessions_.front().peer;
}

void HttpHub::end_a_session_for(const HttpCaller& caller) {
  std::map<std::string_view, std::size_t> counts{{caller.name, 1}};
  for (const Session& session : sessions_) ++counts[session.peer->caller.name];
  std::string_view most = caller.name;
  for (const auto& [name, count] : counts)
    if (count > counts[most]) most = name;
  const auto is_of_most = [&](const Session& session) { return session.peer->caller.name == most; };
  const auto last = std::ranges::find_if(sessions_.rbegin(), sessions_.rend(), is_of_most);
  if (last == sessions_.rend()) return;
  last->peer->machine.stop();
  end_answered_streams(*last->peer);
  sessions_.erase(std::next(last).base());
}

std::shared_ptr<HttpPeer> HttpHub::find_session(std::string_view name, const HttpCaller& caller) {
  for (auto session = sessions_.begin(); session != sessions_.end(); ++session) {
    if (session->name != name || session->peer->caller.name != caller.name) continue;
    sessions_.splice(sessions_.begin(), sessions_, session);
    return sessions_.front().peer;
  }
  return nullptr;
}

void HttpHub::drop_session(std::string_view name) {
  sessions_.remove_if([name](const Session& session) { return session.name == name; });
}

std::vector<json::value> HttpHub::request_ids(const json::value& message) {
  std::vector<json::value> ids;
  const auto add = [&ids](const json::value& element) {
    const json::object* object = element.if_object();
    if (object != nullptr && object->contains("method") && object->contains("id"))
      ids.push_back(object->at("id"));
  };
  if (const json::array* batch = message.if_array())
    for (const json::value& element : *batch) add(element);
  else
    add(message);
  return ids;
}

bool HttpHub::take(const HttpCaller& caller, std::size_t requests, std::size_t cost) {
  const std::string& name = caller.name;
  if (!messages_.fits(name, 1) || !message_bytes_.fits(name, cost) ||
      !calls_.fits(name, requests) || !call_bytes_.fits(name, cost))
    return false;
  messages_.take(name, 1);
  message_bytes_.take(name, cost);
  return true;
}

void HttpHub::give_back_place(const HttpCaller& caller) { messages_.give_back(caller.name, 1); }

void HttpHub::give_back_bytes(const HttpCaller& caller, std::size_t cost) {
  message_bytes_.give_back(caller.name, cost);
}

void HttpHub::receive(const std::shared_ptr<HttpPeer>& peer, json::value message, std::size_t cost,
                      const std::shared_ptr<HttpStream>& stream) {
  const std::vector<json::value> ids = request_ids(message);
  // An answer finds its stream by the request id, so no two open requests may have the same id.
  if (is_open(*peer, ids))
    return stream->send(
        error_message(nullptr, {ProtocolCode::invalid_request,
                                "a request with this id is still open", std::nullopt}),
        true);
  for (const json::value& id : ids) peer->streams.insert_or_assign(json::serialize(id), stream);
  Step step;
  peer->machine.receive_parsed(std::move(message), cost, step);
  deliver(peer, std::move(step), stream);
  end_answered_streams(*peer);
}

bool HttpHub::is_open(HttpPeer& peer, const std::vector<json::value>& ids) {
  return std::ranges::any_of(ids, [&](const json::value& id) { return peer.machine.is_open(id); });
}

bool HttpHub::is_listening(const HttpPeer& peer, const std::vector<json::value>& ids) {
  return ids.size() == 1 && peer.machine.is_listening(ids.front());
}

void HttpHub::deliver(const std::shared_ptr<HttpPeer>& peer, Step step,
                      const std::shared_ptr<HttpStream>& current) {
  for (const Outgoing& outgoing : step.messages) {
    const auto found = peer->streams.find(json::serialize(outgoing.request));
    std::shared_ptr<HttpStream> stream =
        found == peer->streams.end() ? nullptr : found->second.lock();
    // An error about a message without an id goes to its sender. Other messages without a request
    // have no stream and are dropped, because clients open streams only with requests.
    if (!stream && outgoing.is_last) stream = current;
    if (stream) stream->send(outgoing.message, outgoing.is_last);
  }
  for (Call& call : step.calls) begin_call(peer, std::move(call));
}

void HttpHub::begin_call(const std::shared_ptr<HttpPeer>& peer, Call call) {
  const std::size_t cost = call.cost;
  calls_.take(peer->caller.name, 1);
  call_bytes_.take(peer->caller.name, cost);
  workers_.add([this, peer, call = std::move(call)] { run_call(peer, call); }, cost,
               peer->caller.name);
}

/// Runs on a thread of the pool.
void HttpHub::run_call(const std::shared_ptr<HttpPeer>& peer, const Call& call) {
  Outcome outcome;
  if (!call.info.stop.stop_requested()) {
    RequestInfo info = call.info;
    if (!call.progress_token.is_null())
      info.on_progress = [&](const ProgressReport& progress) {
        report(peer, call, Machine::progress_message(call, progress));
      };
    if (call.log_level)
      info.on_log = [&](const LogReport& log) {
        if (log.level >= *call.log_level) report(peer, call, Machine::log_message(log));
      };
    Context context(std::move(info));
    outcome = call.run(context);
  }
  boost::asio::post(io_, [this, peer, number = call.number, cost = call.cost,
                          outcome = std::move(outcome)]() mutable {
    end_call(peer, number, cost, std::move(outcome));
  });
}

void HttpHub::end_call(const std::shared_ptr<HttpPeer>& peer, std::uint64_t number,
                       std::size_t cost, Outcome outcome) {
  calls_.give_back(peer->caller.name, 1);
  call_bytes_.give_back(peer->caller.name, cost);
  Step step;
  peer->machine.finish(number, std::move(outcome), step);
  deliver(peer, std::move(step), nullptr);
  end_answered_streams(*peer);
}

/// Runs on a thread of the pool.
void HttpHub::report(const std::shared_ptr<HttpPeer>& peer, const Call& call,
                     json::object message) {
  if (peer->reports >= most_reports) return;
  ++peer->reports;
  boost::asio::post(io_, [peer, key = json::serialize(call.info.id), stop = call.info.stop,
                          message = std::move(message)] {
    --peer->reports;
    const auto found = peer->streams.find(key);
    const auto stream = found == peer->streams.end() ? nullptr : found->second.lock();
    if (stream && !stop.stop_requested() && !stream->is_slow()) stream->send(message, false);
  });
}

void HttpHub::listen_to(const std::shared_ptr<Changes>& changes) {
  if (!changes || heard_.contains(changes.get())) return;
  const auto on_change = [this, of = changes.get()] {
    boost::asio::post(io_, [this, of] { tell_changes(of); });
  };
  heard_.emplace(changes.get(),
                 HeardChanges{changes, std::make_unique<PendingChanges>(changes.get(), on_change)});
}

void HttpHub::forget_changes() {
  std::erase_if(heard_, [this](const auto& heard) {
    return std::ranges::none_of(peers_, [&](const auto& weak) {
      const auto peer = weak.lock();
      return peer && peer->caller.server->changes.get() == heard.first;
    });
  });
}

void HttpHub::tell_changes(const Changes* of) {
  const auto heard = heard_.find(of);
  if (heard == heard_.end()) return;
  const std::vector<Change> changes = heard->second.pending->take();
  for (const auto& weak : peers_) {
    const auto peer = weak.lock();
    if (!peer || peer->caller.server->changes.get() != of) continue;
    Step step;
    for (const Change& change : changes) peer->machine.change(change, step);
    deliver(peer, std::move(step), nullptr);
  }
}

void HttpHub::end_answered_streams(HttpPeer& peer) {
  for (auto entry = peer.streams.begin(); entry != peer.streams.end();) {
    if (peer.machine.is_open(json::parse(entry->first))) {
      ++entry;
      continue;
    }
    const auto stream = entry->second.lock();
    entry = peer.streams.erase(entry);
    bool is_used = false;
    for (const auto& other : peer.streams) is_used = is_used || other.second.lock() == stream;
    if (stream && !is_used) stream->end();
  }
}

}  // namespace cairn::tools::mcp
