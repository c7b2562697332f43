import fc from 'fast-check'
import { expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import type { LoadSummary } from '../../src/load/figures/summary.ts'
import { junit } from '../../src/report/junit.ts'
import { printable } from '../../src/report/printable.ts'
import type { Report } from '../../src/report/record.ts'
import { anyText, says } from './hostile.ts'
import { sample } from './sample.ts'

const report = sample()

type Element = {
  tagName: string
  textContent: string
  children: Iterable<Element>
  getAttribute(name: string): string | null
  getElementsByTagName(name: string): Iterable<Element>
}

/** The elements of a JUnit document, read back by the parser. */
function read(xml: string) {
  const root = create(xml).root().node as unknown as Element
  const elements = (name: string) => [...root.getElementsByTagName(name)]
  const numbers = (of: Element) =>
    Object.fromEntries(
      ['tests', 'failures', 'errors', 'skipped'].map((key) => [key, Number(of.getAttribute(key))])
    )
  return { root, elements, numbers }
}

test.each([
  ['fail', 'failure'],
  ['error', 'error'],
  ['inconclusive', 'error'],
  ['blocked', 'error'],
  ['warning', 'failure'],
  ['inapplicable', 'skipped'],
  ['untested', 'skipped'],
  ['observed', 'system-out'],
  ['changed', 'system-out'],
  ['deviation', 'system-out'],
  ['pass', 'system-out']
] as const)('%s becomes <%s>', (outcome, name) => {
  const verdict = { ...says('text'), outcome, because: 'the reason' }
  const { elements, root, numbers } = read(junit({ ...report, verdicts: [verdict] }))
  const children = [...elements('testcase')[0]!.children]
  const [child] = children.filter(({ tagName }) => !/^propert/.test(tagName))
  expect(child!.tagName).toBe(name)
  expect(child!.getAttribute('message') ?? child!.textContent).toContain('the reason')
  expect(numbers(root)).toEqual({
    tests: 1,
    failures: name === 'failure' ? 1 : 0,
    errors: name === 'error' ? 1 : 0,
    skipped: name === 'skipped' ? 1 : 0
  })
})

test.each([
  ['pass', []],
  ['observed', ['observed']],
  ['deviation', ['deviation']],
  ['changed', ['changed']],
  ['fail', []]
] as const)('%s has the property %j', (outcome, properties) => {
  const { elements } = read(junit({ ...report, verdicts: [{ ...says('text'), outcome }] }))
  expect(elements('property').map((one) => one.getAttribute('value'))).toEqual(properties)
})

const held = { file: 'e.json', sha256: '0a', strict: true }

test('what has changed fails where that is gated', () => {
  const header = { ...report.header, expectations: { ...held, gate: 'observed' as const } }
  const verdicts = [{ ...says('text'), outcome: 'changed' as const }]
  const { root, elements, numbers } = read(junit({ ...report, header, verdicts }))
  expect(elements('failure')).toHaveLength(1)
  expect(numbers(root)).toMatchObject({ tests: 1, failures: 1 })
})

test('advice that shall only warn passes, and says so', () => {
  const header = { ...report.header, advice: 'warn' as const }
  const verdicts = [{ ...says('text'), outcome: 'warning' as const }]
  const { root, elements, numbers } = read(junit({ ...report, header, verdicts }))
  expect(numbers(root)).toMatchObject({ tests: 1, failures: 0, errors: 0 })
  expect(elements('property').map((one) => one.getAttribute('value'))).toEqual(['warning'])
})

test('a target that is not there is never good: what is blocked is an error', () => {
  const verdicts = ['a', 'b'].map((text) => ({ ...says(text), outcome: 'blocked' as const }))
  const { numbers, root } = read(junit({ ...report, verdicts }))
  expect(numbers(root)).toEqual({ tests: 2, failures: 0, errors: 2, skipped: 0 })
})

test('a run that checked nothing has an error of its own', () => {
  const verdicts = [{ ...says('text'), outcome: 'untested' as const }]
  const footer = { ...report.footer!, exit: 4 }
  const { numbers, root } = read(junit({ ...report, verdicts, footer }))
  expect(numbers(root)).toEqual({ tests: 2, failures: 0, errors: 1, skipped: 1 })
})

test('a run that fails by its expectation file has a failure of its own', () => {
  const remarks = [
    { clause: 'a', text: 'a & b can be removed', failing: true },
    { clause: 'c', text: 'c does nothing', failing: false }
  ]
  const footer = { ...report.footer!, remarks }
  const { root, elements, numbers } = read(junit({ ...report, verdicts: [], footer }))
  expect(elements('failure').map((one) => one.getAttribute('message'))).toEqual([
    'a & b can be removed'
  ])
  expect(numbers(root)).toEqual({ tests: 1, failures: 1, errors: 0, skipped: 0 })
})

test('there is a suite for each scenario, and the numbers add up', () => {
  const { root, elements, numbers } = read(junit(report))
  const suites = elements('testsuite')
  expect(suites.map((suite) => suite.getAttribute('name'))).toEqual([
    ...new Set(report.verdicts.map((one) => one.scenario))
  ])
  const sums = (key: string) => suites.reduce((sum, suite) => sum + numbers(suite)[key]!, 0)
  expect(numbers(root)).toEqual(
    Object.fromEntries(['tests', 'failures', 'errors', 'skipped'].map((key) => [key, sums(key)]))
  )
  expect(numbers(root)).toEqual({ tests: 12, failures: 3, errors: 6, skipped: 0 })
  expect(elements('testcase').length).toBe(12)
})

test.each([
  ['without a footer', { ...report, footer: undefined }],
  ['interrupted', { ...report, footer: { ...report.footer!, complete: false } }]
])('a run that is incomplete (%s) has an error of its own', (_, given: Report) => {
  const { root, numbers } = read(junit(given))
  expect(numbers(root)).toEqual({ tests: 13, failures: 3, errors: 7, skipped: 0 })
})

test('a failure tells the whole story', () => {
  const { elements } = read(junit(report))
  expect(elements('failure')[1]!.textContent).toBe(`\
documented: 50
observed:   200 subrequests accepted, nothing refused
because:    no limit up to there; the document says 50
again:      plimsoll run edge/subrequests --target staging.json --seed 42`)
})

/** What an element holds, decoded once; xmlbuilder2 decodes twice: to it `&amp;#0;` is a NUL. */
function textOf(xml: string, name: string): string | undefined {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  const [, raw] = new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(xml) ?? []
  return raw?.replace(/&(.*?);/g, (_, entity) => entities[entity]!)
}

test('whatever a target says, the XML is legal and says the same', () => {
  const legal = /^[\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u
  const names = { fail: 'failure', error: 'error', observed: 'system-out' } as const
  const outcome = fc.constantFrom('fail', 'error', 'observed')
  fc.assert(
    fc.property(anyText, outcome, (text, outcome) => {
      const xml = junit({ ...report, verdicts: [{ ...says(text), outcome }] })
      expect(() => read(xml)).not.toThrow()
      expect(xml).toMatch(legal)
      expect(xml.replace(/&(amp|lt|gt|quot);/g, '')).not.toContain('&')
      expect(textOf(xml, names[outcome])).toContain(`documented: ${printable(text)}\n`)
    }),
    { seed: 6, numRuns: 200 }
  )
})

test('what a load recorded, and what a run was tagged with, are properties of its case', () => {
  const summary = { own: { 'wait p99': { value: 12.5, unit: 'ms' } } } as unknown as LoadSummary
  const evidence = { kind: 'load' as const, objectives: {}, broken: [], summary }
  for (const outcome of ['pass', 'fail'] as const) {
    const verdicts = [{ ...says('x'), outcome, evidence }]
    const header = { ...report.header, tags: { build: '<42>' } }
    const found = read(junit({ ...report, header, verdicts })).elements('property')
    expect(found.map((one) => [one.getAttribute('name'), one.getAttribute('value')])).toEqual([
      ['build', '<42>'],
      ['wait p99 (ms)', '12.5']
    ])
  }
})
