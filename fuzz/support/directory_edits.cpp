#include "fuzz/support/directory_edits.hpp"

#include "fuzz/support/expect.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

namespace cairn::fuzz {
namespace {

void overwrite(std::string& bytes, std::size_t at, std::string_view with) {
  if (at >= bytes.size()) return;
  const std::size_t size = std::min(with.size(), bytes.size() - at);
  bytes.replace(at, size, with.substr(0, size));
}

void edit_bytes(std::string& bytes, int kind, codec::ByteCursor& input) {
  const std::size_t at = input.read_little<std::uint16_t>() % (bytes.size() + 1);
  if (kind == 2) {
    bytes.resize(bytes.size() - at);
  } else if (kind == 5) {
    overwrite(bytes, at, std::string(input.read_little<std::uint16_t>(), '\0'));
  } else if (kind == 6) {
    bytes.append(at, '\0');
  } else {
    const std::string_view with = input.read_bytes(input.read_byte());
    overwrite(bytes, kind == 0 ? at : bytes.size() - at, with);
  }
}

}  // namespace

Files read_files(const std::filesystem::path& directory) {
  Files files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name == "LOCK" || name.starts_with("LOG")) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[entry.path().lexically_relative(directory).string()] =
        std::string(std::istreambuf_iterator<char>(stream), {});
  }
  return files;
}

void write_files(const Files& files, const std::filesystem::path& directory) {
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  for (const auto& [name, bytes] : files) {
    const auto path = directory / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    expect(stream.good());
  }
}

void edit(Files& files, codec::ByteCursor& input) {
  if (files.empty()) return;
  const auto place = [&](std::uint8_t number) {
    return std::next(files.begin(), static_cast<std::ptrdiff_t>(number % files.size()));
  };
  const auto file = place(input.read_byte());
  const int kind = input.read_byte() % 7;
  if (kind == 3) {
    files.erase(file);
  } else if (kind == 4) {
    file->second = std::string(place(input.read_byte())->second);
  } else {
    edit_bytes(file->second, kind, input);
  }
}

}  // namespace cairn::fuzz
