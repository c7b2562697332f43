import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startPlatform } from '../../../src/platform/platform.ts'
import { sequences } from './sequence.ts'

const seed = 20_261_121

/** How many steps must find nothing; `WAF_STEPS=10000` takes minutes. */
const steps = Number(process.env.WAF_STEPS ?? 150)

/** Sequences have up to 20 steps, and 10 on average. */
async function checked(stepsWanted: number, mutant?: string) {
  const { announcement, close } = await startPlatform({ port: 0, break: mutant })
  let taken = 0
  const counted = sequences(announcement, () => taken++)
  const result = await fc.check(counted, { seed, numRuns: Math.ceil(stepsWanted / 8) })
  await close()
  return { ...result, taken }
}

test('whatever is done to zones, each is as the document says', async () => {
  const { failed, counterexample, errorInstance, taken } = await checked(steps)
  expect([failed, counterexample, errorInstance]).toEqual([false, null, null])
  expect(taken).toBeGreaterThanOrEqual(steps)
}, 1_800_000)

/** A broken platform, how many acts it takes to show that, and what the last of them is. */
const shown: [mutant: string, acts: number, last: RegExp][] = [
  ['waf-previous-left-enabled', 1, /"value":"(pending|1)"/],
  ['waf-both-off-after-completion', 1, /"value":"(pending|1)"/],
  ['waf-overrides-not-checked', 2, /"value":"(pending|1|validation|2)"/]
]

test.each(shown)(
  '%s is shown by a short sequence',
  async (mutant, acts, last) => {
    const { failed, counterexample } = await checked(1_500, mutant)
    expect(failed).toBe(true)
    const [, found] = counterexample!
    // What cannot be left out one by one may take another act along.
    expect([acts, acts + 1, acts + 2]).toContain(found.length)
    expect(JSON.stringify(found.at(-1))).toMatch(last)
  },
  120_000
)
