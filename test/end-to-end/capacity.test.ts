import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPaced } from '../paced.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'

test('a server that can make 200 a second is not found to hold more', async () => {
  const { url } = await startPaced({ atOnce: 1, ms: 5 })
  const flags = ['--time', '15', '-c', '4', '--at-least', '5']
  const { code, json } = await plimsollJson('capacity', url, ...flags)
  // How much of it is left on a busy machine is not for a test to say.
  expect([0, 1, 2, 3]).toContain(code)
  expect(json.trials.length).toBeGreaterThan(3)
  for (const name of ['lower', 'upper', 'interval', 'confirmed', 'binding', 'ended']) {
    expect(json).toHaveProperty(name)
  }
  const held = json.trials.filter(({ outcome }: { outcome: string }) => outcome === 'held')
  for (const { rate } of held) expect(rate).toBeLessThan(260)
  // What is demanded may be held before any rate was confirmed.
  if (json.confirmed !== null) expect(json.confirmed).toBeLessThan(230)
  // What is demanded decides, whatever else could not be told.
  expect(json.objective.perSecond).toBe(5)
  expect(code === 0).toBe(json.verdict === 'pass')
}, 120_000)

test('a target that is not there is blocked', async () => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-capacity-'))
  const { code, stdout } = await plimsoll('capacity', 'http://127.0.0.1:1', '--out', out)
  expect(stdout).toMatch(/blocked: nothing connected: .*REFUSED/)
  expect(code).toBe(2)
  expect(readFileSync(join(out, 'summary.md'), 'utf8')).toMatch(/nothing connected: .*REFUSED/)
  // What could not be asked is an error to who reads JUnit, and no verdict.
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/<error [^>]*blocked/)
}, 60_000)
