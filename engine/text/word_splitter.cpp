// Words for the hashing embedder, by Unicode categories from utf8proc; a rule of its own beside
// that of the full-text index, so that stored vectors do not depend on how texts are indexed. Case
// is folded letter by letter.
#include "engine/text/word_splitter.hpp"

#include <utf8proc.h>

#include <array>
#include <utility>

namespace cairn::engine {
namespace {

enum class Class { separator, lower, upper, digit };

Class class_of(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return Class::upper;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
      return Class::lower;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
      return Class::digit;
    default:
      return Class::separator;
  }
}

/// Collects one identifier: its parts, and the whole where it has several.
class Splitter {
 public:
  void take(utf8proc_int32_t code, Class next) {
    // "vectorIndex2" parts before I and before 2.
    const bool hump = (previous_ == Class::lower && next == Class::upper) ||
                      (previous_ == Class::digit) != (next == Class::digit);
    if (hump && !part_.empty()) end_part();
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto length = utf8proc_encode_char(utf8proc_tolower(code), bytes.data());
    part_.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
    previous_ = next;
  }

  void end_word() {
    end_part();
    if (parts_ > 1) words_.push_back(whole_);
    whole_.clear();
    parts_ = 0;
    previous_ = Class::separator;
  }

  [[nodiscard]] std::vector<std::string> words() && { return std::move(words_); }

 private:
  void end_part() {
    if (part_.empty()) return;
    whole_ += part_;
    words_.push_back(std::exchange(part_, {}));
    ++parts_;
  }

  std::vector<std::string> words_;
  std::string whole_;
  std::string part_;
  std::size_t parts_ = 0;
  Class previous_ = Class::separator;
};

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  Splitter splitter;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, left, &code);
    const Class kind = length > 0 ? class_of(code) : Class::separator;
    if (kind == Class::separator) {
      splitter.end_word();
    } else {
      splitter.take(code, kind);
    }
    // A byte that is not UTF-8 parts words and is passed over.
    at += length > 0 ? static_cast<std::size_t>(length) : 1;
  }
  splitter.end_word();
  return std::move(splitter).words();
}

}  // namespace cairn::engine
