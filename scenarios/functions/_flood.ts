import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** So many connections are begun at once: a listener keeps no more waiting. */
const begunAtOnce = 200
/** So long an answer is waited for. */
const answerMs = 30_000

/** What became of a flood: how often each status came, and the codes of error pages. */
export type Flooded = { statuses: Record<string, number>; codes: string[] }

/** Connections from which requests come faster than they can be answered. */
export type Flood = {
  /** Sends a request to a host over each of them at once; resolves when all are answered. */
  send(host: string): Promise<Flooded>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens so many connections, since a target may serve requests of one connection after another.
 * Only for targets that say themselves from what rate on requests are abuse.
 */
export async function openFlood(edgeUrl: string, connections: number): Promise<Flood> {
  const { hostname, port } = new URL(edgeUrl)
  const sockets: (Socket | undefined)[] = Array(connections).fill(undefined)
  const open = async (place: number) => {
    if (sockets[place]?.writable) return
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    sockets[place] = socket
    socket.on('error', () => {})
    await once(socket, 'connect').catch(() => {})
  }
  const openAll = async () => {
    for (let from = 0; from < connections; from += begunAtOnce) {
      const places = Array.from({ length: begunAtOnce }, (_, place) => from + place)
      await Promise.all(places.filter((place) => place < connections).map(open))
    }
  }
  await openAll()
  return {
    async send(host) {
      await openAll()
      const flooded: Flooded = { statuses: {}, codes: [] }
      const request = `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`
      await Promise.all(sockets.map((socket) => ask(socket!, request, flooded)))
      return flooded
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket?.destroy()
    }
  }
}

/** Sends a request, and takes down what the answer says of itself once its body has come. */
function ask(socket: Socket, request: string, { statuses, codes }: Flooded): Promise<void> {
  return new Promise((resolve) => {
    let text = ''
    const done = () => {
      socket.off('data', hear).off('close', done)
      clearTimeout(late)
      resolve()
    }
    const hear = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const body = text.slice(end + 4)
      const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1]
      if (length === undefined ? !body.endsWith('0\r\n\r\n') : body.length < Number(length)) return
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'none'
      statuses[status] = (statuses[status] ?? 0) + 1
      const code = status === '200' ? undefined : /\b1\d{3}\b/.exec(body)?.[0]
      if (code && !codes.includes(code)) codes.push(code)
      done()
    }
    const late = setTimeout(done, answerMs)
    socket.on('data', hear).once('close', done)
    socket.write(request)
  })
}
