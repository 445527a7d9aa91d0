# Runs a program of the examples on a new database and compares what it prints with a file.
# Input: PROGRAM EXPECTED DATABASE.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${DATABASE}")
file(READ "${EXPECTED}" expected)
execute_process(COMMAND "${PROGRAM}" "${DATABASE}" OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${printed}\nbut ${EXPECTED} says\n${expected}")
endif()
