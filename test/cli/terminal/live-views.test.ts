import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveFact } from '../../../src/cli/live/live-lines.ts'
import { createComparisonView } from '../../../src/cli/terminal/comparison-view.ts'
import { createProbeProgress } from '../../../src/cli/terminal/probe-progress.ts'
import { createSoakProgress } from '../../../src/cli/terminal/soak-progress.ts'
import type { ComparisonProgress } from '../../../src/engine/comparison-run.ts'
import type { ResultRecord } from '../../../src/report/record.ts'
import type { Stretch } from '../../../src/verdict/stretch.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const deadline = { seconds: 60, leftMs: () => 48_000 }
const piped = () => new PassThrough() as unknown as NodeJS.WriteStream & PassThrough
const linesOf = (stream: PassThrough) => `${stream.read() ?? ''}`.split('\n').filter(Boolean)

function listening() {
  const told: (ResultRecord | LiveFact)[] = []
  return { told, page: { tell: (one: ResultRecord | LiveFact) => void told.push(one) } }
}

test('a comparison tells time, stage and ratio every ten seconds, and its page each block', () => {
  const stream = piped()
  const { told, page } = listening()
  const view = createComparisonView({ stream, silent: false, page })
  view.begin(deadline)
  view.onProgress({ kind: 'warming' })
  const measured = { kind: 'measured', blocks: [], confirms: false }
  const terms = { metric: 'p50', looks: { at: [5, 9] } }
  view.onProgress({ ...measured, terms } as unknown as ComparisonProgress)
  vi.advanceTimersByTime(20_500)
  view.end()
  const lines = linesOf(stream)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^12\.0 s of at most 1 min 0 s {3}comparing: 0 of 9 blocks, p50 – \(too few to tell\)$/
  )
  const points = told.filter(({ t }) => t === 'point')
  expect(points).toMatchObject([{ name: 'comparing: p50 of B against A, per cent' }])
  expect(told.some(({ t }) => t === 'progress')).toBe(true)
})

test('a search for limits tells how many are found out, what is asked, and what was found', () => {
  const [stream, output] = [piped(), piped()]
  const { told, page } = listening()
  const view = createProbeProgress({ stream, output, silent: false, of: 2, page })
  view.begin(deadline)
  view.found('url  8,177 bytes accepted')
  view.asks('header: 4,096 bytes → accepted')
  vi.advanceTimersByTime(10_500)
  view.end()
  expect(linesOf(output)).toEqual(['url  8,177 bytes accepted'])
  expect(linesOf(stream)).toEqual([
    '12.0 s of at most 1 min 0 s   1 of 2 found out   now header: 4,096 bytes → accepted'
  ])
  expect(told).toContainEqual({ t: 'note', text: 'url  8,177 bytes accepted' })
})

test('where output is for programs a page is told all the same', () => {
  const [stream, output] = [piped(), piped()]
  const { told, page } = listening()
  const probe = createProbeProgress({ stream, output, silent: true, of: 2, page })
  probe.note('GET is answered 200.')
  probe.found('url  none')
  vi.advanceTimersByTime(30_000)
  probe.end()
  expect([...linesOf(output), ...linesOf(stream)]).toEqual([])
  expect(told.filter(({ t }) => t === 'note')).toHaveLength(2)
  expect(told.some(({ t }) => t === 'progress')).toBe(true)
})

test('each stretch of a soak is one of its page, from where it went on', () => {
  const { told, page } = listening()
  const url = 'http://127.0.0.1:1/'
  const view = createSoakProgress({ url, fromSeconds: 60, seconds: 600, json: true, page })
  view.onStretch({ seconds: 30, voidSeconds: 30, floors: {} } satisfies Stretch)
  view.end()
  const [window] = told.filter(({ t }) => t === 'window')
  expect(window).toMatchObject({ scenario: url, fromMs: 60_000, toMs: 90_000, p99Us: null })
})
