import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverageOf } from '../../src/report/coverage.ts'
import type { Report } from '../../src/report/record.ts'
import { terminal, verdictLine } from '../../src/report/terminal.ts'
import { outcomes } from '../../src/verdict/outcome.ts'
import { anyText, says } from './hostile.ts'
import { sample } from './sample.ts'

const plain = { colour: false }
const report = sample()

test('a run is told from its failures to its totals', () => {
  const few = report.verdicts.filter((one) =>
    ['limits.function.subrequests.bundled', 'policy.list.body'].includes(one.clause)
  )
  const unsettled = report.verdicts.filter((one) => one.scenario === 'functions/deploy')
  const verdicts = [...unsettled, ...few]
  const footer = { ...report.footer!, ...coverageOf(verdicts, 20) }
  expect(terminal({ ...report, verdicts, footer }, plain)).toBe(`\
✘ limits.function.subrequests.bundled
  documented  50
  observed    200 subrequests accepted, nothing refused
  because     no limit up to there; the document says 50
  again       plimsoll run edge/subrequests --target staging.json --seed 42

⊘ blocked: the adapter cannot deploy functions
  limits.function.size.free
  limits.function.size.paid
  plimsoll run functions/deploy --target staging.json --seed 42

✘ 1 clause fails
  1 fail · 2 blocked · 1 observed
  2 of 20 clauses covered (10 %): 1 judged, 1 observed, 2 undecided, 16 untested`)
})

test('verdicts are listed first when nobody has seen them yet', () => {
  const listed = terminal(report, { ...plain, verdicts: 'listed' })
  const lines = report.verdicts.map((verdict) => verdictLine(verdict, plain))
  expect(listed.startsWith(`${lines.join('\n')}\n\n`)).toBe(true)
  expect(listed.endsWith(terminal(report, plain))).toBe(true)
})

test.each([
  ['no footer', { ...report, footer: undefined }, true],
  ['an interrupted run', { ...report, footer: { ...report.footer!, complete: false } }, true],
  ['a whole run', report, false]
])('%s says whether it is incomplete', (_, given: Report, incomplete) => {
  expect(terminal(given, plain).includes('incomplete')).toBe(incomplete)
})

test.each([
  ['pass', '✔ pass          a.b  saw'],
  ['fail', '✘ fail          a.b  saw'],
  ['observed', '○ observed      a.b  saw'],
  ['inconclusive', '? inconclusive  a.b  why'],
  ['blocked', '⊘ blocked       a.b  why'],
  ['error', '! error         a.b  why']
] as const)('%s says what matters on one line', (outcome, text) => {
  const verdict = { outcome, clause: 'a.b', observed: 'saw', because: 'why' }
  expect(verdictLine(verdict, plain)).toBe(text)
})

test('what has changed is told like a failure, and the expectation file has the last word', () => {
  const [first] = report.verdicts
  const because = 'it was “a” last time, and is “b”'
  const verdicts = [
    { ...first!, outcome: 'changed' as const, because },
    { ...first!, outcome: 'deviation' as const }
  ]
  const remarks = [
    { clause: 'c', text: 'c can be removed', failing: true },
    { clause: 'd', text: 'd does nothing', failing: false }
  ]
  const footer = { ...report.footer!, ...coverageOf(verdicts, 20), remarks }
  expect(terminal({ ...report, verdicts, footer }, plain)).toBe(`\
≠ limits.request.url-length
  documented  16 KB
  observed    ${first!.observed}
  because     it was “a” last time, and is “b”
  again       plimsoll run edge/url-length --target staging.json --seed 42

≠ 1 clause is not as last time
  1 changed · 1 deviation
  1 of 20 clauses covered (5 %): 1 judged, 0 observed, 19 untested
  ✘ c can be removed
  d does nothing`)
})

test('colours change nothing but colours', () => {
  const coloured = terminal(report, { colour: true, verdicts: 'listed' })
  expect(coloured).toContain('\x1b[31m')
  expect(stripVTControlCharacters(coloured)).toBe(
    terminal(report, { ...plain, verdicts: 'listed' })
  )
  for (const outcome of outcomes) {
    const verdict = { outcome, clause: 'a', observed: 'b', because: 'c' }
    const painted = verdictLine(verdict, { colour: true })
    expect(stripVTControlCharacters(painted)).toBe(verdictLine(verdict, plain))
  }
})

test('a target cannot move the cursor or add lines', () => {
  const height = terminal({ ...report, verdicts: [says('x')] }, plain).split('\n').length
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = terminal({ ...report, verdicts: [says(text)] }, plain)
      expect(shown.split('\n').length).toBe(height)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
      expect(shown).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\u202E]/)
    }),
    { seed: 5, numRuns: 200 }
  )
})
