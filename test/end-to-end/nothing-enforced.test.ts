import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parseInventory } from '../../src/scenario/clause.ts'
import { enforcementIn, freedoms } from '../sweep/enforcement.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'test/sweep/nothing-enforced.ts')

/** The sweep over some scenarios: how it ended, and its table. */
async function sweep(...args: string[]) {
  const child = spawn(process.execPath, [program, '--tier', 'quick', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code, stdout }
}

/** One scenario at least of each kind of enforcement, and most of those that presuppose some. */
const sample = [
  ...['authentication', 'edge/url-length', 'gateway/post-only', 'log-push/filter-size'],
  ...['policies/semantics', 'waf/ineligible', 'waf/previous-api'],
  ...['connections', 'held-bodies', 'deadlock', 'redirects', 'subrequests', 'same-zone'].map(
    (id) => `functions/${id}`
  ),
  ...['daily', 'env-counts', 'console'].map((id) => `functions/${id}`)
]

test('where nothing is enforced no clause about enforcement passes', async () => {
  const { code, stdout } = await sweep(...sample)
  expect(stdout).toMatch(
    /\n0 of \d\d clauses about enforcement pass .* 0 of \d+ clauses are at fault/
  )
  expect(stdout).toMatch(/^connections\.excess-queued +inapplicable$/m)
  expect(stdout).toMatch(/^limits\.request\.url-length +fail$/m)
  expect(code).toBe(0)
}, 300_000)

test('one that does is named, and the sweep fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-sweep-'))
  cpSync(join(root, 'scenarios'), folder, { recursive: true })
  const file = join(folder, 'clauses.json')
  const unbound = JSON.parse(readFileSync(file, 'utf8')).map((clause: object) => {
    return { ...clause, presupposes: [] }
  })
  writeFileSync(file, JSON.stringify(unbound))
  const { code, stdout } = await sweep('--scenarios', folder, 'functions/connections')
  expect(stdout).toMatch(/^connections\.excess-queued +pass {2}passes, though it is in section/m)
  expect(code).toBe(1)
}, 300_000)

test('the document tells what is about enforcement, and exceptions are its clauses', async () => {
  const file = join(root, 'scenarios/clauses.json')
  const inventory = parseInventory(readFileSync(file, 'utf8'), file)
  const about = await enforcementIn(inventory)
  expect(Object.keys(freedoms).filter((id) => !inventory.has(id))).toEqual([])
  const told = ['limits.request.url-length', 'error.body-413.put', 'connections.excess-queued']
  const broken = ['auth.permissions-must-match', 'policy.semantics.allow-blocks']
  for (const id of [...told, ...broken, 'gateway.post-only']) expect(about.has(id), id).toBe(true)
  for (const id of ['policy.delete', 'limits.runtime.duration.free', 'envelope.all-bodies-json'])
    expect(about.has(id), id).toBe(false)
})
