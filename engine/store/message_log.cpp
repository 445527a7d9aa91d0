#include "engine/store/message_log.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

namespace cairn::engine {
namespace {

using rocksdb::FileOptions;
using rocksdb::IOOptions;

/// Of now, in UTC: 2026-11-24T17:03:13.123456Z
std::string time_text() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  size += static_cast<std::size_t>(std::snprintf(text + size, sizeof(text) - size, ".%06dZ",
                                                 static_cast<int>(micros % 1'000'000)));
  return {text, size};
}

std::string formatted(const char* format, std::va_list values) {
  std::va_list again;
  va_copy(again, values);
  const int size = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, values);
  text.pop_back();
  return text;
}

}  // namespace

MessageLog::MessageLog(rocksdb::FileSystem& files, std::string name)
    : files_(files), name_(std::move(name)) {
  files_.NewWritableFile(name_, FileOptions(), &file_, nullptr).PermitUncheckedError();
}

void MessageLog::Logv(const char* format, std::va_list values) {
  std::string line = time_text().append(" ").append(formatted(format, values));
  if (!line.ends_with('\n')) line.push_back('\n');
  const std::lock_guard lock(mutex_);
  if (dropped_ != 0)
    line.insert(0, std::to_string(dropped_).append(" messages were dropped: no write succeeded\n"));
  dropped_ = append(line) ? 0 : dropped_ + 1;
}

bool MessageLog::append(const std::string& line) {
  if (file_ == nullptr && !files_.ReopenWritableFile(name_, FileOptions(), &file_, nullptr).ok())
    return false;
  if (!file_->Append(line, IOOptions(), nullptr).ok()) {
    file_.reset();
    return false;
  }
  bytes_ += line.size();
  return true;
}

}  // namespace cairn::engine
