// Sends messages of a Bolt client in any order. Each message is answered by records and one
// summary, or ends the session. After a failure everything is ignored until RESET. No answer may
// report a damaged database, and no session may hold the writer lock after its end.
//
// input := options:u8 { size:u16 byte{size} }    messages as given; the last one may be truncated
//        | options:u8 { request:u8 choice:u8 }   well-formed messages, see send_made()
//
// The lowest bit of `options` selects the form, the next bit whether the client is already logged
// on, the third bit whether it may only read. The remaining bits are the minor version.

#include "codec/byte_io.hpp"
#include "codec/packstream_values.hpp"
#include "fuzz/support/emptied_database.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "query/bolt/messages.hpp"
#include "query/bolt/session.hpp"

#include <cairn/tokens.hpp>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace {

using namespace cairn;
using namespace cairn::fuzz;
using namespace cairn::query::bolt;

constexpr std::size_t most_input_bytes = 2'048;
constexpr std::size_t most_answers = 300;
constexpr std::size_t most_messages = 64;

/// Ends a session that takes too long, because statements of a client have no tight limits here.
class SessionEnd {
 public:
  explicit SessionEnd(Session& session)
      : thread_([this, &session](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          const auto limit = std::chrono::milliseconds(500);
          if (!changed_.wait_for(lock, stop, limit, [] { return false; }) && !stop.stop_requested())
            session.cancel();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;
};

/// Receives the answers to one message, and checks that they are records and one summary.
class Answers final : public Replies {
 public:
  bool add(std::string_view message) override {
    codec::PackStreamReader reader(message);
    const auto header = reader.next();
    expect(header && header->type == codec::PackStreamType::structure);
    std::size_t left = header->size;
    for (; left > 0; --left) left += items_of(reader);
    expect(reader.is_at_end());
    expect(!summary_);
    const Tag tag = static_cast<Tag>(header->tag);
    const bool is_record = tag == Tag::record;
    expect(is_record || tag == Tag::success || tag == Tag::failure || tag == Tag::ignored);
    if (is_record) ++records_;
    if (!is_record) summary_ = tag;
    const bool says_damage = message.find("Neo.DatabaseError") != std::string_view::npos;
    expect(tag != Tag::failure || !says_damage, std::string(message));
    return ++total_ < most_answers;
  }

  void begin() {
    records_ = 0;
    summary_.reset();
  }
  [[nodiscard]] std::size_t records() const { return records_; }
  [[nodiscard]] std::optional<Tag> summary() const { return summary_; }

 private:
  /// Returns how many items belong to the next item.
  static std::size_t items_of(codec::PackStreamReader& reader) {
    const auto item = reader.next();
    expect(item.has_value());
    return item->type == codec::PackStreamType::map ? 2 * item->size : item->size;
  }

  std::size_t total_ = 0;
  std::size_t records_ = 0;
  std::optional<Tag> summary_;
};

/// A session, and the checks on each of its answers.
class Client {
 public:
  Client(Shared& shared, Version version) : session_(shared, version, "fuzz"), end_(session_) {}

  [[nodiscard]] bool is_open() const { return is_open_; }

  void send(std::string_view message) {
    answers_.begin();
    is_open_ = session_.handle(message, answers_) == Next::go_on;
    if (!is_open_) return;
    expect(answers_.summary().has_value());
    const bool is_behind_failure = is_failed_ && !is_reset(message);
    expect(!is_behind_failure || *answers_.summary() == Tag::ignored);
    expect(is_reset(message) || is_failed_ || *answers_.summary() != Tag::ignored);
    is_failed_ = *answers_.summary() != Tag::success;
  }

  void send(Tag tag, const List& fields) {
    std::string message;
    codec::PackStreamWriter writer(message);
    writer.begin_structure(static_cast<std::uint8_t>(tag), fields.size());
    for (const Value& field : fields)
      codec::write_value(writer, field, codec::PackStreamVectors::as_structures);
    send(message);
    expect(tag == Tag::pull || answers_.records() == 0);
  }

  void log_on(const std::string& secret) {
    const Map credentials{{"scheme", "bearer"}, {"credentials", secret}};
    send(Tag::hello, {credentials});
    if (is_open_ && !session_.is_logged_on()) send(Tag::logon, {credentials});
  }

 private:
  Session session_;
  Answers answers_;
  SessionEnd end_;
  bool is_open_ = true;
  bool is_failed_ = false;
};

constexpr std::array<std::string_view, 16> made_statements{
    "RETURN 1",
    "RETURN $x AS x",
    "UNWIND range(1, 20) AS i RETURN i, toString(i) AS text",
    "UNWIND [1, 0] AS i RETURN 1 / i AS x",
    "CREATE (a:A {x: $x})-[r:R]->(b:B) RETURN a, r, b",
    "MATCH p = (:A)-[:R]->(:B) RETURN p",
    "MATCH (n) RETURN count(*) AS n",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n:A) DELETE n",
    "EXPLAIN MATCH (n:A)-->(m) WHERE m.x = 1 RETURN n",
    "PROFILE MATCH (n:A)-->(m) WHERE m.x = 1 RETURN n",
    "MATCH (n:Nobody) RETURN n",
    "RETURN date('2026-01-01') AS d, datetime() AS t, duration('P1D') AS u",
    "CREATE INDEX made IF NOT EXISTS FOR (n:A) ON (n.x)",
    "RETURN vector([1, 2], 2, FLOAT32) AS v",
    "RETURN 1 +",
};

/// Returns the map of options of BEGIN or RUN, selected by `choice`.
Map made_extra(std::uint8_t choice) {
  switch (choice % 8) {
    case 0:
      return {{"mode", "r"}};
    case 1:
      return {{"db", "other"}};
    case 2:
      return {{"bookmarks", list_of({"cairn:1"})}};
    case 3:
      return {{"tx_timeout", 20}};
    case 4:
      return {{"notifications_minimum_severity", "OFF"}};
    default:
      return {};
  }
}

Map made_portion(std::uint8_t choice) {
  return {{"n", choice % 16 == 0 ? -1 : choice % 16}, {"qid", choice / 16 % 8 - 1}};
}

/// Sends one message that a driver could send, selected by two bytes.
void send_made(Client& client, std::uint8_t request, std::uint8_t choice) {
  const auto text = made_statements[choice % made_statements.size()];
  switch (request % 14) {
    case 0:
    case 1:
      return client.send(Tag::run, {text, Map{{"x", choice}}, made_extra(request / 14)});
    case 2:
    case 3:
      return client.send(Tag::pull, {made_portion(choice)});
    case 4:
      return client.send(Tag::begin, {made_extra(choice)});
    case 5:
      return client.send(Tag::commit, {});
    case 6:
      return client.send(Tag::rollback, {});
    case 7:
      return client.send(Tag::reset, {});
    case 8:
      return client.send(Tag::discard, {made_portion(choice)});
    case 9:
      return client.send(Tag::route, {Map(), List(), made_extra(choice)});
    case 10:
      return client.send(Tag::telemetry, {choice});
    case 11:
      return client.send(Tag::logoff, {});
    case 12:
      return client.send(Tag::hello, {made_extra(choice)});
    default:
      return client.send(Tag::goodbye, {});
  }
}

/// Returns the secret of a token of this role. Creates the token again if the database was
/// replaced.
std::string secret_of(Database& database, Role role) {
  static std::array<std::string, 5> secrets;
  std::string& secret = secrets[static_cast<std::size_t>(role)];
  if (const auto token = find_token(database, secret); token && *token) return secret;
  const NewToken token{.name = std::string(to_string(role)), .role = role, .name_spaces = {"*"}};
  auto made = create_token(database, token);
  expect(made.has_value(), made ? "" : made.error().message);
  return secret = *std::move(made);
}

/// Sends the messages of the input. When a session ends, a new one continues with the next message.
void run(Shared& shared, std::uint8_t options, codec::ByteCursor input) {
  const Version version{5, static_cast<std::uint8_t>(options >> 3 & 7)};
  const Role role = (options & 4) != 0 ? Role::read : Role::admin;
  std::optional<Client> client;
  for (std::size_t i = 0; i < most_messages && !input.rest().empty(); ++i) {
    if (!client || !client->is_open()) {
      client.emplace(shared, version);
      if ((options & 2) == 0) client->log_on(secret_of(shared.database, role));
    }
    if ((options & 1) != 0) {
      const std::uint8_t request = input.read_byte();
      send_made(*client, request, input.rest().empty() ? std::uint8_t{0} : input.read_byte());
    } else {
      const std::size_t size = input.read_big<std::uint16_t>();
      client->send(input.read_bytes(std::min(size, input.rest().size())));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > most_input_bytes) return -1;
  const std::string_view input = text_of(data, size);
  EmptiedDatabase& emptied = emptied_database<0>();
  emptied.empty();
  Database& database = emptied.get();
  static const BoltLimits limits{.results = 4, .nesting_levels = 32};
  WrongTokens wrong_tokens(3);
  Shared shared{database, limits, wrong_tokens, "localhost:7687"};
  run(shared, static_cast<std::uint8_t>(input.front()), codec::ByteCursor(input.substr(1)));
  expect(database.begin().has_value());
  return 0;
}
