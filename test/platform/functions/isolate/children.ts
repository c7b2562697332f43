import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the processes that were started by this one. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => {
      try {
        const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Whether there is such a process, and it is more than what is left of one. */
export const isAlive = (id: number) => {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false
  }
}

/** Looks again and again until something is so. */
export async function until(isTrue: () => boolean) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20))
}
