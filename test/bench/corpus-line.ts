import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { PeerVerdicts } from './corpus-peers.ts'

/** A comparison of a server with itself, of which B has something planted. */
export type Task = { server: string; planted: string; seed: number }

/** How each is compared, and beside what: so many at a time, and so many processes that spin. */
export type Terms = {
  time: number
  /** In percent. */
  budget: number
  /** Seconds that others have for each of their runs, or 0. */
  peers: number
  together: number
  busy: number
  connections: number
  /** Agents that send it through a Redis of its own; 0 are threads of its process. */
  agents: number
}

/** What one came to; a line of the file. */
export type Line = Task &
  Omit<Terms, 'peers'> & {
    verdict: string
    because: string
    ratio?: number
    interval?: [low: number, high: number]
    /** The ratio that its plan could tell from 1, null of none; seconds its budget would take. */
    resolvable?: number | null
    neededSeconds?: number
    blocks?: number | undefined
    /** What was worse beside the median. */
    worse?: string | undefined
    repeated: number
    seconds: number
    /** Load averages of the minute before it, and of its last. */
    load: number
    loadAfter: number
    peers?: PeerVerdicts
    at: string
    machine: string
  }

/** Comparisons that are kept, a line each. */
export type Kept = {
  /** The one of that task and these terms, whatever others were asked beside it. */
  find: (task: Task) => Line | undefined
  add: (line: Line) => void
}

/** What makes two comparisons the same one. */
function keyOf({ server, planted, seed, ...terms }: Task & Omit<Terms, 'peers'>): string {
  const { time, budget, together, busy, connections, agents } = terms
  return JSON.stringify([server, planted, seed, time, budget, together, busy, connections, agents])
}

/** The comparisons of a file, or of none; what is added is on the disk before the next begins. */
export function openLines(file: string | undefined, terms: Terms): Kept {
  const texts = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lines: Line[] = texts
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  const known = new Map(lines.map((line) => [keyOf(line), line]))
  return {
    find: (task) => known.get(keyOf({ ...terms, ...task })),
    add(line) {
      known.set(keyOf(line), line)
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
    }
  }
}
