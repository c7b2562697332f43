import { warningsOf } from './answer-warnings.ts'
import { type CaseStanding, standingOf } from './findings.ts'
import { oneLine, printable, shortened } from './printable.ts'
import type { Header, Report, VerdictRecord } from './record.ts'
import { repeatCommand } from './repeat.ts'

/** Characters of one text that are told; the evidence has the rest. */
const mostCharacters = 10_000

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as XML has it between tags, where it may have several lines. */
function content(text: string): string {
  const short = shortened(printable(text), mostCharacters)
  return short.replace(/[&<>"]/g, (found) => entities[found]!)
}

/** Attributes of an element: ` name="…"`, each on one line. */
function attributes(of: Record<string, string | number>): string {
  return Object.entries(of)
    .map(([name, value]) => ` ${name}="${content(oneLine(`${value}`, mostCharacters))}"`)
    .join('')
}

/**
 * A run as JUnit XML, a suite for each scenario. What was only observed passes and says what was
 * seen, and so does a deviation that is known; their outcome is a property. A run that did not
 * reach its end, checked nothing or too little, or fails by its expectation file, has a case of its
 * own, lest it look good.
 */
export function junit(report: Report): string {
  return [...junitParts(report)].join('')
}

/** The same in parts, since the whole may be longer than a text can be. */
export function* junitParts(report: Report): Generator<string> {
  const { header, footer, verdicts } = report
  const own = ownCases(report)
  const elementsOfCases = verdicts
    .map((one) => standingOf(one, header))
    .concat(own.map(({ element }) => element))
  const name = `${header.tool} on ${header.target.name}`
  const time: Record<string, number> = footer ? { time: footer.ms / 1_000 } : {}
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites${attributes({ name, ...totals(elementsOfCases), ...time })}>\n`
  for (const [scenario, those] of Map.groupBy(verdicts, (verdict) => verdict.scenario)) {
    const ofSuite = totals(those.map((one) => standingOf(one, header)))
    const timestamp = header.startedAt.replace(/(\.\d+)?Z$/, '')
    yield `  <testsuite${attributes({ name: scenario, ...ofSuite, timestamp })}>\n`
    for (const verdict of those) yield testcase(verdict, header)
    yield '  </testsuite>\n'
  }
  if (own.length > 0) {
    const ofSuite = totals(own.map(({ element }) => element))
    yield `  <testsuite${attributes({ name: 'plimsoll', ...ofSuite })}>\n`
    for (const { name, element, message } of own) {
      yield `    <testcase${attributes({ classname: 'plimsoll', name })}>
      <${element}${attributes({ message })}/>
    </testcase>\n`
    }
    yield '  </testsuite>\n'
  }
  yield '</testsuites>'
}

/** What is wrong with the run itself and not with a clause, as cases of the run. */
export function ownCases({
  footer
}: Report): { name: string; element: CaseStanding; message: string }[] {
  const cut = 'The run is incomplete: it was interrupted, or did not reach its end.'
  const idle = 'The run checked nothing, or less of the document than was demanded.'
  const failing = (footer?.remarks ?? []).filter((remark) => remark.failing)
  return [
    ...(footer?.complete
      ? []
      : [{ name: 'the run reaches its end', element: 'error' as const, message: cut }]),
    ...(footer?.exit === 4
      ? [{ name: 'the run checks enough', element: 'error' as const, message: idle }]
      : []),
    ...failing.map(({ clause, text }) => {
      return {
        name: `${clause} is still to be expected`,
        element: 'failure' as const,
        message: text
      }
    })
  ]
}

function totals(elementsOfCases: readonly (CaseStanding | undefined)[]): Record<string, number> {
  const counts = { tests: elementsOfCases.length, failures: 0, errors: 0, skipped: 0 }
  for (const element of elementsOfCases) {
    if (element === 'failure') counts.failures++
    if (element === 'error') counts.errors++
    if (element === 'skipped') counts.skipped++
  }
  return counts
}

function testcase(verdict: VerdictRecord, header: Header): string {
  const { scenario, clause, ms } = verdict
  const about = attributes({ classname: scenario, name: clause, time: ms / 1_000 })
  const lines = conclusion(verdict, header).map((text) => `      ${text}\n`)
  return `    <testcase${about}>\n${lines.join('')}    </testcase>\n`
}

/** The elements of a case: how it does not pass, or what it says although it does. */
function conclusion(verdict: VerdictRecord, header: Header): string[] {
  const { outcome, documented, observed, because, scenario, evidence } = verdict
  const frame = evidence.kind === 'none' ? evidence.fault?.frame : undefined
  const element = standingOf(verdict, header)
  const story = [
    `documented: ${documented}`,
    `observed:   ${observed}`,
    `because:    ${because}`,
    ...warningsOf(verdict).map((text) => `answers:    ${text}`),
    `again:      ${repeatCommand(header, scenario)}`,
    ...(frame === undefined ? [] : ['', frame])
  ]
    .map((text) => shortened(text, mostCharacters / 5))
    .join('\n')
  const properties = propertiesOf(verdict, { isWell: element === undefined, tags: header.tags })
  if (!element) {
    return [...properties, `<system-out>${content(`${outcome}\n${story}`)}</system-out>`]
  }
  const message = element === 'failure' ? `${observed}; ${because}` : because
  if (element === 'skipped')
    return [...properties, `<skipped${attributes({ message: `${outcome}: ${message}` })}/>`]
  return [
    ...properties,
    `<${element}${attributes({ type: outcome, message })}>${content(story)}</${element}>`
  ]
}

/** Which of the good outcomes it is, for those who count them, and what a load recorded besides. */
function propertiesOf(
  { outcome, evidence }: VerdictRecord,
  { isWell, tags = {} }: { isWell: boolean; tags?: Header['tags'] }
): string[] {
  const own = evidence.kind === 'load' ? (evidence.summary.own ?? {}) : {}
  const properties = [
    ...(isWell && outcome !== 'pass' ? [['outcome', outcome]] : []),
    ...Object.entries(tags),
    ...Object.entries(own).map(([name, { value, unit }]) => [`${name} (${unit})`, value])
  ] as [string, string | number][]
  if (properties.length === 0) return []
  const lines = properties.map(([name, value]) => `  <property${attributes({ name, value })}/>`)
  return ['<properties>', ...lines, '</properties>']
}
