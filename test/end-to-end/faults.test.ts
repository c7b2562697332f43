import { beforeAll, expect, test } from 'vitest'
import { random, shuffled } from '../../src/random.ts'
import { sweep } from '../sweep/faults.ts'
import { plimsollJson } from './plimsoll.ts'

const seed = 13
const scenarios = 24

/** What takes seconds by itself, or many megabytes, is left to the whole sweep. */
const isLong = (id: string) => /^(functions|cache|edge\/.*body|not-shown)/.test(id)

let short: string[]
beforeAll(async () => {
  const { json } = await plimsollJson('list')
  const ids = json.scenarios.map(({ scenario }: { scenario: string }) => scenario) as string[]
  short = [...new Set(ids)].filter((id) => !isLong(id))
})

/** Others for each fault. */
const sample = (label: string) => shuffled(short, random(seed, label)).slice(0, scenarios)

test.each([
  ['503', 0.2, 0],
  ['truncate', 0.2, 0],
  ['html', 0.2, 100],
  ['413', 1, 100],
  ['replay', 0.2, 100]
] as const)(
  '%s in place of %d of the answers, after %d: nothing is judged wrongly',
  async (fault, share, after) => {
    const swept = await sweep({ fault, share, after, seed, ids: sample(fault), workers: 4 })
    expect(swept.replaced).toBeGreaterThan(0)
    expect(Object.keys(swept.counts).length).toBeGreaterThan(0)
    expect(swept.wrong).toEqual([])
  },
  180_000
)
