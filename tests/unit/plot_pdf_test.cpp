#include "rope/plot/pdf.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace rope::plot {
namespace {

/// Objects 2 to 5, the pages, the page, what is known of the file, and the catalogue, as cairo 1.18
/// packs them: made at 23:42:15 on 27 November 2026, and at noon on 1 January 2027.
constexpr std::string_view kInNovember =
    "789c5d8f410b82401484effb2be6a827779f5a18e221bd4520d1a9e8f0c84516c28d7585faf76d6687626ef3"
    "be19e611a448914b9141512172a8428ab244727cde3592967b3d0a00c9ce7423ce482171c065b66a3b0d1e4a"
    "54d55f62beb6ec7438d33b301b7bdd19deda4768914145d0b767f0011da16676a96b9deda6ab7688ae6c9c8d"
    "3fa8d3ec8d1d1af61a51b321492ba5684d69462a3fc5bf5b6af67cb3fd32277cb2ac09d00bf4f13d75";
constexpr std::string_view kInJanuary =
    "789c5d4f3d0bc23014dcf32b6eb4535f528b544a07db4d84224e8ac3a30d25208da429e8bf37c63ae8bbedbe"
    "b8a74022434e620da90a91431624ca12e9e979d7485b1ef42400a47bd34fb82003e1886ba46a3b8f1e5254d5"
    "5f22aa2d3b1d64f50e44e2a07bc33bfb082d1450047c7b461fac1364f42e75adb3fddc698755c7c6d9e46375"
    "9abdb163c35e63d56c15a90d49925251b873f2bba566cf373b2c73c227cb9a607a01f0de3d5f";

std::string bytes_of(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2)
    bytes +=
        static_cast<char>(std::strtol(std::string(hexadecimal.substr(i, 2)).c_str(), nullptr, 16));
  return bytes;
}

/// A file of cairo 1.18: a line is drawn, the rest is packed.
std::string drawn(std::string_view packed) {
  const std::string bytes = bytes_of(packed);
  return "%PDF-1.5\n%\xB5\xED\xAE\xFB\n"
         "1 0 obj\n<< /Length 17\n>>\nstream\n0 0 m\n9 9 l\nS\nabc\nendstream\nendobj\n"
         "6 0 obj\n<< /Type /ObjStm\n   /Length 7 0 R\n   /N 4\n   /First 21\n"
         "   /Filter /FlateDecode\n>>\nstream\n" +
         bytes + "\nendstream\nendobj\n7 0 obj\n   " + std::to_string(bytes.size()) +
         "\nendobj\n"
         "8 0 obj\n<< /Type /XRef\n   /Length 3\n   /Size 9\n   /W [1 2 2]\n   /Root 5 0 R\n"
         "   /Info 4 0 R\n>>\nstream\nabc\nendstream\nendobj\nstartxref\n1\n%%EOF\n";
}

std::string dated(const std::string& file) { return finished_pdf(file, ""); }

TEST(Pdf, HasNoDateWhereCairoPacksIt) {
  const std::string file = drawn(kInNovember);
  const std::string plain = dated(file);
  EXPECT_NE(plain.find("/CreationDate (D:20000101000000Z)"), std::string::npos) << plain;
  EXPECT_EQ(plain, dated(drawn(kInJanuary)));
  EXPECT_EQ(plain, dated(plain)) << "as earlier versions of cairo write it";
}

/// The table of a file with objects 1 to 5 and no other tells their places.
void expect_places(const std::string& plain) {
  EXPECT_EQ(plain.find("/ObjStm"), std::string::npos);
  EXPECT_NE(plain.find("0 0 m\n9 9 l\nS\nabc\nendstream\nendobj\n"), std::string::npos);
  EXPECT_NE(plain.find("trailer\n<< /Size 9\n   /Root 5 0 R\n   /Info 4 0 R\n>>\n"),
            std::string::npos);
  const std::size_t table = plain.find("xref\n0 9\n");
  ASSERT_NE(table, std::string::npos);
  EXPECT_TRUE(plain.ends_with("startxref\n" + std::to_string(table) + "\n%%EOF\n"));
  constexpr std::size_t kFirstLine = 9;
  constexpr std::size_t kLine = 20;
  std::string used;
  for (std::size_t i = 0; i < 9; ++i) {
    const std::string line = plain.substr(table + kFirstLine + i * kLine, kLine);
    ASSERT_TRUE(line.ends_with(" n \n") || line == "0000000000 65535 f \n") << line;
    if (line[17] != 'n') continue;
    used += std::to_string(i);
    const std::size_t place = std::strtoul(line.c_str(), nullptr, 10);
    EXPECT_TRUE(plain.substr(place).starts_with(std::to_string(i) + " 0 obj\n<< ")) << i;
  }
  EXPECT_EQ(used, "12345");
}

TEST(Pdf, HasEveryObjectWhereItsTableSays) {
  for (const std::string& file : {drawn(kInNovember), dated(drawn(kInNovember))}) {
    expect_places(dated(file));
    const std::string named = finished_pdf(file, "it (\\)");
    expect_places(named);
    EXPECT_NE(named.find("/Creator (it \\(\\\\\\))\n   /CreationDate"), std::string::npos);
    EXPECT_NE(finished_pdf(file, "θ").find("/Creator <FEFF03B8>\n"), std::string::npos);
  }
}

TEST(Pdf, ThatIsCutOffComesBackAsItIs) {
  const std::string file = drawn(kInNovember);
  const std::size_t table = file.find("8 0 obj\n");
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string part = file.substr(0, size);
    if (size < table)
      EXPECT_EQ(dated(part), part) << size;
    else
      dated(part);
  }
}

TEST(Pdf, MayHaveAnyByteDamaged) {
  for (const std::string& file : {drawn(kInNovember), dated(drawn(kInNovember))})
    for (std::size_t i = 0; i < file.size(); ++i)
      for (const char byte : {'\0', '0', '9', '\n', '\xFF'}) {
        std::string damaged = file;
        damaged[i] = byte;
        EXPECT_LT(finished_pdf(damaged, "it").size(), 10 * file.size()) << i;
      }
}

}  // namespace
}  // namespace rope::plot
