# Defines types a second time in a copy of the source and expects one_definition.cmake to name each.
cmake_policy(VERSION 3.25)
set(rule one_definition)
include(${CMAKE_CURRENT_LIST_DIR}/check_copy.cmake)

check_copy("")
check_copy("rope::Numbers: src/rope/diagnose/numbers.hpp and src/rope/precision/sum.hpp" src/rope/precision/sum.hpp
  "namespace rope {\nstruct Numbers {\n  std::vector<double> seen;\n};\n}  // namespace rope")
check_copy("rope::PairLayout:" src/rope/verify/verdict.cpp
  "namespace rope {\nenum class PairLayout {\n  other\n};\n}  // namespace rope")
check_copy("rope::io::FileWriter:" src/rope/io/file.cpp
  "namespace rope {\nnamespace io {\nclass FileWriter final : public Other {\n};\n}  // namespace io\n}  // namespace rope")
check_copy("" src/rope/verify/verdict.cpp
  "namespace rope {\nnamespace {\nstruct Numbers {\n};\n}  // namespace\nstruct ReferenceRotation::Numbers {\n};\n}  // namespace rope")
file(REMOVE_RECURSE ${SCRATCH_DIR})
