#pragma once
// Copies of a database's directory, and the edits that an input makes to one.

#include "codec/byte_io.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace cairn::fuzz {

/// The files of a directory by their paths within it.
using Files = std::map<std::string, std::string>;

/// Without the lock, which says who had it open last, and the store's diary.
[[nodiscard]] Files read_files(const std::filesystem::path& directory);
/// Make `directory` hold these files and no others.
void write_files(const Files& files, const std::filesystem::path& directory);

/// Read one edit and make it; the file and the place count modulo how many there are.
///
/// edit := file:u8 0 at:u16 size:u8 byte{size}    bytes are replaced, from the beginning on
///       | file:u8 1 at:u16 size:u8 byte{size}    likewise, counted from the end
///       | file:u8 2 at:u16                       the end is cut off
///       | file:u8 3                              the file is gone
///       | file:u8 4 other:u8                     it has the bytes of another one
///       | file:u8 5 at:u16 size:u16              zeros
///       | file:u8 6 size:u16                     zeros behind it
void edit(Files& files, codec::ByteCursor& input);

}  // namespace cairn::fuzz
