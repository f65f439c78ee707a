#include "rope/plot/pdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/zlib/inflate_stream.hpp>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr std::size_t kMostInflated = std::size_t{1} << 24U;

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
  namespace zlib = boost::beast::zlib;
  constexpr std::size_t kHeader = 2;
  if (compressed.size() < kHeader) return std::nullopt;
  compressed.remove_prefix(kHeader);
  zlib::inflate_stream stream;
  zlib::z_params at = {};
  at.next_in = compressed.data();
  at.avail_in = compressed.size();
  std::string text;
  boost::system::error_code error;
  while (!error && text.size() < kMostInflated) {
    text.resize(2 * text.size() + 4096);
    at.next_out = text.data() + at.total_out;
    at.avail_out = text.size() - at.total_out;
    stream.write(at, zlib::Flush::sync, error);
  }
  if (error != zlib::error::end_of_stream) return std::nullopt;
  text.resize(at.total_out);
  return text;
}

/// A file with a plain table of where its objects are.
class PlainPdf {
 public:
  explicit PlainPdf(std::string_view head) : bytes_(head) {}

  void add(std::size_t number, std::string_view value) {
    if (std::ranges::find(unused_, number) != unused_.end()) return;
    places_[number] = bytes_.size();
    bytes_ += fmt::format("{} 0 obj\n{}\nendobj\n", number, value);
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

  /// Adds the table and what the dictionary of the compressed one says. None if that says nothing.
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
  std::map<std::size_t, std::size_t> places_;
  std::vector<std::size_t> unused_;  // objects that only the compressed ones needed
};

/// The same file with plain objects; none if its table is plain already, or unlike cairo's.
std::optional<std::string> unpacked(std::string_view pdf) {
  const std::size_t version = std::min(pdf.find('\n'), pdf.size() - 1);
  const std::size_t head = pdf.find('\n', version + 1);  // the second line shows that it is binary
  if (head == std::string_view::npos) return std::nullopt;
  PlainPdf plain(pdf.substr(0, head + 1));
  pdf.remove_prefix(head + 1);
  while (const auto object = next_object(&pdf)) {
    if (object->value.starts_with("<< /Type /XRef"))
      return std::move(plain).finished(object->value);
    if (!object->value.starts_with("<< /Type /ObjStm")) {
      plain.add(object->number, object->value);
    } else if (!plain.add_packed(*object)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
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

constexpr std::string_view kDateKey = "/CreationDate (D:";

}  // namespace

std::string without_date(std::string pdf) {
  constexpr std::string_view kDate = "20000101000000";
  if (auto plain = unpacked(pdf)) pdf = *std::move(plain);
  const std::size_t at = pdf.find(kDateKey);
  if (at != std::string::npos && at + kDateKey.size() + kDate.size() <= pdf.size())
    pdf.replace(at + kDateKey.size(), kDate.size(), kDate);
  return pdf;
}

std::string with_creator(std::string pdf, std::string_view creator) {
  constexpr std::string_view kStart = "\nstartxref\n", kTable = "xref\n0 ";
  constexpr std::size_t kEntry = 20, kDigits = 10;  // "0000024973 00000 n \n"
  const std::size_t at = pdf.find(kDateKey), start = pdf.rfind(kStart);
  if (creator.empty() || at == std::string::npos || start == std::string::npos) return pdf;
  const std::size_t start_number = start + kStart.size();
  const auto table = number_at(std::string_view(pdf).substr(start_number));
  if (!table || *table > start || !std::string_view(pdf).substr(*table).starts_with(kTable))
    return pdf;
  const auto count = number_at(std::string_view(pdf).substr(*table + kTable.size()));
  const std::size_t first = pdf.find('\n', *table + kTable.size()) + 1;
  if (!count || *count > (pdf.size() - first) / kEntry) return pdf;
  const std::string added = "/Creator " + text_string(creator) + "\n   ";
  for (std::size_t entry = first; entry < first + *count * kEntry; entry += kEntry)
    if (const auto place = number_at(std::string_view(pdf).substr(entry, kDigits));
        place && *place > at)
      pdf.replace(entry, kDigits, fmt::format("{:010}", *place + added.size()));
  pdf.replace(start_number, pdf.find('\n', start_number) - start_number,
              std::to_string(*table + added.size()));
  return pdf.insert(at, added);
}

}  // namespace rope::plot
