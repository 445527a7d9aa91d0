// Follows the handshake specification in Neo4j's Bolt manual, including manifest version 1.
#include "query/bolt/connection.hpp"

#include <algorithm>
#include <optional>

namespace cairn::query::bolt {
namespace {

constexpr std::string_view magic_bytes("\x60\x60\xB0\x17", 4);
constexpr std::size_t proposal_size = 4;
constexpr std::size_t proposals_size = 5 * proposal_size;
constexpr std::uint8_t manifest_major = 0xFF;
constexpr std::uint8_t manifest_version = 1;
// A 64-bit mask in a variable-length encoding of seven bits a byte.
constexpr std::size_t most_capability_bytes = 10;

/// A proposal or answer: the versions from major.minor down to major.(minor - range).
struct Proposal {
  std::uint8_t range;
  std::uint8_t minor;
  std::uint8_t major;

  [[nodiscard]] std::uint8_t least() const noexcept {
    return range < minor ? static_cast<std::uint8_t>(minor - range) : std::uint8_t{0};
  }
};

std::uint8_t byte_at(std::string_view bytes, std::size_t place) {
  return static_cast<std::uint8_t>(bytes[place]);
}

Proposal read_proposal(std::string_view bytes) {
  return {byte_at(bytes, 1), byte_at(bytes, 2), byte_at(bytes, 3)};
}

void append_proposal(std::string& bytes, Proposal proposal) {
  for (const std::uint8_t byte : {std::uint8_t{0}, proposal.range, proposal.minor, proposal.major})
    bytes += static_cast<char>(byte);
}

bool is_manifest(Proposal proposal) {
  return proposal.major == manifest_major && proposal.least() <= manifest_version &&
         manifest_version <= proposal.minor;
}

/// The highest version that both a proposal and spoken_versions contain.
std::optional<Version> common_version(Proposal proposal) {
  for (const VersionRange& spoken : spoken_versions) {
    const std::uint8_t best = std::min(proposal.minor, spoken.most);
    if (proposal.major == spoken.major && best >= std::max(proposal.least(), spoken.least))
      return Version{spoken.major, best};
  }
  return std::nullopt;
}

/// Appends the manifest: all supported versions, and no capabilities.
void append_manifest(std::string& answer) {
  append_proposal(answer, {0, manifest_version, manifest_major});
  answer += static_cast<char>(spoken_versions.size());
  for (const VersionRange& spoken : spoken_versions) {
    const auto range = static_cast<std::uint8_t>(spoken.most - spoken.least);
    append_proposal(answer, {range, spoken.most, spoken.major});
  }
  answer += '\0';
}

}  // namespace

HandshakeState Handshake::take(std::string_view& bytes, std::string& answer) {
  if (step_ == Step::proposals) state_ = take_proposals(bytes, answer);
  if (step_ == Step::choice) state_ = take_choice(bytes);
  if (step_ == Step::capabilities) state_ = take_capabilities(bytes);
  return state_;
}

bool Handshake::fill(std::string_view& bytes, std::size_t size) {
  const std::string_view taken = bytes.substr(0, size - begun_.size());
  begun_ += taken;
  bytes.remove_prefix(taken.size());
  return begun_.size() == size;
}

HandshakeState Handshake::fail() {
  step_ = Step::ended;
  return HandshakeState::failed;
}

HandshakeState Handshake::agree(Version version) {
  step_ = Step::ended;
  version_ = version;
  return HandshakeState::agreed;
}

// Bytes that cannot become a handshake fail at once, so another protocol is rejected at its first byte.
HandshakeState Handshake::take_proposals(std::string_view& bytes, std::string& answer) {
  const bool is_whole = fill(bytes, proposals_size);
  const std::string_view begun(begun_);
  if (!magic_bytes.starts_with(begun.substr(0, magic_bytes.size()))) return fail();
  if (!is_whole) return HandshakeState::open;
  for (std::size_t at = magic_bytes.size(); at < begun.size(); at += proposal_size) {
    const Proposal proposal = read_proposal(begun.substr(at));
    if (is_manifest(proposal)) {
      append_manifest(answer);
      begun_.clear();
      step_ = Step::choice;
      return HandshakeState::open;
    }
    if (const auto common = common_version(proposal)) {
      append_proposal(answer, {0, common->minor, common->major});
      return agree(*common);
    }
  }
  append_proposal(answer, {0, 0, 0});
  return fail();
}

// The client's choice from the manifest.
HandshakeState Handshake::take_choice(std::string_view& bytes) {
  if (!fill(bytes, proposal_size)) return HandshakeState::open;
  const Proposal chosen = read_proposal(begun_);
  const auto version = common_version({0, chosen.minor, chosen.major});
  if (!version) return fail();
  version_ = *version;
  begun_.clear();
  step_ = Step::capabilities;
  return HandshakeState::open;
}

// We offer no capabilities, so the value of the mask does not matter; only its end must be found.
HandshakeState Handshake::take_capabilities(std::string_view& bytes) {
  while (!bytes.empty()) {
    const bool has_more = (byte_at(bytes, 0) & 0x80U) != 0;
    begun_ += bytes.front();
    bytes.remove_prefix(1);
    if (!has_more) return agree(version_);
    if (begun_.size() == most_capability_bytes) return fail();
  }
  return HandshakeState::open;
}

}  // namespace cairn::query::bolt
