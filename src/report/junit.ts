import { create } from 'xmlbuilder2'
import type { Outcome } from '../verdict/verdict.ts'
import { oneLine, printable } from './printable.ts'
import type { Header, Report, VerdictRecord } from './record.ts'
import { repeatCommand } from './repeat.ts'

type Element = Record<string, unknown>

/**
 * Text as xmlbuilder2 takes it. It decodes the entities in what it is given, and then writes out
 * unescaped whatever still looks like one, so every ampersand has to survive both.
 */
function content(text: string): string {
  return printable(text).replaceAll('&', '&amp;amp;')
}

/** The same on one line, for attributes. */
function attribute(text: string): string {
  return content(oneLine(text))
}

type Way = 'failure' | 'error' | 'skipped'

/** JUnit knows three ways not to pass; an outcome that is not here passes. */
const elements: Partial<Record<Outcome, Way>> = {
  fail: 'failure',
  warning: 'failure',
  error: 'error',
  inconclusive: 'error',
  blocked: 'error',
  inapplicable: 'skipped',
  untested: 'skipped'
}

/**
 * How a verdict does not pass, if it does not; what has changed fails where a gate says so, and
 * advice that is not followed where nobody said that it shall only warn.
 */
function wayOf({ outcome }: VerdictRecord, { expectations, advice }: Header): Way | undefined {
  if (outcome === 'warning' && advice === 'warn') return undefined
  return outcome === 'changed' && expectations?.gate ? 'failure' : elements[outcome]
}

/**
 * A run as JUnit XML, a suite for each scenario. What was only observed passes and says what was
 * seen, and so does a deviation that is known; their outcome is a property. A run that did not
 * reach its end, checked nothing or too little, or fails by its expectation file, has a case of its
 * own, lest it look good.
 */
export function junit(report: Report): string {
  const { header, footer, verdicts } = report
  const scenarios = [...Map.groupBy(verdicts, (verdict) => verdict.scenario)]
  const suites = scenarios.map(([scenario, those]) => suite(report, scenario, those))
  const own = ownSuite(report)
  const seconds = footer ? { '@time': footer.ms / 1_000 } : {}
  const root = {
    '@name': attribute(`${header.tool} on ${header.target.name}`),
    ...totals(verdicts.map((one) => wayOf(one, header)).concat(own.ways)),
    ...seconds,
    testsuite: [...suites, ...own.suites]
  }
  return create({ version: '1.0', encoding: 'UTF-8' }, { testsuites: root }).end({
    prettyPrint: true
  })
}

/** What is wrong with the run itself and not with a clause. */
function ownSuite({ footer }: Report): { ways: Way[]; suites: Element[] } {
  const message = 'The run is incomplete: it was interrupted, or did not reach its end.'
  const incomplete = footer?.complete
    ? []
    : [{ name: 'the run reaches its end', way: 'error' as const, message }]
  const failing = (footer?.remarks ?? []).filter((remark) => remark.failing)
  const idle = 'The run checked nothing, or less of the document than was demanded.'
  const meagre =
    footer?.exit === 4
      ? [{ name: 'the run checks enough', way: 'error' as const, message: idle }]
      : []
  const cases = [
    ...incomplete,
    ...meagre,
    ...failing.map(({ clause, text }) => {
      return { name: `${clause} is still to be expected`, way: 'failure' as const, message: text }
    })
  ]
  const ways = cases.map(({ way }) => way)
  const testcase = cases.map(({ name, way, message }) => ({
    '@classname': 'plimsoll',
    '@name': attribute(name),
    [way]: { '@message': attribute(message) }
  }))
  return {
    ways,
    suites: cases.length > 0 ? [{ '@name': 'plimsoll', ...totals(ways), testcase }] : []
  }
}

function totals(ways: readonly (Way | undefined)[]): Element {
  const count = (way: Way) => ways.filter((one) => one === way).length
  return {
    '@tests': ways.length,
    '@failures': count('failure'),
    '@errors': count('error'),
    '@skipped': count('skipped')
  }
}

function suite({ header }: Report, scenario: string, verdicts: VerdictRecord[]): Element {
  return {
    '@name': attribute(scenario),
    ...totals(verdicts.map((one) => wayOf(one, header))),
    '@timestamp': attribute(header.startedAt.replace(/(\.\d+)?Z$/, '')),
    testcase: verdicts.map((verdict) => ({
      '@classname': attribute(scenario),
      '@name': attribute(verdict.clause),
      '@time': verdict.ms / 1_000,
      ...conclusion(verdict, header)
    }))
  }
}

function conclusion(verdict: VerdictRecord, header: Header): Element {
  const { outcome, documented, observed, because, scenario, evidence } = verdict
  const frame = evidence.kind === 'none' ? evidence.fault?.frame : undefined
  const way = wayOf(verdict, header)
  const story = [
    `documented: ${documented}`,
    `observed:   ${observed}`,
    `because:    ${because}`,
    `again:      ${repeatCommand(header, scenario)}`,
    ...(frame === undefined ? [] : ['', frame])
  ].join('\n')
  if (!way) {
    const output = { 'system-out': content(`${outcome}\n${story}`) }
    return outcome === 'pass' ? output : { properties: propertyOf(outcome), ...output }
  }
  const message = way === 'failure' ? `${observed}; ${because}` : because
  if (way === 'skipped') return { skipped: { '@message': attribute(`${outcome}: ${message}`) } }
  return { [way]: { '@type': outcome, '@message': attribute(message), '#': content(story) } }
}

/** Which of the good outcomes it is, for those who count them. */
function propertyOf(outcome: Outcome): Element {
  return { property: { '@name': 'outcome', '@value': outcome } }
}
