import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { EventKind, FunctionSpec, Services } from '../isolate/contract.ts'
import { openIsolates } from '../isolate/isolates.ts'
import type { FunctionRules } from '../rules.ts'
import { running, wrapped } from './isolates.ts'

/** The runtime with services of which some do something else. */
function serving(otherwise: (honest: Services) => Partial<Services>): Override<FunctionRules> {
  return {
    openIsolates: ({ services, ...options }) =>
      openIsolates({ ...options, services: { ...services, ...otherwise(services) } })
  }
}

/** What keeps something for functions, by the last part of its clause: its name, and in words. */
const keepers = {
  'key-value': ['kv', 'The key-value store'],
  'object-storage': ['objects', 'The object storage'],
  cache: ['cache', 'The cache'],
  'stateful-objects': ['storage', 'The storage of stateful objects']
} as const

const forgetful = Object.entries(keepers).map(
  ([name, [service, words]]): Mutant<FunctionRules> => ({
    name: `${name}-deletes-nothing`,
    clause: `functions.service.${name}`,
    description: `${words} says that it deletes, and does not.`,
    change: serving(({ call }) => ({
      call: async (asked, caller) =>
        asked.service === service && asked.method === 'delete'
          ? { value: true }
          : call(asked, caller)
    }))
  })
)

const mute = Object.entries(keepers).map(
  ([name, [service, words]]): Mutant<FunctionRules> => ({
    name: `${name}-never-answers`,
    clause: `functions.service.${name}`,
    description: `${words} deletes, and never says so.`,
    change: serving(({ call }) => ({
      async call(asked, caller) {
        const result = await call(asked, caller)
        const isMute = asked.service === service && asked.method === 'delete'
        return isMute ? new Promise(() => {}) : result
      }
    }))
  })
)

/** Who takes the alarm of an object back takes those of all others back. */
function forgettingAlarms(): Override<FunctionRules> {
  const objects = new Map<string, unknown>()
  return serving(({ call }) => ({
    async call(asked, caller) {
      const isAlarm = asked.service === 'storage' && asked.method.endsWith('Alarm')
      if (isAlarm) objects.set(JSON.stringify(asked.args[0]), asked.args[0])
      if (isAlarm && asked.method === 'deleteAlarm')
        for (const object of objects.values()) await call({ ...asked, args: [object] }, caller)
      return call(asked, caller)
    }
  }))
}

/** Calls of a service that delete do so wherever something was kept under that name. */
function everywhere(service: string): Override<FunctionRules> {
  const stores = new Set<string>()
  return serving(({ call }) => ({
    async call(asked, caller) {
      if (asked.service !== service) return call(asked, caller)
      stores.add(asked.id)
      if (asked.method === 'delete')
        for (const id of stores) if (id !== asked.id) await call({ ...asked, id }, caller)
      return call(asked, caller)
    }
  }))
}

const farReaching = (['key-value', 'object-storage'] as const).map(
  (name): Mutant<FunctionRules> => ({
    name: `${name}-deletes-elsewhere`,
    clause: `functions.service.${name}`,
    description: `${keepers[name][1]} deletes what has the same name for other accounts, too.`,
    change: everywhere(keepers[name][0])
  })
)

const twice = (['scheduled', 'alarm', 'queue'] as const satisfies EventKind[]).map(
  (kind): Mutant<FunctionRules> => ({
    name: `${kind}-twice`,
    clause: `functions.event.${kind}`,
    description: `An event of the kind ${kind} starts its function twice.`,
    change: wrapped(({ invoke }) => ({
      invoke(spec, invocation) {
        if (invocation.kind === kind) invoke(spec, { ...invocation, id: `${invocation.id}2` })
        return invoke(spec, invocation)
      }
    }))
  })
)

/** Triggers start their function the first time that they are due, and are said to do so later. */
const onceOnly = wrapped(({ invoke }) => {
  const begun = new Map<string, ReturnType<typeof invoke>>()
  return {
    invoke(spec, invocation) {
      if (invocation.kind !== 'scheduled') return invoke(spec, invocation)
      const trigger = `${spec.id} ${invocation.cron}`
      const run = begun.get(trigger) ?? invoke(spec, invocation)
      begun.set(trigger, run)
      return run
    }
  }
})

/** Messages start the consumer that was met first, whosever queue they are of. */
const oneConsumer = wrapped(({ invoke }) => {
  let first: FunctionSpec | undefined
  return {
    invoke(spec, invocation) {
      if (invocation.kind !== 'queue') return invoke(spec, invocation)
      first ??= spec
      return invoke(first, invocation)
    }
  }
})

/** The function of each account that was met first. */
function firstMet() {
  const first = new Map<string, FunctionSpec>()
  return (spec: FunctionSpec) => {
    const met = first.get(spec.owner) ?? spec
    first.set(spec.owner, met)
    return met
  }
}

/** What can be wrong with how functions are met, and with what they do. */
export const serviceMutants: readonly Mutant<FunctionRules>[] = [
  ...forgetful,
  ...mute,
  ...farReaching,
  ...twice,
  {
    name: 'scheduled-once',
    clause: 'functions.event.scheduled',
    description: 'A trigger that is due again and again starts its function the first time only.',
    change: onceOnly
  },
  {
    name: 'alarm-taken-back-for-all',
    clause: 'functions.event.alarm',
    description: 'Who takes the alarm of one object back takes those of all others back.',
    change: forgettingAlarms()
  },
  {
    name: 'queue-consumed-elsewhere',
    clause: 'functions.event.queue',
    description: 'Messages start the consumer that was met first, whosever queue they are of.',
    change: oneConsumer
  },
  {
    name: 'stateful-objects-are-one',
    clause: 'functions.service.stateful-objects',
    description: 'All stateful objects of a class keep what they keep in one storage.',
    change: serving(({ call }) => ({
      call(asked, caller) {
        if (asked.service !== 'storage') return call(asked, caller)
        const [object, ...args] = asked.args
        return call({ ...asked, args: [{ ...object, id: 'one' }, ...args] }, caller)
      }
    }))
  },
  {
    name: 'fetch-fails',
    clause: 'functions.service.fetch',
    description: 'Every fetch of a function fails.',
    change: serving(() => ({ fetchTarget: async () => ({ refused: 'No.' }) }))
  },
  {
    name: 'answers-are-200',
    clause: 'functions.answer',
    description: 'Whatever status a function answers with becomes 200.',
    change: running(({ answer }) => {
      const said = answer.then((given) => ({ ...given, status: 200 }))
      said.catch(() => {})
      return { answer: said }
    })
  },
  {
    name: 'one-function-for-all',
    clause: 'functions.ways',
    description: 'Requests to any function of an account meet the one that was met there first.',
    change: wrapped(({ invoke }) => {
      const met = firstMet()
      return { invoke: (spec, invocation) => invoke(met(spec), invocation) }
    })
  }
]
