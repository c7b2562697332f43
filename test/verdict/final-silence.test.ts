import { expect, test } from 'vitest'
import type { LoadSummary } from '../../src/load/figures/summary.ts'
import { type FinalSilence, silenceText, silentPart } from '../../src/verdict/final-silence.ts'
import { judgeLoad, type Objectives } from '../../src/verdict/judge-load.ts'

const gone: FinalSilence = { unanswered: 5, loadMs: 4_000, afterMs: 16_000, slowestMs: 20 }

test.each<[string, Partial<FinalSilence>, RegExp | undefined]>([
  ['died', {}, /^nothing came back in the last 4\.0 s, nor in 16\.0 s after them: .* no longer$/],
  ['died, and was given little time', { afterMs: 50 }, /^nothing .* last 4\.0 s: the target/],
  ['lost its last request alone', { unanswered: 1, loadMs: 2_900 }, undefined],
  ['left its only user alone', { unanswered: 1 }, /no longer$/],
  ['lost some, and answered others until the end', { loadMs: 900 }, undefined],
  ['stalled for two seconds and more', { loadMs: 2_000, afterMs: 1_400 }, undefined],
  ['is slow, and may only be slower', { slowestMs: 7_000 }, undefined],
  ['is slow, and was long waited for', { slowestMs: 6_500 }, /no longer/]
])('a target that %s', (_, change, said) => {
  const text = silenceText({ ...gone, ...change })
  if (said === undefined) expect(text).toBe(undefined)
  else expect(text).toMatch(said)
})

test.each<[string, number[], object, RegExp | undefined]>([
  [
    '7 of 8 are dead for 4 s',
    [0, ...Array(16).fill(7)],
    {},
    /^at least 7 of 8 .* in the last 4\.0 s$/
  ],
  ['1 of 8 is dead for 4 s', [0, ...Array(16).fill(1)], {}, /^at least 1 of 8 requests/],
  ['1 of 50 is dead', Array(17).fill(1), { of: 50 }, undefined],
  ['each asks again after a timeout', Array(17).fill(6.95), {}, /^at least 7 of 8/],
  [
    'one is answered now and then',
    [...Array(12).fill(7), 6, 7, 7, 7, 7],
    {},
    /^at least 6 of 8.* 4\.3 s$/
  ],
  ['all are answered in the end', [...Array(16).fill(7), 0], {}, undefined],
  [
    'half wait for long, and more later',
    [...Array(13).fill(3), 5, 5, 5, 5],
    {},
    /^at least 3 of 8/
  ],
  ['they are waited for afterwards', Array(17).fill(2), { endMs: 2_000 }, /2\.0 s, nor in 2\.3 s/],
  ['answers take 5 s', Array(40).fill(2), { slowestMs: 5_000, endMs: 10_000 }, undefined],
  ['none waits', [], {}, undefined]
])('of those under way %s', (_, waits, change, said) => {
  const found = silentPart(waits, { cellMs: 250, endMs: 4_250, of: 8, slowestMs: 5, ...change })
  const text = found && silenceText(found)
  if (said === undefined) expect(text).toBe(undefined)
  else expect(text).toMatch(said)
})

const summary = {
  requests: 5_000,
  rps: 200,
  errors: {},
  timeouts: 5,
  dropped: 0,
  statuses: { 200: 4_995 },
  response: { p50: 3_000, p90: 4_000, p99: 5_000 },
  generator: { valid: true, reasons: [], offered: 0 }
} as unknown as LoadSummary
const starved = { ...summary, generator: { ...summary.generator, valid: false, reasons: ['busy'] } }

test.each<[Objectives, LoadSummary, FinalSilence | undefined, string, RegExp]>([
  [{ p99Ms: 50 }, summary, gone, 'inconclusive', /^nothing came back/],
  [{ p99Ms: 50 }, summary, { ...gone, loadMs: 900 }, 'pass', /^every objective is met/],
  [{ p99Ms: 50 }, summary, { ...gone, unanswered: 1, of: 8 }, 'inconclusive', /^at least 1 of 8/],
  [{ p99Ms: 50 }, summary, undefined, 'pass', /^every objective is met/],
  [{ p99Ms: 4 }, summary, gone, 'fail', /^missed: p99 5 ms; nothing came back/],
  [{}, summary, gone, 'observed', /^no objective was set.*; nothing came back/],
  [{ p99Ms: 50 }, starved, gone, 'error', /^busy$/],
  [{ p99Ms: 50 }, starved, { ...gone, of: 50 }, 'error', /^busy; at least 5 of 50/]
])('a load with %j', (objectives, measured, silence, outcome, because) => {
  const conclusion = judgeLoad(objectives, measured, { broken: [], silence })
  expect(conclusion).toMatchObject({ outcome, because: expect.stringMatching(because) })
})
