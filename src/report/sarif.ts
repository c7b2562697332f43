import { findings, noPlace, type ReportFinding, whereText } from './findings.ts'
import { oneLine, printable } from './printable.ts'
import type { Report } from './record.ts'

/** Results of one kind that a code scanner takes. */
const mostResults = 5_000

/** A path as the URI that SARIF wants in its place. */
const uriOf = (file: string) => file.split('/').map(encodeURIComponent).join('/')

/** The clauses found wanting, as rules; `text` is never empty. */
function rulesOf(found: readonly ReportFinding[]) {
  const byId = new Map(found.map((one) => [one.verdict.clause, one]))
  return [...byId].map(([id, { verdict, clause }]) => {
    const where = whereText(clause ?? {})
    const text = oneLine(verdict.documented, 1_000) || oneLine(id, 1_000) || 'clause'
    return {
      id: oneLine(id, 1_000),
      shortDescription: { text },
      ...(where !== '' && { fullDescription: { text: `${text} (${where})` } }),
      properties: { tags: [oneLine(clause?.kind ?? 'load', 100)] }
    }
  })
}

function resultOf({ verdict, level, place, story, fingerprint }: ReportFinding) {
  const { file, line } = place ?? noPlace
  const isProven = verdict.outcome !== 'inconclusive' && verdict.outcome !== 'blocked'
  return {
    ruleId: oneLine(verdict.clause, 1_000),
    // What is not decided is no failure, and has no level.
    kind: isProven ? 'fail' : 'open',
    level: isProven ? level : 'none',
    message: { text: printable(story) },
    partialFingerprints: { 'clause/v1': fingerprint },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line }
        }
      }
    ],
    properties: { outcome: verdict.outcome, scenario: oneLine(verdict.scenario, 1_000) }
  }
}

/**
 * A run as SARIF 2.1.0: a rule for each clause that is not well, a result at its line of the
 * document. What was not decided is `open`; a fault of the harness is no result but a
 * notification of an invocation that did not succeed.
 */
export function sarif(report: Report): string {
  const { header, footer } = report
  const [name = 'plimsoll', version] = header.tool.split('@')
  const found = findings(report).slice(0, mostResults)
  const faults = found.filter(({ verdict }) => verdict.outcome === 'error')
  const results = found.filter((one) => !faults.includes(one))
  const notifications = faults.map(({ story }) => {
    return { level: 'error', message: { text: printable(story) } }
  })
  const run = {
    tool: {
      driver: { name, ...(version !== undefined && { version }), rules: rulesOf(results) }
    },
    invocations: [
      {
        executionSuccessful: footer?.complete === true && faults.length === 0,
        startTimeUtc: header.startedAt,
        ...(notifications.length > 0 && { toolExecutionNotifications: notifications })
      }
    ],
    results: results.map(resultOf)
  }
  const schema = 'https://json.schemastore.org/sarif-2.1.0.json'
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}
