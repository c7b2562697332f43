import { availableParallelism, loadavg } from 'node:os'
import type { Behaviour, Worth } from './behaviour.ts'

/** A command of the command line that is set upon a hostile server, as briefly as it goes. */
export type Command = {
  name: string
  args: (url: string, document: string) => string[]
  /** Seconds that it is given, by its flags and by what it says of itself. */
  seconds: number
  /** Exit codes that are right, by what the server's answers are worth. */
  exits: Record<Worth, readonly number[]>
}

/** Nothing is known of a server that gives nothing; the rest may go as it goes, without a fail. */
const knows = (codes: readonly number[]): Command['exits'] => {
  return { nothing: [2], ok: codes, other: codes, either: [2, ...codes] }
}

const load = (engine: string): Command => ({
  name: `load, ${engine}`,
  args: (url) => ['load', url, '-d', '1s', '-t', '1s', '-c', '4', '--engine', engine],
  seconds: 2,
  // A machine that is too slow for what is offered, or for what comes, says so: that is no verdict.
  exits: { ...knows([0, 3]), nothing: [2, 3] }
})

/** What the parser of autocannon takes and ours refuses, and the last one the other way round. */
const autocannonDiffers = new Set([
  'HTTP/1.7 in a status line',
  'a status of four digits',
  'NUL in a header',
  'a header without a colon',
  'a chunk size that is none',
  'a length and chunks',
  'a negative length',
  'a connection for each answer'
])

/** The exit codes that are right for a command that has met a behaviour. */
export function rightExits(command: Command, { name, worth }: Behaviour): readonly number[] {
  const isOpen = command.name === 'load, autocannon' && autocannonDiffers.has(name)
  return command.exits[isOpen ? 'either' : worth]
}

/** The commands, in the order in which the table shows them. */
export const commands: readonly Command[] = [
  {
    name: 'run',
    args: (url, document) => ['run', '--target', url, '--scenarios', document, '--workers', '1'],
    // A look whether anybody is there, and a few questions of at most two seconds each.
    seconds: 30,
    exits: { nothing: [2], ok: [2], other: [1, 2], either: [2] }
  },
  {
    name: 'probe',
    args: (url) => ['probe', url, '--limits', 'url', '--up-to', 'url=4KiB', '--time', '10s'],
    seconds: 10,
    exits: knows([0, 2])
  },
  load('wire'),
  load('undici'),
  load('autocannon'),
  {
    name: 'compare',
    args: (url) => ['compare', '--a', url, '--b', `${url}?b`, '--time', '20s', '-t', '1s'],
    seconds: 3,
    exits: knows([0, 2, 3])
  },
  {
    name: 'capacity',
    args: (url) => ['capacity', url, '--time', '5s', '-t', '1s', '-c', '8'],
    seconds: 5,
    exits: { ...knows([0, 2, 3]), either: [0, 1, 2, 3], other: [0, 1, 2, 3] }
  },
  {
    name: 'soak',
    args: (url) => ['soak', url, '-d', '2s', '-t', '1s', '-c', '4', '-r', '20'],
    // A look whether anybody is there may take five.
    seconds: 7,
    exits: knows([0, 2, 3])
  }
]

/**
 * Seconds a command may take just now beyond those it is given: it has to start, and to end, and
 * takes longer over that where there is more to do than there are cores.
 */
export function graceSeconds(): number {
  return 10 * Math.max(1, loadavg()[0]! / availableParallelism())
}

/** Resident memory that all processes of a command may have together. */
export const mostBytes = 500e6
