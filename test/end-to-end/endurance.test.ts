import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpacked } from '../report/unpacked.ts'
import { startBusy } from './busy.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'

/** A document of one scenario, on a server of its own. */
async function documentOf(name: string, scenario: string): Promise<string> {
  const { url } = await startBusy({ us: 200 })
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-endurance-'))
  const endpoints = { service: { url: url.replace(/\/$/, '') } }
  writeFileSync(join(folder, 'clauses.json'), '[]')
  writeFileSync(join(folder, 'target.json'), JSON.stringify({ name: 'busy', endpoints }))
  writeFileSync(join(folder, `${name}.ts`), scenario)
  return folder
}

test('a capacity that is demanded is searched for, judged and can be judged again', async () => {
  const folder = await documentOf(
    'rate',
    `import { capacity } from 'plimsoll'
export default capacity({ title: 'It holds 20 a second', needs: ['service'], perSecond: 20,
  p99Ms: 500, ceiling: 2, seconds: 8, connections: 4, request: ({ service }) => service.get('/') })`
  )
  const { code, stdout, out } = await plimsoll('run', '--scenarios', folder)
  // What a busy machine leaves of it is not for a test to say; that it is judged is.
  expect([0, 1, 2, 3]).toContain(code)
  expect(stdout).toMatch(/rate/)
  const lines = readFileSync(join(out, 'latest', 'results.ndjson'), 'utf8')
    .trim()
    .split('\n')
  const verdict = lines.map((line) => JSON.parse(line)).find(({ t }) => t === 'verdict')
  expect(verdict.documented).toBe('20/s with p99 within 500 ms, errors at most 0.1 %')
  expect(verdict.evidence.found.trials.length).toBeGreaterThan(2)
  const rates = verdict.evidence.found.trials.map(({ rate }: { rate: number }) => rate)
  expect(Math.max(...rates)).toBeLessThan(40.1)
  expect((await plimsoll('report', join(out, 'latest'))).code).toBe(code)
  expect(unpacked(readFileSync(join(out, 'latest', 'report.html'), 'utf8'))).toMatch(/\d+ trials/)
}, 120_000)

test('a soak follows what the scenario says the target tells', async () => {
  const folder = await documentOf(
    'growing',
    `import { hold, open, soak } from 'plimsoll'
let told = 1000
export default soak({ title: 'Nothing grows', needs: ['service'], budgets: { told: 0.5 },
  load: { ...open(hold({ rate: 20, seconds: 32 })), connections: 2 },
  figures: async () => ({ told: (told += 10) }),
  request: ({ service }) => service.get('/') })`
  )
  const { code, json } = await plimsollJson('run', '--scenarios', folder, '--workers', '1')
  const [{ outcome, because, evidence }] = json.verdicts
  expect(because).toMatch(/^told rises by/)
  expect(outcome).toBe('fail')
  expect(code).toBe(1)
  expect(evidence.stretches.length).toBeGreaterThan(25)
}, 120_000)

test('an endpoint that the target does not have blocks it', async () => {
  const folder = await documentOf(
    'nowhere',
    `import { capacity } from 'plimsoll'
export default capacity({ title: 'It holds', needs: ['gateway'], perSecond: 20, p99Ms: 500,
  request: ({ gateway }) => gateway.get('/') })`
  )
  const { code, stdout } = await plimsoll('run', '--scenarios', folder)
  expect(stdout).toMatch(/blocked: busy offers no gateway/)
  expect(code).toBe(2)
}, 60_000)
