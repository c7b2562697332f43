import type { Figures } from '../engine/soak-gauge.ts'
import type { Route } from '../route.ts'
import { Failure } from './failure.ts'
import { readMetricsPage } from './metrics-page.ts'
import { figuresOf } from './process-usage.ts'
import type { SoakFlags } from './soak-flags.ts'

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
