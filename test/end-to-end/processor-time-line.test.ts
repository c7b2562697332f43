import type { Judge } from 'plimsoll'
import { describe, expect, test } from 'vitest'
import { judgeLine, lineAround } from '../../scenarios/functions/_line.ts'
import { type Worker, worked } from '../../scenarios/functions/_work.ts'

const documented = 400
const reply = {} as never

/** Looks for a line at `at`, where work may turn out to be so many times more or less. */
async function judged(at: number, drift: (asked: number) => number = () => 1) {
  const asked: number[] = []
  const line = await lineAround(documented, async (value) => {
    const factor = drift(asked.push(Math.round(value)))
    const [from, to] = [value / Math.max(factor, 1), value * Math.max(factor, 1)]
    return { isPassed: value * factor <= at, from, to }
  })
  let verdict: boolean | undefined
  const judge: Judge = {
    verify(_clause, seen) {
      verdict = (seen as { holds: boolean }).holds
    },
    observe() {},
    leave() {}
  }
  judgeLine(judge, { clause: 'c', documented, line: line!, of: 'work', replies: [reply] })
  return { verdict, asked }
}

/** Answers about a line, of which the first says the contrary, with an interval that is certain. */
function once(at: number) {
  let asked = 0
  return async (value: number) => ({
    isPassed: asked++ > 0 && value <= at,
    from: value,
    to: Math.round(value)
  })
}

describe('a line', () => {
  test('where it is documented is found by asking on both sides, once each', async () => {
    expect(await judged(400)).toEqual({ verdict: true, asked: [343, 424] })
  })

  test.each([100, 200, 300, 342])('at %i is too low', async (at) => {
    expect((await judged(at)).verdict).toBe(false)
  })

  test.each([425, 480, 600, 1_200, Infinity])('at %i is too high', async (at) => {
    expect((await judged(at)).verdict).toBe(false)
  })

  test.each([467, 480, 519])('at %i may be one where work takes less', async (at) => {
    expect((await judged(at, () => 1.1)).verdict).toBeUndefined()
  })

  test('is asked about again by whom a surprise is not certain', async () => {
    const { verdict, asked } = await judged(400, (count) => (count === 1 ? 1.5 : 1))
    expect({ verdict, asked }).toEqual({ verdict: true, asked: [343, 343, 343, 424] })
  })

  test('is not judged by a single surprise that looks certain', async () => {
    const line = await lineAround(documented, once(documented))
    expect(line).toEqual({ passed: 342.75, ended: 424, isNarrow: true })
  })

  test('of few milliseconds that is far lower is seen, with two of them beside', async () => {
    const ask = async (value: number) => {
      return { isPassed: value <= 4, from: value / 1.06, to: value * 1.06 + 2 }
    }
    const { ended } = (await lineAround(10, ask))!
    expect(ended).toBeLessThan(10)
  })

  test('that cannot be told closely is neither right nor wrong', async () => {
    const { verdict, asked } = await judged(400, () => 2)
    expect({ verdict, questions: asked.length }).toEqual({ verdict: undefined, questions: 14 })
  })

  test('far beyond is found by whom a surprise is not certain', async () => {
    const { verdict } = await judged(Infinity, () => 1.5)
    expect(verdict).toBe(false)
  })

  test.each([
    ['as it is', 1],
    ['for less', 0.75],
    ['for more', 1.35]
  ])('of a target elsewhere is not misjudged whose work looks %s', async (_, took) => {
    const perMs = 1_000
    const worker = {
      edge: { url: 'http://edge.example.test' },
      ask: async ({ work }: { work: number }) => {
        const ms = 5 + (took * work) / perMs
        return { kind: 'answered', status: 200, ms, json: { ok: 0, at: 0 } }
      }
    } as unknown as Worker
    const limitMs = 10
    const line = await lineAround(limitMs, (ms) =>
      worked(worker, { ms, act: async (work) => work / perMs <= limitMs })
    )
    expect(line!.passed).toBeLessThanOrEqual(limitMs)
    expect(line!.ended).toBeGreaterThanOrEqual(limitMs)
  })

  test('of which nothing can be told is none', async () => {
    expect(await lineAround(documented, async () => undefined)).toBeUndefined()
  })
})
