# The examples in the comments of public headers as one translation unit: every block of lines that are
# set in by five blanks behind // or /// becomes the body of a function, or stands outside of them where
# it defines one. Lines of blanks alone do not end a block; #line leads errors back to the header.
# Input: the headers. What the examples leave out is in given.hpp.

function flush_block(  head, space) {
  if (block == "") return
  # Formulas and grammars have neither statements nor a call.
  if (block !~ /;/ && block !~ /^[a-z_:]+\(/) { block = ""; return }
  head = "#line " begin " \"" file "\"\n"
  space = file ~ /memory\// ? "cairn::memory" : "cairn"
  print "namespace " space " {\nnamespace {"
  ++count
  if (block ~ /^#include|^static_assert/) {
    # What stands at the front of a program is there already; the rest is a body.
    while (match(block, /^#include[^\n]*\n/)) block = substr(block, RLENGTH + 1)
  }
  if (block ~ /^(class|struct|Result<)[^;=]*[{]/)
    print "namespace example_" count " {\n" head block "}  // namespace"
  else if (block !~ /;/)
    print "Anything example_" count "(Given& given) {\n" unpack "  {\n" head "use(" block ");\n  }\n  return {};\n}"
  else
    print "Anything example_" count "(Given& given) {\n" unpack "  {\n" head block "  }\n  return {};\n}"
  print "}\n}\n"
  block = ""
}

BEGIN {
  print "// Made by headers.awk of the comments in include/cairn."
  print "#include \"tests/examples/given.hpp\"\n"
  unpack = "  CAIRN_EXAMPLES_GIVEN(given)\n"
}
FNR == 1 { flush_block(); file = FILENAME; gap = 0 }
/^[ \t]*\/\/[\/!]?     / {
  if (block == "") begin = FNR
  for (; gap > 0; --gap) block = block "\n"
  line = $0
  sub(/^[ \t]*\/\/[\/!]?     /, "", line)
  block = block line "\n"
  next
}
/^[ \t]*\/\/[\/!]?[ \t]*$/ { if (block != "") ++gap; next }
{ flush_block(); gap = 0 }
END { flush_block() }
