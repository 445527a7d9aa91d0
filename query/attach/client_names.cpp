#include "query/attach/client_names.hpp"

#include "codec/hex.hpp"
#include "engine/crypto/secrets.hpp"

#include <array>
#include <random>

namespace cairn::query::attach {

// Falls back to std::random_device if OpenSSL has no random bytes.
std::string draw_name() {
  std::array<unsigned char, 16> random{};
  if (!engine::fill_random(random)) {
    std::random_device device;
    for (unsigned char& byte : random) byte = static_cast<unsigned char>(device());
  }
  return codec::hex_text(random);
}

// Names are reused, so that the host stores few entries.
CommitNote ClientNames::take() {
  const std::lock_guard lock(mutex_);
  CommitNote note;
  if (free_.empty()) {
    note.client = draw_name();
    all_.push_back(note.client);
  } else {
    note = std::move(free_.back());
    free_.pop_back();
  }
  ++note.count;
  return note;
}

std::vector<std::string> ClientNames::all() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

// A number that was not used is skipped. That is harmless: the host compares numbers with the last one that was
// committed.
void ClientNames::give_back(const CommitNote& note) {
  const std::lock_guard lock(mutex_);
  free_.push_back(note);
}

}  // namespace cairn::query::attach
