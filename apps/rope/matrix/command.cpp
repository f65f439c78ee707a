#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "matrix/report.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "rope/documents/matrix.hpp"
#include "rope/error.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

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
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.group("Matrix");
    options.bound("--positions LIST", "positions m in tokens: " + std::string(kPositionsHelp),
                  positions, read_positions, "1");
    options.choice("--form FORM", "pairs has two numbers per pair instead of the whole matrix",
                   form, kForms);
    options.choice("--beside LAYOUT", "draw each matrix also in this layout", beside, kLayouts,
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
