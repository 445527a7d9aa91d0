#pragma once
// Files of the format safetensors that tests make.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

struct MadeTensor {
  std::string name;
  std::string type;
  std::vector<std::size_t> shape;
  std::string bytes;
};

/// Appends the bytes of a number, the lowest first.
inline void append_number(std::string& bytes, std::uint64_t number, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>((number >> (8 * i)) & 0xFFU);
}

[[nodiscard]] inline std::string made_safetensors(std::string_view header,
                                                  std::string_view numbers) {
  std::string file;
  append_number(file, header.size(), 8);
  return file.append(header).append(numbers);
}

[[nodiscard]] inline std::string made_safetensors(const std::vector<MadeTensor>& tensors) {
  std::string header = R"({"__metadata__":{"format":"pt"})";
  std::string numbers;
  for (const MadeTensor& tensor : tensors) {
    header += ",\"" + tensor.name + R"(":{"dtype":")" + tensor.type + R"(","shape":[)";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
      header += (i == 0 ? "" : ",") + std::to_string(tensor.shape[i]);
    header += R"(],"data_offsets":[)" + std::to_string(numbers.size()) + "," +
              std::to_string(numbers.size() + tensor.bytes.size()) + "]}";
    numbers += tensor.bytes;
  }
  return made_safetensors(header + "}", numbers);
}

/// Numbers as a type stores them. F16 takes those that it has exactly and that are 0 or of 2^-14 on.
[[nodiscard]] inline std::string stored(const std::string& type,
                                        const std::vector<float>& numbers) {
  std::string bytes;
  for (const float number : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t half =
        (bits >> 16U & 0x8000U) |
        (number == 0.0F ? 0U : ((bits & 0x7FFF'FFFFU) - 0x3800'0000U) >> 13U);
    if (type == "F64") append_number(bytes, std::bit_cast<std::uint64_t>(double{number}), 8);
    if (type == "F32") append_number(bytes, bits, 4);
    if (type == "F16") append_number(bytes, half, 2);
    if (type == "BF16") append_number(bytes, bits >> 16U, 2);
    if (type == "I8") append_number(bytes, static_cast<std::uint8_t>(static_cast<int>(number)), 1);
    if (type == "I32")
      append_number(bytes, static_cast<std::uint32_t>(static_cast<int>(number)), 4);
    if (type == "I64")
      append_number(bytes, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)), 8);
  }
  return bytes;
}

}  // namespace cairn::test
