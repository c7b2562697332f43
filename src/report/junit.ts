import { create } from 'xmlbuilder2'
import type { Outcome } from '../verdict/verdict.ts'
import { oneLine, printable } from './printable.ts'
import type { Report, VerdictRecord } from './record.ts'
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

/** JUnit knows three ways not to pass; an outcome that is not here passes. */
const elements: Partial<Record<Outcome, 'failure' | 'error' | 'skipped'>> = {
  fail: 'failure',
  error: 'error',
  inconclusive: 'error',
  blocked: 'skipped',
  inapplicable: 'skipped',
  untested: 'skipped'
}

/**
 * A run as JUnit XML, a suite for each scenario. What was only observed passes and says what was
 * seen; a run that did not reach its end has an error of its own, lest it look like a good one.
 */
export function junit(report: Report): string {
  const { header, footer, verdicts } = report
  const scenarios = [...Map.groupBy(verdicts, (verdict) => verdict.scenario)]
  const suites = scenarios.map(([scenario, those]) => suite(report, scenario, those))
  const ended = footer?.complete ? [] : [incomplete]
  const seconds = footer ? { '@time': footer.ms / 1_000 } : {}
  const root = {
    '@name': attribute(`${header.tool} on ${header.target.name}`),
    ...totals(verdicts, ended.length),
    ...seconds,
    testsuite: [...suites, ...ended]
  }
  return create({ version: '1.0', encoding: 'UTF-8' }, { testsuites: root }).end({
    prettyPrint: true
  })
}

const incomplete: Element = {
  '@name': 'plimsoll',
  ...totals([], 1),
  testcase: {
    '@classname': 'plimsoll',
    '@name': 'the run reaches its end',
    error: { '@message': 'The run is incomplete: it was interrupted, or did not reach its end.' }
  }
}

function totals(verdicts: readonly VerdictRecord[], errors: number): Element {
  const count = (element: string) =>
    verdicts.filter(({ outcome }) => elements[outcome] === element).length
  return {
    '@tests': verdicts.length + errors,
    '@failures': count('failure'),
    '@errors': count('error') + errors,
    '@skipped': count('skipped')
  }
}

function suite({ header }: Report, scenario: string, verdicts: VerdictRecord[]): Element {
  return {
    '@name': attribute(scenario),
    ...totals(verdicts, 0),
    '@timestamp': attribute(header.startedAt.replace(/(\.\d+)?Z$/, '')),
    testcase: verdicts.map((verdict) => ({
      '@classname': attribute(scenario),
      '@name': attribute(verdict.clause),
      '@time': verdict.ms / 1_000,
      ...conclusion(verdict, repeatCommand(header, scenario))
    }))
  }
}

function conclusion(verdict: VerdictRecord, again: string): Element {
  const { outcome, documented, observed, because } = verdict
  const element = elements[outcome]
  const story = [
    `documented: ${documented}`,
    `observed:   ${observed}`,
    `because:    ${because}`,
    `again:      ${again}`
  ].join('\n')
  if (!element) return { 'system-out': content(`${outcome}\n${story}`) }
  const message = element === 'failure' ? `${observed}; ${because}` : because
  if (element === 'skipped') return { skipped: { '@message': attribute(`${outcome}: ${message}`) } }
  return { [element]: { '@type': outcome, '@message': attribute(message), '#': content(story) } }
}
