/** A request as its first bytes show it. */
export type Asked = {
  method: string
  /** The request target as it came. */
  path: string
  /** What is asked for, whichever zone it is asked of. */
  shape: string
  /** Whose it is: a zone's id, or the host. */
  zone: string
  /** What has come back so far. */
  heard: Buffer[]
}

/** The answers that a proxy has passed on, and those it gave in place of others. */
export type Memory = {
  hear: (asked: Asked, bytes: Buffer) => void
  /** A whole answer about another zone, to the same question where it has been asked. */
  ofAnotherZone: (asked: Asked) => Buffer | undefined
  /** Whether this body only came because it was replayed, and never from the target itself. */
  isReplay: (method: string, url: string, body: string) => boolean
}

const mostBytes = 65_536
/** As much of a body as evidence keeps. */
const excerptLength = 2_000

/** The request that begins with these bytes; undefined when none does. */
export function parseAsked(bytes: Buffer): Asked | undefined {
  const text = bytes.toString('latin1', 0, mostBytes)
  const found = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/.exec(text)
  if (!found) return
  const [, method, path] = found as unknown as [string, string, string]
  const host = /\r\nhost: *([^\r\n]+)/i.exec(text)?.[1] ?? ''
  const [plain] = path.split('?') as [string]
  const zone = /\/zones\/([^/]+)/.exec(plain)?.[1]
  const what = plain.replace(/\/zones\/[^/]+/, '/zones/*').replace(/^\/v1\/.*/, '/v1/*')
  const shape = `${method} ${what}`
  return { method, path, shape, zone: zone ?? (plain.startsWith('/v1/') ? plain : host), heard: [] }
}

/** The body of a whole answer as text; undefined while it is not whole. */
function bodyOf(answer: Buffer): string | undefined {
  const text = answer.toString('utf8')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0 || text.startsWith('HTTP/1.1 100')) return
  const head = text.slice(0, end).toLowerCase()
  const body = text.slice(end + 4)
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
  if (length !== undefined) return Buffer.byteLength(body) === Number(length) ? body : undefined
  if (!head.includes('transfer-encoding: chunked') || !body.endsWith('0\r\n\r\n')) return
  return body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, '').replace(/\r\n$/, '')
}

/** A memory of nothing yet. */
export function createMemory(): Memory {
  const whole = new Map<string, Map<string, Buffer>>()
  const honest = new Set<string>()
  const replayed = new Set<string>()
  const keyOf = (method: string, path: string, body: string) =>
    `${method} ${path.slice(0, 100)} ${body.slice(0, excerptLength)}`
  return {
    hear(asked, bytes) {
      const size = asked.heard.reduce((sum, { length }) => sum + length, 0)
      if (size + bytes.length > mostBytes) return
      asked.heard.push(bytes)
      const answer = Buffer.concat(asked.heard)
      const body = bodyOf(answer)
      if (body === undefined) return
      const { method, path, shape, zone } = asked
      honest.add(keyOf(method, path, body))
      whole.set(shape, (whole.get(shape) ?? new Map()).set(zone, answer))
    },
    ofAnotherZone({ method, path, shape, zone }) {
      const of = (answers: Iterable<[string, Buffer]>) =>
        [...answers].findLast(([other]) => other !== zone)?.[1]
      // Before the question was asked of another zone, the answer to another question has to do.
      const any = [...whole.values()].flatMap((answers) => [...answers])
      const answer = of(whole.get(shape) ?? []) ?? of(any)
      if (answer) replayed.add(keyOf(method, path, bodyOf(answer)!))
      return answer
    },
    isReplay(method, url, body) {
      const key = keyOf(method, new URL(url).href.slice(new URL(url).origin.length), body)
      return replayed.has(key) && !honest.has(key)
    }
  }
}
