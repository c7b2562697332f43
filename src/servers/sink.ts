import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** A batch of records as it came: NDJSON, compressed with gzip or not. */
export type Delivered = {
  /** Its lines that are JSON objects. */
  records: Record<string, unknown>[]
  /** What is wrong with it, in words; empty when nothing is. */
  faults: string[]
  /** Bytes of lines. */
  bytes: number
  /** SHA-256 of the lines: a batch that came before has the digest it had then. */
  digest: string
  headers: Record<string, string>
  /** What it was sent with, and to: an object of a storage service is a `PUT` of its own name. */
  method: string
  path: string
}

/** One place that batches are delivered to, with all paths below it, apart from all others. */
export type Inbox = {
  url: string
  /** Every batch that was taken, in the order they came; one that came twice is there twice. */
  batches: readonly Delivered[]
  /** The records of all batches that differ: what came again counts once. */
  records: () => Record<string, unknown>[]
  /** Forgets what has come so far, such as a batch that only tries the place. */
  forget: () => void
  /** Says with this status, which is 200 otherwise, that a batch was taken. */
  answer: (status: number) => void
  /** Turns the next batches away with a status, or closes the connection where there is none. */
  refuse: (next: { batches: number; status?: number }) => void
  /** How many batches were turned away. */
  refused: () => number
}

/** A server of the harness on loopback that takes logs, and counts them for itself. */
export type Sink = AsyncDisposable & {
  /** The inbox of this name; its batches are sent to its URL. */
  inbox: (name: string) => Inbox
  close: () => Promise<void>
}

/** No batch is larger than this once it is decompressed. */
const mostBytes = 256 * 1_048_576

/** Starts a sink on a free port of loopback. */
export async function sink(): Promise<Sink> {
  // Imported when a server is wanted: that takes 40 ms, and most scenarios want none.
  const { createServer } = await import('node:http')
  const places = new Map<string, Place>()
  const server = createServer(async (request, response) => {
    const place = places.get(/^\/([^/?]*)/.exec(request.url!)![1]!)
    const content = await bytesOf(request)
    // What was cut off is no batch, and there is nobody left to answer.
    if (content === undefined) return
    const status = place === undefined ? 404 : await place.take(request, content)
    if (status === undefined) request.socket.destroy()
    else response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return {
    inbox(name) {
      const path = encodeURIComponent(name)
      const place = places.get(path) ?? createPlace(`http://127.0.0.1:${port}/${path}`)
      places.set(path, place)
      return place.inbox
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

/** An inbox from behind: takes a batch and says with which status, if with any. */
type Place = {
  inbox: Inbox
  take: (request: IncomingMessage, content: Buffer) => Promise<number | undefined>
}

function createPlace(url: string): Place {
  const batches: Delivered[] = []
  let turning: Parameters<Inbox['refuse']>[0] = { batches: 0 }
  let refused = 0
  let taken = 200
  const inbox: Inbox = {
    url,
    batches,
    records() {
      return [...Map.groupBy(batches, ({ digest }) => digest).values()].flatMap(
        ([first]) => first!.records
      )
    },
    forget: () => void batches.splice(0),
    answer(status) {
      taken = status
    },
    refuse(next) {
      turning = { ...next }
    },
    refused: () => refused
  }
  return {
    inbox,
    async take({ headers, method = '', url: path = '' }, content) {
      if (turning.batches > 0) {
        turning.batches--
        refused++
        return turning.status
      }
      batches.push({ ...(await read(content, headers)), method, path })
      return taken
    }
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks)
}

const decompress = promisify(gunzip)

async function read(
  content: Buffer,
  headers: IncomingMessage['headers']
): Promise<Omit<Delivered, 'method' | 'path'>> {
  const faults: string[] = []
  const isZipped = content[0] === 0x1f && content[1] === 0x8b
  const lines = isZipped
    ? await decompress(content, { maxOutputLength: mostBytes }).catch(() => Buffer.alloc(0))
    : content
  if (isZipped && lines.length === 0) faults.push('it does not decompress')
  const records: Delivered['records'] = []
  for (const [index, line] of lines.toString().split('\n').entries()) {
    if (line.trim() === '') continue
    const record = parsed(line)
    if (record) records.push(record)
    else faults.push(`line ${index + 1} is no JSON object`)
  }
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return {
    records,
    faults,
    bytes: lines.length,
    digest: hash('sha256', lines),
    headers: Object.fromEntries(plain)
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
