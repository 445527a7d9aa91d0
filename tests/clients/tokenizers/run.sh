#!/bin/bash
# The tokens of many texts by the npm package of tokenizers and by ours: run.sh TOKEN_PRINTER DIR. Packages are installed
# into DIR and stay there. Exit status 77, and why, where there is no npm, no node of version 20, or no registry that has
# the package.
set -u
. "$(dirname "$0")/../session.sh"
begin_session "$0" "$1" "$2"
export CAIRN_PROGRAM=$cairn CAIRN_WORK=$work
run_scenarios 9
end_session
