import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenBy, listMutants } from '../../src/platform/mutants.ts'
import { rules } from '../../src/platform/parts.ts'

type Clause = { id: string; section: string }
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

/** What nothing a platform does can contradict: the past, and a clause at odds with a table. */
const isUncheckable = (id: string) =>
  /^waf-migration\.(eligibility\.earlier-phase-|mapping\.sets-pl2$)/.test(id)

test.each([
  ...['what-the-service-does', 'response-envelope', 'page-protection-settings'],
  ...['page-protection-enabled-flag', 'script', 'connection', 'cookie', 'page-protection-list'],
  ...['waf-migration-objects', 'waf-migration-states', 'waf-migration-settings'],
  ...['waf-migration-endpoints', 'waf-migration-limits'],
  ...['csp-policy', 'authentication', 'limits-request', 'logpush-job', 'logpush-filter'],
  ...['blockchain-gateway', 'errors', 'limits-per-request', 'limits-per-function'],
  ...['limits-per-account', 'limits-runtime', 'limits-response', 'limits-cache-api'],
  ...['limits-subrequests', 'limits-connections', 'limits-routes-zones', 'limits-rate', 'functions']
])('every clause about %s can be broken', (section) => {
  const broken = new Set(mutants.map(({ clause }) => clause))
  const ids = clauses.filter((clause) => clause.section === section).map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => !broken.has(id) && !isUncheckable(id))).toEqual([])
})

test('rules that are not broken are those of the platform', async () => {
  expect(await brokenBy()).toBe(rules)
  expect(await brokenBy(mutants[0]!.name)).not.toBe(rules)
  expect(await brokenBy()).toBe(rules)
})
