import type { Argv } from 'yargs'
import { createPool } from '../../engine/pool.ts'
import type { Workforce } from '../../engine/workforce.ts'
import type { AgentEntry } from '../../fleet/roster.ts'
import { exit, Failure } from '../failure.ts'
import { seconds, whole } from '../flags/load-flags.ts'
import { asRedisUrl } from '../flags/redis-url.ts'
import { demandPackages } from '../optional-packages.ts'
import { version } from '../version.ts'

/** Flags that say who sends a load. */
export type WorkforceFlags = { workers: number; fleet?: string; agents: number; wait: number }

/** Adds the flags by which others send a load. */
export function workforceFlags<Given>(
  yargs: Argv<Given>
): Argv<Given & Omit<WorkforceFlags, 'workers'>> {
  return yargs
    .option('fleet', {
      type: 'string',
      requiresArg: true,
      coerce: asRedisUrl,
      describe: 'Send from all agents behind this Redis, with the threads they offer'
    })
    .option('agents', {
      type: 'number',
      default: 1,
      coerce: whole('agents'),
      describe: 'With --fleet: begin when so many agents are there'
    })
    .option('wait', {
      type: 'string',
      default: '30s',
      coerce: seconds,
      describe: 'With --fleet: how long to wait for them'
    }) as never
}

/** Who sends a load, and whose machines that takes besides this one. */
export type OpenWorkforce = Workforce & {
  agents?: readonly AgentEntry[]
  close: () => Promise<void>
}

/**
 * This process's own threads, or with `fleet` those of the agents behind that Redis; `note` is told
 * whom it waits for.
 */
export async function openWorkforce(
  { workers, fleet: url, agents: least, wait }: WorkforceFlags,
  { signal, note }: { signal: AbortSignal; note: (text: string) => void }
): Promise<OpenWorkforce> {
  if (url === undefined) return createPool({ workers, onQuestion() {} })
  demandPackages('fleet', '--fleet')
  const { openFleet } = await import('../../fleet/dispatch.ts')
  const onWaiting = (there: number) => note(`Waiting for agents: ${there} of ${least} are there`)
  const wanted = { least, waitMs: wait * 1_000, version, signal, onWaiting }
  const fleet = await openFleet(url, wanted).catch((cause: Error) => {
    throw new Failure(cause.message, signal.aborted ? exit.interrupted : 2)
  })
  const names = fleet.agents.map(({ id, threads }) => `${id} (${threads})`)
  note(`Sending from ${names.join(', ')}`)
  return fleet
}
