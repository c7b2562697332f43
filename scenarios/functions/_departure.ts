import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Client } from 'plimsoll'
import type { Command } from './_command.ts'
import type { Place } from './_probing.ts'
import { patienceMs } from './_stage.ts'

/** A client that has asked a probe something and can go away in the middle of it. */
export type Departure = {
  /** Whether anything of an answer came, as soon as it does. */
  heard: Promise<boolean>
  /** Resets the connection, as a client does that is suddenly gone. */
  leave(): void
}

/**
 * Asks a probe on a connection of its own, without waiting for what it answers. A command in the
 * query is begun with the request, and one in the body once that is there; of `unsent` bytes of a
 * body it is only said that they come.
 */
export async function askToLeave(
  edge: Client,
  { host, path }: Pick<Place, 'host' | 'path'>,
  command: Command,
  { isInQuery = false, method = 'POST', unsent = 0 } = {}
): Promise<Departure> {
  const { protocol, hostname, port } = new URL(edge.url)
  const isSecure = protocol === 'https:'
  const place = { host: hostname, port: Number(port || (isSecure ? 443 : 80)) }
  const socket: Socket = isSecure
    ? connectSecurely({ ...place, servername: host.replace(/:\d+$/, '') })
    : connect(place)
  socket.on('error', () => {})
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  const text = JSON.stringify(command)
  const [query, body] = isInQuery ? [`?command=${encodeURIComponent(text)}`, ''] : ['', text]
  const head = [
    `${method} ${path}${query} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body) + unsent}`
  ]
  const heard = once(socket, 'data', { signal: AbortSignal.timeout(patienceMs) }).then(
    () => true,
    () => false
  )
  socket.resume().write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return { heard, leave: () => void socket.resetAndDestroy() }
}
