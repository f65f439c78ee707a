"""The plugin in a pytest of its own, as a user's tests would use it."""

def test_right_code_passes(run_tests):
    run_tests("""
        def test_kernel(rope_golden, assert_rotated):
            vectors = rope_golden("llama-3.1-8b", positions=[0, 1, 100000])
            vectors.check(vectors.y)
            assert_rotated(vectors.x, vectors.y, model="llama-3.1-8b", positions=vectors.positions)
    """).assert_outcomes(passed=1)


def test_wrong_code_fails_with_the_place_and_without_our_lines(run_tests):
    result = run_tests("""
        def test_kernel(rope_golden):
            vectors = rope_golden("llama-3.1-8b", positions=range(6))
            wrong = vectors.y.copy()
            wrong[3] = vectors.x[3]
            vectors.check(wrong)
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: FAIL:*", "*Token 3 fails*"])
    assert "__tracebackhide__" not in result.stdout.str()
