// What `rope verify` found, as the page says it: the word, and by how much.

const WORDS = { pass: 'PASS', fail: 'FAIL', inconclusive: 'INCONCLUSIVE', self_test_failed: 'SELF-TEST FAILED' };

/** The comparison that decides: the first that is beyond rounding, else the identity itself. */
export function verified(data) {
  const looked = [data.identity.worst && { ...data.identity.worst, violations: data.identity.violations }, data.exact, data.faithfulness]
    .filter(Boolean).map((c) => ({ off: c.error, allowed: c.bound, violations: c.violations }));
  const { off, allowed } = looked.find((c) => c.violations > 0) ?? looked[0];
  return { word: WORDS[data.verdict], off, allowed };
}

/** The same, of tables against true angles: what gives a wrong frequency away. */
export const unfaithful = (data) => ({ word: WORDS[data.verdict], off: data.faithfulness.error, allowed: data.faithfulness.bound });

/** A number beyond what was asked for, rounding or not. */
export const exceeds = (off, allowed) => ({ word: '≠', off, allowed, asked: true });

/** A number that is not what it should be, where no verifier was asked; unless its error is within what is allowed. */
export const differs = (off = null, allowed = null) => ({ word: off !== null && allowed !== null && off <= allowed ? 'PASS' : '≠', off, allowed });
