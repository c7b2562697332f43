import type { Figures } from '../../engine/soak-gauge.ts'
import type { Route } from '../../route.ts'
import { orNearest } from '../../scenario/nearest.ts'
import { answerMetrics } from '../../verdict/drift-metric.ts'
import { Failure } from '../failure.ts'
import type { SoakFlags } from '../flags/soak-flags.ts'
import { figuresIn, namesIn, pageAt, readMetricsPage } from './metrics-page.ts'
import { figuresOf } from './process-usage.ts'

/** Both together; what the system says of the process stands before what it says of itself. */
function merged(told: Figures | undefined, seen: Figures | undefined): Figures | undefined {
  if (told === undefined || seen === undefined) return told ?? seen
  return { ...told, ...seen, values: { ...told.values, ...seen.values } }
}

type Named = Pick<SoakFlags, 'pid' | 'metricsUrl' | 'gauge' | 'insecure'>

/** Ends the command when what the flags name is not there to be read. */
export function insistOnProcess({ pid, metricsUrl, gauge }: Named): void {
  if (pid !== undefined && figuresOf(pid) === undefined) {
    throw new Failure(`--pid ${pid}: there is no such process, or this system does not tell of it`)
  }
  if (gauge.length > 0 && metricsUrl === undefined) {
    throw new Failure('--gauge names a metric of a page: give its --metrics-url')
  }
}

/**
 * Reads what the target tells of itself, from the process and the page that the flags name; `route`
 * is where that page is.
 */
export function figuresFrom(
  { pid, metricsUrl, gauge, insecure }: Named,
  route?: Route
): () => Promise<Figures | undefined> {
  return async () => {
    const told =
      metricsUrl === undefined
        ? undefined
        : await readMetricsPage(metricsUrl, gauge, { insecure, route })
    return merged(told, pid === undefined ? undefined : figuresOf(pid))
  }
}

/** Of a page with hundreds of metrics so many are named where none is like the one asked for. */
const mostNames = 20

/** What the page tells now; ends the command when there is none, or not what is to be followed. */
async function pageFigures({ metricsUrl: url, gauge, insecure }: Named, route?: Route) {
  if (url === undefined) return
  const text = await pageAt(url, { insecure, route })
  if (text === undefined) throw new Failure(`--metrics-url ${url}: no page of metrics is there`)
  const names = namesIn(text)
  if (names.length === 0) throw new Failure(`--metrics-url ${url}: that is no page of metrics`)
  const figures = figuresIn(text, gauge)
  const absent = gauge.find((name) => !Object.hasOwn(figures.values, name))
  if (absent !== undefined) {
    const like = orNearest(absent, names) || `; there are ${names.slice(0, mostNames).join(', ')}`
    throw new Failure(`--gauge ${absent} is no metric of ${url}${like}`)
  }
  return figures
}

/**
 * Ends the command when a metric that is to decide could never be read, which is better known now
 * than after hours; `names` are those that decide, and `route` is where the page is.
 */
export async function insistOnMetrics(
  names: readonly string[],
  flags: Named,
  route?: Route
): Promise<void> {
  const told = await pageFigures(flags, route)
  const seen = merged(told, flags.pid === undefined ? undefined : figuresOf(flags.pid))
  const own = answerMetrics.filter((name) => name !== 'cpu' || seen?.cpuUs !== undefined)
  const known = [...own, ...Object.keys(seen?.values ?? {})]
  const absent = names.filter((name) => !known.includes(name))
  if (absent.length === 0) return
  throw new Failure(
    `--metrics ${absent.join(', ')}: nothing tells of that; there are ${known.join(', ')}. ` +
      'More is told by --pid, --metrics-url and --gauge.'
  )
}
