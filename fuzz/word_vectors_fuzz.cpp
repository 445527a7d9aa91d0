// Converts the text form of word vectors: it is refused with its line, or becomes a file with as
// many words, which returns vectors of length 1. The bytes of a file with a valid checksum are
// refused, or every query to it is answered.
//
// input := "cairnwv1" rest of a file, whose checksum is set here | lines of the text form

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "fuzz/support/expect.hpp"
#include "fuzz/support/scratch_file.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/word_vectors.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

// Converting a file takes time proportional to the square of the dimension.
constexpr std::size_t most_bytes = 1'024;
constexpr std::size_t header_bytes = 32, checksum_bytes = 8;
constexpr std::string_view magic = "cairnwv1";

void ask(const WordVectors& vectors, std::string_view text) {
  const std::array<std::string_view, 3> texts{text, text.substr(0, text.find_first_of(" \t\n")),
                                              ""};
  const auto made = vectors.embed(texts).value();
  const auto again = vectors.embed(texts).value();
  expect(made.size() == texts.size() && again.size() == texts.size());
  expect(vectors.embed_documents(texts).value().size() == texts.size());
  for (std::size_t i = 0; i < made.size(); ++i)
    expect(std::ranges::equal(made[i].components(), again[i].components()));
  for (const std::string_view word : texts)
    expect(vectors.nearest_words(word, 3).size() <= 3 &&
           vectors.nearest_words(word, 3, 1).size() <= 1);
}

double length_of(const Vector& vector) {
  double squares = 0;
  for (const float component : vector.components())
    squares += static_cast<double>(component) * static_cast<double>(component);
  return std::sqrt(squares);
}

void check_text(std::string_view text, ScratchFile& source) {
  static const test::TemporaryDirectory directory;
  const auto file = directory.path() / "vectors";
  const auto words = WordVectors::convert(source.write(text), file);
  if (!words) return;
  const auto vectors = WordVectors::open(file).value();
  expect(vectors->size() == *words && *words > 0);
  ask(*vectors, text);
  const auto made = vectors->embed({&text, 1}).value();
  expect(made[0].components().size() == vectors->dimension());
  expect(std::abs(length_of(made[0]) - 1) < 1e-3);
}

void check_file(std::string bytes, ScratchFile& file) {
  if (bytes.size() >= header_bytes) {
    std::string checksum;
    codec::append_little(checksum, codec::checksum(std::string_view(bytes).substr(header_bytes)));
    bytes.replace(header_bytes - checksum_bytes, checksum_bytes, checksum);
  }
  const auto vectors = WordVectors::open(file.write(bytes));
  if (vectors) ask(**vectors, bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_bytes) return -1;
  static ScratchFile scratch;
  const std::string_view bytes = text_of(data, size);
  bytes.starts_with(magic) ? check_file(std::string(bytes), scratch) : check_text(bytes, scratch);
  return 0;
}
