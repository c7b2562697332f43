import { warningsOf } from './answer-warnings.ts'
import { placeOf, standingOf } from './findings.ts'
import { ownCases } from './junit.ts'
import { oneLine, printable, shortened } from './printable.ts'
import type { Report } from './record.ts'
import { repeatCommand } from './repeat.ts'

/** CTRF knows nothing between passed and failed: what could not be told is `other`. */
const statuses = { failure: 'failed', error: 'other', skipped: 'skipped' } as const

const said = (text: string) => shortened(printable(text), 2_000)

/**
 * A run in the Common Test Report Format, a test for each verdict; its `rawStatus` is the outcome,
 * its place that of the clause in the document. What is wrong with the run itself is a test too.
 */
export function ctrf(report: Report): string {
  const { header, footer, verdicts, inventory = [] } = report
  const clauses = new Map(inventory.map((one) => [one.id, one]))
  const [name = 'plimsoll', version] = header.tool.split('@')
  const ofVerdicts = verdicts.map((verdict) => {
    const { scenario, clause, outcome, documented, observed, because, ms } = verdict
    const standing = standingOf(verdict, header)
    const place = placeOf(header, clauses.get(clause))
    return {
      name: oneLine(clause, 1_000) || 'clause',
      status: standing === undefined ? ('passed' as const) : statuses[standing],
      duration: Math.round(ms),
      suite: [oneLine(scenario, 1_000)],
      message: said(
        [observed, ...(standing === undefined ? [] : [because]), ...warningsOf(verdict)].join('; ')
      ),
      rawStatus: outcome,
      ...(place !== undefined && { filePath: place.file, line: place.line }),
      extra: { documented: said(documented), again: said(repeatCommand(header, scenario)) }
    }
  })
  const ofRun = ownCases(report).map(({ name, element, message }) => ({
    ...{ name, status: statuses[element], duration: 0, suite: ['plimsoll'], message },
    rawStatus: element
  }))
  const tests = [...ofVerdicts, ...ofRun]
  const count = (of: string) => tests.filter(({ status }) => status === of).length
  const start = Date.parse(header.startedAt)
  const took = Math.round(footer?.ms ?? 0)
  const summary = {
    ...{ tests: tests.length, passed: count('passed'), failed: count('failed') },
    ...{ skipped: count('skipped'), pending: 0, other: count('other') },
    ...{ start, stop: start + took, duration: took }
  }
  const results = { tool: { name, ...(version !== undefined && { version }) }, summary, tests }
  const document = { reportFormat: 'CTRF', specVersion: '0.0.0', generatedBy: header.tool, results }
  return `${JSON.stringify(document, null, 2)}\n`
}
