import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import documented from '../../scenarios/clauses.json' with { type: 'json' }
import { plimsoll } from './plimsoll.ts'

test('the honest platform passes every claimed clause, and the run leaves its report', async () => {
  const { code, stdout, out } = await plimsoll('run', '--seed', '20')
  expect(stdout).toMatch(/clauses hold/)
  expect(code).toBe(0)
  const file = (name: string) => readFileSync(join(out, 'latest', name), 'utf8')
  const report = JSON.parse(file('report.json'))
  expect(Object.keys(report.counts).sort()).toEqual(['observed', 'pass'])
  const { judged, observed, untested } = report.coverage
  expect(judged + observed + untested).toBe(documented.length)
  const lines = file('results.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ t: 'header', schema: 'plimsoll/1', seed: 20 })
  expect(lines.at(-1)).toMatchObject({ t: 'footer', complete: true, exit: 0 })
  expect(file('junit.xml')).toContain('<testsuite')
  expect(file('summary.md')).toContain(`${documented.length}`)
  expect(file('report.html')).toMatch(/^<!doctype html>/i)
}, 600_000)
