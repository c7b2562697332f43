import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdown } from '../../src/report/markdown.ts'
import { anyText, says } from './hostile.ts'
import { sample } from './sample.ts'

const report = sample()

test('the conclusion comes first, then what needs a look, then everything', () => {
  const text = markdown(report)
  const places = [
    '## ✘ 3 clauses fail',
    '**Plimsoll** on staging: 3 fail · 1 error · 2 inconclusive · 3 blocked · 1 observed · 2 pass',
    '6 of 20 clauses covered (30 %)',
    '### What needs a look',
    '| ✘ fail | `limits.function.subrequests.free` | 50 |',
    '| ⊘ blocked | `limits.function.size.paid` | 10 MB | nothing |',
    '### To see it again',
    'plimsoll run edge/subrequests --target staging.json --seed 42\nplimsoll run policy/create',
    '<summary>All 12 verdicts</summary>',
    '| ✔ pass | `limits.request.url-length` | 16 KB |'
  ].map((part) => text.indexOf(part))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places[0]).toBe(0)
  expect(text).not.toContain('incomplete')
})

test('a run in which all is well has one table', () => {
  const verdicts = report.verdicts.filter((one) => ['pass', 'observed'].includes(one.outcome))
  const text = markdown({ ...report, verdicts })
  expect(text.match(/^\| outcome/gm)).toHaveLength(1)
  expect(text).not.toContain('###')
})

test('an interrupted run says so', () => {
  expect(markdown({ ...report, footer: undefined })).toContain('> The run is incomplete')
})

test('what is said about the expectation file stands on top', () => {
  const remarks = [
    { clause: 'a', text: 'a_b can be removed', failing: true },
    { clause: 'c', text: 'c does nothing', failing: false }
  ]
  const expectations = { file: 'e.json', sha256: '0a', strict: true }
  const header = { ...report.header, expectations }
  const text = markdown({ ...report, header, footer: { ...report.footer!, remarks } })
  expect(text).toContain('- ✘ a\\_b can be removed\n- c does nothing\n\n### What needs a look')
  expect(text).toContain('held against e.json')
})

test('whatever a target says, a row stays a row and no markup comes of it', () => {
  const lines = markdown({ ...report, verdicts: [says('x')] }).split('\n').length
  expect(markdown({ ...report, verdicts: [says('x')] })).toContain('<summary>The verdict</summary>')
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = markdown({ ...report, verdicts: [says(text)] })
      expect(shown.split('\n').length).toBe(lines)
      const row = shown.split('\n').find((one) => one.startsWith('| ✘ fail'))!
      const bare = row.replace(/\\[!-/:-@[-`{-~]/g, '').replace(/`[^`]*`/g, '')
      expect(bare.match(/\|/g)).toHaveLength(6)
      expect(bare).not.toMatch(/[<>*_[\]~$]/)
    }),
    { seed: 7, numRuns: 300 }
  )
})
