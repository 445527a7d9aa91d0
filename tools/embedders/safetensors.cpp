//     header bytes:u64  header: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//     numbers, from which data_offsets count
#include "tools/embedders/json_member.hpp"
#include "tools/embedders/model_file.hpp"
#include "tools/text/shown_text.hpp"

#include <cairn/json.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::size_t length_bytes = 8;
/// The headers of models have some kilobytes.
constexpr std::uint64_t most_header_bytes = std::uint64_t{16} << 20;

Error damaged(const std::string& what) {
  return {ErrorCode::corruption, "the file is not a complete safetensors file: " + what, {}};
}

/// A type of numbers: its name in the file, and the bytes of a number.
struct TypeName {
  std::string_view name;
  NumberType type;
  std::size_t bytes;
};

constexpr std::array type_names = {
    TypeName{"F64", NumberType::f64, 8},   TypeName{"F32", NumberType::f32, 4},
    TypeName{"F16", NumberType::f16, 2},   TypeName{"BF16", NumberType::bf16, 2},
    TypeName{"I64", NumberType::i64, 8},   TypeName{"I32", NumberType::i32, 4},
    TypeName{"I16", NumberType::i16, 2},   TypeName{"I8", NumberType::i8, 1},
    TypeName{"U8", NumberType::u8, 1},     TypeName{"BOOL", NumberType::other, 1},
    TypeName{"U16", NumberType::other, 2}, TypeName{"U32", NumberType::other, 4},
    TypeName{"U64", NumberType::other, 8},
};

/// A number in IEEE half precision, which converts to a float.
struct Half {
  std::uint16_t bits;
  operator float() const noexcept {
    const std::uint32_t word = std::uint32_t{bits} << 16U;
    const std::uint32_t sign = word & 0x8000'0000U;
    const std::uint32_t doubled = word + word;
    const float normal = std::bit_cast<float>((doubled >> 4U) + (0xE0U << 23U)) * 0x1.0p-112F;
    const float denormal = std::bit_cast<float>((doubled >> 17U) | (126U << 23U)) - 0.5F;
    const float size = doubled < (1U << 27U) ? denormal : normal;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(size));
  }
};

/// The upper half of a float.
struct Brain {
  std::uint16_t bits;
  operator float() const noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }
};

/// Reads a number at any address, aligned or not.
template <class T>
T load(const char* bytes) noexcept {
  T number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

/// Calls `use` with a number of the type in memory.
template <class Use>
auto with_type(NumberType type, const Use& use) {
  switch (type) {
    case NumberType::f64:
      return use(double());
    case NumberType::f16:
      return use(Half());
    case NumberType::bf16:
      return use(Brain());
    case NumberType::i64:
      return use(std::int64_t());
    case NumberType::i32:
      return use(std::int32_t());
    case NumberType::i16:
      return use(std::int16_t());
    case NumberType::i8:
      return use(std::int8_t());
    case NumberType::u8:
      return use(std::uint8_t());
    default:
      return use(float());
  }
}

/// Whole numbers of a list; none if there is another value.
std::optional<std::vector<std::uint64_t>> whole_numbers(const Value& value) {
  if (value.list() == nullptr) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const Value& number : *value.list()) {
    const auto* const whole = number.get_if<std::int64_t>();
    if (whole == nullptr || *whole < 0) return std::nullopt;
    numbers.push_back(static_cast<std::uint64_t>(*whole));
  }
  return numbers;
}

/// Whether numbers of `bytes` bytes in this shape have `size` bytes together.
bool has_size(std::span<const std::uint64_t> shape, std::uint64_t bytes, std::uint64_t size) {
  if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) return size == 0;
  for (const std::uint64_t length : shape) {
    if (bytes > size / length) return false;
    bytes *= length;
  }
  return bytes == size;
}

/// Reads the entry of a tensor in the header. `numbers` are the bytes after the header, to which its offsets refer.
Result<Tensor> read_tensor(const std::string& name, const Value& value, std::string_view numbers) {
  const Error wrong = damaged("the tensor " + shown_text(name) + " is not described correctly");
  const Map* const about = value.map();
  if (about == nullptr) return wrong;
  const Value type = json_member(*about, "dtype");
  auto shape = whole_numbers(json_member(*about, "shape"));
  const auto range = whole_numbers(json_member(*about, "data_offsets"));
  if (type.string() == nullptr || !shape || !range || range->size() != 2) return wrong;
  const std::uint64_t begin = range->front();
  const std::uint64_t end = range->back();
  if (begin > end || end > numbers.size()) return wrong;
  const auto known = std::ranges::find(type_names, *type.string(), &TypeName::name);
  // Types that are not used may be of any size.
  const bool is_known = known != type_names.end();
  if (is_known && !has_size(*shape, known->bytes, end - begin)) return wrong;
  return Tensor{is_known ? known->type : NumberType::other, std::move(*shape),
                numbers.substr(begin, end - begin)};
}

/// Whether the tensors fill the bytes one after the other.
bool fill(const Tensors& tensors, std::string_view numbers) {
  std::vector<std::string_view> parts;
  for (const auto& [name, tensor] : tensors) parts.push_back(tensor.bytes);
  std::ranges::sort(parts, [](std::string_view a, std::string_view b) {
    return std::pair(a.data(), a.size()) < std::pair(b.data(), b.size());
  });
  const char* at = numbers.data();
  for (const std::string_view part : parts) {
    if (part.data() != at) return false;
    at += part.size();
  }
  return at == numbers.data() + numbers.size();
}

}  // namespace

std::uint64_t Tensor::count() const noexcept {
  std::uint64_t numbers = 1;
  for (const std::uint64_t length : shape) numbers *= length;
  return numbers;
}

float Tensor::number(std::uint64_t at) const noexcept {
  return with_type(type, [&](auto zero) {
    return static_cast<float>(load<decltype(zero)>(bytes.data() + at * sizeof zero));
  });
}

bool Tensor::is_integer() const noexcept {
  return type == NumberType::i64 || type == NumberType::i32 || type == NumberType::i16 ||
         type == NumberType::i8 || type == NumberType::u8;
}

std::int64_t Tensor::integer(std::uint64_t at) const noexcept {
  if (type == NumberType::i64) return load<std::int64_t>(bytes.data() + at * sizeof(std::int64_t));
  if (type == NumberType::i32) return load<std::int32_t>(bytes.data() + at * sizeof(std::int32_t));
  return static_cast<std::int64_t>(number(at));
}

void add_numbers(const Tensor& tensor, std::uint64_t first, float weight, std::span<float> sums) {
  with_type(tensor.type, [&](auto zero) {
    const char* const from = tensor.bytes.data() + first * sizeof zero;
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += weight * static_cast<float>(load<decltype(zero)>(from + i * sizeof zero));
  });
}

Result<Tensors> read_safetensors(std::string_view file) {
  if (file.size() < length_bytes) return damaged("it has no header");
  const auto length = load<std::uint64_t>(file.data());
  if (length > most_header_bytes || length > file.size() - length_bytes)
    return damaged("its header has " + std::to_string(length) + " bytes");
  const auto header = parse_json(file.substr(length_bytes, length));
  if (!header || header->map() == nullptr) return damaged("its header is not a JSON object");
  const std::string_view numbers = file.substr(length_bytes + length);
  Tensors tensors;
  for (const auto& [name, value] : *header->map()) {
    if (name == "__metadata__") continue;
    CAIRN_ASSIGN(auto tensor, read_tensor(name, value, numbers));
    tensors.emplace(name, std::move(tensor));
  }
  if (!fill(tensors, numbers)) return damaged("its tensors overlap or leave gaps");
  return tensors;
}

}  // namespace cairn::tools
