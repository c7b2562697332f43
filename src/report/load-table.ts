import type { LostParts } from '../load/figures/lost-parts.ts'
import type { OwnFigure } from '../load/figures/own-metrics.ts'
import type { LoadSummary } from '../load/figures/summary.ts'
import { waitedText } from '../load/health/health.ts'
import type { Window } from '../load/health/live-counters.ts'
import type { Conclusion } from '../verdict/outcome.ts'
import type { WarmUp } from '../verdict/warm-up.ts'
import { answerWarnings } from './answer-warnings.ts'
import { legend } from './legend.ts'
import { oneLine } from './printable.ts'
import { grouped } from './quantity.ts'

/** Microseconds as people read them: `850 µs`, `1.23 ms`, `4.5 s`. */
export function latency(us: number | null): string {
  if (us === null) return '–'
  if (us < 1_000) return `${Math.round(us)} µs`
  const [value, unit] = us < 999_500 ? [us / 1_000, 'ms'] : [us / 1_000_000, 's']
  return `${Number(value.toPrecision(3))} ${unit}`
}

/** A whole number with thousands apart. */
function count(value: number): string {
  return grouped(Math.round(value))
}

/** How a load goes just now, on one line, with its tally so far; `of` is how long it may go on. */
export function loadLine(
  window: Window,
  soFar: Pick<Window, 'failed' | 'dropped'> = window,
  of?: string
): string {
  const seconds = (window.toMs - window.fromMs) / 1_000
  const percentiles = [50, 99].map((at) => `p${at} ${latency(window.percentileUs(at))}`)
  const isWarmUp = window.finished > 0 && window.measured === 0
  return [
    `${(window.toMs / 1_000).toFixed(0).padStart(4)} s${of === undefined ? '' : ` of ${of}`}`,
    `${count(window.finished / seconds)}/s`,
    `${count(window.inFlight)} in flight`,
    ...(isWarmUp ? ['warm-up, not measured'] : percentiles),
    `${count(soFar.failed)} failed`,
    `${count(soFar.dropped)} dropped`
  ].join('   ')
}

const columns = ['p50', 'p90', 'p95', 'p99', 'p999', 'max', 'mean'] as const

function row(name: string, cells: readonly string[], width = widths.usual): string {
  return `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(10)).join('')}`
}

/** How wide the names of a table are; those of streams' metrics are longer. */
const widths = { usual: 11, own: 20 }

/**
 * What streams and a scenario recorded, a line for each metric: those in milliseconds as latencies,
 * the others as they are.
 */
function ownLines(own: Record<string, OwnFigure>): string[] {
  const names = [...new Set(Object.keys(own).map((name) => name.split(' ', 1)[0]!))]
  const table: string[] = []
  const others: string[] = []
  for (const name of names) {
    if (own[`${name} p50`]?.unit === 'ms') {
      const cells = columns.map((column) => {
        const figure = own[`${name} ${column}`]
        return latency(figure === undefined ? null : figure.value * 1_000)
      })
      table.push(row(name, cells, widths.own))
      continue
    }
    const figures = Object.entries(own).filter(([full]) => full.split(' ', 1)[0] === name)
    const told = figures.map(([full, { value, unit }]) => {
      const statistic = full.slice(name.length + 1)
      const said = `${grouped(Number(value.toPrecision(4)))} ${unit}`
      return statistic === '' || statistic === 'per second' ? said : `${statistic} ${said}`
    })
    others.push(`  ${name.padEnd(widths.own)}${told.join(', ')}`)
  }
  return [...table, ...others]
}

/** What to do about a beginning that was slower than the rest. */
function warmUpLine({ untilMs, p50Us, laterUs }: WarmUp): string {
  const until = `${(untilMs / 1_000).toFixed(1)} s`
  return (
    `  warm-up     median ${latency(p50Us)} until ${until}, then ${latency(laterUs)}; ` +
    `--warm-up ${Math.ceil(untilMs / 1_000)}s leaves that out`
  )
}

/** What was heard of those who were lost. */
function toldLine({ parts, begun, finished, failed, response: { p50, p99 } }: LostParts): string {
  const whom = parts === 1 ? 'one that was' : `${parts} that were`
  return (
    `  ${whom} lost had told: ${count(finished)} of ${count(begun)} requests ended, ` +
    `${count(failed)} failed, p50 ${latency(p50)}, p99 ${latency(p99)}`
  )
}

/** What a load comes to by its objectives, below its table; empty where it had none. */
export function objectiveLines({ outcome, because }: Conclusion, objectives: string): string {
  if (objectives === '') return ''
  const said: Partial<Record<Conclusion['outcome'], string>> = {
    pass: 'every one is met',
    // The table has said why.
    error: 'the generator was at fault, which says nothing of the target'
  }
  const met = said[outcome] ?? because
  return `  objectives  ${objectives}\n  ${legend[outcome].mark} ${outcome.padEnd(14)}${met}\n`
}

/** What of a figure may be the generator's doing, where that is worth a word. */
function boundFacts({ generator, response }: LoadSummary): [string, string][] {
  const { bounds = {}, waitShare = 0, standstillShare, valid } = generator
  const [low, high] = bounds.p99 ?? []
  const late: [string, string][] =
    low === undefined || response.p99 === null
      ? []
      : [['bounds', `p99 between ${latency(low)} and ${latency(high!)}: arrivals were late`]]
  const waited = `the generator ${waitedText(waitShare, standstillShare)}`
  return valid && waitShare >= notableWait ? [...late, ['machine', waited]] : late
}

/** What sent, unless what was spoken says it; loads that were kept long ago do not tell. */
const byTransport = (transport = '') =>
  transport === '' || transport === 'http2' ? '' : `, by ${transport}`

/** What came that no request waited for, in words. */
const unwaited = (many: number, protocol: string) =>
  `${count(many)} ${protocol === 'WebSocket' ? 'messages' : 'responses'} no request waited for`

/** Waiting for less than this share of the time is usual. */
const notableWait = 0.05

/** What a load came to, as a table for people; without latencies when the run was invalid. */
export function loadTable(summary: LoadSummary & { warmUp?: WarmUp; still?: string }): string {
  const { requests, rps, durationMs, generator } = summary
  const lines = [
    `${count(requests)} requests in ${(durationMs / 1_000).toFixed(1)} s, ${count(rps)} a second`,
    ''
  ]
  if (summary.unanswered !== undefined) {
    lines.push(`  Blocked: ${summary.unanswered}.`)
  } else if (generator.valid) {
    const own = ownLines(summary.own ?? {})
    const width = own.length > 0 ? widths.own : widths.usual
    lines.push(row('', [...columns], width))
    for (const name of ['response', 'service', 'firstByte', 'connect'] as const) {
      const cells = columns.map((column) => latency(summary[name][column]))
      if (summary[name].p50 !== null) lines.push(row(name, cells, width))
    }
    lines.push(...own)
  } else {
    lines.push('  This run is invalid: the generator, not the target, made its figures.')
    for (const reason of generator.reasons) lines.push(`  - ${reason}`)
  }
  if (summary.told) lines.push(toldLine(summary.told))
  lines.push('', ...loadFacts(summary).map(([name, text]) => `  ${name.padEnd(12)}${text}`))
  if (summary.still) lines.push(`  ${'waited'.padEnd(12)}${summary.still}`)
  if (summary.warmUp) lines.push(warmUpLine(summary.warmUp))
  return lines.join('\n')
}

/** What there is to say of a load besides its latencies, thing by thing. */
export function loadFacts(summary: LoadSummary): [name: string, text: string][] {
  const { errors, timeouts, dropped, generator, connections } = summary
  const failures = Object.entries({ ...errors, timeouts, dropped }).filter(([, many]) => many > 0)
  const failed = failures.map(([name, many]) => `${count(many)} ${name}`).join(', ')
  const { eventLoopUtilization, lagP99Us, cpuUsPerRequest } = generator
  const { unsolicited = 0 } = connections
  // What a target said of it may be anything.
  const ends = Object.entries(connections.ends ?? {}).map(
    ([how, many]) => `${count(many)} ${oneLine(how, 100)}`
  )
  const spoken = `${connections.protocol || 'none answered'}${byTransport(connections.transport)}`
  const facts: [string, string][] = [['failures', failed || 'none']]
  if (ends.length > 0) facts.push(['ended by', ends.join(', ')])
  if (unsolicited > 0) facts.push(['unsolicited', unwaited(unsolicited, connections.protocol)])
  for (const text of answerWarnings(summary)) facts.push(['answers', text])
  facts.push(['connections', `${count(connections.opened)} opened, ${spoken}`])
  // A load that was kept long ago does not tell.
  if (eventLoopUtilization !== undefined) {
    const busiest = `busiest event loop ${(eventLoopUtilization * 100).toFixed(0)} %`
    const cost = `${cpuUsPerRequest} µs of CPU a request`
    facts.push(['generator', `${cost}, lag p99 ${latency(lagP99Us)}, ${busiest}`])
  }
  return [...facts, ...boundFacts(summary)]
}
