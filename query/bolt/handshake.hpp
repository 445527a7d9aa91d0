#pragma once
// The handshake of Bolt: the first bytes of a client, by which both sides agree on a version.
//
// The client sends 60 60 B0 17 and four proposals of four bytes each: 00, range, minor, major. The answer is one version.
// If the client proposes the manifest, 00 00 01 FF, the answer lists all supported versions and the client chooses one.

#include "query/bolt/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// Supported versions: minor versions from `least` to `most` of one major version.
struct VersionRange {
  std::uint8_t major;
  std::uint8_t least;
  std::uint8_t most;
};
/// The highest version first.
inline constexpr std::array<VersionRange, 2> spoken_versions{{{6, 0, 0}, {5, 0, 8}}};

enum class HandshakeState : std::uint8_t { open, agreed, failed };

/// Consumes the bytes of a handshake in pieces of any size.
class Handshake {
 public:
  /// Consumes the bytes of the handshake from the front of `bytes` and appends the reply to `answer`, also if the
  /// handshake fails. The remaining bytes belong to messages.
  [[nodiscard]] HandshakeState take(std::string_view& bytes, std::string& answer);
  /// The agreed version. Precondition: take() returned `agreed`.
  [[nodiscard]] Version version() const noexcept { return version_; }

 private:
  enum class Step : std::uint8_t { proposals, choice, capabilities, ended };

  /// Collects `size` bytes of the current step in begun_. Returns true if they are complete.
  [[nodiscard]] bool fill(std::string_view& bytes, std::size_t size);
  [[nodiscard]] HandshakeState fail();
  [[nodiscard]] HandshakeState agree(Version version);
  [[nodiscard]] HandshakeState take_proposals(std::string_view& bytes, std::string& answer);
  [[nodiscard]] HandshakeState take_choice(std::string_view& bytes);
  [[nodiscard]] HandshakeState take_capabilities(std::string_view& bytes);

  Step step_ = Step::proposals;
  HandshakeState state_ = HandshakeState::open;
  std::string begun_;  // bytes of the current step, at most 20
  Version version_;
};

}  // namespace cairn::query::bolt
