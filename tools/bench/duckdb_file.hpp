#pragma once
// DuckFile: a database of DuckDB by its C functions, from a shared library that is loaded at run time: no package of
// Debian and no header of it is needed. For the comparisons alone.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace cairn::tools {

struct DuckFunctions;

/// A prepared statement; ends before its file.
class DuckStatement {
 public:
  DuckStatement() = default;
  DuckStatement(const DuckFunctions& functions, void* handle);
  DuckStatement(DuckStatement&& other) noexcept;
  DuckStatement& operator=(DuckStatement&& other) noexcept;
  ~DuckStatement();

  /// Numbers count from 1. One that the statement does not have is ignored.
  void bind(std::size_t number, std::int64_t value);
  void bind(std::size_t number, const std::string& value);
  [[nodiscard]] void* get() const noexcept { return handle_; }

 private:
  const DuckFunctions* functions_ = nullptr;
  void* handle_ = nullptr;
};

/// All rows of an answer.
class DuckRows {
 public:
  DuckRows();
  DuckRows(DuckRows&& other) noexcept;
  DuckRows& operator=(DuckRows&&) = delete;
  ~DuckRows();

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::int64_t number(std::size_t row, std::size_t column) const;
  /// Empty where there is no value.
  [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;

 private:
  friend class DuckFile;
  struct Content;
  std::unique_ptr<Content> content_;
};

/// One database and one connection. Errors of all calls: io_error with DuckDB's words. Not safe from two threads.
class DuckFile {
 public:
  DuckFile() = default;
  DuckFile(const DuckFile&) = delete;
  DuckFile& operator=(const DuckFile&) = delete;
  ~DuckFile();

  /// Load the library and open the file, which is made if it does not exist. The library stays loaded until the program ends.
  /// Errors: not_found, unsupported of the library.
  [[nodiscard]] Status open(const std::string& library, const std::string& file);
  [[nodiscard]] std::string version() const;

  [[nodiscard]] Status run(const std::string& text);
  [[nodiscard]] Result<DuckStatement> prepare(const std::string& text);
  [[nodiscard]] Result<DuckRows> execute(const DuckStatement& statement);

 private:
  std::unique_ptr<const DuckFunctions, void (*)(const DuckFunctions*)> functions_{nullptr, nullptr};
  void* database_ = nullptr;
  void* connection_ = nullptr;
};

}  // namespace cairn::tools
