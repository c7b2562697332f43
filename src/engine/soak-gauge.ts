import type { Clock } from '../clock.ts'
import type { StretchFigures } from '../verdict/stretch.ts'

/** What a target tells of itself at one moment. */
export type Figures = {
  /** Memory, descriptors and whatever else it has, by name. */
  values: Record<string, number>
  /** Processor time spent so far. */
  cpuUs?: number
  /** Which process that is; another name is another process. */
  process?: string
}

/** Reads figures now and then. */
export type Gauge = {
  /** Reads them once more, and returns what they came to. */
  end(): Promise<StretchFigures>
}

/** The lowest values among what was read of the process that was there last. */
function lowest(seen: readonly Figures[]): Record<string, number> {
  const present = seen.at(-1)?.process
  const floors: Record<string, number> = {}
  for (const { values, process } of seen) {
    if (process !== present) continue
    for (const [name, value] of Object.entries(values)) {
      floors[name] = Math.min(floors[name] ?? Infinity, value)
    }
  }
  return floors
}

/** Processor time between the first and the last look at one and the same process. */
function spent(seen: readonly Figures[]): number | undefined {
  const [first, last] = [seen.at(0), seen.at(-1)]
  if (first?.cpuUs === undefined || last?.cpuUs === undefined) return
  return first.process === last.process ? last.cpuUs - first.cpuUs : undefined
}

/** Begins to read figures every so often; a moment at which nothing is told is passed over. */
export function createGauge(options: {
  figures: () => Promise<Figures | undefined>
  clock: Clock
  everyMs: number
}): Gauge {
  const { figures, clock, everyMs } = options
  const over = new AbortController()
  const seen: Figures[] = []
  const look = async () => {
    const found = await figures()
    if (found) seen.push(found)
  }
  const reading = (async () => {
    while (!over.signal.aborted) {
      await look()
      await clock.until(clock.now() + everyMs, over.signal)
    }
    await look()
  })()
  // What goes wrong in between is told at the end.
  reading.catch(() => {})
  return {
    async end() {
      over.abort()
      await reading
      const cpuUs = spent(seen)
      const process = seen.at(-1)?.process
      return {
        floors: lowest(seen),
        ...(process !== undefined && { process }),
        ...(cpuUs !== undefined && { cpuUs })
      }
    }
  }
}
