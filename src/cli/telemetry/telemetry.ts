import type { Argv } from 'yargs'
import type { LoadObserver } from '../../engine/load-worker.ts'
import { oneLine } from '../../report/printable.ts'
import { Failure } from '../failure.ts'
import { demandPackages } from '../optional-packages.ts'
import { authoriseUrl } from '../targets/authorised-url.ts'
import type { Exporter } from './collector.ts'
import { createLoadMeters } from './load-meters.ts'
import type { SpanExporter } from './spans.ts'

/** Flags that say who else is told what loads come to. */
export type TelemetryFlags = {
  otlp?: string
  traces?: number
  prometheus?: number
  remoteWrite?: string
}

function asPort(value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value < 65_536)) return value
  throw new Error('--prometheus must be a port, from 0 to 65535; 0 is one that is free')
}

/** The share that a percentage of requests is. */
function asShare(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const percent = /^\d+(\.\d+)?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN
  if (percent > 0 && percent <= 100) return percent / 100
  throw new Error(`--traces must be a percentage above 0 and up to 100, such as 1; not "${value}"`)
}

/** Adds the flags by which others are told what loads come to. */
export function telemetryFlags<Given>(yargs: Argv<Given>): Argv<Given & TelemetryFlags> {
  return yargs
    .option('otlp', {
      type: 'string',
      requiresArg: true,
      describe: 'Tell an OpenTelemetry collector: http://127.0.0.1:4318'
    })
    .option('traces', {
      type: 'string',
      requiresArg: true,
      coerce: asShare,
      describe: 'With --otlp: send traceparent with so many in 100 requests, and tell the slowest'
    })
    .option('prometheus', {
      type: 'number',
      requiresArg: true,
      coerce: asPort,
      describe: 'Offer metrics on this port of loopback, for a Prometheus to scrape'
    })
    .option('remote-write', {
      type: 'string',
      requiresArg: true,
      describe: 'Write metrics to a Prometheus: http://127.0.0.1:9090/api/v1/write'
    }) as never
}

/** Ends the command for a URL with a password: what is wanted shown there has another place. */
function insistOnNoPassword(flag: string, url: string, variable: string): void {
  const { username = '', password = '', host } = URL.parse(url) ?? {}
  if (username === '' && password === '') return
  throw new Failure(
    `${flag}: the URL of ${host} holds a password, which would not be sent: put it into the ` +
      `environment, as ${variable}="authorization=Basic%20…"`
  )
}

/** Where whoever is to be told is; it needs leave as a target does. */
async function collectorOf(
  [flag, url]: readonly [flag: string, url: string],
  options: { authorisation: string }
) {
  const { route } = await authoriseUrl(url, options).catch((cause: Failure) => {
    throw new Failure(`${flag} ${cause.message}`, cause.code)
  })
  return { url, route }
}

/** One who is told, and how a note names it that did not take what it was told. */
type Opened = { exporter: Exporter; told: string }

/**
 * Has `work` hand what its loads come to on to whoever the flags name; without any, there is
 * nobody to hear it. `note` is told where it can be fetched. A collector needs leave as a target
 * does, and never decides how a command ends: what it did not take is a note.
 */
export async function withTelemetry<Result>(
  flags: TelemetryFlags & { authorisation: string },
  note: (text: string) => void,
  work: (observe: LoadObserver | undefined) => Promise<Result>
): Promise<Result> {
  const { otlp, traces, prometheus, remoteWrite } = flags
  if (traces !== undefined && otlp === undefined)
    throw new Failure('--traces needs a collector to tell: name it with --otlp')
  const flag = otlp !== undefined ? '--otlp' : remoteWrite !== undefined ? '--remote-write' : ''
  if (flag === '' && prometheus === undefined) return work(undefined)
  insistOnNoPassword('--otlp', otlp ?? '', 'OTEL_EXPORTER_OTLP_HEADERS')
  insistOnNoPassword('--remote-write', remoteWrite ?? '', 'PLIMSOLL_REMOTE_WRITE_HEADERS')
  demandPackages('telemetry', flag || '--prometheus')
  const meters = createLoadMeters()
  const opened: Opened[] = []
  let spans: SpanExporter | undefined
  try {
    if (otlp !== undefined) {
      const collector = await collectorOf(['--otlp', otlp], flags)
      const { openOtlp } = await import('./collector.ts')
      opened.push({
        exporter: openOtlp(meters, collector),
        told: `${otlp} did not take the metrics`
      })
      if (traces !== undefined) {
        spans = (await import('./spans.ts')).openSpans(collector)
        opened.push({ exporter: spans, told: `${otlp} did not take the traces` })
      }
    }
    if (remoteWrite !== undefined) {
      const collector = await collectorOf(['--remote-write', remoteWrite], flags)
      const { openRemoteWrite } = await import('./remote-write.ts')
      const exporter = openRemoteWrite(meters, collector)
      opened.push({ exporter, told: `${remoteWrite} did not take the metrics` })
    }
    if (prometheus !== undefined) {
      const { openPrometheus } = await import('./scraped-page.ts')
      opened.push({ exporter: await openPrometheus(meters, prometheus, note), told: '' })
    }
    return await work(observerOf(meters.observe, traces, spans))
  } finally {
    if (spans !== undefined) note(tracedText(spans))
    for (const { exporter, told } of opened) {
      const failure = await exporter.end()
      // It may hold what whoever was told answered.
      if (failure !== undefined) note(oneLine(`${told}: ${failure}`, 500))
    }
  }
}

/** What came of the traces: the slowest, or why there is none. */
function tracedText(spans: SpanExporter): string {
  const slowest = spans.slowest()
  if (slowest !== undefined) return `Slowest that was traced: ${slowest}`
  return (
    '--traces: no request was traced: too few were measured, or they have a traceparent of ' +
    'their own, or are messages over WebSockets'
  )
}

/** One who hears of loads for all that are told of them. */
function observerOf(
  observe: ReturnType<typeof createLoadMeters>['observe'],
  traced: number | undefined,
  spans: SpanExporter | undefined
): LoadObserver {
  return {
    traced,
    begin(destination, startAt) {
      const { see, end } = observe(destination)
      return {
        see,
        end(result) {
          end(result)
          spans?.tell(destination, startAt, result)
        }
      }
    }
  }
}
