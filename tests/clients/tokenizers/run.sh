#!/bin/bash
# Compares the tokens of many texts by an npm package of tokenizers with ours: run.sh TOKEN_PRINTER DIR. Packages are installed
# into DIR and stay there. Without npm, Node 20 or later, or a registry that has the package, it says so and exits with
# status 77.
set -u
. "$(dirname "$0")/../session.sh"
begin_session "$0" "$1" "$2"
export CAIRN_PROGRAM=$cairn CAIRN_WORK=$work
run_scenarios 9
end_session
