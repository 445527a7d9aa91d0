#pragma once
// Copies of a database's directory, and edits of them that an input describes.

#include "codec/byte_io.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace cairn::fuzz {

/// The files of a directory by their paths within it.
using Files = std::map<std::string, std::string>;

/// Reads all files except the lock file and RocksDB's text log.
[[nodiscard]] Files read_files(const std::filesystem::path& directory);
/// Makes `directory` contain exactly these files.
void write_files(const Files& files, const std::filesystem::path& directory);

/// Reads one edit from the input and applies it. File and place are taken modulo their numbers.
///
/// edit := file:u8 0 at:u16 size:u8 byte{size}    replaces bytes, counted from the beginning
///       | file:u8 1 at:u16 size:u8 byte{size}    replaces bytes, counted from the end
///       | file:u8 2 at:u16                       cuts off the end
///       | file:u8 3                              deletes the file
///       | file:u8 4 other:u8                     copies another file over it
///       | file:u8 5 at:u16 size:u16              overwrites with zeros
///       | file:u8 6 size:u16                     appends zeros
void edit(Files& files, codec::ByteCursor& input);

}  // namespace cairn::fuzz
