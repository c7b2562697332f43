import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRunProgress } from '../../../src/cli/terminal/run-progress.ts'
import type { Unit } from '../../../src/engine/unit.ts'
import type { Verdict } from '../../../src/verdict/verdict.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const stream = () => new PassThrough() as unknown as NodeJS.WriteStream & PassThrough
const units = Array.from({ length: 10 }, (_, n) => ({ scenario: `s/${n}`, key: '' }) as Unit)
const verdict = (clause: string, outcome: Verdict['outcome']) =>
  ({ clause, outcome, observed: 'seen', because: 'so' }) as Verdict

test('where nothing can move, a line now and then has the same facts, beside the verdicts', () => {
  const [out, err] = [stream(), stream()]
  const told = { units, stream: out, errors: err, colour: false }
  const progress = createRunProgress({ ...told, quiet: false })
  progress.started(units[6]!)
  for (const unit of units.slice(0, 5)) {
    progress.judged(unit, [verdict(unit.scenario, unit === units[1] ? 'fail' : 'pass')])
  }
  vi.advanceTimersByTime(11_000)
  progress.end()
  const lines = `${err.read()}`.trim().split('\n')
  expect(lines).toEqual(['10.0 s, about 10.0 s to go   5 of 10 units   1 fail · 4 pass   now s/6'])
  expect(`${out.read()}`.trim().split('\n')).toHaveLength(5)
})

test('who wants to hear only what is not well hears of no progress', () => {
  const [out, err] = [stream(), stream()]
  const progress = createRunProgress({
    units,
    stream: out,
    errors: err,
    colour: false,
    quiet: true
  })
  vi.advanceTimersByTime(60_000)
  progress.end()
  expect([out.read(), err.read()]).toEqual([null, null])
})
