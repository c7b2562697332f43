import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { openConnection } from '../client/connection.ts'
import { createResponse, type IncomingResponse } from '../client/response.ts'
import { type Address, parseAddress } from '../target/address.ts'
import type { Endpoint } from '../target/target.ts'
import { asBytes, type KeptAnswer } from './answer.ts'
import { createRequestWatch, type Passed } from './request-watch.ts'
import { isWriting, questionOf, telling, type Witnessed, wayOf } from './witnessed.ts'

/** What is answered in place of an answer; undefined leaves it as it is, to the byte. */
export type Change = (seen: Witnessed) => KeptAnswer | undefined

/** A proxy on loopback before one endpoint of a target. */
export type TamperingProxy = {
  /** The endpoint as a target has it, by way of the proxy. */
  endpoint: Endpoint
  /** From now on answers are changed in this way; undefined passes them on as they are. */
  tamper: (change: Change | undefined) => void
  /** What has gone by since the last time it was taken. */
  take: () => Witnessed[]
  close: () => Promise<void>
}

/** Longer answers are passed on as they come, and so are those beyond so many. */
const mostBytes = 8 * 1_048_576
const keptTextBytes = 65_536
const mostKept = 5_000

/** What has gone by all proxies of one target: what was asked, and of which things, by digests. */
export type Traffic = {
  lastWrite?: Omit<Witnessed, 'after'>
  asked?: Set<string>
  things?: Map<string, Map<string, number>>
}

/**
 * Opens a proxy that passes on bytes as they are, so that sizes and framings stay what they were,
 * and holds each answer until it is whole.
 */
export async function openProxy(
  name: string,
  { endpoint, traffic }: { endpoint: Endpoint; traffic: Traffic }
): Promise<TamperingProxy> {
  const { url, verifyTls, route } = endpoint
  const address: Address = { ...parseAddress(url), verifyTls, route }
  let change: Change | undefined
  let kept: Witnessed[] = []
  const settle = (asked: Passed, answer: KeptAnswer): KeptAnswer | undefined => {
    const told = { endpoint: name, asked, answer }
    const seen: Witnessed = { ...told, after: traffic.lastWrite, ...remembered(traffic, told) }
    if (isWriting(seen)) traffic.lastWrite = told
    if (kept.length < mostKept) kept.push(seen)
    return change?.(seen)
  }
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
    serve({ client, address, own, settle })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    endpoint: {
      ...endpoint,
      url: `http://127.0.0.1:${port}${address.prefix}`,
      verifyTls: undefined,
      route: route && { ...route, addresses: ['127.0.0.1'] }
    },
    tamper(next) {
      change = next
    },
    take() {
      const taken = kept
      kept = []
      return taken
    },
    async close() {
      for (const client of open) client.destroy()
      server.close()
      await once(server, 'close')
    }
  }
}

type Serving = {
  client: Socket
  address: Address
  /** The proxy's own address, which a client that names no other host sends. */
  own: string
  settle: (asked: Passed, answer: KeptAnswer) => KeptAnswer | undefined
}

/** Passes one connection on, answer by answer. */
function serve({ client, address, own, settle }: Serving) {
  const { socket: target } = openConnection({ address, host: address.host })
  const watch = createRequestWatch({ own, host: address.host })
  let response: IncomingResponse | undefined
  let held: Buffer[] = []
  let heldBytes = 0
  let isUnread = false
  const release = (bytes: Buffer = Buffer.concat(held)) => {
    held = []
    heldBytes = 0
    response = undefined
    send(bytes, client, target)
  }
  const finish = () => {
    const asked = watch.passed()
    const changed = asked && settle(asked, answerOf(response!))
    release(changed && asBytes(changed, asked!.method))
  }

  client.on('data', (bytes: Buffer) => send(watch.feed(bytes), target, client))
  target.on('data', (bytes: Buffer) => {
    if (response === undefined && !isUnread) {
      const asked = watch.passed()
      if (asked === undefined) isUnread = true
      else response = createResponse(asked.method)
    }
    if (isUnread || response === undefined) return send(bytes, client, target)
    held.push(bytes)
    heldBytes += bytes.length
    response.feed(bytes)
    const progress = response.progress()
    isUnread = progress === 'garbage' || heldBytes > mostBytes
    if (progress === 'complete') finish()
    // What has come so far was an invitation to go on.
    else if (isUnread || progress === 'nothing') release()
  })
  target.on('end', () => {
    response?.end()
    if (response?.progress() === 'complete') finish()
    else if (held.length > 0) release()
    client.end()
  })
  client.on('end', () => target.end())
  for (const [one, other] of [
    [client, target],
    [target, client]
  ] as const) {
    one.on('error', () => other.destroy())
    one.once('close', (isFaulty) => isFaulty && other.destroy())
  }
  client.once('close', () => target.destroy())
}

/** Whether the very same was asked before, and of how many other things. */
function remembered(traffic: Traffic, told: Witnessed): Pick<Witnessed, 'again' | 'nth'> {
  const { path, headers, sha256 } = told.asked
  traffic.asked ??= new Set()
  traffic.things ??= new Map()
  const sent = telling(headers).map(([name, value]) => `${name}: ${value}`)
  const words = digest([wayOf(told), headers.host, path, sha256, ...sent].join('\n'))
  const again = traffic.asked.has(words)
  traffic.asked.add(words)
  const question = digest(questionOf(told))
  const things = traffic.things.get(question) ?? new Map<string, number>()
  traffic.things.set(question, things)
  const thing = digest(path)
  const nth = things.get(thing) ?? things.size
  things.set(thing, nth)
  return { again, nth }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Writes, and has the other side wait while there is too much to write. */
function send(bytes: Buffer, to: Socket, from: Socket) {
  if (bytes.length === 0 || to.destroyed || to.write(bytes)) return
  from.pause()
  to.once('drain', () => from.resume())
}

function answerOf(response: IncomingResponse): KeptAnswer {
  const { status, headers } = response.head()
  const { body, json } = response.body.read(headers['content-encoding'])
  // What is no text, or in a coding that nobody here reads, would not be the same when written.
  const isWhole = Buffer.byteLength(body) < keptTextBytes && !body.includes('\ufffd')
  const text = json === undefined ? (isWhole ? body : undefined) : JSON.stringify(json)
  return { status, headers, text, json }
}
