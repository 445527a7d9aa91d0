#pragma once
// CsvReader: comma-separated values, record by record, in bounded memory.
//
//     const auto read = [](std::span<char> room) -> Result<std::size_t> {
//       std::cin.read(room.data(), static_cast<std::streamsize>(room.size()));
//       return static_cast<std::size_t>(std::cin.gcount());
//     };
//     CsvReader reader("standard input", read, {});
//     std::vector<CsvField> fields;
//     while (true) {
//       CAIRN_ASSIGN(const bool is_there, reader.next(fields));
//       if (!is_there) break;
//       use(fields);
//     }
//
// RFC 4180, as written by everybody: a field may be in double quotes, then separators and line breaks belong to
// it and a doubled quote is one. Records end with LF, CRLF or the end of the file. A byte order mark at the beginning
// is passed over, and so are lines without anything.

#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cairn {

/// One field of a record.
struct CsvField {
  std::string text;
  bool is_quoted = false;
  /// Nothing at all between two separators; a pair of quotes is an empty text instead.
  [[nodiscard]] bool is_missing() const noexcept { return text.empty() && !is_quoted; }

  friend bool operator==(const CsvField&, const CsvField&) = default;
};

struct CsvOptions {
  char delimiter = ',';                                  ///< neither a quote nor a line's end
  std::size_t max_field_bytes = std::size_t{16} << 20;   ///< as one property value may have
  std::size_t max_record_bytes = std::size_t{64} << 20;  ///< all fields of a record together
};

/// Puts the next bytes of a file into a room and says how many; 0 at the end. May fail with any error.
using CsvSource = std::function<Result<std::size_t>(std::span<char> room)>;

/// Reads records. Threads: one. Memory: a record, and 64 KiB.
class CAIRN_EXPORT CsvReader {
 public:
  /// `name` is how errors call the file.
  CsvReader(std::string name, CsvSource source, const CsvOptions& options);

  /// The next record; false at the end. After an error it goes on with nothing.
  ///
  /// Errors, with the file's name and the line: invalid_argument for quotes that are not closed, text behind a closing
  /// quote, a NUL and bytes that are no UTF-8; resource_limit for a field or a record that is too large; those of the source.
  [[nodiscard]] Result<bool> next(std::vector<CsvField>& record);

  /// The line on which the last record began, from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return record_line_; }
  /// How many bytes were asked of the source.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// `problem` of the last record, as its errors are: "people.csv, line 7: problem".
  [[nodiscard]] Error error(ErrorCode code, const std::string& problem) const;

 private:
  enum class State { begin, bare, quoted, quote_in_quoted };

  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Status take_run();
  [[nodiscard]] Status take(char c);
  [[nodiscard]] Status take_quoted(char c);
  [[nodiscard]] Status append(const char* text, std::size_t size);
  [[nodiscard]] Status end_field();
  [[nodiscard]] Status end_record();
  [[nodiscard]] Result<bool> read_record();

  std::string name_;
  CsvSource source_;
  CsvOptions options_;
  std::vector<char> room_;
  std::size_t at_ = 0;    // of what is in the room
  std::size_t size_ = 0;  // of it
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 1;
  State state_ = State::begin;
  bool is_record_over_ = false;
  bool is_over_ = false;
  std::size_t record_bytes_ = 0;
  std::size_t fields_ = 0;                   // that the record has so far
  std::vector<CsvField>* record_ = nullptr;  // of the call that is under way
};

}  // namespace cairn
