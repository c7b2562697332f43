import { check, summary } from 'plimsoll'
import type { Command, Outcome } from './_command.ts'
import { deployedOn } from './_stage.ts'
import { keptIn, type Store } from './_store.ts'

const kv = (call: string, ...args: unknown[]): Command => ({ do: 'kv', call, args })
const object = (call: string, ...args: unknown[]): Command => {
  return { do: 'object', call, args, body: 'text' }
}
const cache = (call: string, name: string, text?: string): Command => {
  return { do: 'cache', call, url: `http://plimsoll.test/${name}`, text, body: 'text' }
}
const named = (list: unknown, name: string) =>
  Array.isArray(list) ? list.map((one) => one[name]).sort() : undefined

/** What one stateful object keeps. */
function objectOf(object: string): Store {
  const stored = (call: string, ...args: unknown[]): Command => {
    return { do: 'state', name: object, of: { do: 'stored', call, args } }
  }
  return {
    put: (name, text) => stored('put', name, text),
    get: (name) => stored('get', name),
    delete: (name) => stored('delete', name),
    list: (prefix) => stored('list', { prefix }),
    textOf: ({ ok }) => ok?.ok ?? undefined,
    namesOf: ({ ok }) => named(ok?.ok, '0')
  }
}

/** Stores of the same kind for the same function, which have nothing in common. */
const others: Record<string, Store> = { 'stateful-objects': objectOf('another') }

/** Every service that keeps something for functions, by the last part of its clause. */
const stores: Record<string, Store> = {
  'key-value': {
    put: (name, text) => kv('put', name, text),
    get: (name) => kv('get', name),
    delete: (name) => kv('delete', name),
    list: (prefix) => kv('list', { prefix }),
    textOf: ({ ok }: Outcome) => ok ?? undefined,
    namesOf: ({ ok }) => named(ok?.keys, 'name')
  },
  'object-storage': {
    put: (name, text) => object('put', name, text),
    get: (name) => object('get', name),
    delete: (name) => object('delete', name),
    list: (prefix) => object('list', { prefix }),
    textOf: ({ ok }) => ok?.text,
    namesOf: ({ ok }) => named(ok?.objects, 'key')
  },
  cache: {
    put: (name, text) => cache('put', name, text),
    get: (name) => cache('match', name),
    delete: (name) => cache('delete', name),
    textOf: ({ ok }) => ok?.text
  },
  'stateful-objects': objectOf('plimsoll')
}

export default check({
  title: 'What a function puts into a service is what it gets, lists and deletes there',
  clauses: Object.keys(stores).map((name) => `functions.service.${name}`),
  needs: ['edge', 'probe'],
  // A service that never answers, where the function does, is no outage.
  expectedReplies: ['timeout'],
  async run(context) {
    const [[, probe], ...more] = await deployedOn(context, ['standard', 'bundled'])
    const other = more[0]?.[1] ?? (await deployedOn(context, ['standard'], { name: 'b' }))[0][1]
    // New to who keeps what an earlier run of this seed has stored.
    const prefix = `plimsoll-${crypto.randomUUID()}-`
    const asked = Object.entries(stores).map(async ([name, store]) => {
      const seen = summary(await keptIn(store, { probe, other, prefix, beside: others[name] }))
      if (seen) context.verify(`functions.service.${name}`, ...seen)
    })
    await Promise.all(asked)
  }
})
