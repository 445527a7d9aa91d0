#include "codec/byte_kernels.hpp"

#include "tests/codec/on_each_target.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <random>
#include <vector>

namespace kernels = cairn::codec::kernels;

namespace {

constexpr unsigned seed = 87;

using Bytes = std::vector<std::int8_t>;

Bytes make(std::mt19937& random, std::size_t size) {
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
  return bytes;
}

std::int32_t scalar(const Bytes& a, const Bytes& b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_kernels)

// Each array has an allocation of its own: a byte read behind it is seen by the address sanitizer.
BOOST_AUTO_TEST_CASE(every_instruction_set_gives_the_scalar_products_bit_for_bit) {
  cairn::test::on_each_target([](const char* target) {
    std::mt19937 random(seed);
    const auto kernels = kernels::byte_kernels();
    for (const std::size_t size : {4U, 8U, 12U, 28U, 32U, 60U, 64U, 68U, 100U, 384U, 1'036U}) {
      for (const std::size_t count : {1U, 3U, 4U, 7U, 8U, 33U}) {
        const Bytes query = make(random, size);
        std::vector<Bytes> arrays;
        std::vector<const std::int8_t*> rows;
        for (std::size_t i = 0; i < count; ++i) arrays.push_back(make(random, size));
        for (const Bytes& array : arrays) rows.push_back(array.data());
        std::vector<std::int32_t> found(count);
        kernels.rows(query.data(), rows.data(), count, size, found.data());
        for (std::size_t i = 0; i < count; ++i) {
          const std::int32_t wanted = scalar(query, arrays[i]);
          const std::int32_t pair = kernels.pair(query.data(), rows[i], size);
          if (found[i] != wanted || pair != wanted)
            BOOST_ERROR(target << ": size " << size << ", row " << i << " of " << count);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_longest_arrays_do_not_overflow) {
  cairn::test::on_each_target([](const char* target) {
    for (const int sign : {1, -1}) {
      const Bytes a(65'536, 127), b(65'536, static_cast<std::int8_t>(127 * sign));
      const auto found = kernels::byte_kernels().pair(a.data(), b.data(), a.size());
      BOOST_TEST(found == 65'536 * 127 * 127 * sign, target);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
