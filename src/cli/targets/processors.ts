import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { placesIn, placesOf, processesOf, textOf } from './process-usage.ts'

/** The numbers of a list as the kernel writes them, such as `0-3,8`. */
export function numbersOf(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, nth) => Number(first) + nth)
  )
}

/** Has a process, with all threads that it has and will have, run on these processors only. */
function pinProcess(pid: number | string, processors: string): boolean {
  return spawnSync('taskset', ['-a', '-c', '-p', processors, `${pid}`]).status === 0
}

/** A thread that another one began meanwhile is still where that was, and is seen to after it. */
const passes = 2

/** Has all processes of groups run on one processor only, as far as the system permits it. */
export function pinGroups(groups: readonly number[], processor: number): void {
  for (let pass = 0; pass < passes && placesOf(groups).join() !== `${processor}`; pass++) {
    for (const pid of processesOf(groups)) pinProcess(pid, `${processor}`)
  }
}

/**
 * The processors that processes can be pinned to: those that this one may use; none where the
 * system has no way to (`taskset` of util-linux), or does not permit it.
 */
export function pinnableProcessors(): number[] {
  const list = placesIn(textOf('/proc/self/status'))
  return list !== undefined && pinProcess(process.pid, list) ? numbersOf(list) : []
}

/** Ticks in which a processor was not idle since the machine began, as `/proc/stat` tells. */
function busyTicks(stat: string, processor: number): number {
  const [, line = ''] = new RegExp(`^cpu${processor} (.*)`, 'm').exec(stat) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(' ')
    .map(Number)
  return user + nice + system + irq + softirq + steal
}

/** So long it is looked on, and so many ticks more, of 10 ms as a rule, tell two apart. */
const watched = { ms: 80, ticks: 2 }

/** Of these processors the first that was hardly busier between two looks than any other. */
export function idlest(processors: readonly number[], [before, after]: [string, string]): number {
  const spent = processors.map((one) => busyTicks(after, one) - busyTicks(before, one))
  const least = Math.min(...spent)
  return processors.find((_, at) => spent[at]! < least + watched.ticks)!
}

/**
 * Where the next start is to run: another one of these each time, unless others keep it busy just
 * now, as who does so for seconds would have half of it. Takes 80 ms.
 */
export function takeTurns(processors: readonly number[]): () => Promise<number> {
  const inTurn = [...processors]
  const look = () => textOf('/proc/stat') ?? ''
  return async () => {
    inTurn.push(inTurn.shift()!)
    const before = look()
    await sleep(watched.ms)
    return idlest(inTurn, [before, look()])
  }
}
