import { type Command, outcomesOf, series } from './_command.ts'
import type { Probe } from './_stage.ts'

/** The default cache and one of a name, as options of a call. */
const [unnamed, named] = [{}, { cache: 'plimsoll' }]

/** Every call of a cache. */
export const cacheCalls = ['put', 'match', 'delete'] as const

/** A call of each cache that a function has, in turn: of the default one, and of one of a name. */
export async function cachesOf(probe: Probe): Promise<(call: Command) => Command[]> {
  const url = `http://${probe.host}/plimsoll-named`
  const calls = cacheCalls.map((call) => ({ do: 'cache', call, url, ...named }))
  const outcomes = outcomesOf(await probe.ask(series(...calls)))
  const isThere = outcomes.length > 0 && outcomes.every(({ error }) => error === undefined)
  return (call) => (isThere ? [unnamed, named] : [unnamed]).map((cache) => ({ ...call, ...cache }))
}
