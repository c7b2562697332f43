import type { InvocationRecord, LogLine, RequestHead } from './contract.ts'

/** What is recorded of an invocation's output, within the limit for all of it together. */
export type Transcript = {
  /** Metadata and headers of the request; recorded before anything else. */
  request(head: RequestHead): void
  line(line: LogLine): void
  exception(exception: { name: string; message: string }): void
  recorded(): Pick<InvocationRecord, 'request' | 'logs' | 'isTruncated' | 'exception'>
}

/** Empty lines use up nothing of the limit, and each is kept with its level and moment. */
const mostLines = 4_096

const encoder = new TextEncoder()

/** As much of a text as `bytes` of UTF-8 hold, in whole characters. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)
}

/** Begins a transcript; what does not fit is cut, and nothing after it is recorded. */
export function createTranscript(limit: number): Transcript {
  let room = limit
  let isTruncated = false
  const logs: LogLine[] = []
  let request: RequestHead | undefined
  let exception: { name: string; message: string } | undefined

  /** The text, or what there is room for; undefined once there is none. */
  const keep = (text: string): string | undefined => {
    if (isTruncated) return undefined
    const fitting = cutToBytes(text, room)
    room -= Buffer.byteLength(fitting)
    isTruncated = fitting.length < text.length
    return isTruncated && fitting === '' ? undefined : fitting
  }
  return {
    request({ method, url, headers }) {
      const fittingUrl = keep(method + url)?.slice(method.length) ?? ''
      const fitting = headers.filter(
        ([name, value]) => keep(name + value)?.length === name.length + value.length
      )
      request = { method, url: fittingUrl, headers: fitting }
    },
    line(line) {
      if (logs.length >= mostLines && limit < Infinity) isTruncated = true
      const text = keep(line.text)
      if (text !== undefined) logs.push({ ...line, text })
    },
    exception({ name, message }) {
      const text = keep(name + message)
      if (text !== undefined) exception = { name, message: text.slice(name.length) }
    },
    recorded: () => ({ request, logs, isTruncated, ...(exception && { exception }) })
  }
}
