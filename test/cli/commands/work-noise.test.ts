import { expect, test } from 'vitest'
import { noiseBehind, workNoise } from '../../../src/cli/commands/work-noise.ts'
import type { Comparison } from '../../../src/engine/comparison.ts'

const refused = { ended: 'refused', plan: {} } as Comparison
const left = (leftMs: number) => ({ seconds: 60, leftMs: () => leftMs })

test('the same work is done again and again, of both kinds', () => {
  const { own, shared } = workNoise(300)
  expect(own).toBeGreaterThan(0)
  expect(shared).toBeGreaterThan(0)
})

test('it is said of what was refused for its noise', () => {
  const { workNoise: found, machine } = noiseBehind(refused, left(10_000))
  expect(machine).toContain('the same work differs by')
  expect(found).toMatchObject({ own: expect.any(Number), shared: expect.any(Number) })
})

test.each<[string, Comparison, number]>([
  ['was decided', { ...refused, ended: 'decided' }, 10_000],
  ['had no pilot', { ...refused, plan: undefined } as never, 10_000],
  ['has no time left', refused, 1_000]
])('nothing is said of what %s', (_, comparison, leftMs) => {
  expect(noiseBehind(comparison, left(leftMs))).toEqual({})
})
