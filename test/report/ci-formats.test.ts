import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { LoadSummary } from '../../src/load/figures/summary.ts'
import { annotations } from '../../src/report/annotations.ts'
import { ctrf } from '../../src/report/ctrf.ts'
import { gitlab } from '../../src/report/gitlab.ts'
import { junit } from '../../src/report/junit.ts'
import { markdown } from '../../src/report/markdown.ts'
import type { Report, VerdictRecord } from '../../src/report/record.ts'
import { sarif } from '../../src/report/sarif.ts'
import { outcomes } from '../../src/verdict/outcome.ts'
import { anyText, says } from './hostile.ts'
import { sample } from './sample.ts'

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'ctrf/schema.json'), 'utf8'))
const formats = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  uri: (text: string) => URL.canParse(text)
}
const isCtrf = new Ajv({ formats, allowUnionTypes: true }).compile(schema)

/** What is wrong with a value by the schema of CTRF. */
function faults(value: unknown): string[] {
  isCtrf(value)
  return (isCtrf.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const source = { file: 'document.md', sha256: 'ab'.repeat(32) }

/** A run of a document in the folder of the command, with every outcome there is. */
function whole(verdicts: readonly VerdictRecord[] = sample().verdicts): Report {
  const run = sample()
  const clause = { t: 'clause' as const, kind: 'limit', documented: '16 KB', quote: '16 KB' }
  const ids = [...new Set(verdicts.map(({ clause }) => clause))]
  return {
    ...run,
    header: { ...run.header, document: { ...run.header.document, folder: 'limits', source } },
    verdicts: [...verdicts],
    inventory: ids.map((id, index) => ({ ...clause, id, lines: `${12 + index}-14` }))
  }
}

const every = outcomes.map((outcome) => ({ ...says(outcome), clause: `c.${outcome}`, outcome }))

/**
 * The part of SARIF 2.1.0 that is written here, by the chapters of its specification: nothing else
 * may occur. (Written whole reports were held against the schema of OASIS once.)
 */
const text = v.strictObject({ text: v.pipe(v.string(), v.nonEmpty()) })
const sarifSchema = v.strictObject({
  $schema: v.pipe(v.string(), v.url()),
  version: v.literal('2.1.0'),
  runs: v.tuple([
    v.strictObject({
      tool: v.strictObject({
        driver: v.strictObject({
          name: v.string(),
          version: v.optional(v.string()),
          rules: v.array(
            v.strictObject({
              id: v.string(),
              shortDescription: text,
              fullDescription: v.optional(text),
              properties: v.strictObject({ tags: v.array(v.string()) })
            })
          )
        })
      }),
      invocations: v.tuple([
        v.strictObject({
          executionSuccessful: v.boolean(),
          startTimeUtc: v.pipe(v.string(), v.isoTimestamp()),
          toolExecutionNotifications: v.optional(
            v.array(v.strictObject({ level: v.literal('error'), message: text }))
          )
        })
      ]),
      results: v.array(
        v.pipe(
          v.strictObject({
            ruleId: v.string(),
            kind: v.picklist(['fail', 'open']),
            level: v.picklist(['none', 'warning', 'error']),
            message: text,
            partialFingerprints: v.record(v.string(), v.string()),
            // GitHub refuses a result that is nowhere.
            locations: v.tuple([
              v.strictObject({
                physicalLocation: v.strictObject({
                  artifactLocation: v.strictObject({
                    uri: v.pipe(v.string(), v.regex(/^[^/]/))
                  }),
                  region: v.strictObject({
                    startLine: v.pipe(v.number(), v.integer(), v.minValue(1))
                  })
                })
              })
            ]),
            properties: v.strictObject({ outcome: v.string(), scenario: v.string() })
          }),
          // §3.27.10: what is no failure has no level.
          v.check(({ kind, level }) => (kind === 'fail') === (level !== 'none'))
        )
      )
    })
  ])
})

/** What GitLab's documentation demands of a code quality report. */
const gitlabSchema = v.array(
  v.strictObject({
    description: v.pipe(v.string(), v.nonEmpty()),
    check_name: v.string(),
    fingerprint: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
    severity: v.picklist(['info', 'minor', 'major', 'critical', 'blocker']),
    location: v.strictObject({
      path: v.pipe(v.string(), v.regex(/^[^/]/)),
      lines: v.strictObject({ begin: v.pipe(v.number(), v.integer(), v.minValue(1)) })
    })
  })
)

const line = /^::(error|warning|notice) (file=[^:,\n]+,line=\d+,)?title=[^:,\n]*::[^\n]+$/

function valid(report: Report): void {
  expect(faults(JSON.parse(ctrf(report)))).toEqual([])
  const { issues } = v.safeParse(sarifSchema, JSON.parse(sarif(report)))
  expect(issues).toBeUndefined()
  const quality = JSON.parse(gitlab(report)) as { fingerprint: string }[]
  expect(v.safeParse(gitlabSchema, quality).issues).toBeUndefined()
  for (const one of annotations(report).trimEnd().split('\n')) expect(one).toMatch(line)
}

test('the formats of CI systems are what their schemas say', () => {
  valid(whole())
  valid(whole(every))
  valid(sample())
  const { footer: _, ...cut } = whole([])
  valid(cut)
})

test('whatever a target says, they stay valid', () => {
  fc.assert(
    fc.property(anyText, (said) => valid(whole([says(said), { ...says(said), outcome: 'fail' }]))),
    { numRuns: 50 }
  )
})

test('what is wrong by a schema is seen', () => {
  expect(faults({})).toEqual([" must have required property 'results'"])
  const wrong = { ...JSON.parse(ctrf(whole())), specVersion: '1' }
  expect(faults(wrong)).toEqual([expect.stringMatching(/^\/specVersion must match pattern/)])
})

test('outcomes become what each format has for them', () => {
  const report = whole(every)
  const { tests, summary } = JSON.parse(ctrf(report)).results
  const statuses = tests.map((one: any) => [one.rawStatus, one.status])
  expect(Object.fromEntries(statuses)).toEqual({
    ...{ fail: 'failed', warning: 'failed', error: 'other', inconclusive: 'other' },
    ...{ blocked: 'other', changed: 'passed', deviation: 'passed', observed: 'passed' },
    ...{ pass: 'passed', inapplicable: 'skipped', untested: 'skipped' }
  })
  expect(summary).toMatchObject({ tests: 11, passed: 4, failed: 2, other: 3, skipped: 2 })
  const [run] = JSON.parse(sarif(report)).runs
  expect(run.results.map((one: any) => [one.properties.outcome, one.kind, one.level])).toEqual([
    ['fail', 'fail', 'error'],
    ['warning', 'fail', 'error'],
    ['inconclusive', 'open', 'none'],
    ['blocked', 'open', 'none']
  ])
  expect(run.invocations[0]).toMatchObject({ executionSuccessful: false })
  const severities = JSON.parse(gitlab(report)).map((one: any) => one.severity)
  expect(severities).toEqual(['major', 'major', 'info', 'info', 'info'])
})

test('each says where the clause stands', () => {
  const report = whole([{ ...says('seen'), clause: 'c.fail', outcome: 'fail' }])
  const [result] = JSON.parse(sarif(report)).runs[0].results
  expect(result.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'limits/document.md' },
    region: { startLine: 12 }
  })
  expect(result.message.text).toMatch(/^documented: .* \(lines 12-14\)\nobserved: seen/)
  expect(annotations(report)).toMatch(/^::error file=limits\/document\.md,line=12,title=c\.fail/)
  expect(JSON.parse(gitlab(report))[0].location.lines).toEqual({ begin: 12 })
})

test('what is in no file has a place for a code scanner all the same', () => {
  const run = sample()
  const verdicts = [{ ...says('seen'), clause: 'http://a/', outcome: 'fail' as const }]
  const document = { sha256: '', clauses: 0 }
  const report = { ...run, header: { ...run.header, document }, verdicts, inventory: [] }
  const [result] = JSON.parse(sarif(report)).runs[0].results
  expect(result.locations[0].physicalLocation.artifactLocation).toEqual({ uri: 'plimsoll' })
  expect(JSON.parse(gitlab(report))[0].location.path).toBe('plimsoll')
  valid(report)
})

test('that answers only led elsewhere is told by all that a pipeline shows', () => {
  const summary = { statuses: { 302: 40 }, errors: {} } as unknown as LoadSummary
  const evidence = { kind: 'load' as const, objectives: {}, broken: [], summary }
  const report = {
    ...sample(),
    verdicts: [{ ...says('seen'), outcome: 'pass' as const, evidence }]
  }
  const words = '40 of 40 answers were redirects, 302'
  for (const format of [markdown, junit, ctrf]) expect(format(report)).toContain(words)
})

test('of very many annotations those are told that GitHub shows', () => {
  const many = Array.from({ length: 30 }, (_, index) => {
    return { ...says('x'), clause: `c.${index}`, outcome: 'fail' as const }
  })
  const lines = annotations(whole(many)).trimEnd().split('\n')
  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toMatch(/30 clauses fail \(20 more in the report\)/)
})
