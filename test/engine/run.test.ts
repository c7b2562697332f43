import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/engine/pool.ts'
import { run } from '../../src/engine/run.ts'
import { createStop } from '../../src/engine/stop.ts'
import type { Unit } from '../../src/engine/unit.ts'
import { parseInventory } from '../../src/scenario/clause.ts'
import type { Verdict } from '../../src/verdict/verdict.ts'
import { startServer } from './answering.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-run-'))
const server = await startServer()
const pool = createPool({ workers: 1, onQuestion() {} })
afterAll(async () => {
  await pool.close()
  server.close()
})
const inventory = parseInventory(
  JSON.stringify([
    { id: 'limit', kind: 'rule', documented: 'there is a limit' },
    { id: 'refusal', kind: 'rule', documented: 'what is beyond is refused', presupposes: ['limit'] }
  ]),
  'clauses.json'
)

/** The check of one clause, which holds where the server answers `path` with 200. */
function unitOf(clause: string, path: string): Unit {
  const file = join(folder, `${clause}.ts`)
  const text = `import { check } from 'plimsoll'
export default check({ title: 'x', clauses: ['${clause}'], needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('${path}')
    verify('${clause}', reply.status === 200, reply)
  }
})`
  writeFileSync(file, text)
  return {
    ...{ scenario: clause, file, kind: 'check', title: 'x', key: '', clauses: [clause] },
    ...{ needs: ['service'], alone: [], tier: 'quick' }
  }
}

function asked(
  units: readonly Unit[],
  known?: readonly Verdict[],
  { url } = server
): Promise<Verdict[]> {
  const endpoints = { service: { url } }
  const target = { name: 'service', endpoints, zones: {}, hosts: {}, credentials: {} }
  const stop = createStop()
  return run({ units, inventory, target, pool, stop, seed: 1, known, onProgress() {} })
}

test('what an earlier run came to is what a clause may presuppose', async () => {
  const refusal = unitOf('refusal', '/200')
  expect(await asked([refusal])).toMatchObject([{ outcome: 'inapplicable' }])
  const limit = await asked([unitOf('limit', '/200')])
  expect(await asked([refusal], limit)).toMatchObject([{ outcome: 'pass' }])
}, 60_000)

test('who stands still when a unit looks is not asked by those that come after it', async () => {
  const still = await startServer({ answers: 1 })
  const units = Array.from({ length: 20 }, () => unitOf('limit', '/200'))
  const verdicts = await asked(units, [], still)
  still.close()
  expect(verdicts.map(({ outcome }) => outcome)).toEqual(units.map(() => 'blocked'))
  // Once at first, three times by the first unit, and once after it.
  expect(still.asked()).toBe(5)
}, 60_000)
