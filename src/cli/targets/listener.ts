import { readlinkSync } from 'node:fs'
import { beganAt, entriesOf, groupOf, processesOf, textOf } from './process-usage.ts'

/** The state of a socket that listens, in `/proc/net/tcp`. */
const listening = '0A'

/** Numbers of the sockets that listen on a port, of whoever they are. */
function socketsOn(port: number): string[] {
  const lines = ['tcp', 'tcp6'].flatMap((name) => (textOf(`/proc/net/${name}`) ?? '').split('\n'))
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const isIt = state === listening && Number.parseInt(local.split(':')[1]!, 16) === port
    return isIt ? [`socket:[${inode}]`] : []
  })
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

/** Those of these processes that have one of the sockets. */
function holding(sockets: readonly string[], pids: readonly string[]): string[] {
  return pids.filter((pid) => {
    const folder = `/proc/${pid}/fd`
    return entriesOf(folder).some((fd) => sockets.includes(linkOf(`${folder}/${fd}`)))
  })
}

/**
 * Whether a process of these groups listens on the port; undefined where the system does not tell
 * who does, as of what is served from elsewhere. A daemon that a command only talks to is not of
 * them.
 */
export function listensOn(port: number, groups: readonly number[]): boolean | undefined {
  const sockets = socketsOn(port)
  if (sockets.length === 0) return undefined
  return holding(sockets, processesOf(groups)).length > 0
}

/**
 * The groups that listen on the port and began at this tick or later, all of them: what a command
 * had go into the background, and not a daemon that was there before and serves it now.
 */
export function listeningSince(port: number, tick: number): number[] {
  const groups = new Set(holding(socketsOn(port), processesOf()).map(groupOf))
  return [...groups].filter((group) => processesOf([group]).every((pid) => beganAt(pid) >= tick))
}
