#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

// Numbers that compute nothing and write down what is done with them. The templates of
// turns_kernel.hpp, instantiated with these, tell provers which operations the kernel makes.
namespace rope::test {

/// A double, as gappa writes it.
inline std::string exact_text(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

/// A real number: a name, a constant, or an operation on two others.
class Recorded {
 public:
  Recorded() = default;
  Recorded(double constant) : Recorded(exact_text(constant)) {}
  explicit Recorded(std::string name) : node_(std::make_shared<Node>(Node{std::move(name)})) {}

  friend Recorded operator+(const Recorded& a, const Recorded& b) { return {'+', a, b}; }
  friend Recorded operator-(const Recorded& a, const Recorded& b) { return {'-', a, b}; }
  friend Recorded operator*(const Recorded& a, const Recorded& b) { return {'*', a, b}; }

  /// What it is made of, down to numbers that have a name. A number that is only a name is that.
  std::string text() const { return node_->operation == 0 ? node_->name : operation_text(); }

  /// From now on a number that others are made of.
  void call(const std::string& name) { node_->name = name; }

 private:
  struct Node {
    std::string name;
    char operation = 0;  // none: a name or a constant
    std::shared_ptr<Node> left = nullptr, right = nullptr;
  };
  Recorded(char operation, const Recorded& a, const Recorded& b)
      : node_(std::make_shared<Node>(Node{{}, operation, a.node_, b.node_})) {}
  explicit Recorded(std::shared_ptr<Node> node) : node_(std::move(node)) {}

  /// As an operand of `operation`, in parentheses where they are needed.
  std::string operand(char operation, bool is_right) const {
    if (!node_->name.empty()) return node_->name;
    const bool binds = node_->operation == '*' && (operation != '*' || !is_right);
    const bool same = node_->operation != '*' && operation != '*' && !is_right;
    return binds || same ? operation_text() : "(" + operation_text() + ")";
  }
  std::string operation_text() const {
    return Recorded(node_->left).operand(node_->operation, false) + " " + node_->operation + " " +
           Recorded(node_->right).operand(node_->operation, true);
  }

  std::shared_ptr<Node> node_;
};

/// An unsigned integer of 64 bits, as an expression of SMT-LIB.
class RecordedBits {
 public:
  RecordedBits(std::uint64_t constant) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "#x%016llx", static_cast<unsigned long long>(constant));
    text_ = text.data();
  }
  explicit RecordedBits(std::string text) : text_(std::move(text)) {}

  friend RecordedBits operator+(const RecordedBits& a, const RecordedBits& b) {
    return combined("bvadd", a, b);
  }
  friend RecordedBits operator-(const RecordedBits& a, const RecordedBits& b) {
    return combined("bvsub", a, b);
  }
  friend RecordedBits operator&(const RecordedBits& a, const RecordedBits& b) {
    return combined("bvand", a, b);
  }
  friend RecordedBits operator|(const RecordedBits& a, const RecordedBits& b) {
    return combined("bvor", a, b);
  }
  friend RecordedBits operator^(const RecordedBits& a, const RecordedBits& b) {
    return combined("bvxor", a, b);
  }
  friend RecordedBits operator<<(const RecordedBits& a, std::uint64_t by) {
    return combined("bvshl", a, RecordedBits(by));
  }
  friend RecordedBits operator>>(const RecordedBits& a, std::uint64_t by) {
    return combined("bvlshr", a, RecordedBits(by));
  }
  friend RecordedBits operator~(const RecordedBits& a) {
    return RecordedBits("(bvnot " + a.text_ + ")");
  }

  const std::string& text() const { return text_; }

 private:
  static RecordedBits combined(const char* operation, const RecordedBits& a,
                               const RecordedBits& b) {
    return RecordedBits("(" + std::string(operation) + " " + a.text_ + " " + b.text_ + ")");
  }

  std::string text_;
};

}  // namespace rope::test
