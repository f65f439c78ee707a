// Numbers and lists as people write them.

#include <gtest/gtest.h>

#include <utility>

#include "rope/parameters/number_text.hpp"

namespace rope {
namespace {

TEST(NumberText, APlainNumberIsWrittenWithoutWhatPeopleAdd) {
  for (const auto& [text, plain] :
       std::initializer_list<std::pair<const char*, const char*>>{{"500_000", "500000"},
                                                                  {" 7\t", "7"},
                                                                  {"10k", "10e3"},
                                                                  {"1.5K", "1.5e3"},
                                                                  {"1M", "1e6"},
                                                                  {"-3k", "-3e3"},
                                                                  {"+1_0", "10"},
                                                                  {"2^20", "1048576"},
                                                                  {"-2^3", "-8"},
                                                                  {"10^0", "1"},
                                                                  {"2^62", "4611686018427387904"},
                                                                  {"1e6", "1e6"},
                                                                  {"0.25", "0.25"},
                                                                  {"-0.5", "-0.5"}})
    EXPECT_EQ(plain_number(text), plain) << text;
}

TEST(NumberText, OfTokensAThousandIs1024) {
  for (const auto& [text, plain] :
       std::initializer_list<std::pair<const char*, const char*>>{{"4k", "4096"},
                                                                  {"128K", "131072"},
                                                                  {"1M", "1048576"},
                                                                  {"1.5k", "1536"},
                                                                  {"0.5M", "524288"},
                                                                  {"-1k", "-1024"},
                                                                  {"1_0k", "10240"},
                                                                  {"4096", "4096"}})
    EXPECT_EQ(plain_number(text, Thousand::of_tokens), plain) << text;
}

TEST(NumberText, WhatIsNoNumberIsLeftToItsReader) {
  for (const char* text : {"", "k", "4kk", "1e3k", "_1", "1_", "1__0", "2^64", "2^-1", "^2", "x",
                           "1.2.3k", ".k", "0x10", "--5"})
    EXPECT_EQ(plain_number(text), text);
  for (const char* text : {"9007199254740992k", "0.3k", ".5k", "k"})
    EXPECT_EQ(plain_number(text, Thousand::of_tokens), text);
}

TEST(NumberText, ItemsOfAListHaveNoBlanksAroundThem) {
  EXPECT_EQ(list_items("1e4, 1e6 ,x"), (std::vector<std::string_view>{"1e4", "1e6", "x"}));
  EXPECT_EQ(list_items(""), std::vector<std::string_view>{""});
  EXPECT_EQ(list_items("1, "), (std::vector<std::string_view>{"1", ""}));
}

TEST(NumberText, GroupsOfThreeDigitsAreOneNumberWhereNobodyWritesThemAsMany) {
  for (const auto& [list, joined] : std::initializer_list<std::pair<const char*, const char*>>{
           {"1,048,576", "1048576"},
           {"500,000", "500000"},
           {"10,000,500000", "10000,500000"},
           {"5,10,000", "5,10000"},
           {"yarn:factor=4,original=32,768", "yarn:factor=4,original=32768"},
           {"1:131,072", "1:131072"},
           {"10,000, 1e6", "10000,1e6"}})
    EXPECT_EQ(without_grouping(list, Grouped::where_certain), joined) << list;
  for (const char* list : {"64,128", "1,100,200", "1e4,1e6", "0,256", "10000,500000", "1,2,3", "",
                           "1:100,200", "1000,000", "x,000"})
    EXPECT_EQ(without_grouping(list, Grouped::where_certain), std::nullopt) << list;
  EXPECT_EQ(without_grouping("100,500", Grouped::wherever_so), "100500");
  EXPECT_EQ(without_grouping("1,234,567", Grouped::wherever_so), "1234567");
  EXPECT_EQ(without_grouping("100,50", Grouped::wherever_so), std::nullopt);
  EXPECT_EQ(without_grouping("10000,500", Grouped::wherever_so), std::nullopt);
}

TEST(NumberText, OneNumberInGroupsIsKnownByAnySeparator) {
  for (const char* text : {"1,048,576", "1.048.576", "1 048 576", "1'048'576", " 1,048,576 "})
    EXPECT_EQ(ungrouped_number(text), "1048576") << text;
  EXPECT_EQ(ungrouped_number("500,000"), "500000");
  for (const char* text : {"1.234", "1,23", "0,123", "1,2345", "12", "", "1,,000", "1,000x"})
    EXPECT_EQ(ungrouped_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace rope
