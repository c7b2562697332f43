import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenBy, listMutants } from '../../src/platform/mutants.ts'
import { rules } from '../../src/platform/parts.ts'

type Clause = { id: string; kind: string }
const mutants = await listMutants()
const inventory = join(import.meta.dirname, '../../scenarios/clauses.json')
const clauses: Clause[] = JSON.parse(readFileSync(inventory, 'utf8'))

test('names are unique, in kebab-case, and descriptions are sentences', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, description } of mutants) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/)
    expect(description).toMatch(/^[A-Z].*\.$/)
  }
})

test('each names a clause of the document', () => {
  const ids = new Set(clauses.map(({ id }) => id))
  expect(mutants.filter(({ clause }) => !ids.has(clause))).toEqual([])
})

test('what may fall besides are other clauses of the document', () => {
  const ids = new Set(clauses.map(({ id }) => id))
  const named = mutants.flatMap(({ clause, besides = [] }) => {
    return besides.map((other) => ({ clause, other }))
  })
  expect(named.filter(({ clause, other }) => clause === other || !ids.has(other))).toEqual([])
  expect(named.length).toBeGreaterThan(0)
})

/** What nothing a platform does can contradict: the past, and a clause at odds with a table. */
const isUncheckable = (id: string) =>
  /^waf-migration\.(eligibility\.earlier-phase-|mapping\.sets-pl2$)/.test(id) ||
  /^versioning\.(migration-began|owasp-3x|iac-3-35)$/.test(id)

test('every clause that is judged can be broken', () => {
  const broken = new Set(mutants.map(({ clause }) => clause))
  const judged = clauses.filter(({ kind }) => kind !== 'unspecified').map(({ id }) => id)
  expect(judged.length).toBeGreaterThan(300)
  expect(judged.filter((id) => !broken.has(id) && !isUncheckable(id))).toEqual([])
})

test('rules that are not broken are those of the platform', async () => {
  expect(await brokenBy()).toBe(rules)
  expect(await brokenBy(mutants[0]!.name)).not.toBe(rules)
  expect(await brokenBy()).toBe(rules)
})
