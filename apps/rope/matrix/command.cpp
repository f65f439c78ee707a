#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "rope/documents/matrix.hpp"
#include "rope/error.hpp"
#include "rope/language/said.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/pair_tables.hpp"
#include "shown/verdict.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostPositions = 8;  // in a report to people
constexpr Eigen::Index kMostDenseColumns = 8;

/// The columns that each 2×2 block stands in; a dimension that is not rotated is one of its own.
std::vector<std::vector<std::size_t>> columns_of_blocks(const RotaryEmbedding& embedding) {
  std::vector<std::vector<std::size_t>> blocks;
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [first, second] = pair_dimensions(embedding.layout, k, embedding.rotary_dim());
    blocks.push_back({first, second});
  }
  for (std::size_t i = embedding.rotary_dim(); i < embedding.head_dim; ++i) blocks.push_back({i});
  return blocks;
}

Table dense_table(const MatrixStudy& study, std::int64_t position) {
  const Eigen::MatrixXd matrix = rotation_matrix(study.embedding, position);
  Table table(std::vector<Table::Column>(static_cast<std::size_t>(matrix.cols())));
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    std::vector<std::string> cells;
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      cells.push_back(six_digits(matrix(row, column)));
    table.add_row(std::move(cells));
  }
  table.keep_together(columns_of_blocks(study.embedding));
  return table;
}

std::string where(const MatrixStudy& study, const PropertyResult& property, Language language) {
  if (study.positions.size() <= (property.n ? 2 : 1)) return {};
  return property.n ? said(language, "at m = {}, n = {}", property.m, *property.n)
                    : said(language, "at m = {}", property.m);
}

Table properties_table(const MatrixStudy& study, const Console& console) {
  const Language language = console.language();
  Table table({{"2-norms", Table::Align::left},
               {study.positions.size() > 1 ? "largest" : "measured"},
               {"allowed"},
               {""},
               {"", Table::Align::left}});
  for (const PropertyResult& property : study.properties) {
    const bool passed = !property.check.violated();
    table.add_row({property.formula, six_digits(property.check.error),
                   six_digits(property.check.bound), outcome_word(!passed, false, console),
                   where(study, property, language)});
  }
  return table;
}

/// What the properties say of the matrices.
void print_answer(const MatrixStudy& study, const Console& console) {
  const Language language = console.language();
  const double factor = study.embedding.attention_factor;
  const std::string name =
      factor == 1 ? said(language, "R_m, which turns a vector at position m,")
                  : said(language, "R_m divided by the attention factor A = {:.6g}", factor);
  const bool passed = std::ranges::all_of(
      study.properties, [](const PropertyResult& property) { return !property.check.violated(); });
  if (!passed) {
    console.say(
        console.paint(Ink::bad, said(language, "{} is not the rotation that it should be.", name)));
    return;
  }
  const bool pairs = std::ranges::any_of(
      study.properties, [](const PropertyResult& property) { return property.n.has_value(); });
  console.say(console.paint(
      Ink::strong, pairs ? said(language,
                                "{} is a rotation matrix, up to rounding: its columns are "
                                "orthonormal, its determinant is 1, and R_mᵀR_n is R_{{n−m}}.",
                                name)
                         : said(language,
                                "{} is a rotation matrix, up to rounding: its columns are "
                                "orthonormal and its determinant is 1.",
                                name)));
}

/// Some of the matrices, and what holds for all of them, for people.
void print_matrix(const MatrixStudy& study, bool details, const Console& console) {
  const Language language = console.language();
  print_answer(study, console);
  const bool dense = study.form == MatrixForm::dense &&
                     study.embedding.head_dim <= static_cast<std::size_t>(kMostDenseColumns);
  const std::size_t most = dense || details ? kMostPositions : 1;
  const std::size_t shown = std::min(most, study.positions.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::int64_t position = study.positions[i];
    console.print("\n");
    console.say(
        console.paint(Ink::strong, said(language, "R_m at m = {} ({})", position,
                                        describe(RotaryVariant{{}, study.embedding}, language))));
    if (dense)
      console.print(dense_table(study, position), "");
    else
      print_pairs(pairs_at(study.embedding, position), {}, details, console);
  }
  if (study.form == MatrixForm::dense && !dense)
    console.say(said(language,
                     "A matrix with d above {} is shown as pairs; -o FILE writes the whole matrix.",
                     kMostDenseColumns));
  const std::size_t left_out = study.positions.size() - shown;
  if (left_out == 1)
    console.say(said(language, "One position is not shown: -o FILE writes them all."));
  if (left_out > 1)
    console.say(said(language, "{} positions are not shown: -o FILE writes them all.", left_out));
  console.print("\n");
  console.print(properties_table(study, console), "Properties of a rotation matrix");
}

constexpr std::array<Choice<MatrixForm>, 2> kForms = {
    {{"dense", MatrixForm::dense}, {"pairs", MatrixForm::pairs}}};
constexpr std::size_t kMaxDenseDim = 4096;

/// Refuses documents that no memory holds.
void check_size(const MatrixStudy& study, const OutputPlan& plan) {
  const std::size_t dim = study.embedding.head_dim;
  const bool dense = study.form == MatrixForm::dense;
  if (dense && dim > kMaxDenseDim)
    throw ShapeError(
        fmt::format("--dim: expected at most {} for a dense matrix, got {}", kMaxDenseDim, dim),
        "Add --form pairs: two numbers per pair instead of the whole matrix.");
  // Of a matrix each entry, of pairs each row.
  const std::uint64_t values = dense ? dim * dim : study.embedding.pairs();
  check_memory(plan, "--positions", study.positions.size(),
               dense ? ValueBytes{32, 28 * values, 90 * values}
                     : ValueBytes{32, 500 * values, 4500 * values});
}

std::vector<PropertyResult> properties_of(const MatrixStudy& study, const Console& console) {
  Progress progress(console, study.positions.size(), "rope matrix");
  return matrix_properties(study.embedding, study.positions, [&progress] { progress.advance(1); });
}

struct Matrix final : Invocation {
  static constexpr std::array kFormats = {Format::csv, Format::npy, Format::json, Format::tex,
                                          Format::png, Format::svg, Format::pdf,  Format::gp};
  static constexpr std::array<std::string_view, 2> kExamples = {
      "rope matrix --dim 4 --positions 1", "rope matrix --dim 64 --positions 0:3 -o rotations.png"};
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"rotation matrix", "angle", "pair", "layout",
                                       "relative-position identity", "attention factor"});

  PositionList positions{{1}};
  MatrixForm form = MatrixForm::dense;
  std::optional<PairLayout> beside;
  RotaryOptions rotary;
  OutputOptions output{kFormats, kReportAndPicture};

  void declare(OptionSet& options) override {
    options.group("Matrix");
    options.bound("--positions LIST", "positions m in tokens: " + std::string(kPositionsHelp),
                  positions, read_positions, "1");
    options.choice("--form FORM", "with pairs, two numbers per pair instead of the whole matrix",
                   form, kForms);
    options.choice("--beside LAYOUT", "also draw each matrix in this layout", beside, kLayouts,
                   "none");
    rotary.declare(options);
    output.declare(options);
    output.declare_details(options);
    options.often_used({"--positions", "--form"});
  }

  ExitCode run(Console& console) override {
    MatrixStudy study;
    study.form = form;
    study.embedding = rotary_variant(rotary, console).embedding;
    study.positions = std::move(positions.values);
    const OutputPlan plan = plan_output(output);
    if (plan.json_document || plan.show || !plan.files.empty()) check_size(study, plan);
    const MatrixPicture picture{study.embedding, study.positions, study.form, beside};
    if (beside && !plan.pictures())
      refuse("--beside", "a picture with it", "none", "Add -o FILE.png or --show.");
    if (plan.pictures()) check_matrix_picture(picture);
    study.properties = properties_of(study, console);
    Products products;
    products.report = [&](const Console& out) { print_matrix(study, output.details, out); };
    products.csv = [&] { return matrix_csv(study); };
    products.npy = [&] { return matrix_npy(study); };
    products.json = [&] { return matrix_json(study); };
    products.tex = [&] { return matrix_tex(study); };
    products.figure = [&] { return matrix_figure(picture); };
    write_output(plan, products, console);
    const bool passed = std::ranges::all_of(study.properties, [](const PropertyResult& property) {
      return !property.check.violated();
    });
    return passed ? ExitCode::done : ExitCode::check_failed;
  }
};

}  // namespace

extern constinit const Command matrix_command =
    command_of<Matrix>("matrix", kLookUp, "Show the rotation matrix R_m and check its properties.");

}  // namespace rope::app
