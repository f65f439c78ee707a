#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "rope/error.hpp"
#include "rope/io/npy.hpp"

namespace rope::io {
namespace {

using std::string_literals::operator""s;

/// A version 1.0 file with this header and data, whatever they say.
std::string npy_file(const std::string& header, const std::string& data = {}) {
  return "\x93NUMPY\x01\x00"s + static_cast<char>(header.size() % 256) +
         static_cast<char>(header.size() / 256) + header + data;
}

std::string dictionary(const std::string& descr, const std::string& order,
                       const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string refusal(const std::string& bytes) {
  try {
    parse_npy(bytes, "x.npy");
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one line";
    return error.what();
  }
}

template <typename Element>
std::vector<Element> elements(const std::string& bytes) {
  return std::get<std::vector<Element>>(parse_npy(bytes, "x.npy").values);
}

template <typename Element>
std::vector<Element> random_bit_patterns() {
  using Limits = std::numeric_limits<Element>;
  std::vector<Element> values{Element(-0.0),    Limits::denorm_min(), Limits::max(),
                              Limits::lowest(), Limits::infinity(),   Limits::quiet_NaN()};
  std::mt19937_64 random(20240607);
  while (values.size() < 10000) {
    const std::uint64_t bits = random();
    Element value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  }
  return values;
}

template <typename Element>
void expect_same_bits(const std::vector<Element>& written) {
  const std::vector<Element> read =
      elements<Element>(to_npy({written.size() / 2, 2}, std::span<const Element>(written)));
  ASSERT_EQ(read.size(), written.size());
  EXPECT_EQ(std::memcmp(read.data(), written.data(), written.size() * sizeof(Element)), 0);
}

TEST(Npy, WritesTheBytesThatNumpyWrites) {
  const std::vector<double> values{1.0, -2.0};
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  EXPECT_EQ(to_npy({2}, values), "\x93NUMPY\x01\x00\x76\x00"s + header +
                                     std::string(0x76 - header.size() - 1, ' ') + "\n" +
                                     "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0"s);
}

TEST(Npy, StartsTheDataAtAMultipleOf64Bytes) {
  std::vector<std::size_t> shape;
  for (int dimensions = 0; dimensions < 60; ++dimensions) {
    const std::string bytes = to_npy(shape, std::vector<float>{1.0F});
    EXPECT_EQ((bytes.size() - sizeof(float)) % 64, 0U) << dimensions << " dimensions";
    EXPECT_EQ(parse_npy(bytes, "x.npy").shape, shape);
    shape.push_back(1);
  }
}

TEST(Npy, ReadsBackEveryDoubleAndFloatBitForBit) {
  expect_same_bits(random_bit_patterns<double>());
  expect_same_bits(random_bit_patterns<float>());
}

TEST(Npy, ReadsBackIntegersAndTheShape) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::vector<std::int64_t> values{Limits::min(), -1, 0, 1, 2, Limits::max()};
  const NpyArray array = parse_npy(to_npy({3, 1, 2}, values), "x.npy");
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{3, 1, 2}));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(array.values), values);
}

TEST(Npy, ReadsAndWritesArraysWithoutElements) {
  const std::size_t huge = std::size_t{1} << 63U;
  const NpyArray array = parse_npy(to_npy({huge, huge, 0}, std::span<const double>{}), "x.npy");
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{huge, huge, 0}));
  EXPECT_TRUE(std::get<std::vector<double>>(array.values).empty());
}

TEST(Npy, RefusesToWriteAShapeThatDoesNotHoldTheElements) {
  const std::vector<double> values{1.0, 2.0};
  EXPECT_THROW(to_npy({3}, values), ShapeError);
  EXPECT_THROW(to_npy({}, values), ShapeError);
  EXPECT_THROW(to_npy({std::size_t{1} << 63U, 4}, std::span<const double>{}), ShapeError);
  EXPECT_THROW(to_npy(std::vector<std::size_t>(30000, 1), std::span(values).first(1)), ShapeError);
}

TEST(Npy, ReadsVersionsTwoAndThree) {
  const std::string header = dictionary("'<f8'", "False", "()");
  for (const char version : {'\x02', '\x03'}) {
    const std::string bytes = "\x93NUMPY"s + version + '\0' + static_cast<char>(header.size()) +
                              "\0\0\0"s + header + "\0\0\0\0\0\0\xf0\x3f"s;
    EXPECT_EQ(elements<double>(bytes), std::vector<double>{1.0});
  }
}

TEST(Npy, ReadsHeadersWrittenByOthers) {
  const std::string data(8, '\0');
  for (const char* const header : {
           "{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<i8\"}",
           "{ 'descr' : '<i8' , 'fortran_order' : False , 'shape' : ( 1 , 1 , ) , }   \n\n",
           "{'descr': '<i8', 'fortran_order': False, 'shape': (1)}",
       }) {
    EXPECT_EQ(elements<std::int64_t>(npy_file(header, data)), std::vector<std::int64_t>{0});
  }
}

TEST(Npy, NamesTheDtypeAndOrderItFoundAndThoseItReads) {
  const std::string expected = "x.npy: expected a dtype of '<f8', '<f4', '<i8' in C order, found ";
  EXPECT_EQ(refusal(npy_file(dictionary("'>f8'", "False", "(1,)"), std::string(8, '\0'))),
            expected + "'>f8' in C order");
  EXPECT_EQ(refusal(npy_file(dictionary("'<f8'", "True", "(1,)"), std::string(8, '\0'))),
            expected + "'<f8' in Fortran order");
  EXPECT_EQ(refusal(npy_file(dictionary("'|O'", "False", "(1,)"))), expected + "'|O' in C order");
  EXPECT_EQ(refusal(npy_file(dictionary("[('a', '<f8')]", "False", "(1,)"))),
            "x.npy: the .npy header: expected a dtype of '<f8', '<f4', '<i8', found a dtype of "
            "several fields");
}

TEST(Npy, RefusesAShapeThatDoesNotMatchTheData) {
  const auto file = [](const std::string& shape, std::size_t bytes) {
    return refusal(npy_file(dictionary("'<f8'", "False", shape), std::string(bytes, '\0')));
  };
  EXPECT_EQ(file("(2,)", 16), "accepted");
  EXPECT_EQ(file("(2,)", 15),
            "x.npy: expected shape (2,) of '<f8' elements, found 15 bytes of data");
  EXPECT_EQ(file("(2,)", 23),
            "x.npy: expected shape (2,) of '<f8' elements, found 23 bytes of data");
  EXPECT_NE(file("(2,)", 24), "accepted");
  EXPECT_NE(file("()", 0), "accepted");
  EXPECT_NE(file("(0,)", 8), "accepted");
}

TEST(Npy, RefusesSizesThatOverflow) {
  const auto file = [](const std::string& shape) {
    return refusal(npy_file(dictionary("'<f8'", "False", shape), std::string(8, '\0')));
  };
  EXPECT_NE(file("(4294967296, 4294967296)"), "accepted") << "the count is 2^64";
  EXPECT_NE(file("(2305843009213693953,)"), "accepted") << "8 times this is 8 modulo 2^64";
  EXPECT_NE(file("(18446744073709551615, 18446744073709551615)"), "accepted")
      << "the count is 1 modulo 2^64";
  EXPECT_EQ(file("(18446744073709551617,)"),
            "x.npy: the .npy header: expected a shape of integers from 0 to 2^64 - 1, found "
            "'18446744073709551617...'");
}

TEST(Npy, RefusesHeadersThatAreNotTheDictionaryOfAnArray) {
  for (const char* const header : {
           "",
           "{",
           "{}",
           "[]",
           "{'descr': '<f8', 'fortran_order': False}",
           "{'descr': '<f8', 'shape': (1,)}",
           "{'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
           "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
           "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8, 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8",
           "{'descr': <f8, 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1.0,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (one,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1",
           "{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
       }) {
    EXPECT_NE(refusal(npy_file(header, std::string(8, '\0'))).find("the .npy header: expected"),
              std::string::npos)
        << header;
  }
}

TEST(Npy, RefusesEveryFileThatIsCutShort) {
  const std::string whole = to_npy({2}, std::vector<double>{1.0, 2.0});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "accepted") << length << " bytes";
  }
  EXPECT_EQ(refusal(whole.substr(0, 7)),
            "x.npy: the .npy header: expected a version, found its end");
  EXPECT_EQ(refusal(whole.substr(0, 9)),
            "x.npy: the .npy header: expected its length, found its end");
}

TEST(Npy, RefusesAHeaderLongerThanTheFile) {
  EXPECT_EQ(refusal("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s),
            "x.npy: the .npy header: expected 4294967295 bytes, found 2");
}

TEST(Npy, RefusesOtherFilesAndOtherVersions) {
  EXPECT_EQ(refusal(""), "x.npy: expected a .npy file, found other first bytes: it is empty");
  EXPECT_EQ(refusal("PK\x03\x04zip"),
            "x.npy: expected a .npy file, found other first bytes: 'PK\\x03\\x04zi'");
  EXPECT_EQ(refusal("\x93NUMPY\x04\x00"s),
            "x.npy: expected .npy version 1.0, 2.0 or 3.0, found 4.0");
  EXPECT_EQ(refusal("\x93NUMPY\x01\x01"s),
            "x.npy: expected .npy version 1.0, 2.0 or 3.0, found 1.1");
}

}  // namespace
}  // namespace rope::io
