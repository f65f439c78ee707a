// Opening what a user names, matrices as text, and writing piece by piece.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/matrix_text.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/io/tensor.hpp"
#include "rope/io/tensor_writer.hpp"
#include "support/outcome.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

/// Each test in a folder of its own.
class TensorTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "rope-tensor-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string refusal(const std::string& name) const {
    const test::Outcome result = test::outcome([&] { open_tensor(path(name)); });
    std::string message = result.what + "|" + result.remedy;
    for (std::size_t at; (at = message.find(folder_ + "/")) != std::string::npos;)
      message.erase(at, folder_.size() + 1);
    return message;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

 private:
  std::string folder_;
};

std::string two_tensors() {
  SafetensorsHeader header;
  for (const char* tensor : {"q", "k"}) {
    SafetensorsEntry entry;
    entry.name = tensor;
    entry.dtype = "F64";
    entry.shape = {1};
    header.tensors.push_back(entry);
  }
  const std::vector<double> values{1.5, -2};
  std::string bytes = safetensors_header(header);
  const std::size_t start = bytes.size();
  bytes.resize(start + 16);
  encode(ElementType::float64, values, bytes.data() + start);
  return bytes;
}

TEST_F(TensorTest, OpensWhatTheNameSays) {
  put("x.npy", to_npy({1}, std::vector<double>{1}));
  put("X.NPY", to_npy({1}, std::vector<double>{2}));
  put("x.bin", to_npy({1}, std::vector<double>{3}));
  put("two.safetensors", two_tensors());
  put("m.csv", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(open_tensor(path("x.npy")).doubles(), std::vector<double>{1});
  EXPECT_EQ(open_tensor(path("X.NPY")).doubles(), std::vector<double>{2});
  EXPECT_EQ(open_tensor(path("x.bin")).doubles(), std::vector<double>{3});
  EXPECT_EQ(open_tensor(path("two.safetensors:k")).doubles(), std::vector<double>{-2});
  EXPECT_EQ(open_tensor(path("two.safetensors:k")).name(), path("two.safetensors:k"));
  EXPECT_EQ(open_tensor(path("m.csv")).shape(), (Shape{2, 2}));
}

TEST_F(TensorTest, AFileWithAColonInItsNameIsAFile) {
  put("x.safetensors:k", to_npy({1}, std::vector<double>{7}));
  EXPECT_EQ(open_tensor(path("x.safetensors:k")).doubles(), std::vector<double>{7});
}

TEST_F(TensorTest, ListsTheTensorsWhereNoneIsNamed) {
  put("two.safetensors", two_tensors());
  EXPECT_EQ(refusal("two.safetensors"),
            "two.safetensors: expected the name of one of its 2 tensors, got no name; it holds "
            "'q', 'k'|Name one: two.safetensors:q");
  EXPECT_EQ(refusal("two.safetensors:v"),
            "two.safetensors: expected the name of one of its tensors, found 'v'|"
            "It holds 'q', 'k'.");
  put("none.safetensors", safetensors_header({}));
  EXPECT_EQ(refusal("none.safetensors"), "none.safetensors: expected a tensor, found none|");
}

TEST_F(TensorTest, RefusesOtherFiles) {
  put("x.bin", "hello");
  EXPECT_EQ(refusal("x.bin"),
            "x.bin: expected a .npy, .npz, .safetensors or .csv file, found text|The file "
            "extension selects the format; a .npy file may have any name.");
  put("x.npz", "PK\x03\x04");
  EXPECT_NE(refusal("x.npz"), "accepted");
  EXPECT_NE(refusal("missing.npy").find("No such file"), std::string::npos);
  EXPECT_NE(refusal("missing.safetensors:q").find("No such file"), std::string::npos);
  EXPECT_NE(refusal("").find("directory"), std::string::npos);
  put("empty.npy", "");
  EXPECT_EQ(refusal("empty.npy"),
            "empty.npy: expected the first bytes of a .npy file, found nothing: the file is empty|"
            "is it a .npy file? In Python: numpy.save(name, x)");
}

// What numpy 1.24 writes of x = [1, 2, 3] in float32 and k = [0, 1, 2, 3] in int64: numpy.savez and
// numpy.savez_compressed.
constexpr const char* kStoredNpz =
    "504b03041400000000000000210077a640d18c0000008c00000005001400782e6e7079010010008c00000000"
    "0000008c00000000000000934e554d5059010076007b276465736372273a20273c6634272c2027666f727472"
    "616e5f6f72646572273a2046616c73652c20277368617065273a2028332c292c207d20202020202020202020"
    "2020202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "2020202020200a0000803f0000004000004040504b030414000000000000002100c3c3dad1a0000000a00000"
    "00050014006b2e6e707901001000a000000000000000a000000000000000934e554d5059010076007b276465"
    "736372273a20273c6938272c2027666f727472616e5f6f72646572273a2046616c73652c2027736861706527"
    "3a2028342c292c207d2020202020202020202020202020202020202020202020202020202020202020202020"
    "202020202020202020202020202020202020202020202020200a000000000000000001000000000000000200"
    "0000000000000300000000000000504b010214031400000000000000210077a640d18c0000008c0000000500"
    "00000000000000000000800100000000782e6e7079504b0102140314000000000000002100c3c3dad1a00000"
    "00a00000000500000000000000000000008001c30000006b2e6e7079504b0506000000000200020066000000"
    "9a0100000000";
constexpr const char* kDeflatedNpz =
    "504b03041400000008000000210077a640d14f0000008c00000005001400782e6e7079010010008c00000000"
    "0000004f000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f5452"
    "9498179f5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14002e0686067b060606072072"
    "0000504b030414000000080000002100c3c3dad14f000000a0000000050014006b2e6e707901001000a00000"
    "00000000004f000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a1aea3a09e965f"
    "54529498179f5f94920a12774bcc294e058a17672416a402f91a263a9a3a0ab50a14002e06286084d24c509a"
    "194a0300504b010214031400000008000000210077a640d14f0000008c000000050000000000000000000000"
    "800100000000782e6e7079504b0102140314000000080000002100c3c3dad14f000000a00000000500000000"
    "000000000000008001860000006b2e6e7079504b05060000000002000200660000000c0100000000";

std::string bytes_of(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16));
  return bytes;
}

TEST_F(TensorTest, ReadsTheArraysOfNumpysArchives) {
  for (const char* npz : {kStoredNpz, kDeflatedNpz}) {
    put("a.npz", bytes_of(npz));
    EXPECT_EQ(open_tensor(path("a.npz:x")).doubles(), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(open_tensor(path("a.npz:x")).name(), path("a.npz:x"));
    EXPECT_EQ(open_tensor(path("a.npz:k")).integers(), (std::vector<std::int64_t>{0, 1, 2, 3}));
    EXPECT_EQ(refusal("a.npz"),
              "a.npz: expected the name of one of its 2 tensors, got no name; it holds 'x', "
              "'k'|Name one: a.npz:x");
    EXPECT_EQ(refusal("a.npz:v"),
              "a.npz: expected the name of one of its tensors, found 'v'|It holds 'x', 'k'.");
  }
}

TEST_F(TensorTest,
       RefusesAnArchiveThatHoldsOneNameTwice) {  // NumPy takes the last, others the first
  for (const char* npz : {kStoredNpz, kDeflatedNpz}) {
    std::string bytes = bytes_of(npz);
    std::replace(bytes.begin(), bytes.end(), 'k', 'x');
    put("a.npz", bytes);
    EXPECT_EQ(refusal("a.npz:x").substr(0, refusal("a.npz:x").find('|')),
              "a.npz: expected every name once, found 'x.npy' twice");
  }
}

TEST_F(TensorTest, RefusesADamagedArchiveOrReadsItsNumbers) {
  for (const char* npz : {kStoredNpz, kDeflatedNpz}) {
    const std::string whole = bytes_of(npz);
    std::size_t refused = 0;
    const auto try_it = [&](const std::string& bytes) {
      put("d.npz", bytes);
      for (const auto& [name, values] : std::vector<std::pair<std::string, std::vector<double>>>{
               {"x", {1, 2, 3}}, {"k", {0, 1, 2, 3}}}) {
        try {
          EXPECT_EQ(open_tensor(path("d.npz:" + name)).doubles(), values);
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::invalid_input) << error.what();
          ++refused;
        }
      }
    };
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (const int change : {1, 0xff}) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ change);
        try_it(changed);
      }
    for (std::size_t size = 0; size < whole.size(); ++size) try_it(whole.substr(0, size));
    EXPECT_GT(refused, whole.size());
  }
}

TEST_F(TensorTest, ReadsBareElementsOfTheShapeThatIsSaid) {
  const std::string npy = to_npy({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
  put("x.bin", npy.substr(npy.size() - 24));
  const TensorOptions raw{.raw = RawLayout{ElementType::float32, {2, 3}}};
  const Tensor tensor = open_tensor(path("x.bin"), raw);
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(tensor.doubles(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(open_tensor(path("x.bin"), {.raw = RawLayout{ElementType::float16, {12}}}).count(),
            12U);
  put("x.npy", npy);
  EXPECT_EQ(open_tensor(path("x.npy"), raw).doubles(), tensor.doubles()) << "a format is known";
  for (const Shape& shape : {Shape{2, 2}, Shape{2, 4}, Shape{6, 6}, Shape{~std::size_t{0}, 2}})
    EXPECT_THROW(open_tensor(path("x.bin"), {.raw = RawLayout{ElementType::float32, shape}}),
                 Error);
  EXPECT_NE(refusal("x.bin").find("--raw"), std::string::npos);
}

TEST_F(TensorTest, TellsHowToConvertWhatPyTorchSaves) {
  put("x.pt", "PK\x03\x04 and more");
  EXPECT_EQ(refusal("x.pt"),
            "x.pt: expected a .npy, .npz, .safetensors or .csv file, found a zip archive, as "
            "PyTorch's files are|In Python: from safetensors.torch import save_file; "
            "save_file(torch.load(FILE), 'x.safetensors').");
}

TEST_F(TensorTest, RefusesTextThatWouldFillTheMemory) {
  put("long.csv", "1,2\n");
  fs::resize_file(path("long.csv"), (std::uintmax_t{1} << 29) + 1);  // holds no blocks on the disk
  EXPECT_EQ(refusal("long.csv"),
            "long.csv: expected at most 512 MiB of text, found 536870913 bytes|Save such a matrix "
            "as .npy.");
}

TEST_F(TensorTest, ReadsAFilePieceByPiece) {
  std::vector<double> values(100'000);  // more than one buffer
  std::iota(values.begin(), values.end(), 0.0);
  put("x.npy", to_npy({values.size()}, values));
  const Tensor tensor = open_tensor(path("x.npy"));
  EXPECT_EQ(tensor.doubles(), values);
  std::vector<double> part(40'000);
  tensor.read(59'999, part);
  EXPECT_EQ(part.front(), 59'999);
  EXPECT_EQ(part.back(), 99'998);
}

/// A .npy file in Fortran order whose element (i, j, k, …) is its own number in C order.
std::string fortran_npy(const Shape& shape) {
  const std::size_t count = *element_count(shape);
  std::vector<double> stored(count);
  for (std::size_t number = 0; number < count; ++number) {
    std::size_t rest = number, place = 0;
    for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) {
      std::size_t stride = 1;
      for (std::size_t before = 0; before < axis; ++before) stride *= shape[before];
      place += rest % shape[axis] * stride;
    }
    stored[place] = static_cast<double>(number);
  }
  std::string bytes = to_npy(shape, stored);
  bytes.replace(bytes.find("False"), 5, "True ");
  return bytes;
}

TEST_F(TensorTest, FortranOrderGivesTheElementsInCOrder) {
  for (const Shape& shape :
       {Shape{2, 3}, {7, 1, 5}, {1, 4, 3}, {3, 4, 5}, {2, 3, 4, 5}, {40'000, 2}, {2, 40'000}}) {
    put("f.npy", fortran_npy(shape));
    std::vector<double> expected(*element_count(shape));
    std::iota(expected.begin(), expected.end(), 0.0);
    const Tensor tensor = open_tensor(path("f.npy"));
    EXPECT_EQ(tensor.doubles(), expected) << shape_text(shape);
    for (std::size_t first : {expected.size() - 1, expected.size() / 3, std::size_t{0}}) {
      std::vector<double> part(std::min<std::size_t>(3, expected.size() - first));
      tensor.read(first, part);  // anywhere, also backwards
      EXPECT_TRUE(std::equal(part.begin(), part.end(), expected.data() + first)) << first;
    }
  }
}

/// Counts how often and how much is read of a file.
class CountedFile final : public InputFile {
 public:
  explicit CountedFile(std::string bytes) : InputFile("counted"), bytes_(std::move(bytes)) {
    size_ = bytes_.size();
  }
  void read(std::uint64_t offset, std::span<char> bytes) const override {
    ++reads;
    read_bytes += bytes.size();
    bytes_.copy(bytes.data(), bytes.size(), offset);
  }
  mutable std::size_t reads = 0;
  mutable std::size_t read_bytes = 0;

 private:
  std::string bytes_;
};

TEST_F(TensorTest, FortranOrderIsReadOnceHoweverItIsAskedFor) {
  for (const Shape& shape : {Shape{2, 512, 128}, {512, 2, 128}, {131'072, 1, 2}}) {
    const auto file = std::make_shared<CountedFile>(fortran_npy(shape));
    const TensorPlace place = read_npy_header(*file);
    file->reads = file->read_bytes = 0;
    const Tensor tensor("counted", place, file);
    std::vector<double> part(128);
    for (std::size_t first = 0; first < tensor.count(); first += part.size())
      tensor.read(first, part);
    EXPECT_EQ(file->read_bytes, tensor.count() * 8) << shape_text(shape);
    EXPECT_LE(file->reads, tensor.count() * 8 / (256 << 10) + 1) << shape_text(shape);
  }
}

TEST_F(TensorTest, AFileThatShrinksIsAnError) {
  put("x.npy", to_npy({1000}, std::vector<double>(1000, 1.0)));
  const Tensor tensor = open_tensor(path("x.npy"));
  fs::resize_file(path("x.npy"), 1000);
  EXPECT_THROW(static_cast<void>(tensor.doubles()), SystemError);
}

TEST_F(TensorTest, WritesPieceByPieceWhatWritingAtOnceWrites) {
  std::vector<double> values(70'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sqrt(static_cast<double>(i));
  TensorWriter writer(path("y.npy"), {}, ElementType::float64, {values.size()});
  writer.append(std::span(values).first(1));
  writer.append(std::span(values).subspan(1, 69'000));
  EXPECT_FALSE(fs::exists(path("y.npy")));
  writer.append(std::span(values).subspan(69'001));
  writer.commit();
  EXPECT_EQ(read_file(path("y.npy"), 1 << 20), to_npy({values.size()}, values));
  EXPECT_EQ(files(), 1U);
}

TEST_F(TensorTest, WithoutAnEndNothingIsLeft) {
  put("y.npy", "old");
  {
    TensorWriter writer(path("y.npy"), {}, ElementType::float32, {2});
    writer.append(std::vector<double>{1});
    EXPECT_THROW(writer.commit(), ShapeError);
  }
  EXPECT_EQ(read_file(path("y.npy"), 10), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(TensorTest, WritesEveryFloatingTypeIntoEitherFormat) {
  const std::vector<double> values{1.5, -0.0, 448};
  for (const ElementType type :
       {ElementType::float64, ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    for (const TensorFormat::Kind kind :
         {TensorFormat::Kind::npy, TensorFormat::Kind::safetensors}) {
      const std::string file = path(kind == TensorFormat::Kind::npy ? "y.npy" : "y.safetensors");
      TensorWriter writer(file, {kind, "x", {}}, type, {3, 1});
      writer.append(values);
      writer.commit();
      const Tensor tensor = open_tensor(file);
      EXPECT_EQ(tensor.type(), type);
      EXPECT_EQ(tensor.shape(), (Shape{3, 1}));
      EXPECT_EQ(tensor.doubles(), values);
    }
  }
  TensorWriter writer(path("u.npy"), {TensorFormat::Kind::npy, {}, Bfloat16Name::uint16},
                      ElementType::bfloat16, {3});
  writer.append(values);
  writer.commit();
  EXPECT_EQ(open_tensor(path("u.npy")).type(), ElementType::uint16);
  EXPECT_EQ(open_tensor(path("u.npy"), {true}).doubles(), values);
}

NumberMatrix matrix(const std::string& text) { return parse_matrix(text, "m.csv"); }

std::string matrix_refusal(const std::string& text) {
  return test::refusal([&] { matrix(text); });
}

TEST(MatrixText, ReadsRowsOfNumbers) {
  for (const char* text : {"1,2\n3,4", "\xEF\xBB\xBFx0,x1\r\n1,2\r\n3,4\r\n",
                           "1 2\n\n# all\n3\t4 # two\n", "  1 ; 2 \n 3;4\n", "+1,2e0\n3,4.0\n"}) {
    const NumberMatrix read = matrix(text);
    EXPECT_EQ(read.rows, 2U) << text;
    EXPECT_EQ(read.columns, 2U) << text;
    EXPECT_EQ(read.values, (std::vector<double>{1, 2, 3, 4})) << text;
  }
  EXPECT_TRUE(std::isnan(matrix("0,nan\n").values.at(1)));
}

TEST(MatrixText, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(matrix_refusal("1,2\n3\n"), "m.csv: line 2: expected 2 numbers, found 1");
  EXPECT_EQ(matrix_refusal("a,b\n1,2x\n"),
            "m.csv: line 2: expected a number in the range of a double, found '2x'");
  EXPECT_EQ(matrix_refusal("1,2x\n1,2\n"),
            "m.csv: line 1: expected a number in the range of a double, found '2x'")
      << "a row with a slip names no columns";
  EXPECT_EQ(matrix_refusal("1,2,\n"),
            "m.csv: line 1: expected a number in the range of a double, found ''");
  EXPECT_EQ(matrix_refusal("1,5;2,5\n"),
            "m.csv: line 1: expected commas or semicolons between numbers, found both; write 1.5 "
            "instead of 1,5");
  EXPECT_EQ(matrix_refusal("1,1e999\n"),
            "m.csv: line 1: expected a number in the range of a double, found '1e999'");
  EXPECT_EQ(matrix_refusal("a,b\nc,d\n"),
            "m.csv: line 2: expected a number in the range of a double, found 'c'");
  for (const std::size_t every : {std::size_t{1}, kMostNumbers + 1}) {  // a number, or all, a line
    std::string many(2 * (kMostNumbers + 1), ' ');
    for (std::size_t i = 0; i <= kMostNumbers; ++i) many[2 * i] = '1';
    for (std::size_t i = every; i <= kMostNumbers; i += every) many[2 * i - 1] = '\n';
    EXPECT_EQ(matrix_refusal(many),
              "m.csv: expected at most 33554432 numbers in text form, found more");
  }
  EXPECT_EQ(matrix_refusal(""), "m.csv: line 1: expected rows of numbers, found none");
  EXPECT_EQ(matrix_refusal("a,b\n"), "m.csv: line 1: expected rows of numbers, found none");
}

}  // namespace
}  // namespace rope::io
