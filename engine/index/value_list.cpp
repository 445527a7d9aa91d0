// Front coding: neighbours in the order of keys share their beginnings, so a value costs what
// differs and two bytes. Blocks of 16 begin afresh, which bounds what a search decodes; 255 shared
// bytes at most, so that their number is one byte. In memory only, made by ourselves: nothing is
// checked.
#include "engine/index/value_list.hpp"

#include <array>
#include <cassert>

namespace cairn::engine {
namespace {

constexpr std::size_t most_shared = 255;

void append_varint(std::string& out, std::size_t number) {
  for (; number >= 128; number /= 128) out += static_cast<char>(number % 128 | 128);
  out += static_cast<char>(number);
}

std::size_t read_varint(std::string_view bytes, std::size_t& at) {
  std::size_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    number |= std::size_t{byte & 127U} << shift;
    if (byte < 128) return number;
  }
}

}  // namespace

void ValueList::add(std::string_view value) {
  assert(size_ == 0 || std::string_view(last_) < value);
  std::size_t shared = 0;
  if (size_ % block_values == 0) {
    blocks_.push_back(bytes_.size());
  } else {
    const std::size_t most = std::min({value.size(), last_.size(), most_shared});
    while (shared < most && value[shared] == last_[shared]) ++shared;
  }
  bytes_ += static_cast<char>(shared);
  append_varint(bytes_, value.size() - shared);
  bytes_ += value.substr(shared);
  last_ = value;
  ++size_;
}

void ValueList::shrink_to_fit() {
  bytes_.shrink_to_fit();
  blocks_.shrink_to_fit();
}

std::string_view ValueList::Reader::next() {
  const std::string_view bytes = list.bytes_;
  const auto shared = static_cast<unsigned char>(bytes[at++]);
  const std::size_t rest = read_varint(bytes, at);
  value.resize(shared);
  value += bytes.substr(at, rest);
  at += rest;
  return value;
}

std::string_view ValueList::head(std::size_t block) const {
  std::size_t at = blocks_[block] + 1;
  const std::size_t size = read_varint(bytes_, at);
  return std::string_view(bytes_).substr(at, size);
}

// What the value shares with those before it is fetched from them, from the last one back: each gives
// the bytes that it has of its own and that were not fetched yet.
void ValueList::read(std::size_t index, std::string& out) const {
  struct Part {
    std::size_t shared;
    std::string_view own;
  };
  std::array<Part, block_values> parts;
  const std::size_t last = index % block_values;
  const std::string_view bytes = bytes_;
  std::size_t at = blocks_[index / block_values];
  for (std::size_t i = 0; i <= last; ++i) {
    parts[i].shared = static_cast<unsigned char>(bytes[at++]);
    const std::size_t rest = read_varint(bytes, at);
    parts[i].own = bytes.substr(at, rest);
    at += rest;
  }
  std::size_t missing = parts[last].shared + parts[last].own.size();
  out.resize(missing);
  for (std::size_t i = last + 1; i-- > 0 && missing > 0;) {
    const auto& [shared, own] = parts[i];
    if (shared >= missing) continue;
    own.copy(out.data() + shared, missing - shared);
    missing = shared;
  }
}

std::size_t ValueList::lower_bound(std::string_view bound) const {
  // Invariant: heads before `begin` are less than the bound, those from `end` on are not.
  std::size_t begin = 0;
  std::size_t end = blocks_.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (head(middle) < bound)
      begin = middle + 1;
    else
      end = middle;
  }
  if (begin == 0) return 0;
  // The bound lies behind the head of the block before, and not behind the next one's.
  std::size_t index = (begin - 1) * block_values;
  Reader reader{*this, blocks_[begin - 1], {}};
  const std::size_t last = std::min(index + block_values, size_);
  while (index < last && reader.next() < bound) ++index;
  return index;
}

}  // namespace cairn::engine
