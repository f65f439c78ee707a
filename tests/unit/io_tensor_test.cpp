// Opening what a user names, matrices as text, and writing piece by piece.

#include <gtest/gtest.h>
#include <unistd.h>

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
    try {
      open_tensor(path(name));
      return "accepted";
    } catch (const Error& error) {
      std::string message = error.what() + ("|" + error.remedy());
      for (std::size_t at; (at = message.find(folder_ + "/")) != std::string::npos;)
        message.erase(at, folder_.size() + 1);
      return message;
    }
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
            "two.safetensors: expected the name of one of its 2 tensors, found none: 'q', 'k'|"
            "Name one: two.safetensors:q");
  EXPECT_EQ(refusal("two.safetensors:v"),
            "two.safetensors: expected the name of one of its tensors, found 'v'|"
            "It holds 'q', 'k'.");
  put("none.safetensors", safetensors_header({}));
  EXPECT_EQ(refusal("none.safetensors"), "none.safetensors: expected a tensor, found none|");
}

TEST_F(TensorTest, RefusesOtherFiles) {
  put("x.bin", "hello");
  EXPECT_EQ(refusal("x.bin"),
            "x.bin: expected a .npy, .safetensors or .csv file, found text|"
            "A name tells the format by its ending; a .npy file may have any name.");
  put("x.npz", "PK\x03\x04");
  EXPECT_NE(refusal("x.npz"), "accepted");
  EXPECT_NE(refusal("missing.npy").find("No such file"), std::string::npos);
  EXPECT_NE(refusal("missing.safetensors:q").find("No such file"), std::string::npos);
  EXPECT_NE(refusal("").find("directory"), std::string::npos);
  put("empty.npy", "");
  EXPECT_EQ(refusal("empty.npy"),
            "empty.npy: expected a .npy file, found other first bytes: it is empty|"
            "is it a .npy file? In Python: numpy.save(name, x)");
}

TEST_F(TensorTest, RefusesTextThatWouldFillTheMemory) {
  put("long.csv", "1,2\n");
  fs::resize_file(path("long.csv"), (std::uintmax_t{1} << 29) + 1);  // holds no blocks on the disk
  EXPECT_EQ(refusal("long.csv"),
            "long.csv: expected at most 512 MiB of text, found 536870913 bytes|"
            "Write such a matrix as .npy.");
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
  try {
    matrix(text);
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
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
            "for 1,5");
  EXPECT_EQ(matrix_refusal("1,1e999\n"),
            "m.csv: line 1: expected a number in the range of a double, found '1e999'");
  EXPECT_EQ(matrix_refusal("a,b\nc,d\n"),
            "m.csv: line 2: expected a number in the range of a double, found 'c'");
  for (const std::size_t every : {std::size_t{1}, kMostNumbers + 1}) {  // a number, or all, a line
    std::string many(2 * (kMostNumbers + 1), ' ');
    for (std::size_t i = 0; i <= kMostNumbers; ++i) many[2 * i] = '1';
    for (std::size_t i = every; i <= kMostNumbers; i += every) many[2 * i - 1] = '\n';
    EXPECT_EQ(matrix_refusal(many), "m.csv: expected at most 33554432 numbers of text, found more");
  }
  EXPECT_EQ(matrix_refusal(""), "m.csv: line 1: expected rows of numbers, found none");
  EXPECT_EQ(matrix_refusal("a,b\n"), "m.csv: line 1: expected rows of numbers, found none");
}

}  // namespace
}  // namespace rope::io
