#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"
#include "support/outcome.hpp"

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
  return test::refusal([&] { npy_tensor(bytes, "x.npy"); });
}

Tensor read(const std::string& bytes) { return npy_tensor(bytes, "x.npy"); }

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
  const Tensor tensor = read(to_npy({written.size() / 2, 2}, std::span<const Element>(written)));
  std::vector<char> bytes(written.size() * sizeof(Element));
  tensor.read_bytes(0, bytes);
  EXPECT_EQ(std::memcmp(bytes.data(), written.data(), bytes.size()), 0);
  const std::vector<double> doubles = tensor.doubles();
  for (std::size_t i = 0; i < written.size(); ++i)
    EXPECT_TRUE(doubles[i] == static_cast<double>(written[i]) || std::isnan(written[i])) << i;
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
    EXPECT_EQ(read(bytes).shape(), shape);
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
  const Tensor tensor = read(to_npy({3, 1, 2}, values));
  EXPECT_EQ(tensor.shape(), (Shape{3, 1, 2}));
  EXPECT_EQ(tensor.type(), ElementType::int64);
  EXPECT_EQ(tensor.integers(), values);
}

TEST(Npy, ReadsAndWritesArraysWithoutElements) {
  const std::size_t huge = std::size_t{1} << 63U;
  const Tensor tensor = read(to_npy({huge, huge, 0}, std::span<const double>{}));
  EXPECT_EQ(tensor.shape(), (Shape{huge, huge, 0}));
  EXPECT_TRUE(tensor.doubles().empty());
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
    EXPECT_EQ(read(bytes).doubles(), std::vector<double>{1.0});
  }
}

TEST(Npy, ReadsHeadersWrittenByOthers) {
  const std::string data(8, '\0');
  for (const char* const header : {
           "{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<i8\"}",
           "{ 'descr' : '<i8' , 'fortran_order' : False , 'shape' : ( 1 , 1 , ) , }   \n\n",
           "{'descr': '<i8', 'fortran_order': False, 'shape': (1)}",
       }) {
    EXPECT_EQ(read(npy_file(header, data)).integers(), std::vector<std::int64_t>{0});
  }
}

TEST(Npy, NamesTheDtypeItFoundAndThoseItReads) {
  const std::string types = "a dtype of floats (f2, f4, f8), integers (i1 ... u8) or bfloat16 (V2)";
  for (const std::string descr :
       {"|O", "<c8", "<f16", "<U3", "<M8[ns]", "|V3", "", "<", "f", "<<f8"})
    EXPECT_EQ(
        refusal(npy_file(dictionary("'" + descr + "'", "False", "(1,)"), std::string(8, 'x'))),
        "x.npy: expected " + types + ", found '" + descr + "'");
  EXPECT_EQ(refusal(npy_file(dictionary("[('a', '<f8')]", "False", "(1,)"))),
            "x.npy: the .npy header: expected " + types + ", found a dtype with several fields");
}

/// A two-byte or longer number, highest byte first, as in a file.
std::string bytes_of(std::uint64_t bits, std::size_t size) {
  std::string bytes;
  for (std::size_t i = size; i-- > 0;) bytes += static_cast<char>((bits >> (8 * i)) & 0xFFU);
  return bytes;
}

TEST(Npy, ComplexNumbersGoIntoTwoFiles) {
  const std::string bytes = npy_file(dictionary("'<c8'", "False", "(1,)"), std::string(8, 'x'));
  const std::string remedy = test::outcome([&] { read(bytes); }).remedy;
  EXPECT_NE(remedy.find("x.real"), std::string::npos) << remedy;
  EXPECT_EQ(remedy.find("astype"), std::string::npos) << remedy;
}

TEST(Npy, ReadsEveryTypeInEitherByteOrder) {
  struct OneType {
    std::string name;
    std::uint64_t bits;
    double value;
  };
  for (const auto& [name, bits, value] :
       {OneType{"f8", 0x3FF8000000000000U, 1.5}, OneType{"f4", 0x3FC00000U, 1.5},
        OneType{"f2", 0x3E00U, 1.5}, OneType{"V2", 0x3FC0U, 1.5},
        OneType{"i8", 0xFFFFFFFFFFFFFFFEU, -2}, OneType{"i4", 0xFFFFFFFEU, -2},
        OneType{"i2", 0xFFFEU, -2}, OneType{"i1", 0xFEU, -2},
        OneType{"u8", 0x0102030405060708U, 72623859790382856.0},
        OneType{"u4", 0xFFFFFFFEU, 4294967294}, OneType{"u2", 0xFFFEU, 65534},
        OneType{"u1", 0xFEU, 254}, OneType{"b1", 1, 1}}) {
    const std::size_t size = name[1] == '8' ? 8 : name[1] == '4' ? 4 : name[1] == '2' ? 2 : 1;
    const std::string big = bytes_of(bits, size);
    const std::string little(big.rbegin(), big.rend());
    for (const char order : {'<', '=', '>', '|'}) {
      const std::string descr = "'"s + order + name + "'";
      const std::string data = order == '>' ? big : little;
      EXPECT_EQ(read(npy_file(dictionary(descr, "False", "(1,)"), data)).doubles(),
                std::vector<double>{value})
          << descr;
    }
  }
}

TEST(Npy, TakesTheBitsOfBfloat16AsIntegersOnRequestOnly) {
  const std::string bytes = npy_file(dictionary("'<u2'", "False", "(2,)"), "\xC0\x3F\x00\xC0"s);
  EXPECT_EQ(read(bytes).doubles(), (std::vector<double>{16320, 49152}));
  const Tensor bits = npy_tensor(bytes, "x.npy", {true});
  EXPECT_EQ(bits.type(), ElementType::bfloat16);
  EXPECT_EQ(bits.doubles(), (std::vector<double>{1.5, -2}));
  const std::string with_sign = npy_file(dictionary("'<i2'", "False", "(2,)"), "\xC0\x3F\x00\xC0"s);
  EXPECT_EQ(npy_tensor(with_sign, "x.npy", {true}).doubles(), bits.doubles());
  EXPECT_EQ(
      read(npy_file(dictionary("'bfloat16'", "False", "(2,)"), "\xC0\x3F\x00\xC0"s)).doubles(),
      bits.doubles());
}

TEST(Npy, ReadsFortranOrderAsIfItWereC) {
  // Element (i, j, k) of shape (2, 3, 4) is 100i + 10j + k, the first index fastest.
  std::string data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        data += bytes_of(static_cast<std::uint64_t>(100 * i + 10 * j + k), 2);
  const Tensor tensor = read(npy_file(dictionary("'>i2'", "True", "(2, 3, 4)"), data));
  std::vector<double> expected;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) expected.push_back(100 * i + 10 * j + k);
  EXPECT_EQ(tensor.doubles(), expected);
  for (std::size_t first = 0; first < 24; ++first)
    for (std::size_t count = 0; count <= 24 - first; ++count) {
      std::vector<double> part(count);
      tensor.read(first, part);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), expected.begin() + static_cast<int>(first)))
          << count << " from " << first;
    }
  // One long axis is in both orders the same; no elements at all are none.
  EXPECT_EQ(read(npy_file(dictionary("'|i1'", "True", "(1, 3, 1)"), "\1\2\3")).doubles(),
            (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(read(npy_file(dictionary("'|i1'", "True", "(0, 3)"))).doubles().empty());
}

TEST(Npy, RefusesToReadBeyondTheEnd) {
  const Tensor tensor = read(to_npy({2}, std::vector<double>{1.0, 2.0}));
  std::vector<double> values(2);
  EXPECT_THROW(tensor.read(1, values), ShapeError);
  EXPECT_THROW(tensor.read(UINT64_MAX, values), ShapeError);
}

TEST(Npy, IntegersMustBeIntegersThatFit) {
  EXPECT_THROW(static_cast<void>(read(to_npy({1}, std::vector<double>{1.0})).integers()),
               DomainError);
  EXPECT_THROW(
      static_cast<void>(
          read(npy_file(dictionary("'<u8'", "False", "(1,)"), std::string(8, '\xFF'))).integers()),
      DomainError);
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
            "x.npy: the .npy header: expected a version, found the end of the file");
  EXPECT_EQ(refusal(whole.substr(0, 9)),
            "x.npy: the .npy header: expected its length, found the end of the file");
}

TEST(Npy, RefusesAHeaderLongerThanTheFile) {
  EXPECT_EQ(refusal("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"s),
            "x.npy: the .npy header: expected 4294967295 bytes, found 2");
  EXPECT_EQ(refusal("\x93NUMPY\x02\x00\x01\x00\x10\x00"s + std::string(2 << 20, ' ')),
            "x.npy: the .npy header: expected at most 1048576 bytes, found 1048577");
}

TEST(Npy, RefusesOtherFilesAndOtherVersions) {
  EXPECT_EQ(refusal(""),
            "x.npy: expected the first bytes of a .npy file, found nothing: the file is empty");
  EXPECT_EQ(refusal("PK\x03\x04zip"),
            "x.npy: expected the first bytes of a .npy file, found 'PK\\x03\\x04zi'");
  EXPECT_EQ(refusal("\x93NUMPY\x04\x00"s),
            "x.npy: expected .npy version 1.0, 2.0 or 3.0, found 4.0");
  EXPECT_EQ(refusal("\x93NUMPY\x01\x01"s),
            "x.npy: expected .npy version 1.0, 2.0 or 3.0, found 1.1");
}

}  // namespace
}  // namespace rope::io
