import type { KeepAliveRace } from '../../limit/layers/keep-alive-race.ts'
import type { ReplicasFound } from '../../limit/layers/replicas.ts'

/** Whether a front's requests fail as its origin closes connections, as `--json` tells it. */
export type RaceEntry = {
  limit: 'keep-alive-race'
  verdict: KeepAliveRace['verdict']
  /** After how long without a request the origin closes a connection. */
  closesMs: number | null
  /** Requests that were sent just then, in how many rounds, and how many of them failed. */
  sent: number
  rounds: number
  failed: number
  because: string
}

/** Whether replicas count together or each by itself, likewise. */
export type ReplicasEntry = {
  limit: 'replicas'
  counted: ReplicasFound['counted']
  /** How many are let through in all. */
  total: number | null
  /** How many each took in each round. */
  rounds: number[][]
  because: string
}

const words: Record<ReplicasEntry['counted'], string> = {
  each: 'counted by each',
  shared: 'counted together',
  groups: 'counted by some together',
  unclear: 'unclear'
}

/** What is said of layers and of replicas, the most important first. */
export function layerLines(entry: RaceEntry | ReplicasEntry): string[] {
  if (entry.limit === 'replicas') {
    return [`${words[entry.counted]}: ${entry.because}`]
  }
  return [`${entry.verdict}: ${entry.because}`]
}
