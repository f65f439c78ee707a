// Frequencies and wavelengths against 50 digits, and the turns against MPFR.
#include "rope/rotary/frequencies.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "golden/reference_file.hpp"
#include "support/exact.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

TEST(Frequencies, AreTheDoublesNearestToFiftyDigits) {
  for (const char* file : {"frequencies/d128_base10000.json", "frequencies/d128_base500000.json"}) {
    const io::Json reference = test::reference_json(file);
    const Frequencies frequencies = geometric_frequencies(reference.at("base").get<double>(),
                                                          reference.at("d").get<std::size_t>());
    ASSERT_EQ(reference.at("theta").size(), frequencies.pairs());
    for (std::size_t k = 0; k < frequencies.pairs(); ++k) {
      const auto theta = reference.at("theta")[k].get<std::string>();
      const auto wavelength = reference.at("wavelength")[k].get<std::string>();
      EXPECT_EQ(frequencies.theta[k], std::strtod(theta.c_str(), nullptr))
          << file << ", pair " << k << ": " << test::show(frequencies.theta[k]) << ", expected "
          << theta;
      EXPECT_EQ(frequencies.wavelength[k], std::strtod(wavelength.c_str(), nullptr))
          << file << ", pair " << k << ": " << test::show(frequencies.wavelength[k])
          << ", expected " << wavelength;
    }
  }
}

/// |a − b| where 0 and 1 are the same place.
test::Exact distance_around(const test::Exact& a, const test::Exact& b) {
  const test::Exact apart = abs(a - b);
  return apart > 0.5 ? 1 - apart : apart;
}

TEST(Frequencies, HoldTheirTurnsToTheLastOf128Bits) {
  const test::Exact tolerance = ldexp(test::Exact(1), -128);
  for (const double base : {1.0, 0.5, 1.5, 1e-15, 1e4, 5e5, 1e8, 1e300})
    for (const std::size_t rotary_dim : {2U, 6U, 96U, 4096U}) {
      const Frequencies frequencies = geometric_frequencies(base, rotary_dim);
      ASSERT_EQ(frequencies.pairs(), rotary_dim / 2);
      for (std::size_t k = 0; k<frequencies.pairs(); k += rotary_dim> 96 ? 13 : 1) {
        const test::Exact theta = test::theta(base, k, rotary_dim);
        const test::Exact turns = theta / test::two_pi();
        const test::Exact error =
            distance_around(test::turns(frequencies.turns[k]), turns - floor(turns));
        EXPECT_LE(error, tolerance) << "base " << base << ", rotary_dim " << rotary_dim << ", pair "
                                    << k << ", error " << error.str(6);
        EXPECT_EQ(frequencies.theta[k], theta.convert_to<double>())
            << "base " << base << ", pair " << k << ": " << test::show(frequencies.theta[k]);
        EXPECT_EQ(frequencies.wavelength[k], (1 / turns).convert_to<double>())
            << "base " << base << ", pair " << k << ": " << test::show(frequencies.wavelength[k]);
      }
    }
}

TEST(Frequencies, GivenOnesAreTakenAsExact) {
  const test::Exact tolerance = ldexp(test::Exact(1), -128);
  const std::vector<double> given = {1.0, 0.1, 3.0, 1e19, 0x1p-100, 0x1p-1000, 0x1p64};
  const Frequencies frequencies = given_frequencies(given);
  EXPECT_EQ(frequencies.theta, given);
  for (std::size_t k = 0; k < given.size(); ++k) {
    const test::Exact turns = test::Exact(given[k]) / test::two_pi();
    EXPECT_LE(distance_around(test::turns(frequencies.turns[k]), turns - floor(turns)), tolerance)
        << test::show(given[k]);
    EXPECT_EQ(frequencies.wavelength[k], (1 / turns).convert_to<double>()) << test::show(given[k]);
  }
}

TEST(Frequencies, OfTheLinearAndQuadraticFamilyArePowersOfAFraction) {
  const test::Exact tolerance = ldexp(test::Exact(1), -128);
  for (const int power : {1, 2}) {
    const Frequencies frequencies = power_frequencies(power, 12);
    ASSERT_EQ(frequencies.pairs(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
      const test::Exact theta = pow(test::Exact(i) / 6, power);
      EXPECT_EQ(frequencies.theta[i], theta.convert_to<double>()) << power << ", pair " << i;
      EXPECT_LE(distance_around(test::turns(frequencies.turns[i]), theta / test::two_pi()),
                tolerance);
    }
  }
}

}  // namespace
}  // namespace rope
