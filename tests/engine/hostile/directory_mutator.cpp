#include "tests/engine/hostile/directory_mutator.hpp"

#include "tests/engine/hostile/sample_database.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

DirectoryMutator::DirectoryMutator(fs::path database, fs::path other, std::uint64_t seed)
    : database_(std::move(database)), other_(std::move(other)), random_(seed) {}

std::uint64_t DirectoryMutator::below(std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
}

/// A regular one: what an earlier change made may be a pipe.
fs::path DirectoryMutator::draw_file() {
  std::vector<fs::path> files = files_of(database_);
  constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20;
  std::erase_if(files, [&](const fs::path& file) {
    const auto status = fs::symlink_status(database_ / file);
    return !fs::is_regular_file(status) || fs::file_size(database_ / file) > most_bytes;
  });
  if (files.empty()) throw std::runtime_error("no file is left in " + database_.string());
  return files[below(files.size())];
}

std::string DirectoryMutator::mutate() {
  const fs::path file = draw_file();
  using Change = std::string (DirectoryMutator::*)(const fs::path&);
  constexpr Change changes[] = {
      &DirectoryMutator::flip,           &DirectoryMutator::flip,
      &DirectoryMutator::flip,           &DirectoryMutator::resize,
      &DirectoryMutator::overwrite,      &DirectoryMutator::duplicate,
      &DirectoryMutator::swap,           &DirectoryMutator::replace_by_odd,
      &DirectoryMutator::replace_by_odd, &DirectoryMutator::replace_by_other};
  return file.string() + ": " + (this->*changes[below(std::size(changes))])(file);
}

/// Half of the flipped bytes are near the end of the file: the last bytes of a table describe the
/// rest.
std::string DirectoryMutator::flip(const fs::path& file) {
  std::string bytes = content(database_ / file);
  if (bytes.empty()) return "empty";
  std::string text = "flipped";
  for (std::uint64_t i = below(4) + 1; i > 0; --i) {
    const std::uint64_t size = bytes.size(), end = std::min<std::uint64_t>(size, 128);
    const std::uint64_t at = below(2) == 0 ? below(size) : size - 1 - below(end);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
    text += " " + std::to_string(at);
  }
  write(database_ / file, bytes);
  return text;
}

std::string DirectoryMutator::resize(const fs::path& file) {
  const std::uintmax_t size = fs::file_size(database_ / file);
  const std::uint64_t kind = below(6);
  if (kind == 0) {
    fs::remove(database_ / file);
    return "deleted";
  }
  const std::uintmax_t wanted = kind == 1   ? 0
                                : kind == 2 ? std::uintmax_t{1} << 40
                                : kind == 3 ? size + below(100'000)
                                            : below(size + 1);
  fs::resize_file(database_ / file, wanted);
  return "of " + std::to_string(wanted) + " bytes instead of " + std::to_string(size);
}

std::string DirectoryMutator::overwrite(const fs::path& file) {
  std::string bytes = content(database_ / file);
  const bool is_zero = below(2) == 0;
  const std::size_t begin = below(2) == 0 ? 0 : below(bytes.size() + 1);
  std::generate(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.end(),
                [&] { return is_zero ? '\0' : static_cast<char>(below(256)); });
  write(database_ / file, bytes);
  return (is_zero ? "zeros from byte " : "garbage from byte ") + std::to_string(begin);
}

/// Under the number of a file that is not there.
std::string DirectoryMutator::duplicate(const fs::path& file) {
  const fs::path copy =
      file.parent_path() / ("0000" + std::to_string(10 + below(90)) + file.extension().string());
  if (fs::exists(database_ / copy)) return "left alone";
  fs::copy_file(database_ / file, database_ / copy);
  return "copied to " + copy.string();
}

std::string DirectoryMutator::swap(const fs::path& file) {
  const fs::path other = draw_file();
  const fs::path between = database_ / "between";
  fs::rename(database_ / file, between);
  if (other != file) fs::rename(database_ / other, database_ / file);
  fs::rename(between, database_ / other);
  return "exchanged with " + other.string();
}

std::string DirectoryMutator::replace_by_odd(const fs::path& file) {
  const fs::path place = database_ / file;
  const fs::path aside = database_.string() + ".aside";
  fs::copy_file(place, aside, fs::copy_options::overwrite_existing);
  fs::remove(place);
  switch (below(6)) {
    case 0:
      ::mkfifo(place.c_str(), 0600);
      return "a pipe";
    case 1:
      fs::create_directory(place);
      return "a directory";
    case 2:
      fs::create_symlink("/dev/zero", place);
      return "a link to zeros";
    case 3:
      fs::create_symlink("/dev/urandom", place);
      return "a link to chance";
    case 4:
      fs::create_symlink(aside, place);
      return "a link to itself elsewhere";
    default:
      // Not everybody may make a device.
      if (::mknod(place.c_str(), S_IFCHR | 0600, makedev(1, 5)) != 0) ::mkfifo(place.c_str(), 0600);
      return "a device of zeros";
  }
}

/// The file of the same kind.
std::string DirectoryMutator::replace_by_other(const fs::path& file) {
  std::vector<fs::path> others = files_of(other_);
  std::erase_if(others, [&](const fs::path& one) {
    return one.parent_path() != file.parent_path() || one.extension() != file.extension();
  });
  if (others.empty()) return "left alone";
  const fs::path& other = others[below(others.size())];
  fs::copy_file(other_ / other, database_ / file, fs::copy_options::overwrite_existing);
  return "another database's " + other.string();
}

}  // namespace cairn::test
