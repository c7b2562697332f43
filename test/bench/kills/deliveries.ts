import type { Inbox } from '../../../src/servers/sink.ts'
import type { Stage } from './stage.ts'
import { type Ask, accepted } from './wire.ts'

/** Things that are handed over once and arrive at least once, by name. */
export type Delivery = {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  send: (ask: Ask, name: string) => Promise<void>
  /** All that have arrived by now. */
  arrived: (ask: Ask) => Promise<Set<string>>
}

/** All deliveries of a platform that was set up; `records` is where its log-push job sends to. */
export function deliveriesOf(stage: Stage, records: Inbox): Delivery[] {
  return [
    logged(stage, records),
    done(stage, { name: 'queues', deed: 'send', weight: 3 }),
    done(stage, { name: 'alarms', deed: 'alarm', weight: 2 })
  ]
}

/** Requests to the edge, each of which is a record of a log-push job. */
function logged({ zones, hosts }: Stage, inbox: Inbox): Delivery {
  return {
    ...{ name: 'log-push records', weight: 4 },
    async send(ask, name) {
      accepted(await ask({ at: 'edge', path: `/echo?${name}`, host: hosts.pro! }))
    },
    async arrived(ask) {
      const path = `/zones/${zones.pro}/logpush/deliver`
      accepted(await ask({ at: 'control', method: 'POST', path, body: {} }))
      return new Set(
        inbox.records().map((record) => String(record.ClientRequestURI).split('?')[1]!)
      )
    }
  }
}

/** What a function was to do later, and has written down when it did. */
function done(
  { services: host }: Stage,
  { name, deed, weight }: { name: string; deed: string; weight: number }
): Delivery {
  return {
    ...{ name, weight },
    async send(ask, one) {
      accepted(await ask({ at: 'edge', path: `/${deed}/${one}`, host }))
    },
    async arrived(ask) {
      return new Set(accepted(await ask({ at: 'edge', path: `/done/${deed}`, host })).json())
    }
  }
}
