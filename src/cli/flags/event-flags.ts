import type { Argv } from 'yargs'
import type { EventsAsked } from '../../load/events/events-asked.ts'
import { Failure } from '../failure.ts'
import { secondsOf } from './load-flags.ts'
import { whole } from './numbers.ts'

/** Flags that say how event streams are listened to. */
export type EventFlags = {
  events?: boolean
  until?: string
  tokens?: boolean
  reconnects?: number
}

/** Adds the flags of event streams. */
export function eventFlags<Given>(yargs: Argv<Given>): Argv<Given & EventFlags> {
  return yargs
    .option('events', {
      type: 'boolean',
      describe: 'Listen to the answer as an event stream (text/event-stream)'
    })
    .option('until', {
      ...{ type: 'string', requiresArg: true },
      describe: 'With --events: 20 (events), 10s (of listening), or the data of the last: [DONE]'
    })
    .option('tokens', { type: 'boolean', describe: 'With --events: each event is one token' })
    .option('reconnects', {
      ...{ type: 'number', requiresArg: true, coerce: whole('reconnects') },
      describe: 'With --events: go on so often where a stream broke off (Last-Event-ID)'
    }) as never
}

/** When a stream is complete: by a number of events, a duration, or data, which may be quoted. */
function completeAt(until: string): Pick<EventsAsked, 'until' | 'seconds'> {
  const quoted = /^"(.+)"$/s.exec(until)?.[1]
  if (quoted !== undefined) return { until: quoted }
  if (/^[1-9]\d*$/.test(until)) return { until: whole('until')(Number(until)) }
  if (/^[-+]?\d+$/.test(until))
    throw new Failure(`--until ${until} is no number of events: they are counted from 1 on`)
  if (/^[\d.]+(ms|s|m|h)/.test(until)) return { seconds: secondsOf('until')(until) }
  return { until }
}

/** How streams are listened to; undefined where answers are no streams. */
export function eventsOf({ events, until, tokens, reconnects }: EventFlags) {
  const given = { until, tokens: tokens || undefined, reconnects }
  const [stray] = Object.entries(given).filter(([, value]) => value !== undefined)
  if (events) {
    const when: Pick<EventsAsked, 'until' | 'seconds'> =
      until === undefined ? {} : completeAt(until)
    return { ...when, ...(tokens && { tokens }), ...(reconnects !== undefined && { reconnects }) }
  }
  if (stray === undefined) return
  throw new Failure(`--${stray[0]} is about event streams: give --events too`)
}
