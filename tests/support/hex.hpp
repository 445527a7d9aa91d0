#pragma once
// hex(): bytes as lower-case hexadecimal digits.

#include <boost/algorithm/hex.hpp>

#include <iterator>
#include <string>

namespace cairn::test {

template <class Bytes>
std::string hex(const Bytes& bytes) {
  std::string digits;
  boost::algorithm::hex_lower(bytes, std::back_inserter(digits));
  return digits;
}

}  // namespace cairn::test
