// A CSV reader: a state machine over one buffer.
//
//    begin  --"-->  quoted  --"-->  quote_in_quoted  --"-->  quoted
//    begin  --any-->  bare          quote_in_quoted  --separator, end-->  begin
//
// Runs of ordinary bytes are appended at once. A CR at the end of a record is dropped.
#include "query/syntax/lexical.hpp"

#include <cairn/csv.hpp>

#include <algorithm>
#include <cstring>

namespace cairn {
namespace {

constexpr std::size_t room_bytes = 64 * 1'024;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string mebibytes(std::size_t bytes) {
  if (bytes < (std::size_t{1} << 20)) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

CsvReader::CsvReader(std::string name, CsvSource source, const CsvOptions& options)
    : name_(std::move(name)), source_(std::move(source)), options_(options), room_(room_bytes) {}

// Errors name the line on which the record begins.
Error CsvReader::error(ErrorCode code, const std::string& problem) const {
  return {code, name_ + ", line " + std::to_string(record_line_) + ": " + problem, std::nullopt};
}

// After an error or the last record, the reader stays at the end.
Result<bool> CsvReader::next(std::vector<CsvField>& record) {
  record_ = &record;
  auto is_there = read_record();
  is_over_ = is_over_ || !is_there || !*is_there;
  return is_there;
}

// Empty lines are skipped.
Result<bool> CsvReader::read_record() {
  while (!is_over_) {
    fields_ = 0;
    record_bytes_ = 0;
    is_record_over_ = false;
    state_ = State::begin;
    record_line_ = line_;
    record_->clear();
    bool has_more = true;
    while (!is_record_over_ && has_more) {
      CAIRN_ASSIGN(has_more, fill());
      if (has_more) CAIRN_TRY(take_run());
    }
    is_over_ = !has_more;
    if (!has_more && state_ == State::quoted)
      return error(ErrorCode::invalid_argument, "a quote is opened and never closed");
    if (!is_record_over_ && fields_ > 0) CAIRN_TRY(end_record());
    if (fields_ > 1 || (fields_ == 1 && !record_->front().is_missing())) return true;
  }
  return false;
}

// At the beginning, at least four bytes are read before the byte order mark is tested, even if the source returns fewer
// bytes at a time: a file with only a mark is empty.
Result<bool> CsvReader::fill() {
  if (at_ < size_) return true;
  const bool is_first = bytes_ == 0;
  at_ = size_ = 0;
  do {
    CAIRN_ASSIGN(const std::size_t count,
                 source_(std::span<char>(room_).subspan(size_, room_bytes - size_)));
    size_ += count;
    bytes_ += count;
    if (count == 0) break;
  } while (is_first && size_ <= byte_order_mark.size());
  if (is_first && std::string_view(room_.data(), size_).starts_with(byte_order_mark))
    at_ = byte_order_mark.size();
  return at_ < size_;
}

// Appends ordinary bytes up to the end of the buffer or the record.
Status CsvReader::take_run() {
  const auto means_nothing = [this](char c) {
    if (c == '\0' || c == '"' || c == '\n') return false;
    return state_ == State::quoted || (c != '\r' && c != options_.delimiter);
  };
  while (at_ < size_ && !is_record_over_) {
    if (fields_ == 0) {
      record_->emplace_back();
      fields_ = 1;
    }
    const char* begin = room_.data() + at_;
    const char* end = begin;
    if (state_ == State::bare || state_ == State::quoted)
      end = std::find_if_not(begin, begin + (size_ - at_), means_nothing);
    CAIRN_TRY(append(begin, static_cast<std::size_t>(end - begin)));
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < size_) CAIRN_TRY(take(room_[at_++]));
  }
  return {};
}

// Handles one byte that may have a meaning in the current state.
Status CsvReader::take(char c) {
  if (c == '\0') return error(ErrorCode::invalid_argument, "a NUL byte is not text");
  if (state_ == State::quoted) return take_quoted(c);
  if (c == '\n') {
    ++line_;
    return end_record();
  }
  if (c == options_.delimiter) {
    CAIRN_TRY(end_field());
    record_->emplace_back();
    ++fields_;
    return {};
  }
  if (state_ == State::begin && c == '"') {
    state_ = State::quoted;
    record_->back().is_quoted = true;
    return {};
  }
  if (state_ == State::quote_in_quoted && c == '"') {
    state_ = State::quoted;
    return append(&c, 1);
  }
  if (state_ == State::quote_in_quoted && c != '\r')
    return error(ErrorCode::invalid_argument,
                 "field " + std::to_string(fields_) +
                     " continues after its closing quote; double a quote within a field");
  if (state_ == State::quote_in_quoted) return {};  // the CR of a CRLF
  state_ = State::bare;
  return append(&c, 1);
}

// Within quotes only a quote has a meaning.
Status CsvReader::take_quoted(char c) {
  if (c == '"') {
    state_ = State::quote_in_quoted;
    return {};
  }
  if (c == '\n') ++line_;
  return append(&c, 1);
}

// Drops the CR of a CRLF line end.
Status CsvReader::end_record() {
  is_record_over_ = true;
  std::string& text = record_->back().text;
  if (state_ == State::bare && text.ends_with('\r')) text.pop_back();
  return end_field();
}

// Appends to the current field, within the limits of field and record.
Status CsvReader::append(const char* text, std::size_t size) {
  CsvField& field = record_->back();
  if (size > options_.max_field_bytes - field.text.size())
    return error(ErrorCode::resource_limit, "field " + std::to_string(fields_) + " has more than " +
                                                mebibytes(options_.max_field_bytes) +
                                                "; is a quote not closed?");
  if (size > options_.max_record_bytes - record_bytes_)
    return error(ErrorCode::resource_limit,
                 "the record has more than " + mebibytes(options_.max_record_bytes));
  record_bytes_ += size;
  field.text.append(text, size);
  return {};
}

// The size of the field object counts too, so that the limit also ends a line that has only separators.
Status CsvReader::end_field() {
  state_ = State::begin;
  const std::string& text = record_->back().text;
  if (query::lexical::find_invalid_utf8(text) != std::string_view::npos)
    return error(
        ErrorCode::invalid_argument,
        "field " + std::to_string(fields_) + " is not valid UTF-8; convert the file with iconv");
  if (sizeof(CsvField) > options_.max_record_bytes - record_bytes_)
    return error(ErrorCode::resource_limit,
                 "the record has more than " + mebibytes(options_.max_record_bytes));
  record_bytes_ += sizeof(CsvField);
  return {};
}

}  // namespace cairn
