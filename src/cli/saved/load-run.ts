import { cpus } from 'node:os'
import type { Sent } from '../../engine/send-load.ts'
import { summary } from '../../load/figures/summary.ts'
import type { Load } from '../../load/load.ts'
import type { Header, VerdictRecord } from '../../report/record.ts'
import { judge } from '../../verdict/judge.ts'
import { type Objectives, objectivesText, slowerThan } from '../../verdict/judge-load.ts'
import { version } from '../version.ts'
import { footerOf } from './footer.ts'
import type { Journal } from './journal.ts'
import { eventRecords, loadRecords } from './load-records.ts'
import type { WindowSeries } from './load-windows.ts'

/** The machine that measures, as a header tells it. */
export function hostOf(): Header['host'] {
  const [first] = cpus()
  return { cpu: first?.model ?? 'unknown', cores: cpus().length, node: process.version }
}

/** What was said of a run, as a header tells it; nothing where nothing was. */
export function tagsOf(tags: Header['tags'] = {}): Pick<Header, 'tags'> {
  return Object.keys(tags).length > 0 ? { tags } : {}
}

/** The first line of what `load` keeps: a run without a document, of one URL. */
export function loadHeader(given: {
  url: string
  seed: number
  command: string[]
  agents?: Header['agents']
  tags?: Header['tags']
}): Header {
  const { url, seed, command, agents, tags } = given
  return {
    t: 'header',
    schema: 'plimsoll/1',
    tool: `plimsoll@${version}`,
    ...{ seed, startedAt: new Date().toISOString() },
    target: { name: url, endpoints: {} },
    document: { sha256: '', clauses: 0 },
    host: hostOf(),
    ...{ scenarios: [url], command, agents },
    ...tagsOf(tags)
  }
}

/** What a load on a URL comes to by its objectives, with all that it takes to judge it again. */
export function loadVerdict(url: string, objectives: Objectives, sent: Sent): VerdictRecord {
  const { result, broken, silence } = sent
  const measured = summary(result)
  const slower = slowerThan(objectives, result)
  const own = { broken, slower, silence }
  const evidence = { kind: 'load' as const, objectives, summary: measured, ...own }
  const claim = { clause: url, documented: objectivesText(objectives) || 'no objective' }
  const ms = Math.round(measured.durationMs)
  return { t: 'verdict', scenario: url, ...claim, ...judge(evidence, claim), evidence, ms }
}

/** Writes what a load came to, and the last line. */
export function keepLoad(
  journal: Journal,
  parts: {
    header: Header
    verdict: VerdictRecord
    load: Load
    sent: Sent
    series: WindowSeries
    complete: boolean
    ms: number
  }
): void {
  const { header, verdict, load, sent, series, complete, ms } = parts
  const windows = series.records(verdict.scenario)
  for (const record of windows) journal.write(record)
  for (const record of eventRecords(verdict.scenario, load, sent.result)) journal.write(record)
  const { toMs } = windows.at(-1) ?? { toMs: 0 }
  const stopped = { kind: 'stop', fromMs: toMs, toMs, text: 'somebody ended it' } as const
  if (!complete) journal.write({ t: 'event', scenario: verdict.scenario, ...stopped })
  for (const record of loadRecords(verdict.scenario, sent.result)) journal.write(record)
  journal.write(verdict)
  journal.write(footerOf({ header, verdicts: [verdict], complete, ms }))
}
