// Reads a file of tensors: it is refused, or each tensor lies within the file, and each of its
// numbers can be read.
//
// input := "{" rest of a header, whose length is put before it here, NUL numbers | bytes of a file

#include "codec/byte_io.hpp"
#include "fuzz/support/expect.hpp"
#include "tools/embedders/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

constexpr std::size_t most_bytes = 1'024;

/// A file with a header of the right length.
std::string with_length(std::string_view input) {
  const std::size_t end = std::min(input.find('\0'), input.size());
  std::string file;
  codec::append_little(file, std::uint64_t{end});
  return file.append(input.substr(0, end)).append(input.substr(std::min(end + 1, input.size())));
}

void check_tensor(const tools::Tensor& tensor, std::string_view file) {
  expect(tensor.bytes.data() >= file.data());
  expect(tensor.bytes.data() + tensor.bytes.size() <= file.data() + file.size());
  if (tensor.type == tools::NumberType::other || tensor.bytes.empty()) return;
  expect(tensor.count() <= tensor.bytes.size());
  std::vector<float> sums(tensor.count(), 0.0F);
  tools::add_numbers(tensor, 0, 1.0F, sums);
  for (std::uint64_t i = 0; i < tensor.count(); ++i) {
    const float number = tensor.number(i);
    expect(std::isnan(number) || (!(sums[i] < number) && !(sums[i] > number)));
    const auto whole = tensor.is_integer() ? static_cast<float>(tensor.integer(i)) : number;
    expect(std::isnan(number) || (!(whole < number) && !(whole > number)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_bytes) return -1;
  const std::string_view input = text_of(data, size);
  const std::string file = input.starts_with('{') ? with_length(input) : std::string(input);
  const auto tensors = tools::read_safetensors(file);
  if (!tensors) return 0;
  for (const auto& [name, tensor] : *tensors) check_tensor(tensor, file);
  return 0;
}
