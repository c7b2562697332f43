import type { Argv } from 'yargs'
import type { LoadObserver } from '../../engine/load-worker.ts'
import { Failure } from '../failure.ts'
import { demandPackages } from '../optional-packages.ts'
import { authoriseUrl } from '../targets/authorised-url.ts'
import type { Exporter } from './exporters.ts'
import { createLoadMeters } from './load-meters.ts'

/** Flags that say who else is told what loads come to. */
export type TelemetryFlags = { otlp?: string; prometheus?: number }

function asPort(value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value < 65_536)) return value
  throw new Error('--prometheus must be a port, from 0 to 65535; 0 is one that is free')
}

/** Adds the flags by which others are told what loads come to. */
export function telemetryFlags<Given>(yargs: Argv<Given>): Argv<Given & TelemetryFlags> {
  return yargs
    .option('otlp', {
      type: 'string',
      requiresArg: true,
      describe: 'Tell an OpenTelemetry collector: http://127.0.0.1:4318'
    })
    .option('prometheus', {
      type: 'number',
      requiresArg: true,
      coerce: asPort,
      describe: 'Offer metrics on this port of loopback, for a Prometheus to scrape'
    }) as never
}

/** Ends the command for a URL with a password: what a collector wants shown has another place. */
function insistOnNoPassword(url: string): void {
  const { username = '', password = '', host } = URL.parse(url) ?? {}
  if (username === '' && password === '') return
  throw new Failure(
    `--otlp: the URL of ${host} holds a password, which would not be sent: put it into the ` +
      'environment, as OTEL_EXPORTER_OTLP_HEADERS="authorization=Basic%20…"'
  )
}

/**
 * Has `work` hand what its loads come to on to whoever the flags name; without any, there is
 * nobody to hear it. `note` is told where it can be fetched. A collector needs leave as a target
 * does, and never decides how a command ends: what it did not take is a note.
 */
export async function withTelemetry<Result>(
  { otlp, prometheus, authorisation }: TelemetryFlags & { authorisation: string },
  note: (text: string) => void,
  work: (observe: LoadObserver | undefined) => Promise<Result>
): Promise<Result> {
  if (otlp === undefined && prometheus === undefined) return work(undefined)
  if (otlp !== undefined) insistOnNoPassword(otlp)
  demandPackages('telemetry', otlp === undefined ? '--prometheus' : '--otlp')
  const meters = createLoadMeters()
  const exporters: Exporter[] = []
  const { openOtlp, openPrometheus } = await import('./exporters.ts')
  try {
    if (otlp !== undefined) {
      const { route } = await authoriseUrl(otlp, { authorisation }).catch((cause: Failure) => {
        throw new Failure(`--otlp ${cause.message}`, cause.code)
      })
      exporters.push(openOtlp(meters, otlp, route))
    }
    if (prometheus !== undefined) exporters.push(await openPrometheus(meters, prometheus, note))
    return await work(meters.observe)
  } finally {
    for (const { end } of exporters) {
      const failure = await end()
      if (failure !== undefined) note(`${otlp} did not take the metrics: ${failure}`)
    }
  }
}
