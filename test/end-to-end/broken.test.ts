import { expect, test } from 'vitest'
import { plimsollJson } from './plimsoll.ts'

/** Bodies of these plans take the same path as those of the free plan, at many times the bytes. */
const costly = /^body-(pro|business|enterprise)-/

test('every mutant is killed, through its own clause and no other', async () => {
  const known = await plimsollJson('mutants', '--list')
  const names = (known.json as { name: string }[]).map(({ name }) => name)
  const cheap = names.filter((name) => !costly.test(name))
  expect(cheap.length).toBeGreaterThan(180)
  const { code, json } = await plimsollJson('mutants', ...cheap)
  expect(json.survived).toEqual([])
  expect(json.inexact).toEqual([])
  expect(json).toMatchObject({ mutants: cheap.length, killed: cheap.length, score: 1 })
  expect(code).toBe(0)
}, 900_000)
