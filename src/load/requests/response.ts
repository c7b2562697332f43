import { type Ending, leftAt, type Sample } from '../figures/sample.ts'

/** What came back for one request, a dead connection included. */
export type Response = {
  /** How the request ended; a response is there only if it was `answered`. */
  ending: Ending
  /** HTTP status; 0 without a response. */
  status: number
  /** Whether the response says success: a status from 200 to 299. */
  ok: boolean
  /** Headers by lower-case name, repeated ones joined by a comma. */
  headers: Record<string, string>
  /** The body, its first 4 MiB. */
  bytes: Buffer
  /** The body as text. */
  readonly body: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: any
  /** Milliseconds from the send to the end; of what was never sent, from its due moment. */
  ms: number
}

/** Headers by lower-case name, of names and values in turn; repeated ones joined by a comma. */
export function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index]!
    const value = lines[index + 1]!
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The response of a sample whose headers and body were kept. */
export function responseOf(sample: Sample): Response {
  const { ending, status, headers = [], body = [], end } = sample
  const bytes = Buffer.concat(body)
  return {
    ending,
    status,
    ok: status >= 200 && status < 300,
    headers: headersOf(headers),
    bytes,
    get body() {
      return bytes.toString()
    },
    get json() {
      return parsed(bytes.toString())
    },
    ms: end - leftAt(sample)
  }
}
