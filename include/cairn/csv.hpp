#pragma once
// CsvReader: reads comma-separated values, record by record, in bounded memory.
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
// Reads RFC 4180 and its common variants. A field may be in double quotes; then separators and line
// breaks belong to the field, and a doubled quote is one quote. Records end with LF, CRLF or the
// end of the file. A byte order mark at the beginning and empty lines are skipped.

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
  /// True if two separators are adjacent. A pair of quotes between them is an empty text instead.
  [[nodiscard]] bool is_missing() const noexcept { return text.empty() && !is_quoted; }

  friend bool operator==(const CsvField&, const CsvField&) = default;
};

/// How records are divided, and how large they may be.
struct CsvOptions {
  char delimiter = ',';                                  ///< not a quote or line break
  std::size_t max_field_bytes = std::size_t{16} << 20;   ///< like the limit of a property
  std::size_t max_record_bytes = std::size_t{64} << 20;  ///< of all fields of a record
};

/// Writes the next bytes of a file to `room` and returns their number, 0 at the end. It may fail
/// with any error.
using CsvSource = std::function<Result<std::size_t>(std::span<char> room)>;

/// Reads records. Threads: one. Memory: one record, and 64 KiB.
class CAIRN_EXPORT CsvReader {
 public:
  /// Errors call the file by `name`.
  CsvReader(std::string name, CsvSource source, const CsvOptions& options);

  /// Reads the next record; returns false at the end. Nothing more can be read after an error.
  ///
  /// Errors, with the file's name and the line: invalid_argument for an unclosed quote, text after
  /// a closing quote, a NUL byte and invalid UTF-8; resource_limit for a field or record that is
  /// too large; and the errors of the source.
  [[nodiscard]] Result<bool> next(std::vector<CsvField>& record);

  /// The line on which the last record begins, counted from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return record_line_; }
  /// Number of bytes read from the source.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Makes an error about the last record: "people.csv, line 7: problem".
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
  std::size_t at_ = 0;    // next byte in room_
  std::size_t size_ = 0;  // bytes in room_
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t record_line_ = 1;
  State state_ = State::begin;
  bool is_record_over_ = false;
  bool is_over_ = false;
  std::size_t record_bytes_ = 0;
  std::size_t fields_ = 0;                   // of the record that is being read
  std::vector<CsvField>* record_ = nullptr;  // where the current call puts its fields
};

}  // namespace cairn
