import { expect, test } from 'vitest'
import { accepted, rejected } from '../../src/limit/answer.ts'
import { probeVariants } from '../../src/limit/variants.ts'
import { reply } from './replies.ts'

/** Searches a target that draws a line in each variant, and counts what it is asked. */
async function search(lines: Record<string, number>) {
  const questions: Record<string, number> = {}
  const boundaries = await probeVariants({
    variants: Object.keys(lines),
    ...{ readings: [100], smallest: 1, resolution: 1, ceiling: 1_000, repeats: 3 },
    stopped: () => false,
    async ask(value, variant) {
      questions[variant] = (questions[variant] ?? 0) + 1
      return value <= lines[variant]! ? accepted(reply(200)) : rejected(reply(413))
    },
    canary: async () => accepted(reply(200))
  })
  const found = boundaries.map(({ variant, boundary }) => [variant, boundary.accepted])
  return { found: Object.fromEntries(found), questions }
}

test('variants that agree with the first are only confirmed', async () => {
  const { found, questions } = await search({ plain: 700, chunked: 700 })
  expect(found).toEqual({ plain: 700, chunked: 700 })
  expect(questions.chunked).toBe(3)
  expect(questions.plain).toBeGreaterThan(10)
})

test('a variant that does not agree is searched in full', async () => {
  const { found, questions } = await search({ plain: 700, chunked: 300, expect: 700 })
  expect(found).toEqual({ plain: 700, chunked: 300, expect: 700 })
  expect(questions.chunked).toBeGreaterThan(10)
  expect(questions.expect).toBe(3)
})
