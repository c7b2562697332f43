import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { random } from '../../src/random.ts'
import { type Asked, createMemory, parseAsked } from './exchange-memory.ts'

/** What a faulty proxy does with an exchange in place of what the target would have said. */
export const faults = [
  ...(['drop', 'hang', 'reset', 'truncate', '503', '429', '302', 'html', '413', 'replay'] as const)
]

export type Fault = (typeof faults)[number]

/** So long an exchange hangs before the proxy gives it up, as proxies do. */
const hangMs = 2_000

/** How long what a client still sends is read after it was answered. */
const lingerMs = 1_000

/** A proxy that passes all bytes on as they are, but for the exchanges that it replaces. */
export type FaultyProxy = {
  /** Its address: host and port. */
  origin: string
  /** How many exchanges it saw, and replaced. */
  counts: () => { exchanges: number; replaced: number }
  /** Whether it made an answer up: to this method and URL, with a body that begins like this. */
  isReplaced: (method: string, url: string, body: string) => boolean
  close: () => void
}

const pages: Partial<Record<Fault, { head: string[]; text: string }>> = {
  '503': { head: ['503 Service Unavailable'], text: 'The service is down for maintenance.' },
  '429': { head: ['429 Too Many Requests', 'retry-after: 1'], text: 'Too many requests.' },
  '302': { head: ['302 Found', 'location: /login'], text: 'Sign in first.' },
  html: { head: ['200 OK'], text: 'Welcome. Sign in to go on.' },
  '413': { head: ['413 Content Too Large'], text: 'The request is too large.' }
}

/** A page of the proxy's own; its number is how it is known again in the evidence. */
function pageOf(fault: Fault, id: string): string {
  const { head, text } = pages[fault]!
  const body = `<!doctype html><html><body><h1>${text}</h1><p>Request ID: ${id}</p></body></html>\n`
  const [status, ...more] = head
  const headers = [
    ...['content-type: text/html', `content-length: ${Buffer.byteLength(body)}`],
    ...['connection: close', ...more]
  ]
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** Starts a proxy before `upstream`, host and port, that replaces a share of what comes `after`. */
export async function startFaultyProxy(options: {
  upstream: string
  fault: Fault
  share: number
  /** Exchanges that are left as they are before any is replaced. */
  after: number
  seed: number
}): Promise<FaultyProxy> {
  const { upstream, fault, share, after, seed } = options
  const chance = random(seed, `${fault} ${share} ${upstream}`)
  const memory = createMemory()
  const pageIds = new Set<string>()
  const sockets = new Set<Socket>()
  let exchanges = 0
  let replaced = 0

  const answerAndLeave = (client: Socket, bytes: string | Buffer) => {
    client.end(bytes)
    client.resume()
    setTimeout(() => client.destroy(), lingerMs).unref()
  }
  /** Replaces the answer to a request; false where there is nothing to replace it by. */
  const spoil = (client: Socket, asked: Asked): boolean => {
    const id = randomUUID()
    if (fault === 'drop') client.end()
    else if (fault === 'reset') client.resetAndDestroy()
    else if (fault === 'hang') setTimeout(() => client.destroy(), hangMs).unref()
    else if (fault === 'replay') {
      const others = memory.ofAnotherZone(asked)
      if (others === undefined) return false
      answerAndLeave(client, others)
    } else {
      pageIds.add(id)
      answerAndLeave(client, pageOf(fault, id))
    }
    return true
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const [host, port] = upstream.split(':') as [string, string]
    const target = connect({ host, port: Number(port), allowHalfOpen: true })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => target.destroy())
    target.on('close', () => client.end())
    let asked: Asked | undefined
    let isAnswered = true
    let isCut = false
    let isSpoilt = false
    client.on('data', (bytes) => {
      if (isSpoilt) return
      const begun = isAnswered ? parseAsked(bytes) : undefined
      if (begun) {
        exchanges++
        asked = begun
        isAnswered = false
        const isHit = exchanges > after && chance() < share
        isCut = isHit && fault === 'truncate'
        isSpoilt = isHit && !isCut && spoil(client, asked)
        if (isCut || isSpoilt) replaced++
        if (isSpoilt) return void target.destroy()
      }
      if (!target.write(bytes)) {
        client.pause()
        target.once('drain', () => client.resume())
      }
    })
    client.on('end', () => target.end())
    target.on('data', (bytes) => {
      if (isSpoilt) return
      isAnswered ||= !bytes.subarray(0, 12).equals(Buffer.from('HTTP/1.1 100'))
      if (isCut) {
        isSpoilt = true
        client.end(bytes.subarray(0, Math.floor(bytes.length * 0.6)))
        return void target.destroy()
      }
      if (asked) memory.hear(asked, bytes)
      if (!client.write(bytes)) {
        target.pause()
        client.once('drain', () => target.resume())
      }
    })
    target.on('end', () => {
      if (!isSpoilt) client.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ exchanges, replaced }),
    isReplaced(method, url, body) {
      const id = /Request ID: ([0-9a-f-]{36})/.exec(body)?.[1]
      if (id !== undefined) return pageIds.has(id)
      return fault === 'replay' && memory.isReplay(method, url, body)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
