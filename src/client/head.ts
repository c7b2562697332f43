/** The bytes that came are not HTTP/1.1; the message says what is wrong with them. */
export class NotHttp extends Error {}

/** Status line and headers of a response, headers by lower-case name. */
export type Head = { status: number; headers: Record<string, string> }

const statusLine = /^HTTP\/1\.[01] ([1-9]\d\d)(?: .*)?$/
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/

/** The head in `text`, which ends before the empty line; throws `NotHttp`. */
export function parseHead(text: string): Head {
  const [first, ...lines] = text.split('\r\n')
  const status = statusLine.exec(first!)?.[1]
  if (status === undefined) throw new NotHttp(`the status line is ${quoted(first!)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined) throw new NotHttp(`a header line is ${quoted(line)}`)
    const key = name.toLowerCase()
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value!)
  }
  return { status: Number(status), headers: Object.fromEntries(headers) }
}

/** Where a body ends: after a number of bytes, after its last chunk, or with the connection. */
export type Length = number | 'chunked' | 'close'

/**
 * How long the body after `head` is (RFC 9112, 6.3), in answer to a request with `method`; throws
 * `NotHttp` when the head says two things at once.
 */
export function bodyLength({ status, headers }: Head, method: string): Length {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  if (coding !== undefined) {
    if (length !== undefined) throw new NotHttp('both transfer-encoding and content-length')
    return /(^|[ ,])chunked$/i.test(coding) ? 'chunked' : 'close'
  }
  if (length === undefined) return 'close'
  const lengths = new Set(length.split(/[ \t]*,[ \t]*/))
  const [only] = lengths
  const isNumber = lengths.size === 1 && /^\d+$/.test(only!) && Number.isSafeInteger(Number(only))
  if (!isNumber) throw new NotHttp(`content-length is ${quoted(length)}`)
  return Number(only)
}

/** The beginning of what came, fit to stand in a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
