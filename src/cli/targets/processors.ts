import { spawnSync } from 'node:child_process'
import { textOf } from './process-usage.ts'

/** The numbers of a list as the kernel writes them, such as `0-3,8`. */
export function numbersOf(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, nth) => Number(first) + nth)
  )
}

/** A command line by which this one, and all that it starts, runs on one processor only. */
export function pinnedTo(processor: number, line: readonly string[]): [string, ...string[]] {
  return ['taskset', '-c', `${processor}`, ...line]
}

/**
 * The processors that a command can be pinned to; none where there are no two to choose from, or
 * where the system has no way to (`taskset` of util-linux), or does not permit it.
 */
export function pinnableProcessors(): number[] {
  const status = textOf('/proc/self/status') ?? ''
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)/m.exec(status) ?? []
  const processors = numbersOf(list)
  if (processors.length < 2) return []
  const [file, ...args] = pinnedTo(processors[0]!, ['true'])
  return spawnSync(file, args).status === 0 ? processors : []
}
