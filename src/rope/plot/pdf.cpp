#include "rope/plot/pdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/io/inflate.hpp"
#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

/// "N 0 obj\n", a dictionary or another value, perhaps a stream, "\nendobj\n".
struct PdfObject {
  std::size_t number = 0;
  std::string_view value;   // with its stream
  std::string_view stream;  // what it holds; empty where there is none
};

std::optional<std::size_t> number_at(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

/// The number behind a key of a dictionary: "/First " of "<< /N 4 /First 23 >>".
std::optional<std::size_t> number_of(std::string_view key, std::string_view dictionary) {
  const std::size_t at = dictionary.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return number_at(dictionary.substr(at + key.size()));
}

/// Takes `length` characters and those of `end` from the front of `rest`, and returns the former.
std::string_view take(std::size_t length, std::string_view end, std::string_view* rest) {
  const std::string_view taken = rest->substr(0, length);
  rest->remove_prefix(length + end.size());
  return taken;
}

/// Takes the object at the front of `rest`.
std::optional<PdfObject> next_object(std::string_view* rest) {
  constexpr std::string_view kBegin = " 0 obj\n";
  constexpr std::string_view kEnd = "\nendobj\n";
  constexpr std::string_view kStream = "\nstream\n";
  constexpr std::string_view kEndOfStream = "\nendstream\nendobj\n";
  const auto number = number_at(*rest);
  const std::size_t begin = rest->find(kBegin);
  if (!number || begin == std::string_view::npos) return std::nullopt;
  take(begin, kBegin, rest);
  const std::size_t end = rest->find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t stream = rest->substr(0, end).find(kStream);
  if (stream == std::string_view::npos) return PdfObject{*number, take(end, kEnd, rest), {}};
  // Its bytes may look like the end of an object, but not, but for one file in 2^100, like that.
  const std::size_t end_of_stream = rest->find(kEndOfStream, stream);
  if (end_of_stream == std::string_view::npos) return std::nullopt;
  const std::string_view value =
      take(end_of_stream + kEndOfStream.size() - kEnd.size(), kEnd, rest);
  const std::size_t first = stream + kStream.size();
  return PdfObject{*number, value, value.substr(first, end_of_stream - first)};
}

/// What a stream of zlib's holds.
std::optional<std::string> inflated(std::string_view compressed) {
  constexpr std::size_t kHeader = 2, kMostInflated = std::size_t{1} << 24U;
  if (compressed.size() < kHeader) return std::nullopt;
  return io::inflate(std::string(compressed.substr(kHeader)), kMostInflated);
}

/// A text as PDF writes it: ASCII as it is, all else in UTF-16.
std::string text_string(std::string_view text) {
  std::string ascii, wide = "<FEFF";
  bool is_ascii = true;
  for (const char32_t code : decode_utf8(text)) {
    is_ascii = is_ascii && code < 0x80;
    if (code == U'(' || code == U')' || code == U'\\') ascii += '\\';
    if (code < 0x80) ascii += static_cast<char>(code);
    wide += code < 0x10000 ? fmt::format("{:04X}", std::uint32_t{code})
                           : fmt::format("{:04X}{:04X}", 0xD7C0U + (std::uint32_t{code} >> 10U),
                                         0xDC00U + (std::uint32_t{code} & 0x3FFU));
  }
  return is_ascii ? "(" + ascii + ")" : wide + ">";
}

/// A file with a plain table of where its objects are.
class PlainPdf {
 public:
  PlainPdf(std::string_view head, std::string_view creator) : bytes_(head), creator_(creator) {}

  /// Adds an object; one that says when the file was made says another time, and the creator.
  void add(std::size_t number, std::string_view value) {
    constexpr std::string_view kDateKey = "/CreationDate (D:", kDate = "20000101000000";
    if (std::ranges::find(unused_, number) != unused_.end()) return;
    places_[number] = bytes_.size();
    std::string text(value);
    const std::size_t at = text.find(kDateKey);
    if (at != std::string::npos && at + kDateKey.size() + kDate.size() <= text.size()) {
      text.replace(at + kDateKey.size(), kDate.size(), kDate);
      if (!creator_.empty()) text.insert(at, "/Creator " + text_string(creator_) + "\n   ");
    }
    bytes_ += fmt::format("{} 0 obj\n{}\nendobj\n", number, text);
  }

  /// Adds the objects that one of type /ObjStm holds: pairs of numbers and places, then the values.
  /// False if it does not.
  bool add_packed(const PdfObject& packed) {
    const auto text = inflated(packed.stream);
    const auto count = number_of("/N ", packed.value);
    const auto first = number_of("/First ", packed.value);
    const auto length = number_of("/Length ", packed.value);  // of an object that follows
    if (!text || !count || !first || !length || *first > text->size()) return false;
    unused_.push_back(*length);
    const std::string_view values = std::string_view(*text).substr(*first);
    std::string_view list = std::string_view(*text).substr(0, *first);
    const auto next = [&list]() -> std::optional<std::size_t> {
      list.remove_prefix(std::min(list.find_first_not_of(" \n"), list.size()));
      const auto number = number_at(list);
      list.remove_prefix(std::min(list.find_first_of(" \n"), list.size()));
      return number;
    };
    std::vector<std::pair<std::size_t, std::size_t>> held;
    for (std::size_t i = 0; i < *count; ++i) {
      const auto number = next();
      const auto place = next();
      if (!number || !place || *place > values.size()) return false;
      if (!held.empty() && *place < held.back().second) return false;
      held.emplace_back(*number, *place);
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto [number, place] = held[i];
      const std::size_t end = i + 1 < held.size() ? held[i + 1].second : values.size();
      std::string_view value = values.substr(place, end - place);
      while (value.ends_with('\n')) value.remove_suffix(1);
      add(number, value);
    }
    return true;
  }

  /// Adds the table and what the dictionary of the old one says. None if that says nothing.
  std::optional<std::string> finished(std::string_view dictionary) && {
    const auto size = number_of("/Size ", dictionary);
    const auto root = number_of("/Root ", dictionary);
    const auto info = number_of("/Info ", dictionary);
    if (!size || !root || !info || *size > bytes_.size()) return std::nullopt;
    const std::size_t table = bytes_.size();
    bytes_ += fmt::format("xref\n0 {}\n", *size);
    for (std::size_t i = 0; i < *size; ++i) {
      const auto place = places_.find(i);
      bytes_ += place == places_.end() ? "0000000000 65535 f \n"
                                       : fmt::format("{:010} 00000 n \n", place->second);
    }
    bytes_ += fmt::format(
        "trailer\n<< /Size {}\n   /Root {} 0 R\n   /Info {} 0 R\n>>\nstartxref\n{}\n%%EOF\n", *size,
        *root, *info, table);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  std::string_view creator_;
  std::map<std::size_t, std::size_t> places_;
  std::vector<std::size_t> unused_;  // objects that only the compressed ones needed
};

}  // namespace

std::string finished_pdf(std::string pdf, std::string_view creator) {
  const std::size_t version = pdf.find('\n');
  // The second line shows that the file is binary.
  const std::size_t head = version == std::string::npos ? version : pdf.find('\n', version + 1);
  if (head == std::string::npos) return pdf;
  PlainPdf plain(std::string_view(pdf).substr(0, head + 1), creator);
  std::string_view rest = std::string_view(pdf).substr(head + 1);
  std::string_view table;  // of the places, or behind it what names the first objects
  while (const auto object = next_object(&rest)) {
    if (object->value.starts_with("<< /Type /XRef")) {
      table = object->value;
      break;
    }
    if (!object->value.starts_with("<< /Type /ObjStm"))
      plain.add(object->number, object->value);
    else if (!plain.add_packed(*object))
      return pdf;
  }
  if (table.empty() && rest.starts_with("xref\n")) table = rest;
  auto finished = std::move(plain).finished(table);
  return finished ? *std::move(finished) : pdf;
}

}  // namespace rope::plot
