import { readlinkSync } from 'node:fs'
import { beganAt, entriesOf, groupOf, processesOf, textOf } from './process-usage.ts'

/** The state of a socket that listens, in `/proc/net/tcp`. */
const listening = '0A'

/** All sockets that listen, of whoever they are: on which port, and by which number. */
function listeners(): { port: number; socket: string }[] {
  const lines = ['tcp', 'tcp6'].flatMap((name) => (textOf(`/proc/net/${name}`) ?? '').split('\n'))
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    if (state !== listening) return []
    return [{ port: Number.parseInt(local.split(':')[1]!, 16), socket: `socket:[${inode}]` }]
  })
}

/** Numbers of the sockets that listen on a port, of whoever they are. */
const socketsOn = (port: number) =>
  listeners().flatMap((one) => (one.port === port ? [one.socket] : []))

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

/** The ports on which processes of these groups listen, as far as the system tells. */
export function portsOf(groups: readonly number[]): number[] {
  const pids = processesOf(groups)
  const own = listeners().filter(({ socket }) => holding([socket], pids).length > 0)
  return [...new Set(own.map(({ port }) => port))]
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
