// Counts in how many texts each feature occurs, by a count-min sketch with two rows. A feature has
// one bucket in each row, chosen by different bits of its hash. The count of the feature is the
// smaller of the two buckets, because other features can only make a bucket too large.

#include "codec/byte_io.hpp"
#include "engine/text/hashing_features.hpp"

#include <cairn/hashing_frequencies.hpp>

#include <algorithm>
#include <set>

namespace cairn {
namespace {

constexpr std::size_t buckets = 1U << 16;
constexpr std::string_view magic = "cairnhf1";

// The embedder uses the lowest bits for the component and the highest one for the sign, so other
// bits are used here.
std::size_t first_bucket(std::uint64_t hash) { return hash >> 16 & (buckets - 1); }
std::size_t second_bucket(std::uint64_t hash) { return buckets + (hash >> 40 & (buckets - 1)); }

void append_little(std::string& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t read_little(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

}  // namespace

HashingFrequencies::HashingFrequencies() : counts_(2 * buckets) {}

// Adds 1 to each bucket that has at least one of the text's features.
void HashingFrequencies::add(std::string_view text) {
  // Counts texts, not occurrences: if two features of a text share a bucket, the bucket is
  // increased once.
  std::set<std::size_t> touched;
  for (const auto& [hash, feature] : engine::hashed_features(text)) {
    touched.insert(first_bucket(hash));
    touched.insert(second_bucket(hash));
  }
  for (const std::size_t bucket : touched) ++counts_[bucket];
  ++texts_;
}

// Never too small: collisions only increase a bucket.
std::uint32_t HashingFrequencies::count(std::uint64_t hash) const noexcept {
  return std::min(counts_[first_bucket(hash)], counts_[second_bucket(hash)]);
}

std::string HashingFrequencies::encode() const {
  std::string bytes(magic);
  append_little(bytes, texts_, 8);
  for (const std::uint32_t count : counts_) append_little(bytes, count, 4);
  return bytes;
}

Result<HashingFrequencies> HashingFrequencies::decode(std::string_view bytes) {
  HashingFrequencies made;
  const std::size_t head = magic.size() + 8;
  if (!bytes.starts_with(magic) || bytes.size() != head + 4 * made.counts_.size())
    return codec::corruption("these " + std::to_string(bytes.size()) +
                             " bytes are not frequencies of the hashing embedder; pass what "
                             "HashingFrequencies::encode() returned");
  made.texts_ = read_little(bytes.substr(magic.size(), 8));
  for (std::size_t i = 0; i < made.counts_.size(); ++i)
    made.counts_[i] = static_cast<std::uint32_t>(read_little(bytes.substr(head + 4 * i, 4)));
  return made;
}

}  // namespace cairn
