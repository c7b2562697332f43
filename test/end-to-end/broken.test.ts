import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plimsollJson } from './plimsoll.ts'

type Clause = { id: string; section: string }
const inventory = join(import.meta.dirname, '../../scenarios/clauses.json')
const clauses: Clause[] = JSON.parse(readFileSync(inventory, 'utf8'))
const sections = new Map(clauses.map(({ id, section }) => [id, section]))

/** Bodies of these plans take the same path as those of the free plan, at many times the bytes. */
const large = /^body-(pro|business|enterprise)-/

/** What only seconds of work, or many megabytes, can show. */
const slow = new RegExp(
  '^(accounts-and|memory-and|duration-of|cache-api|subrequests|connections-at|console|routes-and|' +
    'request-rates)'
)

/** One of so many stands for all; `plimsoll mutants` asks every one, which takes longer. */
const sample = { quick: 20, slow: 24 }

test('mutants are killed, each through its own clause and no other', async () => {
  const known = await plimsollJson('mutants', '--list')
  const { json: plan } = await plimsollJson('list')
  const quick = new Set(
    plan.scenarios.flatMap((scenario: { clauses: string[] }) => scenario.clauses)
  )
  const fit = (known.json as { name: string; clause: string }[]).filter(
    ({ name, clause }) => quick.has(clause) && !large.test(name)
  )
  const isSlow = ({ clause }: { clause: string }) => slow.test(sections.get(clause)!)
  const oneOf = (size: number) => (_: unknown, index: number) => index % size === 0
  const sampled = [
    ...fit.filter((mutant) => !isSlow(mutant)).filter(oneOf(sample.quick)),
    ...fit.filter(isSlow).filter(oneOf(sample.slow))
  ]
  const names = sampled.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(20)
  const { code, json } = await plimsollJson('mutants', ...names)
  expect(json.survived).toEqual([])
  expect(json.inexact).toEqual([])
  expect(json).toMatchObject({ mutants: names.length, killed: names.length, score: 1 })
  expect(code).toBe(0)
}, 900_000)
