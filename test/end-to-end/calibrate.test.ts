import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBusy } from './busy.ts'
import { plimsollJson } from './plimsoll.ts'

// A budget so wide that any machine can decide on it.
const wide = ['--budget', '400', '--metric', 'p50']

test('a calibration is kept, and shown beside verdicts', async () => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-calibrate-'))
  const flags = ['--runs', '2', '--time', '40s', '--out', out]
  const { code, json } = await plimsollJson('calibrate', ...flags, ...wide)
  expect(code).toBe(0)
  expect(json).toMatchObject({ runs: 2, comparisons: { metric: 'p50', seconds: 20 } })
  expect(json.ceiling.perSecond).toBeGreaterThan(100)
  expect(json.host.node).toBe(process.version)
  const file = join(out, 'calibration.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(json)

  const { url } = await startBusy({ us: 200 })
  const same = ['--a', url, '--b', url, '--time', '8s']
  const { json: compared } = await plimsollJson('compare', ...same, '--calibration', file, ...wide)
  expect(compared.calibration).toEqual(json)
}, 120_000)
