#include "query/execute/call/statement_file.hpp"

#include "engine/files/file_root.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

namespace cairn::query {

Result<CsvSource> open_statement_file(const ExecutionContext& context, std::string_view path) {
  CAIRN_ASSIGN(const engine::FileRoot* files, files_of(context));
  CAIRN_ASSIGN(engine::FileDescriptor opened, files->open_for_reading(path));
  const auto file = std::make_shared<engine::FileDescriptor>(std::move(opened));
  return CsvSource([file, name = std::string(path)](std::span<char> room) -> Result<std::size_t> {
    ssize_t count = 0;
    do count = ::read(file->value(), room.data(), room.size());
    while (count < 0 && errno == EINTR);
    if (count >= 0) return static_cast<std::size_t>(count);
    return Error{ErrorCode::io_error, "cannot read " + name + ": " + std::strerror(errno),
                 std::nullopt};
  });
}

}  // namespace cairn::query
