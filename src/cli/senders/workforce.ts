import type { Argv } from 'yargs'
import { AllLost, type LoadObserver, type LoadWorkers, Refused } from '../../engine/load-worker.ts'
import { createSenderThreads } from '../../engine/sender-threads.ts'
import { createStop } from '../../engine/stop.ts'
import type { AgentEntry } from '../../fleet/agent-registry.ts'
import { exit, Failure } from '../failure.ts'
import { secondsOf } from '../flags/load-flags.ts'
import { most, whole } from '../flags/numbers.ts'
import { asRedisUrl } from '../flags/redis-url.ts'
import { onInterrupt } from '../interrupt.ts'
import { demandPackages } from '../optional-packages.ts'
import { type TelemetryFlags, telemetryFlags, withTelemetry } from '../telemetry/telemetry.ts'
import { version } from '../version.ts'

/** Flags that say who sends a load, and who else hears of it. */
export type WorkforceFlags = TelemetryFlags & {
  /** Threads of this machine, where they were asked for. */
  workers?: number
  fleet?: string
  agents?: number
  wait?: number
}

/** How long agents are waited for where nobody says. */
const usualWaitSeconds = 30

/** Adds the flags by which others send a load, or hear of it. */
export function workforceFlags<Given>(
  yargs: Argv<Given>
): Argv<Given & Omit<WorkforceFlags, 'workers'>> {
  return telemetryFlags(yargs)
    .option('fleet', {
      type: 'string',
      requiresArg: true,
      coerce: asRedisUrl,
      describe: 'Send from all agents behind this Redis, with the threads they offer'
    })
    .option('agents', {
      type: 'number',
      defaultDescription: '1',
      coerce: whole('agents', most.workers),
      describe: 'With --fleet: begin when so many agents are there'
    })
    .option('wait', {
      type: 'string',
      defaultDescription: '30s',
      coerce: secondsOf('wait'),
      describe: 'With --fleet: how long to wait for them'
    }) as never
}

/** The agents that send loads, and on whose machines. */
export type OpenFleet = LoadWorkers & { agents: readonly AgentEntry[] }

async function openFleet(
  url: string,
  { agents: least = 1, wait = usualWaitSeconds }: WorkforceFlags,
  note: (text: string) => void
) {
  demandPackages('fleet', '--fleet')
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => {})
  const { openFleet: open } = await import('../../fleet/dispatch.ts')
  const onWaiting = (there: number) => note(`Waiting for agents: ${there} of ${least} are there`)
  const wanted = { least, waitMs: wait * 1_000, version, signal: stop.signal, onWaiting }
  const opening = open(url, wanted).finally(interrupt.off)
  const fleet = await opening.catch((cause: Error) => {
    const code = cause instanceof AllLost ? exit.fault : 2
    throw new Failure(cause.message, interrupt.happened() ? exit.interrupted : code)
  })
  const names = fleet.agents.map(({ id, threads }) => `${id} (${threads})`)
  note(`Sending from ${names.join(', ')}`)
  return fleet
}

/**
 * Has `work` use the agents behind the Redis that `fleet` names, or nobody without it; `note` is
 * told whom it waits for. What an agent refuses or loses ends the command. `observe` is who hears
 * of the loads that are sent, where anybody does.
 */
export async function withFleet<Result>(
  flags: WorkforceFlags & { authorisation: string },
  note: (text: string) => void,
  work: (fleet: OpenFleet | undefined, observe: LoadObserver | undefined) => Promise<Result>
): Promise<Result> {
  return withTelemetry(flags, note, (observe) =>
    withAgents(flags, note, (fleet) => work(fleet, observe))
  )
}

async function withAgents<Result>(
  flags: WorkforceFlags,
  note: (text: string) => void,
  work: (fleet: OpenFleet | undefined) => Promise<Result>
): Promise<Result> {
  if (flags.fleet === undefined) {
    const idle = flags.agents !== undefined ? '--agents' : flags.wait !== undefined && '--wait'
    if (idle) throw new Failure(`${idle} is about agents, and none are asked for: add --fleet`)
    return work(undefined)
  }
  if (flags.workers !== undefined) {
    throw new Failure('--workers is about this machine, and agents offer their own: leave it out')
  }
  const fleet = await openFleet(flags.fleet, flags, note)
  try {
    return await work(fleet)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    const code = cause instanceof Refused ? exit.notAuthorised : exit.fault
    throw new Failure((cause as Error).message, code)
  } finally {
    await fleet.close()
  }
}

/**
 * Has `work` use a fleet where there is one, else so many threads of this process; `observe` hears
 * of the loads that are sent.
 */
export async function withWorkers<Result>(
  { workers = 1, observe }: { workers?: number; observe?: LoadObserver },
  fleet: OpenFleet | undefined,
  work: (workers: LoadWorkers) => Promise<Result>
): Promise<Result> {
  if (fleet) return work({ ...fleet, observe })
  const threads = createSenderThreads(workers)
  try {
    return await work({ ...threads, observe })
  } finally {
    await threads.close()
  }
}
