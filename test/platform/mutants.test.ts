import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenBy, mutants } from '../../src/platform/mutants.ts'
import { plans } from '../../src/platform/plan.ts'
import { startPlatform } from '../../src/platform/platform.ts'
import { rules } from '../../src/platform/rules.ts'
import { everything, type Part, partsAbout, transcript } from './transcript.ts'

type Clause = { id: string; section: string }
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

/**
 * Clauses of these sections that no answer can contradict, and one that is about an operation this
 * platform does not have.
 */
const uncheckable = ['page-protection.script.fields-may-be-absent-by-plan', 'auth.legacy-pair']

test.each([
  ...['what-the-service-does', 'response-envelope', 'page-protection-settings'],
  ...['page-protection-enabled-flag', 'script', 'connection', 'cookie', 'page-protection-list'],
  ...['csp-policy', 'authentication', 'limits-request']
])('every clause about %s can be broken', (section) => {
  const broken = new Set(mutants.map(({ clause }) => clause))
  const ids = clauses.filter((clause) => clause.section === section).map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => !broken.has(id) && !uncheckable.includes(id))).toEqual([])
})

test('rules that are not broken are those of the platform', () => {
  expect(brokenBy()).toBe(rules)
  expect(brokenBy(mutants[0]!.name)).not.toBe(rules)
  expect(brokenBy()).toBe(rules)
})

/** How large a body each mutant of the rules lets through, by plan and by how it is sent. */
const bodyLimits = ({ edge, limits }: typeof rules) =>
  plans.flatMap((plan) =>
    [undefined, 1].map((declaredBytes) => {
      const request = { method: 'POST', declaredBytes } as Parameters<typeof edge.bodyLimit>[0]
      return edge.bodyLimit(request, { id: '', account: '', host: '', plan }, limits)
    })
  )

/** Everything that can be seen of a platform in some parts, and of one that is broken. */
async function seen(parts: Part[], name?: string) {
  const platform = await startPlatform({ port: 0, break: name })
  const said = await transcript(platform.announcement, parts)
  await platform.close()
  return `${said} ${bodyLimits(brokenBy(name)).join()}`
}

test('a platform that is not broken always answers alike', async () => {
  expect(await seen(everything)).toBe(await seen(everything))
})

test('each can be seen from outside', async () => {
  const honest: Record<string, string> = {}
  const unseen: string[] = []
  for (const { name, clause } of mutants) {
    const parts = partsAbout(clause)
    honest[parts.join()] ??= await seen(parts)
    if ((await seen(parts, name)) === honest[parts.join()]) unseen.push(name)
  }
  expect(unseen).toEqual([])
}, 300_000)
