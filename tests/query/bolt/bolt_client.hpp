#pragma once
// BoltClient: the other end of a session, in the same thread and without a socket. It packs requests and reads answers.

#include "query/bolt/messages.hpp"
#include "query/bolt/session.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/tokens.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// A message of the server. A structure in it is a map {structure: 'N', fields: [...]}.
struct BoltAnswer {
  query::bolt::Tag tag = query::bolt::Tag::success;
  Value content;

  /// An entry of a map; null where there is none.
  [[nodiscard]] Value operator[](std::string_view key) const;
  /// "SUCCESS", "FAILURE", "RECORD" or "IGNORED".
  [[nodiscard]] std::string name() const;
};

/// Of a whole message.
[[nodiscard]] BoltAnswer read_answer(std::string_view message);
/// The bytes of a request.
[[nodiscard]] std::string request_of(query::bolt::Tag tag, const List& fields);

class BoltClient : private query::bolt::Replies {
 public:
  explicit BoltClient(query::bolt::Shared& shared, query::bolt::Version version = {5, 8},
                      std::string peer = "127.0.0.1")
      : session_(std::make_unique<query::bolt::Session>(shared, version, std::move(peer))) {}

  [[nodiscard]] query::bolt::Session& session() { return *session_; }

  /// All answers to one request.
  std::vector<BoltAnswer> send(query::bolt::Tag tag, const List& fields = {});
  std::vector<BoltAnswer> send_bytes(std::string_view message);
  /// The last of them.
  BoltAnswer ask(query::bolt::Tag tag, const List& fields = {});
  /// HELLO and LOGON with a token.
  void log_on(const std::string& secret);
  BoltAnswer run(std::string_view text, const Map& parameters = {}, const Map& extra = {});
  /// Returns the rows of a PULL, joined by "; ", followed by the failure if the PULL did not succeed.
  std::string pull(std::int64_t rows = -1, std::int64_t result = -1);
  /// RUN and PULL: the rows, or "CODE: message".
  std::string result(std::string_view text, const Map& parameters = {}, const Map& extra = {});
  BoltAnswer pulled;  ///< the end of the last pull()

  bool is_closed = false;
  std::size_t most_answers = static_cast<std::size_t>(-1);  ///< then it is gone

 private:
  bool add(std::string_view message) override;

  std::unique_ptr<query::bolt::Session> session_;
  std::vector<BoltAnswer> answers_;
};

/// "CODE: message" of a FAILURE; else its name.
[[nodiscard]] std::string failure_text(const BoltAnswer& answer);
/// The code of a FAILURE without its class and category; else its name.
[[nodiscard]] std::string failure_title(const BoltAnswer& answer);

/// A database that is served, and a token for all of it.
struct BoltFixture {
  explicit BoltFixture(const Options& options = {});
  [[nodiscard]] std::string token(const NewToken& token) {
    return must(create_token(*database, token));
  }
  /// A client that is logged on.
  [[nodiscard]] BoltClient client(query::bolt::Version version = {5, 8});

  TemporaryDatabase database;
  BoltLimits limits;
  query::bolt::WrongTokens wrong_tokens{10};
  query::bolt::Shared shared{*database, limits, wrong_tokens, "127.0.0.1:7687"};
  std::string secret;
};

}  // namespace cairn::test
