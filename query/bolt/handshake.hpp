#pragma once
// The handshake of Bolt: a client's first bytes, and the version that both sides speak from then on.
//
// A client sends 60 60 B0 17 and four proposals of four bytes: 00, range, minor, major. We answer with one version, or,
// where the manifest 00 00 01 FF is proposed, with all that we have, of which the client then chooses.

#include "query/bolt/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// The versions that we speak: of each major one, minor ones from `least` to `most`.
struct VersionRange {
  std::uint8_t major;
  std::uint8_t least;
  std::uint8_t most;
};
inline constexpr std::array<VersionRange, 2> spoken_versions{{{6, 0, 0}, {5, 0, 8}}};

enum class HandshakeState : std::uint8_t { open, agreed, failed };

/// Takes bytes as they come, in pieces of any size.
class Handshake {
 public:
  /// Take what belongs to the handshake from the front of `bytes`, and append what is to be sent to `answer`, also
  /// where it failed. What is left of `bytes` belongs to the messages.
  [[nodiscard]] HandshakeState take(std::string_view& bytes, std::string& answer);
  /// Once it is agreed.
  [[nodiscard]] Version version() const noexcept { return version_; }

 private:
  enum class Step : std::uint8_t { proposals, choice, capabilities, ended };

  [[nodiscard]] bool fill(std::string_view& bytes, std::size_t size);
  [[nodiscard]] HandshakeState fail();
  [[nodiscard]] HandshakeState agree(Version version);
  [[nodiscard]] HandshakeState take_proposals(std::string_view& bytes, std::string& answer);
  [[nodiscard]] HandshakeState take_choice(std::string_view& bytes);
  [[nodiscard]] HandshakeState take_capabilities(std::string_view& bytes);

  Step step_ = Step::proposals;
  HandshakeState state_ = HandshakeState::open;
  std::string begun_;  // bytes of this step, at most 20
  Version version_;
};

}  // namespace cairn::query::bolt
