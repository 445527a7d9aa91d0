// Maps a file of word vectors. Opening computes a checksum over the file. The memory belongs to the
// page cache and is shared by all processes. The counts in the header determine the offset of every
// part, and the parts must fill the file exactly, so that later lookups stay inside the file.
//
// A mapped file must not be truncated. Writers replace it by rename, as convert() does: processes
// that have the old file open continue to use it.
#include "engine/text/word_vector_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace cairn::engine {
namespace {

/// Takes parts of mapped bytes from the front. After a part that does not fit, all parts are empty.
class Parts {
 public:
  Parts(const std::byte* data, std::size_t size) : data_(data), size_(size) {}

  template <class T>
  std::span<const T> take(std::uint64_t count) {
    // The last part may end without padding.
    // `count` is below 2^45, so this does not overflow.
    const std::uint64_t bytes = (count * sizeof(T) + 3) / 4 * 4;
    // After a failure all later parts are empty. The caller checks is_all() once at the end.
    sound_ = sound_ && (bytes <= size_ || count * sizeof(T) == size_);
    if (!sound_) return {};
    const auto* const first = reinterpret_cast<const T*>(data_);
    const std::size_t taken = std::min<std::size_t>(size_, bytes);
    data_ += taken;
    size_ -= taken;
    return {first, static_cast<std::size_t>(count)};
  }
  [[nodiscard]] bool is_all() const noexcept { return sound_ && size_ == 0; }

 private:
  const std::byte* data_;
  std::size_t size_;
  bool sound_ = true;
};

/// A file descriptor that is closed by its destructor. Opening never waits, not even for the writer of a pipe.
struct Descriptor {
  int number = -1;
  explicit Descriptor(const std::filesystem::path& path)
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

Result<WordVectorFile> WordVectorFile::open(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat about{};
  if (file.number < 0 || ::fstat(file.number, &about) != 0)
    return Error{
        ErrorCode::io_error, "cannot read " + path.string() + ": " + std::strerror(errno), {}};
  // The mapping remains valid after the descriptor is closed.
  const auto size = static_cast<std::size_t>(about.st_size);
  const Error no_vectors{ErrorCode::corruption,
                         path.string() +
                             " is not a complete file of word vectors; rebuild it with "
                             "cairn convert-vectors",
                         {}};
  if (!S_ISREG(about.st_mode) || size < sizeof(WordVectorHeader)) return no_vectors;
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
  if (data == MAP_FAILED)
    return Error{
        ErrorCode::io_error, "cannot map " + path.string() + ": " + std::strerror(errno), {}};
  WordVectorFile mapped(static_cast<const std::byte*>(data), size);
  if (!mapped.set_parts()) return no_vectors;
  return mapped;
}

bool WordVectorFile::set_parts() noexcept {
  header_ = reinterpret_cast<const WordVectorHeader*>(data_);
  if (std::string_view(header_->magic, sizeof header_->magic) != word_vector_magic ||
      header_->dimension == 0 || header_->dimension > most_word_dimension ||
      header_->letters > size_)
    return false;
  Parts parts(data_ + sizeof(WordVectorHeader), size_ - sizeof(WordVectorHeader));
  const std::uint64_t words = header_->words;
  common_ = parts.take<float>(header_->dimension);
  scales_ = parts.take<float>(words);
  ranks_ = parts.take<std::uint32_t>(words);
  ends_ = parts.take<std::uint32_t>(words);
  const auto letters = parts.take<char>(header_->letters);
  letters_ = {letters.data(), letters.size()};
  rows_ = parts.take<std::int8_t>(words * header_->dimension);
  // If the ends ascend to the number of letters, each word is within the letters.
  return parts.is_all() && std::is_sorted(ends_.begin(), ends_.end()) &&
         (ends_.empty() ? 0 : ends_.back()) == letters_.size() &&
         XXH3_64bits(data_ + sizeof(WordVectorHeader), size_ - sizeof(WordVectorHeader)) ==
             header_->checksum;
}

WordVectorFile::WordVectorFile(WordVectorFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      header_(other.header_),
      common_(other.common_),
      scales_(other.scales_),
      ranks_(other.ranks_),
      ends_(other.ends_),
      letters_(other.letters_),
      rows_(other.rows_) {}

WordVectorFile::~WordVectorFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

std::string_view WordVectorFile::word(std::size_t place) const noexcept {
  const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
  return letters_.substr(begin, ends_[place] - begin);
}

std::optional<std::size_t> WordVectorFile::find(std::string_view word) const noexcept {
  // A binary search takes some 18 steps for 340,000 words; each step touches a page or two.
  std::size_t low = 0;
  std::size_t high = ends_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (this->word(middle) < word)
      low = middle + 1;
    else
      high = middle;
  }
  return low < ends_.size() && this->word(low) == word ? std::optional(low) : std::nullopt;
}

}  // namespace cairn::engine
