import type { Value } from './history.ts'
import { deploymentOf, keys, type Stage } from './stage.ts'
import { type Answer, type Ask, accepted } from './wire.ts'

/**
 * State that is what was written last, by key. A read of something that is neither before nor
 * after a write says so in its value, which nobody has written.
 */
export type Register = {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  /** The key of a client's next operation: shared ones, its own, or a fresh one each time. */
  keyOf: (choice: Choice) => string
  /** The value of the n-th write of all, as it is read; the number itself unless said. */
  nameOf?: (number: number) => string
  /** What must be there before a key can be written, and is no part of its history. */
  prepare?: (ask: Ask, key: string) => Promise<void>
  write: (ask: Ask, key: string, value: string) => Promise<void>
  read: (ask: Ask, key: string) => Promise<Value>
  remove?: (ask: Ask, key: string) => Promise<void>
  /** Whether what was written may be gone at any time, as in a cache. */
  mayForget?: boolean
}

type Choice = { client: number; number: number; chance: number }

const shared = ({ chance }: Choice) => keys[Math.floor(chance * keys.length)]!
const own = ({ client }: Choice) => `c${client}`
const fresh = ({ number }: Choice) => `n${number}`

/** All registers of a platform that was set up. */
export function registersOf(stage: Stage): Register[] {
  return [
    policies(stage),
    settings(stage),
    detections(stage),
    jobs(stage),
    migrations(),
    deployed(stage, 'functions'),
    deployed(stage, 'variables'),
    service(stage, { name: 'key-value', path: 'kv', weight: 4 }),
    service(stage, { name: 'objects', path: 'objects', weight: 6, fill: 40_000 }),
    service(stage, { name: 'stateful storage', path: 'storage', weight: 3 }),
    { ...service(stage, { name: 'caches', path: 'caches', weight: 3 }), mayForget: true }
  ]
}

/** A policy by the beginning of its description; each client has one of its own. */
function policies({ zones }: Stage): Register {
  const path = `/zones/${zones.pro}/page_shield/policies`
  const at = 'management'
  const find = async (ask: Ask, key: string) =>
    accepted(await ask({ at, path }))
      .json()
      .result.filter(({ description }: any) => description.startsWith(`${key} `))
  return {
    ...{ name: 'policies', weight: 3, keyOf: own },
    async write(ask, key, value) {
      const description = `${key} ${value}`
      const policy = { description, action: 'log', enabled: true, expression: 'false' }
      const body = { ...policy, value: "script-src 'self'" }
      const [found] = await find(ask, key)
      accepted(
        found
          ? await ask({ at, method: 'PUT', path: `${path}/${found.id}`, body })
          : await ask({ at, method: 'POST', path, body })
      )
    },
    async read(ask, key) {
      const found = await find(ask, key)
      if (found.length > 1) return `${found.length} of one policy`
      return found[0]?.description.slice(key.length + 1)
    },
    async remove(ask, key) {
      for (const { id } of await find(ask, key))
        accepted(await ask({ at, method: 'DELETE', path: `${path}/${id}` }))
    }
  }
}

/** A zone's settings, of which there are eight different ones. */
function settings({ zones }: Stage): Register {
  const path = `/zones/${zones.business}/page_shield`
  const at = 'management'
  const names = ['enabled', 'use_service_reporting_endpoint', 'use_connection_url_path']
  return {
    ...{ name: 'settings', weight: 2, keyOf: () => 'zone' },
    nameOf: (number) => (number % 8).toString(2).padStart(3, '0'),
    async write(ask, _, value) {
      const body = Object.fromEntries(names.map((name, index) => [name, value[index] === '1']))
      accepted(await ask({ at, method: 'PUT', path, body }))
    },
    async read(ask) {
      const { result } = accepted(await ask({ at, path })).json()
      return names.map((name) => Number(result[name])).join('')
    }
  }
}

/** Detections, which are added once each. */
function detections({ zones }: Stage): Register {
  const idOf = (key: string) => `d${key.slice(1)}`
  return {
    ...{ name: 'detections', weight: 2, keyOf: fresh },
    async write(ask, key, value) {
      const body = { scripts: [{ id: idOf(key), url: `https://cdn.test/${value}` }] }
      const path = `/zones/${zones.free}/detections`
      accepted(await ask({ at: 'control', method: 'POST', path, body }))
    },
    async read(ask, key) {
      const path = `/zones/${zones.free}/page_shield/scripts/${idOf(key)}`
      const answer = accepted(await ask({ at: 'management', path }), 404)
      return answer.status === 404 ? undefined : answer.json().result.url.split('/').at(-1)
    }
  }
}

/** The names of log-push jobs. */
function jobs(stage: Stage): Register {
  const pathOf = (key: string) => `/zones/${stage.zones.enterprise}/logpush/jobs/${stage.jobs[key]}`
  return {
    ...{ name: 'log-push jobs', weight: 2, keyOf: shared },
    async write(ask, key, name) {
      const asking = { method: 'PUT', path: pathOf(key), body: { name } }
      accepted(await ask({ at: 'management', ...asking }))
    },
    async read(ask, key) {
      const { result } = accepted(await ask({ at: 'management', path: pathOf(key) })).json()
      return result.name === 'none' ? undefined : result.name
    }
  }
}

/** A migration is done once a zone; read as done, as not done, or as what is wrong with it. */
function migrations(): Register {
  const places = new Map<string, string>()
  const configs = new Map<string, object>()
  const update = 'rulesets/phases/http_request_firewall_managed/entrypoint'
  return {
    ...{ name: 'WAF migrations', weight: 1, keyOf: fresh, nameOf: () => 'complete' },
    async prepare(ask, key) {
      const made = { at: 'control', method: 'POST', path: '/zones', body: { plan: 'pro' } } as const
      const path = `/zones/${accepted(await ask(made)).json().id}`
      const patch = async (what: string, body: object) =>
        accepted(await ask({ at: 'control', method: 'PATCH', path: `${path}/${what}`, body }))
      await patch('waf-migration', { completionMs: 0 })
      await patch('previous-waf', { enabled: true })
      const config = `${path}/waf_migration/config?phase_two=1`
      configs.set(key, accepted(await ask({ at: 'management', path: config })).json().result)
      places.set(key, path)
    },
    async write(ask, key) {
      const path = `${places.get(key)}/${update}?waf_migration=pending&phase_two=1`
      accepted(await ask({ at: 'management', method: 'PUT', path, body: configs.get(key)! }))
    },
    async read(ask, key) {
      const path = places.get(key)!
      const get = (what: string) => ask({ at: 'management', path: `${path}/${what}` })
      const { result } = accepted(await get('waf_migration/status')).json()
      const { status } = accepted(await get('firewall/waf/packages'), 410)
      const seen = [result.migration_state, result.old_waf_status, result.new_waf_status, status]
      if (seen.join() === 'start,on,off,200') return undefined
      return seen.join() === 'complete,off,on,410' ? 'complete' : seen.join()
    }
  }
}

/** What a function answers, which its module says or its variable. */
function deployed(stage: Stage, name: string): Register {
  return {
    ...{ name, weight: 1, keyOf: () => name },
    async write(ask, key, value) {
      const body = { name: key, main: 'main.js', ...deploymentOf(key, value) }
      const path = `/accounts/${stage.account}/functions`
      accepted(await ask({ at: 'control', method: 'POST', path, body }))
    },
    async read(ask, key) {
      const { text } = accepted(await ask({ at: 'edge', path: '/', host: stage.functions[key]! }))
      const [module, variable] = text.split(' ')
      if (module !== variable) return text
      return module === 'none' ? undefined : module
    }
  }
}

/** What a service to functions keeps; `fill` more bytes at most make some values longer. */
function service(
  { services: host }: Stage,
  { name, path, weight, fill = 0 }: { name: string; path: string; weight: number; fill?: number }
): Register {
  const filled = (value: string) => `${value} ${'x'.repeat((Number(value) * 7_919) % (fill + 1))}`
  const at = (key: string) => ({ at: 'edge', path: `/${path}/${key}`, host }) as const
  const valueIn = ({ status, text }: Answer) => {
    if (status === 404) return undefined
    const value = text.split(' ')[0]!
    return text === filled(value) ? value : `a part of ${value}`
  }
  return {
    ...{ name, weight, keyOf: shared },
    async write(ask, key, value) {
      accepted(await ask({ ...at(key), method: 'PUT', body: filled(value) }))
    },
    read: async (ask, key) => valueIn(accepted(await ask(at(key)), 404)),
    async remove(ask, key) {
      accepted(await ask({ ...at(key), method: 'DELETE' }))
    }
  }
}
