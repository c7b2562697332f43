import { readlinkSync } from 'node:fs'
import { entriesOf, processesOf, textOf } from './process-usage.ts'

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

/**
 * Whether a process of the group listens on the port; undefined where the system does not tell who
 * does, as of what is served from elsewhere. A daemon that a command only talks to is not of it.
 */
export function listensOn(port: number, group: number): boolean | undefined {
  const sockets = socketsOn(port)
  if (sockets.length === 0) return undefined
  return processesOf(group).some((pid) => {
    const folder = `/proc/${pid}/fd`
    return entriesOf(folder).some((fd) => sockets.includes(linkOf(`${folder}/${fd}`)))
  })
}
