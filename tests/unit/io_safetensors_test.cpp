#include <gtest/gtest.h>

#include "rope/error.hpp"
#include "rope/io/safetensors.hpp"
#include "support/outcome.hpp"

namespace rope::io {
namespace {

using std::string_literals::operator""s;

std::string file_of(const std::string& header, const std::string& data = {}) {
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i)
    bytes += static_cast<char>((std::uint64_t{header.size()} >> (8 * i)) & 0xFFU);
  return bytes + header + data;
}

SafetensorsHeader read(const std::string& bytes) {
  return read_safetensors_header(*input_from_bytes(bytes, "x.safetensors"));
}

std::string refusal(const std::string& bytes) {
  return test::refusal([&] { read(bytes); });
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}";
}

TEST(Safetensors, ReadsTensorsInTheOrderOfTheirBytes) {
  const SafetensorsHeader header =
      read(file_of("{\"__metadata__\":{\"format\":\"pt\"}," + entry("b", "F32", "[2]", "[4,12]") +
                       "," + entry("a", "BF16", "[1,2]", "[0,4]") + "," +
                       entry("none", "F64", "[0,7]", "[12,12]") + "}   ",
                   std::string(12, 'x')));
  ASSERT_EQ(header.tensors.size(), 3U);
  EXPECT_EQ(header.tensors[0].name, "a");
  EXPECT_EQ(header.tensors[0].dtype, "BF16");
  EXPECT_EQ(header.tensors[0].shape, (Shape{1, 2}));
  EXPECT_EQ(header.tensors[1].end - header.tensors[1].begin, 8U);
  EXPECT_EQ(header.metadata.at("format"), "pt");
  const TensorPlace place = place_of(header.tensors[1], "x");
  EXPECT_EQ(place.type, ElementType::float32);
  EXPECT_EQ(place.offset, header.tensors[0].end);
}

TEST(Safetensors, ReadsBackWhatItWrites) {
  SafetensorsHeader header;
  header.metadata = {{"a", "1"}, {"quote", "\"\n"}};
  for (const ElementType type : {ElementType::float64, ElementType::float16, ElementType::bfloat16,
                                 ElementType::int64, ElementType::boolean}) {
    SafetensorsEntry one;
    one.name = std::string(name(type)) + "·";
    one.dtype = safetensors_dtype(type);
    one.shape = {2, 3};
    header.tensors.push_back(one);
  }
  const std::string start = safetensors_header(header);
  EXPECT_EQ(start.size() % 8, 0U);
  const SafetensorsHeader back = read(start + std::string(6 * (8 + 2 + 2 + 8 + 1), 'x'));
  EXPECT_EQ(back.metadata, header.metadata);
  ASSERT_EQ(back.tensors.size(), header.tensors.size());
  for (std::size_t i = 0; i < back.tensors.size(); ++i) {
    EXPECT_EQ(back.tensors[i].name, header.tensors[i].name);
    EXPECT_EQ(back.tensors[i].dtype, header.tensors[i].dtype);
    EXPECT_EQ(back.tensors[i].shape, header.tensors[i].shape);
  }
}

TEST(Safetensors, TensorsOfOtherTypesAreThereButCannotBeReadAsNumbers) {
  const SafetensorsHeader header = read(file_of("{" + entry("w", "F8_E4M3", "[4]", "[0,4]") + "," +
                                                    entry("v", "F4_NEW", "[4]", "[4,6]") + "}",
                                                "123456"));
  EXPECT_EQ(header.tensors.size(), 2U);
  EXPECT_THROW(place_of(header.tensors[0], "x"), Error);
  EXPECT_THROW(place_of(header.tensors[1], "x"), Error);
}

TEST(Safetensors, RefusesHeadersThatLieAboutSizes) {
  const auto one = [](const std::string& dtype, const std::string& shape,
                      const std::string& offsets) {
    return refusal(file_of("{" + entry("w", dtype, shape, offsets) + "}", "12345678"));
  };
  EXPECT_EQ(one("F32", "[2]", "[0,8]"), "accepted");
  EXPECT_EQ(one("F32", "[3]", "[0,8]"),
            "x.safetensors: the safetensors header: expected 'w' to be as long as shape (3,) of "
            "F32, found 8 bytes");
  EXPECT_NE(one("F64", "[2]", "[0,8]"), "accepted");
  EXPECT_EQ(one("F32", "[2]", "[8,0]"),
            "x.safetensors: the safetensors header: expected two offsets of 'w' in ascending "
            "order, within 8 bytes, found [8, 0]");
  EXPECT_NE(one("F32", "[2]", "[0,16]"), "accepted");
  EXPECT_NE(one("F32", "[2]", "[0,18446744073709551615]"), "accepted");
  EXPECT_NE(one("F32", "[2]", "[18446744073709551615,18446744073709551615]"), "accepted");
  EXPECT_NE(one("F32", "[4611686018427387906]", "[0,8]"), "accepted") << "8 modulo 2^64";
  EXPECT_NE(one("F32", "[4294967296,4294967296,2]", "[0,8]"), "accepted");
  EXPECT_NE(one("F32", "[2]", "[0,8,8]"), "accepted");
  EXPECT_NE(one("F32", "[2]", "[0]"), "accepted");
  EXPECT_NE(one("F32", "[-2]", "[0,8]"), "accepted");
  EXPECT_NE(one("F32", "[2.0]", "[0,8]"), "accepted");
  EXPECT_NE(one("F32", "[\"2\"]", "[0,8]"), "accepted");
  EXPECT_NE(one("F32", "[null]", "[0,8]"), "accepted");
  EXPECT_NE(one("F32", "2", "[0,8]"), "accepted");
}

TEST(Safetensors, RefusesOverlapsAndHoles) {
  const auto two = [](const std::string& first, const std::string& second) {
    return refusal(
        file_of("{" + entry("a", "U8", "[4]", first) + "," + entry("b", "U8", "[4]", second) + "}",
                "12345678"));
  };
  EXPECT_EQ(two("[0,4]", "[4,8]"), "accepted");
  EXPECT_EQ(two("[0,4]", "[2,6]"),
            "x.safetensors: the safetensors header: expected 'b' to start at byte 4 of the data, "
            "found 2");
  EXPECT_NE(two("[0,4]", "[0,4]"), "accepted");
  EXPECT_EQ(refusal(file_of("{" + entry("a", "U8", "[4]", "[0,4]") + "}", "12345")),
            "x.safetensors: the safetensors header: expected 4 bytes of data, found 5");
  EXPECT_NE(refusal(file_of("{" + entry("a", "U8", "[4]", "[1,5]") + "}", "12345")), "accepted");
}

TEST(Safetensors, RefusesKeysThatStandTwice) {
  EXPECT_EQ(refusal(file_of("{" + entry("a", "U8", "[1]", "[0,1]") + "," +
                                entry("a", "U8", "[1]", "[1,2]") + "}",
                            "12")),
            "x.safetensors: the safetensors header: expected every key once, found 'a' twice");
  EXPECT_NE(refusal(file_of(R"({"a":{"dtype":"U8","shape":[1],"shape":[2],"data_offsets":[0,2]}})",
                            "12")),
            "accepted");
}

TEST(Safetensors, RefusesWhatIsNoHeader) {
  EXPECT_EQ(refusal(""), "x.safetensors: expected a .safetensors file, found only 0 bytes");
  EXPECT_EQ(refusal("\xff\xff\xff\xff\xff\xff\xff\xff{}"),
            "x.safetensors: the safetensors header: expected 18446744073709551615 bytes, found 2");
  EXPECT_EQ(refusal(file_of("")),
            "x.safetensors: the safetensors header: expected '{' first, found nothing");
  EXPECT_NE(refusal(file_of("[]")), "accepted");
  EXPECT_NE(refusal(file_of(" {}")), "accepted");
  EXPECT_NE(refusal(file_of("{")), "accepted");
  EXPECT_NE(refusal(file_of("{} x")), "accepted");
  EXPECT_NE(refusal(file_of("{\"a\":1}")), "accepted");
  EXPECT_NE(refusal(file_of("{\"a\":{}}")), "accepted");
  EXPECT_NE(refusal(file_of("{\"a\":{\"dtype\":1,\"shape\":[],\"data_offsets\":[0,0]}}")),
            "accepted");
  EXPECT_NE(refusal(file_of("{\"__metadata__\":1}")), "accepted");
  EXPECT_NE(refusal(file_of("{\"__metadata__\":{\"a\":1}}")), "accepted");
  EXPECT_EQ(refusal(file_of("{}")), "accepted");
}

TEST(Safetensors, RefusesHugeHeadersBeforeReadingThem) {
  EXPECT_EQ(refusal(file_of("{" + std::string(std::size_t{33} << 20, ' ') + "}")),
            "x.safetensors: the safetensors header: expected at most 33554432 bytes, found "
            "34603010");
}

TEST(Safetensors, RefusesEveryFileThatIsCutShort) {
  const std::string whole = file_of("{" + entry("a", "U8", "[4]", "[0,4]") + "}", "1234");
  EXPECT_EQ(refusal(whole), "accepted");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(refusal(whole.substr(0, length)), "accepted") << length;
}

}  // namespace
}  // namespace rope::io
