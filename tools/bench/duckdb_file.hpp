#pragma once
// DuckFile: a DuckDB database through DuckDB's C functions, for the comparisons only. The shared
// library is loaded at run time, so that neither a package nor a header of DuckDB is needed to
// build.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace cairn::tools {

struct DuckFunctions;

/// A prepared statement. Must be destroyed before its file.
class DuckStatement {
 public:
  DuckStatement() = default;
  DuckStatement(const DuckFunctions& functions, void* handle);
  DuckStatement(DuckStatement&& other) noexcept;
  DuckStatement& operator=(DuckStatement&& other) noexcept;
  ~DuckStatement();

  /// Numbers start from 1. A number that the statement does not have is ignored.
  void bind(std::size_t number, std::int64_t value);
  void bind(std::size_t number, const std::string& value);
  [[nodiscard]] void* get() const noexcept { return handle_; }

 private:
  const DuckFunctions* functions_ = nullptr;
  void* handle_ = nullptr;
};

/// All rows of a result.
class DuckRows {
 public:
  DuckRows();
  DuckRows(DuckRows&& other) noexcept;
  DuckRows& operator=(DuckRows&&) = delete;
  ~DuckRows();

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::int64_t number(std::size_t row, std::size_t column) const;
  /// Returns an empty text for NULL.
  [[nodiscard]] std::string text(std::size_t row, std::size_t column) const;

 private:
  friend class DuckFile;
  struct Content;
  std::unique_ptr<Content> content_;
};

/// One database with one connection. All calls return io_error with DuckDB's message. Not
/// thread-safe.
class DuckFile {
 public:
  DuckFile() = default;
  DuckFile(const DuckFile&) = delete;
  DuckFile& operator=(const DuckFile&) = delete;
  ~DuckFile();

  /// Loads the library and opens the file, which is created if it does not exist. The library stays
  /// loaded until the program ends. Errors: not_found and unsupported for the library; io_error for
  /// the file.
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
