# The blocks of C++ in a page as the body of one function, in their order: a later one may use what an earlier one
# has. What they leave out is `database`, and `need` of the program in the README. Appended to what headers.awk made.
# Input: one page.

BEGIN {
  print "namespace page_of_the_interface {\nnamespace {\n"
  print "template <class T>\nT need(cairn::Result<T> result) {\n  return std::move(*result);\n}\n"
  print "void page([[maybe_unused]] cairn::Database& database) {"
}
/^```cpp$/ { is_inside = 1; print "#line " FNR + 1 " \"" FILENAME "\""; next }
/^```/ { is_inside = 0 }
is_inside && !/^#include/ { print }
END { print "}\n\n}\n}" }
