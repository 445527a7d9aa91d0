#pragma once
// Helpers for every use of libcurl: initialisation, lists of headers, and the headers of replies.
// For builds with libcurl only.

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Initialises libcurl once per process.
inline void start_libcurl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)started;
}

struct FreeCurlHeaders {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using CurlHeaders = std::unique_ptr<curl_slist, FreeCurlHeaders>;

/// Appends a header. libcurl returns the new head of the list, which replaces the old one.
inline void add_header(CurlHeaders& headers, const std::string& line) {
  curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  (void)headers.release();
  headers.reset(longer);
}

/// Returns the value of a header if the line has this name, in any case, else an empty text. Precondition: `name` is in
/// small letters.
[[nodiscard]] inline std::string_view header_value(std::string_view line, std::string_view name) {
  const auto is_same = [](char left, char right) {
    return std::tolower(static_cast<unsigned char>(left)) == right;
  };
  const bool is_named =
      line.size() > name.size() && line[name.size()] == ':' &&
      std::equal(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(name.size()),
                 name.begin(), is_same);
  if (!is_named) return {};
  line.remove_prefix(name.size() + 1);
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t last = line.find_last_not_of(" \t\r\n");
  if (first == std::string_view::npos || last == std::string_view::npos || last < first) return {};
  return line.substr(first, last - first + 1);
}

}  // namespace cairn::engine
