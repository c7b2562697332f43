import { once } from 'node:events'
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'

/** What came back on one stream. */
export type Heard2 = {
  /** 0 where no answer came. */
  status: number
  headers: Record<string, unknown>
  body: string
  /** The code that the stream ended with: 0 where nothing was wrong. */
  code: number
  /** Whether the server told to go on (100). */
  isContinued: boolean
}

/** Opens a connection of HTTP/2; it is there once this resolves. */
export async function session(url: string): Promise<ClientHttp2Session> {
  const opened = connect(url)
  opened.on('error', () => {})
  await once(opened, 'remoteSettings')
  return opened
}

/** Asks on a stream of its own; the request ends with the last part, and stays open without any. */
export async function asked(
  on: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  parts?: Iterable<Buffer>
): Promise<Heard2> {
  const stream = on.request(headers, { endStream: parts === undefined })
  const heard: Heard2 = { status: 0, headers: {}, body: '', code: 0, isContinued: false }
  stream.on('error', () => {})
  stream.on('continue', () => {
    heard.isContinued = true
  })
  stream.on('response', (head) => {
    heard.status = head[':status'] ?? 0
    heard.headers = Object.fromEntries(Object.entries(head))
  })
  stream.on('data', (chunk: Buffer) => {
    heard.body += chunk.toString('latin1')
  })
  const closed = new Promise((resolve) => stream.once('close', resolve))
  for (const part of parts ?? []) {
    if (stream.destroyed) break
    if (!stream.write(part)) await Promise.race([once(stream, 'drain'), closed]).catch(() => {})
  }
  if (parts !== undefined && !stream.destroyed) stream.end()
  await closed
  return { ...heard, code: stream.rstCode ?? 0 }
}

/** One question on a connection of its own. */
export async function ask2(url: string, ...question: [OutgoingHttpHeaders, Iterable<Buffer>?]) {
  const on = await session(url)
  try {
    return await asked(on, ...question)
  } finally {
    on.destroy()
  }
}
