import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { InvocationRecord } from '../isolate/contract.ts'
import type { FunctionRules } from '../rules.ts'
import { functionRules } from '../rules.ts'
import { running } from './isolates.ts'

type Limited = {
  /** What the names of its mutants begin with. */
  name: string
  clause: string
  /** What is limited, in words: `routes of a zone`. */
  words: string
  low: number
  high: number
  limited(value: number): Override<FunctionRules['limits']>
}

/** A number of the document that is one too low, or too high, or clearly so where it is a band. */
function numberMutants({
  name,
  clause,
  words,
  low,
  high,
  limited
}: Limited): Mutant<FunctionRules>[] {
  const change = (value: number) => ({ limits: limited(value) })
  const said = (value: number) => value.toLocaleString('en')
  return [
    {
      name: `${name}-too-low`,
      clause,
      description: `The limit of ${words} is ${said(low)}.`,
      change: change(low)
    },
    {
      name: `${name}-too-high`,
      clause,
      description: `The limit of ${words} is ${said(high)}.`,
      change: change(high)
    }
  ]
}

/** The limits that differ between the free plan and those that are paid for. */
const classMutants = (['free', 'paid'] as const).flatMap((paid) => {
  const values = { free: [64, 1_000_000, 100, 5], paid: [128, 10_000_000, 500, 250] }[paid]
  const [variables, bytes, functions, triggers] = values as [number, number, number, number]
  const around = (value: number) => ({ low: value - 1, high: value + 1 })
  return [
    ...numberMutants({
      name: `variables-${paid}`,
      clause: `limits.function.env-vars.${paid}`,
      words: `variables of a function (${paid})`,
      ...around(variables),
      limited: (value) => ({ variables: { [paid]: value } })
    }),
    ...numberMutants({
      name: `variable-size-${paid}`,
      clause: `limits.function.env-var-size.${paid}`,
      words: `bytes of a variable (${paid})`,
      low: 4_999,
      high: 5_121,
      limited: (value) => ({ variableBytes: { [paid]: value } })
    }),
    ...numberMutants({
      name: `function-size-${paid}`,
      clause: `limits.function.size.${paid}`,
      words: `bytes of a compressed function (${paid})`,
      low: 0.9 * bytes,
      high: 1.2 * bytes,
      limited: (value) => ({ compressedBytes: { [paid]: value } })
    }),
    ...numberMutants({
      name: `function-startup-${paid}`,
      clause: `limits.function.startup.${paid}`,
      words: `milliseconds to start (${paid})`,
      low: 240,
      high: 700,
      limited: (value) => ({ startupMs: { [paid]: value } })
    }),
    ...numberMutants({
      name: `functions-${paid}`,
      clause: `limits.account.functions.${paid}`,
      words: `functions of an account (${paid})`,
      ...around(functions),
      limited: (value) => ({ functions: { [paid]: value } })
    }),
    ...numberMutants({
      name: `triggers-${paid}`,
      clause: `limits.account.scheduled-triggers.${paid}`,
      words: `scheduled triggers of an account (${paid})`,
      ...around(triggers),
      limited: (value) => ({ triggers: { [paid]: value } })
    })
  ]
})

const routeMutants = [
  ...numberMutants({
    name: 'routes-of-a-zone',
    clause: 'limits.routes.per-zone',
    words: 'routes of a zone',
    low: 999,
    high: 1_001,
    limited: (routesPerZone) => ({ routesPerZone })
  }),
  ...numberMutants({
    name: 'zones-of-a-function',
    clause: 'limits.routes.zones-per-function',
    words: 'zones of a function',
    low: 999,
    high: 1_001,
    limited: (zonesPerFunction) => ({ zonesPerFunction })
  })
]

/** What is told of an event in place of that it used too much memory. */
function thrown(told: InvocationRecord): InvocationRecord {
  const isTold = told.kind === 'fetch' || told.outcome !== 'exceededMemory'
  return isTold ? told : { ...told, outcome: 'exception' }
}

const triggersOfAll = `FROM function_trigger
  JOIN function ON function.id = function_trigger.function WHERE account = ?`

/** What can be wrong with deploying functions, and with what leads from one to another. */
export const functionMutants: readonly Mutant<FunctionRules>[] = [
  ...classMutants,
  ...routeMutants,
  {
    name: 'secrets-not-counted',
    clause: 'limits.function.env-vars.secret-and-text-combined',
    description: 'Only text variables count toward the limit of variables.',
    change: { variables: ({ env }) => Object.values(env) }
  },
  {
    name: 'variables-counted-by-account',
    clause: 'limits.function.env-vars.no-account-limit',
    description: 'The limit of variables is one for all functions of an account together.',
    change: {
      variables: (deployment, others, account) =>
        [deployment, ...others()].flatMap((each) =>
          functionRules.variables(each, () => [], account)
        )
    }
  },
  {
    name: 'function-size-uncompressed',
    clause: 'limits.function.size.free',
    description: 'On the free plan a function is measured as it is before compression.',
    change: {
      sizeOf: ({ compressed, plain }, plan) => (plan === 'free' ? plain : compressed)
    }
  },
  {
    name: 'triggers-counted-by-function',
    clause: 'limits.account.scheduled-triggers.free',
    description: 'On the free plan each function may have as many triggers as its account.',
    change: {
      triggersOf: (store, target, plan) =>
        plan === 'free'
          ? store.all('SELECT 1 FROM function_trigger WHERE function = ?', target.id).length
          : functionRules.triggersOf(store, target, plan)
    }
  },
  {
    name: 'triggers-counted-by-schedule',
    clause: 'limits.account.scheduled-triggers.free',
    description: 'On the free plan a schedule of several functions counts once.',
    change: {
      triggersOf: (store, target, plan) =>
        plan === 'free'
          ? store.all(`SELECT DISTINCT cron ${triggersOfAll}`, target.account).length
          : functionRules.triggersOf(store, target, plan)
    }
  },
  {
    name: 'same-zone-fetch-allowed',
    clause: 'error.same-zone-fetch-fails',
    description: 'A global fetch reaches another function on a route of the same zone.',
    change: { sameZone: { route: 'allow' } }
  },
  {
    name: 'custom-domain-fetch-refused',
    clause: 'error.custom-domain-fetch-allowed',
    description: 'A global fetch to a function on a custom domain of the same zone fails.',
    change: { sameZone: { domain: 'refuse' } }
  },
  {
    name: 'service-bindings-lead-nowhere',
    clause: 'subrequests.service-bindings',
    description: 'A request through a service binding fails.',
    change: { serviceBindings: 'refuse' }
  },
  {
    name: 'memory-status-unnamed',
    clause: 'error.exceeded-memory-status',
    description: 'An invocation that used too much memory is said to have thrown an exception.',
    change: { statuses: { exceededMemory: functionRules.statuses.exception } }
  },
  {
    name: 'memory-status-of-events-unnamed',
    clause: 'error.exceeded-memory-status',
    description: 'An event that used too much memory is said to have thrown an exception.',
    change: running(({ record }) => ({ record: record.then(thrown) }))
  }
]
