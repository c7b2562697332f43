import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** So many connections are begun at once: a listener keeps no more waiting. */
const begunAtOnce = 200
/** So long an answer is waited for. */
const answerMs = 30_000

/** A request of a flood: a browser takes a page. */
export type Way = { method: string; isBrowser: boolean }

/** What became of a request that was not served, and what its error page says. */
export type Refusal = Way & { status: string; page: string }

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

/** Whether it is for a rate that this was refused: an outage, or who was idle for long, is not. */
export const isForRate = ({ status, page }: Refusal) =>
  (status.startsWith('4') && status !== '408') || page.includes('1015')

/** A request as it is sent. */
function written({ method, isBrowser }: Way, host: string): string {
  const headers = [`host: ${host}`, 'accept-encoding: identity']
  if (isBrowser) headers.push('accept: text/html')
  const empty = /^P/.test(method) ? ['content-length: 0'] : []
  return `${method} / HTTP/1.1\r\n${[...headers, ...empty].join('\r\n')}\r\n\r\n`
}

/** A whole answer, but for those in the interim; undefined while it is under way. */
function answerIn(text: string, isOver: boolean): { status: string; page: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [head, page] = [text.slice(0, end), text.slice(end + 4)]
  const status = /^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 'none'
  if (status.startsWith('1')) return answerIn(page, isOver)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const isChunked = /\r\ntransfer-encoding:.*chunked/i.test(head)
  const isUnsized = isChunked ? page.endsWith('0\r\n\r\n') : isOver
  const isWhole = length === undefined ? isUnsized : page.length >= Number(length)
  return isWhole ? { status, page } : undefined
}

/** Sends a request, and takes down what the answer says of itself once its body has come. */
function ask(
  socket: Socket,
  { host, way }: { host: string; way: Way },
  { statuses, refusals }: Flooded
): Promise<void> {
  return new Promise((resolve) => {
    let text = ''
    const done = (isOver: boolean) => {
      const answer = answerIn(text, isOver)
      if (answer === undefined && !isOver) return
      socket.off('data', hear).off('close', close)
      clearTimeout(late)
      if (answer) {
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        if (answer.status !== '200') refusals.push({ ...way, ...answer })
      }
      resolve()
    }
    const hear = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      done(false)
    }
    const close = () => done(true)
    const late = setTimeout(close, answerMs)
    socket.on('data', hear).once('close', close)
    socket.write(written(way, host))
  })
}
