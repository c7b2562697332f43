import { type Command, fetching } from './_command.ts'
import type { Probe } from './_stage.ts'

/** Calls of the probe, by the last part of the clause that has each take a connection. */
export type Calls = Record<string, Command>

/** Every call that counts, by its clause; none of them depends on what is stored. */
export function callsOf({
  probe,
  url,
  address
}: {
  probe: Probe
  url: string
  address: string
}): Calls {
  const cached = `http://${probe.host}/plimsoll-connections`
  const cache = (call: string) => ({ do: 'cache', call, url: cached })
  const kv = (call: string, ...args: string[]) => ({ do: 'kv', call, args })
  const object = (call: string, ...args: string[]) => ({ do: 'object', call, args })
  const queue = (call: string, args: unknown[]) => ({ do: 'queue', call, args })
  return {
    fetch: fetching(url),
    'kv-get': kv('get', 'plimsoll'),
    'kv-put': kv('put', 'plimsoll', 'v'),
    'kv-list': kv('list'),
    'kv-delete': kv('delete', 'plimsoll'),
    'cache-put': cache('put'),
    'cache-match': cache('match'),
    'cache-delete': cache('delete'),
    'object-list': object('list'),
    'object-get': object('get', 'plimsoll'),
    'object-put': object('put', 'plimsoll', 'v'),
    'object-delete': object('delete', 'plimsoll'),
    'object-head': object('head', 'plimsoll'),
    'queue-send': queue('send', ['plimsoll']),
    'queue-send-batch': queue('sendBatch', [[{ body: 'plimsoll' }]]),
    'tcp-socket': { do: 'socket', address, module: probe.socketModule }
  }
}
