import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** So many connections are begun at once: a listener keeps no more waiting. */
const begunAtOnce = 200
/** So long an answer is waited for. */
const answerMs = 30_000

/** A request of a flood: a browser takes a page. */
export type Way = { method: string; isBrowser: boolean }

/** What became of a request that was not served, and the code that its error page names. */
export type Refusal = Way & { status: string; code: string | undefined }

/** What became of a flood: how often each status came, and which were not served. */
export type Flooded = { statuses: Record<string, number>; refusals: Refusal[] }

/** Connections from which requests come faster than they can be answered. */
export type Flood = {
  /** Sends requests to a host over all of them at once, of each way as many; what came of them. */
  send(host: string, ways?: readonly Way[]): Promise<Flooded>
  [Symbol.asyncDispose](): Promise<void>
}

const usual: readonly Way[] = [{ method: 'GET', isBrowser: false }]

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
    async send(host, ways = usual) {
      await openAll()
      const flooded: Flooded = { statuses: {}, refusals: [] }
      const each = sockets.map((socket, at) => {
        const way = ways[at % ways.length]!
        return ask(socket!, { host, way }, flooded)
      })
      await Promise.all(each)
      return flooded
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket?.destroy()
    }
  }
}

/** A request as it is sent. */
function written({ method, isBrowser }: Way, host: string): string {
  const headers = [`host: ${host}`, ...(isBrowser ? ['accept: text/html'] : [])]
  const empty = /^P/.test(method) ? ['content-length: 0'] : []
  return `${method} / HTTP/1.1\r\n${[...headers, ...empty].join('\r\n')}\r\n\r\n`
}

/** Sends a request, and takes down what the answer says of itself once its body has come. */
function ask(
  socket: Socket,
  { host, way }: { host: string; way: Way },
  { statuses, refusals }: Flooded
): Promise<void> {
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
      const code = /\b1\d{3}\b/.exec(body)?.[0]
      if (status !== '200') refusals.push({ ...way, status, code })
      done()
    }
    const late = setTimeout(done, answerMs)
    socket.on('data', hear).once('close', done)
    socket.write(written(way, host))
  })
}
