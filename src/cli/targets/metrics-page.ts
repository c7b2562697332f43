import { Client } from 'undici'
import { createMeter } from '../../caps.ts'
import { clock } from '../../clock.ts'
import type { Figures } from '../../engine/soak-gauge.ts'
import { type Route, routeTo } from '../../route.ts'
import { connectorAlong } from '../../tunnel.ts'

/** One line of a metrics page. */
type Sample = { name: string; labels: string; value: number }

/** What well-known programs call what is followed here. */
const wellKnown: { figure: string; name: string; labels?: RegExp }[] = [
  { figure: 'rss', name: 'process_resident_memory_bytes' },
  { figure: 'heap', name: 'nodejs_heap_size_used_bytes' },
  { figure: 'heap', name: 'go_memstats_heap_inuse_bytes' },
  { figure: 'heap', name: 'jvm_memory_used_bytes', labels: /area="heap"/ },
  { figure: 'heap', name: 'dotnet_total_memory_bytes' },
  { figure: 'descriptors', name: 'process_open_fds' },
  { figure: 'threads', name: 'process_num_threads' },
  { figure: 'threads', name: 'go_threads' },
  { figure: 'threads', name: 'jvm_threads_current' }
]

const patienceMs = 2_000
const longestPageBytes = 16 * 1_048_576
const line = /^([a-zA-Z_:][\w:]*)(\{.*\})?\s+([^\s]+)(?:\s+-?\d+)?$/

function samplesIn(text: string): Sample[] {
  return text.split('\n').flatMap((content) => {
    const found = line.exec(content.trim())
    if (!found) return []
    const [, name, labels = '', value] = found
    return [{ name: name!, labels, value: Number(value) }]
  })
}

/** The sum of a metric over its labels; undefined when the page has none. */
function sumOf(samples: readonly Sample[], name: string, labels = /^/): number | undefined {
  const those = samples.filter((sample) => sample.name === name && labels.test(sample.labels))
  const sum = those.reduce((total, { value }) => total + value, 0)
  return those.length > 0 && Number.isFinite(sum) ? sum : undefined
}

/**
 * The figures on a page of metrics in Prometheus' text format: those known by everybody, under our
 * names for them, and the ones asked for under their own.
 */
export function figuresIn(text: string, asked: readonly string[]): Figures {
  const samples = samplesIn(text)
  const values: Record<string, number> = {}
  const own = asked.map((name) => ({ figure: name, name, labels: undefined }))
  for (const { figure, name, labels } of [...wellKnown, ...own]) {
    const value = figure in values ? undefined : sumOf(samples, name, labels)
    if (value !== undefined) values[figure] = value
  }
  const cpuSeconds = sumOf(samples, 'process_cpu_seconds_total')
  const began = sumOf(samples, 'process_start_time_seconds')
  return {
    values,
    ...(cpuSeconds !== undefined && { cpuUs: cpuSeconds * 1e6 }),
    ...(began !== undefined && { process: `since ${began}` })
  }
}

/** The names of all metrics on such a page. */
export function namesIn(text: string): string[] {
  return [...new Set(samplesIn(text).map(({ name }) => name))]
}

/** Who is asked for a page: whoever is there, or not; and where that leads. */
type Place = { insecure?: boolean; route?: Route }

/** The text of a page; undefined when it does not answer as it should, or sends on elsewhere. */
export async function pageAt(
  url: string,
  { insecure = false, route }: Place = {}
): Promise<string | undefined> {
  const { origin, pathname, search } = new URL(url)
  const place = route ?? routeTo(origin)
  const meter = place.caps && createMeter(place.caps)
  if (meter?.take(clock.now()) === false) return undefined
  const trust = { rejectUnauthorized: !insecure, timeout: patienceMs, allowH2: false }
  const client = new Client(origin, { connect: connectorAlong(place, trust) })
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const path = `${pathname}${search}`
    const { statusCode, body } = await client.request({ method: 'GET', path, signal })
    return statusCode === 200 ? await textOf(body) : undefined
  } catch {
    return undefined
  } finally {
    void client.destroy()
  }
}

/** What a page of metrics says now; undefined when it does not answer as it should. */
export async function readMetricsPage(
  url: string,
  asked: readonly string[],
  place: Place = {}
): Promise<Figures | undefined> {
  const text = await pageAt(url, place)
  return text === undefined ? undefined : figuresIn(text, asked)
}

/** A body as text; throws an Error for one that is longer than any page of metrics. */
async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > longestPageBytes) throw new Error('no page of metrics is as long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
