#include "diagnose/remedies/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "rope/io/npy.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"

namespace rope::test {
namespace {

std::string npy(const Given& given, const Numbers& numbers) {
  const io::Shape shape(given.shape.begin(), given.shape.end());
  if (given.format == Format::float64) return io::to_npy(shape, std::span<const double>(numbers));
  const Numbers narrow = rounded(given.format, numbers);
  return io::to_npy(shape,
                    std::span<const float>(std::vector<float>(narrow.begin(), narrow.end())));
}

/// Every remedy of the first explanation or of the best fit, where it stands and which it is.
std::vector<std::array<std::string, 3>> printed(const Json& said) {
  std::vector<std::array<std::string, 3>> all;
  const Json explanations = said.value("explanations", Json::array());
  for (const char* where : {"differences", "remarks"})
    if (!explanations.empty() && explanations[0].contains(where))
      for (const Json& advice : explanations[0][where])
        all.push_back({where, advice["remedy_id"], advice["remedy"]});
  if (const Json& exceptions = said["exceptions"]; exceptions.is_object())
    for (const Json& advice : exceptions["said"])
      all.push_back({"exceptions", advice["remedy_id"], advice["remedy"]});
  if (const Json& fit = said["best_fit"]; fit.is_object() && fit["remedy"].is_string())
    all.push_back({"best_fit", fit["remedy_id"], fit["remedy"]});
  return all;
}

/// The end of a JSON value in a sentence.
std::size_t end_of_value(const std::string& text, std::size_t at) {
  if (text[at] != '{' && text[at] != '[') return text.find_first_of(",;} ", at);
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == '}' || text[i] == ']') && --depth == 0) return i + 1;
  }
  return text.size();
}

/// Writes the keys of config.json that a sentence names.
void write_keys(Json& config, const std::string& words) {
  if (words.find(R"(remove "rope_scaling")") != std::string::npos) {
    config.erase("rope_scaling");
    return;
  }
  if (words.find("set rope_theta to ") != std::string::npos)
    config["rope_theta"] = number_after(words, "set rope_theta to ");
  for (std::size_t at = 0; (at = words.find('"', at)) != std::string::npos;) {
    const std::size_t quote = words.find("\": ", at + 1);
    if (quote == std::string::npos) return;
    std::string key = words.substr(at + 1, quote - at - 1);
    if (words.find("(\"rotary_pct\" in GPT-NeoX)") != std::string::npos &&
        config["model_type"] == "gpt_neox")
      key = "rotary_pct";
    const std::size_t end = end_of_value(words, quote + 3);
    const std::string value = words.substr(quote + 3, end - quote - 3);
    const bool at_root = key == "rope_scaling" || key == "rope_theta" ||
                         key == "partial_rotary_factor" || key == "rotary_pct";
    (at_root ? config : config["rope_scaling"])[key] = Json::parse(value);
    at = end == std::string::npos ? words.size() : end;
  }
}

/// Takes over the options that a sentence names.
void write_options(Options& options, const std::string& words) {
  for (std::size_t at = 0; (at = words.find("--", at)) != std::string::npos;) {
    const std::size_t blank = words.find(' ', at);
    const std::string name = words.substr(at, blank - at);
    std::string value = words.substr(blank + 1, words.find_first_of(" ;", blank + 1) - blank - 1);
    while (value.ends_with(',') || value.ends_with('.') || value.ends_with(')')) value.pop_back();
    at = blank;
    if (name == "--json") continue;
    if (name == "--start" || name == "--positions")
      for (const char* other : {"--start", "--positions"})
        if (const auto there = std::find(options.begin(), options.end(), other);
            there != options.end() && other != name)
          options.erase(there, there + 2);
    if (const auto there = std::find(options.begin(), options.end(), name); there != options.end())
      *(there + 1) = value;
    else
      options.insert(options.end(), {name, value});
  }
}

}  // namespace

Numbers random_numbers(std::size_t size, std::uint64_t seed) {
  RandomStream random(seed, 0);
  Numbers x(size);
  random.fill_normal(x);
  return rounded(Format::float32, std::move(x));
}

double Port::frequency(std::size_t k) const {
  if (theta) return theta(k);
  return std::pow(base, -static_cast<double>(k) / static_cast<double>(pairs()));
}

double Port::position(std::size_t token) const {
  return positions.empty() ? static_cast<double>(token) : positions.at(token);
}

Numbers Port::operator()(const Numbers& x, std::size_t row) const {
  Numbers y = x;
  for (std::size_t at = 0; at < x.size(); at += dim)
    for (std::size_t k = 0; k < pairs(); ++k) {
      const std::size_t a = at + first + (half ? k : 2 * k), b = half ? a + pairs() : a + 1;
      const double angle = position(at / row) * frequency(k);
      const double phi = of_angle ? of_angle(angle) : angle;
      const auto held = [&](double value) { return round_to(format, value); };
      const double c = held(factor * std::cos(phi)), s = held(factor * sine * std::sin(phi));
      y[a] = held(held(x[a] * c) - held(x[b] * s));
      y[b] = held(held(x[a] * s) + held(x[b] * c));
    }
  return y;
}

Json Law::diagnosed(const Given& given) {
  write("x.npy", npy(given, given.x));
  write("y.npy", npy(given, given.y));
  Options all = {"diagnose", given.as[0], "x.npy", given.as[1], "y.npy", "--json"};
  all.insert(all.end(), given.options.begin(), given.options.end());
  if (!given.places.empty()) {
    const io::Shape shape = {given.places.size() / 3, 3};
    write("places.npy", io::to_npy(shape, std::span<const std::int64_t>(given.places)));
    all.insert(all.end(), {"--axis-positions", "places.npy"});
  }
  if (!given.config.is_null()) {
    write("config.json", given.config.dump());
    all.insert(all.end(), {"--config", "config.json"});
  }
  const Outcome run = rope(all);
  EXPECT_TRUE(Json::accept(run.out)) << run.out << run.err;
  Json said = Json::accept(run.out) ? Json::parse(run.out) : Json::object();
  said["exit"] = run.exit_code;
  return said;
}

std::string Law::remedy(const Given& given) {
  const Json said = diagnosed(given);
  const std::vector<std::array<std::string, 3>> all = printed(said);
  for (const auto& [where, name, text] : all)
    if (name == GetParam().name) return text;
  std::string instead;
  for (const auto& [where, name, text] : all) instead += name + ": " + text + "\n";
  ADD_FAILURE() << GetParam().name << " is not printed, but " << instead
                << said.dump(1).substr(0, 2000);
  return {};
}

Sides Law::sides(const Given& given) {
  const std::string text = remedy(given);
  const std::string own = "if y is your own, ", other = "; if it is the reference, ";
  const std::size_t at = text.find(other);
  EXPECT_TRUE(text.starts_with(own) && at != std::string::npos) << text;
  if (at == std::string::npos) return {text, text};
  return {text.substr(own.size(), at - own.size()), text.substr(at + other.size())};
}

void Law::right(const Given& given, const std::string& what) {
  const Json said = diagnosed(given);
  EXPECT_EQ(said["exit"], 0) << GetParam().name << ", " << what << "\n"
                             << said.dump(1).substr(0, 6000);
  EXPECT_NE(said["stated"], "differs") << GetParam().name << ", " << what;
  for (const auto& [where, name, text] : printed(said))
    EXPECT_TRUE(where == "remarks" && (name != GetParam().name || said["stated"] == "fits"))
        << GetParam().name << ", " << what << ": " << where << " " << name << ": " << text;
}

void Law::right_with(Given given, const Numbers& y, const std::string& what) {
  given.y = y;
  right(given, what);
}

void Law::right_following(Given given, const std::string& words) {
  const Json before = given.config;
  const Options options = given.options;
  if (!given.config.is_null()) write_keys(given.config, words);
  write_options(given.options, words.substr(0, words.find("rope convert")));
  EXPECT_FALSE(given.config == before && given.options == options)
      << "there is nothing to follow in: " << words;
  right(given, "y is the reference, and you " + words);
}

Numbers Law::converted(const Given& given, const std::string& words) {
  // Token t is W e_t: column t of W is its x.
  const std::size_t rows = given.x.size() / kTokens;
  io::SafetensorsHeader header;
  io::SafetensorsEntry entry;
  entry.name = "model.layers.0.self_attn.q_proj.weight";
  entry.dtype = "F32";
  entry.shape = {rows, kTokens};
  header.tensors.push_back(entry);
  std::string file = io::safetensors_header(header);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < kTokens; ++t) {
      const auto number = static_cast<float>(given.x[t * rows + i]);
      std::array<char, sizeof number> bytes{};
      std::memcpy(bytes.data(), &number, sizeof number);
      file.append(bytes.data(), bytes.size());
    }
  write("model.safetensors", file);
  const std::size_t from = words.find("rope convert");
  const std::string end = " -o converted.safetensors";
  const std::size_t to = words.find(end);
  EXPECT_TRUE(from != std::string::npos && to != std::string::npos) << words;
  if (to == std::string::npos) return given.x;
  const Outcome run = shell(words.substr(from, to + end.size() - from));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string after = read("converted.safetensors");
  Numbers x(given.x.size());
  const std::size_t data = after.size() - 4 * x.size();
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < kTokens; ++t) {
      float number = 0;
      std::memcpy(&number, &after.at(data + 4 * (i * kTokens + t)), sizeof number);
      x[t * rows + i] = static_cast<double>(number);
    }
  return x;
}

void says(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << "\"" << words << "\" is not in:\n" << text;
}

double number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << "\"" << words << "\" is not in:\n" << text;
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + words.size(), nullptr);
}

std::string join(const std::vector<double>& numbers) {
  std::string list;
  for (const double number : numbers) {
    std::array<char, 40> text{};
    static_cast<void>(std::snprintf(text.data(), text.size(), "%.17g", number));
    list += (list.empty() ? "" : ",") + std::string(text.data());
  }
  return list;
}

std::vector<double> count(double first, std::size_t tokens, double step) {
  std::vector<double> positions;
  for (std::size_t t = 0; t < tokens; ++t)
    positions.push_back(first + step * static_cast<double>(t));
  return positions;
}

Numbers rounded(Format format, Numbers numbers) {
  for (double& each : numbers) each = round_to(format, each);
  return numbers;
}

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST_P(Law, ARemedyWorks) {
  std::size_t cases = 0;
  for (const auto& all :
       {cases_of_positions(), cases_of_frequencies(), cases_of_layouts(), cases_of_mistakes()})
    for (const RemedyCase& one : all)
      if (one.remedy.text() == GetParam().name) {
        ++cases;
        one.run(*this);
      }
  EXPECT_EQ(cases > 0, GetParam().sides != RemedySides::question)
      << GetParam().name << ": a remedy needs a case, and a question has none";
}

INSTANTIATE_TEST_SUITE_P(Remedies, Law, testing::ValuesIn(kRemedies), [](const auto& remedy) {
  std::string name(remedy.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace rope::test
