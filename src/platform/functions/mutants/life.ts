import type { Mutant } from '../../kernel/mutant.ts'
import { limitsOn } from '../limits-on.ts'
import { functionPlans } from '../plan.ts'
import { refusal } from '../refusal.ts'
import type { FunctionRules } from '../rules.ts'
import { entangled, running, unaware, untilAtMost, versionedBy, wrapped } from './isolates.ts'
import { failing, inCharacters, masked, withoutExceptions, withoutRequests } from './transcript.ts'

const minuteMs = 60_000
const mebibyte = 1_048_576

/** The columns of the document's tables, with the plans that are in them. */
const columns = {
  free: ['free'],
  bundled: ['bundled'],
  'unbound-standard': ['unbound', 'standard']
}

/** The same for all plans of a column. */
function onPlans<Value>(column: string, value: Value): Record<string, Value> {
  const those = columns[column as keyof typeof columns]
  const plans = functionPlans.filter((plan) => those.includes(plan))
  return Object.fromEntries(plans.map((plan) => [plan, value]))
}

const memory = Object.keys(columns).flatMap((column): Mutant<FunctionRules>[] => {
  const clause = `limits.runtime.memory.${column}`
  return [
    {
      name: `memory-${column}-unlimited`,
      clause,
      description: `An instance uses up to 1 GB of memory (${column}).`,
      change: { limits: { memoryBytes: onPlans(column, 1_024 * mebibyte) } }
    },
    {
      name: `memory-${column}-72`,
      clause,
      description: `An instance uses up to 72 MB of memory (${column}).`,
      change: { limits: { memoryBytes: onPlans(column, 72 * mebibyte) } }
    },
    {
      name: `memory-${column}-32`,
      clause,
      description: `An instance uses up to 32 MB of memory (${column}).`,
      change: { limits: { memoryBytes: onPlans(column, 32 * mebibyte) } }
    },
    {
      name: `memory-${column}-without-buffers`,
      clause,
      description: 'What is outside of the heap is not counted as memory.',
      change: { isolate: { buffersCount: false } }
    }
  ]
})

const takenForFull: Mutant<FunctionRules> = {
  name: 'memory-of-who-does-not-answer',
  clause: 'limits.runtime.memory.unbound-standard',
  description: 'Who is in one operation for long is taken for one that uses too much memory.',
  change: { isolate: { unreadableBytes: -Infinity } }
}

const cpuLimits = [
  ['free', 'fetch', 'limits.runtime.cpu.free', 1, 4, 20, 1_000],
  ['free', 'scheduled', 'limits.runtime.cpu.free', 1, 1_000],
  ['bundled', 'fetch', 'limits.runtime.cpu.bundled.http', 5, 25, 100, 1_000],
  ['bundled', 'scheduled', 'limits.runtime.cpu.bundled.scheduled', 5, 1_000],
  ['unbound', 'fetch', 'limits.runtime.cpu.unbound-standard.http', 1_000, 600_000],
  ['standard', 'scheduled', 'limits.runtime.cpu.unbound-standard.scheduled', 30_000, undefined]
] as const

const cpu = cpuLimits.flatMap(([plan, kind, clause, ...bounds]) =>
  bounds.flatMap((ms): Mutant<FunctionRules>[] => {
    if (ms === undefined) return []
    const change = { limits: { cpuMs: { [plan]: { [kind]: ms } } } }
    const description = `A ${kind} event on plan ${plan} takes ${ms} ms of processor time.`
    return [{ name: `cpu-${plan}-${kind}-${ms}`, clause, description, change }]
  })
)

const durations = (['scheduled', 'alarm', 'queue'] as const).flatMap((kind) =>
  [5, 60].map(
    (minutes): Mutant<FunctionRules> => ({
      name: `duration-${kind}-${minutes}-minutes`,
      clause: `limits.runtime.duration.unbound-standard.${kind}`,
      description: `A ${kind} event takes ${minutes} minutes.`,
      change: {
        limits: {
          durationMs: {
            unbound: { [kind]: minutes * minuteMs },
            standard: { [kind]: minutes * minuteMs }
          }
        }
      }
    })
  )
)

const limitedRequests = (['free', 'bundled', 'standard'] as const).map(
  (plan): Mutant<FunctionRules> => ({
    name: `duration-of-requests-limited-on-${plan}`,
    clause:
      plan === 'standard' ? 'runtime.no-hard-duration-limit' : `limits.runtime.duration.${plan}`,
    description: `A request on plan ${plan} ends after an hour.`,
    change: { limits: { durationMs: { [plan]: { fetch: 60 * minuteMs } } } }
  })
)

/** What can be wrong with how long functions may live, and how much they may use. */
export const isolateLifeMutants: readonly Mutant<FunctionRules>[] = [
  ...memory,
  takenForFull,
  ...cpu,
  ...durations,
  ...limitedRequests,
  {
    name: 'cpu-measured-as-time',
    clause: 'limits.runtime.cpu.free',
    description: 'The limit of processor time is one of time, also of that spent waiting.',
    change: { isolate: { cpuMeasure: 'wall' } }
  },
  {
    name: 'cpu-measured-by-turn',
    clause: 'limits.runtime.cpu.free',
    description: 'What a request works before it waits does not count toward what it works later.',
    change: { isolate: { cpuMeasure: 'cpu of a turn' } }
  },
  {
    name: 'custom-cpu-limit-ignored',
    clause: 'runtime.custom-cpu-limit',
    description: 'A custom limit of processor time is taken, and has no effect.',
    change: { limitsOn: (plan, limits) => limitsOn(plan, limits) }
  },
  {
    name: 'custom-cpu-limit-doubled',
    clause: 'runtime.custom-cpu-limit',
    description: 'A function may use twice the processor time that it was given.',
    change: { limitsOn: (plan, limits, cpuMs) => limitsOn(plan, limits, cpuMs && 2 * cpuMs) }
  },
  {
    name: 'custom-cpu-limit-of-requests-only',
    clause: 'runtime.custom-cpu-limit',
    description: 'Schedules, alarms and messages have the processor time of the plan all the same.',
    change: {
      limitsOn(plan, limits, cpuMs) {
        const { cpuMs: planned, ...own } = limitsOn(plan, limits)
        return { ...own, cpuMs: { ...planned, fetch: cpuMs ?? planned.fetch } }
      }
    }
  },
  {
    name: 'custom-cpu-limit-of-schedules-tripled',
    clause: 'runtime.custom-cpu-limit',
    description: 'A scheduled event may use three times the processor time its function was given.',
    change: {
      limitsOn(plan, limits, cpuMs) {
        const own = limitsOn(plan, limits, cpuMs)
        const { scheduled } = own.cpuMs
        return cpuMs ? { ...own, cpuMs: { ...own.cpuMs, scheduled: 3 * scheduled } } : own
      }
    }
  },
  {
    name: 'custom-cpu-limit-refused',
    clause: 'runtime.custom-cpu-limit',
    description: 'A function cannot be given a limit of processor time of its own.',
    change: {
      limitsOn(plan, limits, cpuMs) {
        if (cpuMs !== undefined) throw refusal('cpu', 'There are no limits of its own.')
        return limitsOn(plan, limits)
      }
    }
  },
  {
    name: 'no-overrun-tolerated',
    clause: 'runtime.cpu-occasional-overrun-tolerated',
    description: 'Whatever exceeds the limit of processor time is terminated at once.',
    change: { isolate: { overruns: { tolerated: 0 } } }
  },
  {
    name: 'overruns-never-forgotten',
    clause: 'runtime.cpu-occasional-overrun-tolerated',
    description: 'The first three overruns of a function are tolerated, and none after them.',
    change: { isolate: { overruns: { of: Infinity } } }
  },
  {
    name: 'every-overrun-tolerated',
    clause: 'runtime.cpu-consistent-overrun-terminated',
    description: 'Overruns are tolerated however often there are any.',
    change: { isolate: { overruns: { tolerated: Infinity } } }
  },
  {
    name: 'disconnect-cancels-nothing',
    clause: 'runtime.disconnect-cancels',
    description: 'What is done for a request goes on when its client has gone.',
    change: unaware
  },
  {
    name: 'disconnect-cancels-others',
    clause: 'runtime.disconnect-cancels',
    description: 'When a client has gone, all that its function does for others is cancelled, too.',
    change: entangled
  },
  {
    name: 'wait-until-ignored',
    clause: 'runtime.wait-until-30s',
    description: 'A promise handed to wait-until is cut off when the client has gone.',
    change: { limits: { waitUntilMs: 0 } }
  },
  {
    name: 'wait-until-unlimited',
    clause: 'runtime.wait-until-30s',
    description: 'A promise handed to wait-until goes on for as long as it likes.',
    change: { limits: { waitUntilMs: Infinity } }
  },
  {
    name: 'wait-until-20-s-on-the-machine',
    clause: 'runtime.wait-until-30s',
    description: 'A promise handed to wait-until has 20 s of the machine, whatever is moved on.',
    change: untilAtMost(20_000)
  },
  {
    name: 'duration-is-processor-time',
    clause: 'runtime.duration-wall-clock',
    description: 'The duration that is told of an invocation is its processor time.',
    change: running(({ record }) => ({
      record: record.then((told) => ({ ...told, wallMs: told.cpuUs / 1_000 }))
    }))
  },
  {
    name: 'console-counted-in-characters',
    clause: 'limits.console-output',
    description: 'Console output is measured in characters.',
    change: inCharacters
  },
  {
    name: 'console-masked',
    clause: 'limits.console-output',
    description: 'Of what is said to the console only the length is recorded.',
    change: masked
  },
  {
    name: 'console-counts-no-headers',
    clause: 'limits.console-output',
    description: 'The headers of a request do not count toward its console output.',
    change: withoutRequests
  },
  {
    name: 'console-counts-no-exceptions',
    clause: 'limits.console-output',
    description: 'Exceptions do not count toward console output.',
    change: withoutExceptions
  },
  {
    name: 'console-beyond-fails',
    clause: 'limits.console-output.truncates-not-fails',
    description: 'A request fails that says more to the console than is recorded.',
    change: failing
  },
  {
    name: 'globals-forgotten',
    clause: 'runtime.globals-persist',
    description: 'Every request meets fresh globals.',
    change: versionedBy((event) => event)
  },
  {
    name: 'two-instances-of-a-function',
    clause: 'runtime.one-instance-per-server',
    description: 'Requests to a function alternate between two instances.',
    change: versionedBy((event) => event % 2)
  },
  {
    name: 'never-evicted',
    clause: 'runtime.nodes-evicted',
    description: 'An instance is never evicted.',
    change: wrapped(() => ({ evict() {} }), { most: Infinity })
  }
]
