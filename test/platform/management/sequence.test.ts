import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startPlatform } from '../../../src/platform/platform.ts'
import { sequences } from './sequence.ts'

const seed = 20_261_121

async function checked(numRuns: number, mutant?: string) {
  const { announcement, close } = await startPlatform({ port: 0, break: mutant })
  const result = await fc.check(sequences(announcement), { seed, numRuns })
  await close()
  return result
}

test('whatever is done to policies and settings, the zone is as it should be', async () => {
  const { failed, counterexample, errorInstance } = await checked(60)
  expect([failed, String(counterexample), errorInstance]).toEqual([false, 'null', null])
}, 60_000)

/** A broken platform, and the shortest sequence that shows it. */
const shortest: [mutant: string, sequence: RegExp][] = [
  ['policy-update-has-no-effect', /^create \{.*\},update \{.*\} of policy \d$/],
  ['policy-delete-has-no-effect', /^create \{.*\},deletion of policy \d$/],
  ['policy-list-keeps-deleted-ones', /^create \{.*\},deletion of policy \d$/],
  ['policy-list-misses-the-newest', /^create [^}]*\}$/],
  ['policy-log-blocks', /^create \{[^}]*"action":"log"[^}]*\}$/],
  ['policy-disabled-by-word-applies', /^create \{[^}]*"enabled":"false"[^}]*\}$/],
  ['policy-expression-ignored', /^create \{[^}]*other[^}]*\}$/]
]

test.each(shortest)(
  '%s is shown by the shortest sequence',
  async (mutant, sequence) => {
    const { failed, counterexample } = await checked(100, mutant)
    expect(failed).toBe(true)
    expect(String(counterexample)).toMatch(sequence)
  },
  60_000
)
