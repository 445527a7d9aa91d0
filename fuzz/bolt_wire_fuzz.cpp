// Reads the bytes of a Bolt connection on either side. The server's handshake and chunks must not depend on the pieces in
// which the bytes arrive. A client of a server that answers with any bytes gets errors or values, and never waits once the
// server has ended.
//
// input := 0 piece:u8 bytes        what a client sends
//        | 1 requests:u8 bytes     what a server answers to so many statements

#include "codec/byte_io.hpp"
#include "engine/system/regular_file.hpp"
#include "fuzz/support/expect.hpp"
#include "query/attach/connection.hpp"
#include "query/bolt/chunks.hpp"
#include "query/bolt/connection.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::fuzz;
using namespace cairn::query::bolt;

/// Well below the size of a socket's buffer, so that nobody has to read while the input is written.
constexpr std::size_t most_input_bytes = 4'096;
constexpr std::size_t most_message_bytes = 1'024;

/// What a server understands of the bytes of a client.
struct Read {
  HandshakeState state = HandshakeState::open;
  std::string answer;
  std::vector<std::string> messages;
  bool is_too_large = false;

  friend bool operator==(const Read&, const Read&) = default;
};

void read_messages(std::string_view bytes, ChunkReader& reader, Read& read) {
  while (!read.is_too_large) {
    const auto outcome = reader.take(bytes, most_message_bytes);
    if (outcome == ChunkReader::Outcome::more) return;
    read.is_too_large = outcome == ChunkReader::Outcome::too_large;
    if (!read.is_too_large) read.messages.push_back(reader.take_message());
    expect(read.is_too_large || read.messages.back().size() <= most_message_bytes);
  }
}

/// Reads bytes that arrive in pieces of this size.
Read read_in_pieces(std::string_view bytes, std::size_t piece) {
  Handshake handshake;
  ChunkReader reader;
  Read read;
  while (!bytes.empty() && read.state != HandshakeState::failed) {
    std::string_view arrived = bytes.substr(0, piece);
    bytes.remove_prefix(arrived.size());
    if (read.state == HandshakeState::open) read.state = handshake.take(arrived, read.answer);
    if (read.state == HandshakeState::agreed) read_messages(arrived, reader, read);
  }
  return read;
}

/// Writes the messages as chunks again, and reads them whole and without a copy.
void check_written(const std::vector<std::string>& messages) {
  std::string bytes;
  for (const std::string& message : messages) {
    const std::size_t begin = bytes.size();
    bytes.append(room_for_length, '\0');
    bytes += message;
    put_into_chunks(bytes, begin);
  }
  std::string_view unread(bytes);
  ChunkReader reader;
  for (const std::string& message : messages)
    if (!message.empty()) expect(reader.take_whole(unread) == message);
}

void check_server(std::string_view bytes, std::size_t piece) {
  const Read whole = read_in_pieces(bytes, bytes.size());
  expect(whole == read_in_pieces(bytes, piece), "pieces of " + std::to_string(piece));
  check_written(whole.messages);
}

/// Sends a statement and receives its answers. Returns false if the connection is lost.
bool ask(query::attach::Connection& connection) {
  constexpr std::chrono::milliseconds patience{100};
  connection.add(Tag::run, {"RETURN 1", Map(), Map()});
  connection.add(Tag::pull, {Map{{"n", -1}}});
  if (!connection.flush()) return false;
  for (int answers = 0; answers < 2 && !connection.is_lost();) {
    const auto answer = connection.receive(patience);
    if (!answer) break;
    answers += answer->tag == Tag::record ? 0 : 1;
  }
  const auto settled = connection.settle(patience);
  expect(settled || connection.is_lost());
  return !connection.is_lost();
}

/// A client whose server sends these bytes and ends.
void check_client(std::string_view bytes, std::size_t requests) {
  std::array<int, 2> ends{};
  expect(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const engine::FileDescriptor server(ends[1]);
  expect(::send(server.value(), bytes.data(), bytes.size(), 0) ==
         static_cast<ssize_t>(bytes.size()));
  ::shutdown(server.value(), SHUT_WR);
  const auto made =
      query::attach::Connection::log_on(engine::FileDescriptor(ends[0]), nullptr, "the server",
                                        Map{{"scheme", "bearer"}}, std::chrono::milliseconds(100));
  if (!made) return;
  while (requests-- > 0 && ask(**made)) continue;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3 || size > most_input_bytes) return -1;
  const std::string_view input = text_of(data, size);
  const auto number = static_cast<std::size_t>(static_cast<std::uint8_t>(input[1]));
  if (input[0] == 0)
    check_server(input.substr(2), std::max<std::size_t>(number, 1));
  else
    check_client(input.substr(2), number % 8);
  return 0;
}
