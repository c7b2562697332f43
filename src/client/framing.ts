import type { Body } from './body.ts'
import { type Length, NotHttp, quoted } from './head.ts'

/** Takes the next bytes after a head and says whether the body is complete; throws `NotHttp`. */
export type BodyReader = (bytes: Buffer) => boolean

const longestLineBytes = 16_384
const mostTrailerBytes = 1_048_576

/** Reads what follows a head into `body`, until it is as long as the head says. */
export function framed(length: Length, body: Body): BodyReader {
  if (length === 'chunked') return chunked(body)
  return length === 'close' ? untilClose(body) : fixedLength(length, body)
}

/** A body of a known length; what comes after it is not part of it. */
function fixedLength(length: number, body: Body): BodyReader {
  let left = length
  return (bytes) => {
    const part = bytes.subarray(0, left)
    body.add(part)
    left -= part.length
    return left === 0
  }
}

/** A body that lasts until the connection ends. */
function untilClose(body: Body): BodyReader {
  return (bytes) => {
    body.add(bytes)
    return false
  }
}

/** What the next line, or the next bytes, of a chunked body are. */
type Part = 'size' | 'content' | 'gap' | 'trailer' | 'end'

/** A chunked body (RFC 9112, 7.1); extensions and trailers are read and forgotten. */
function chunked(body: Body): BodyReader {
  let part: Part = 'size'
  let line = ''
  let left = 0
  let trailerBytes = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length && part !== 'end'; ) {
      if (part === 'content') {
        const content = bytes.subarray(at, at + left)
        body.add(content)
        at += content.length
        left -= content.length
        if (left === 0) part = 'gap'
        continue
      }
      const feed = bytes.indexOf('\n', at) + 1
      line += bytes.toString('latin1', at, feed || bytes.length)
      at = feed || bytes.length
      if (line.length > longestLineBytes) throw new NotHttp(`a chunk line is ${quoted(line)}`)
      if (feed === 0) break
      if (part === 'trailer') trailerBytes += line.length
      if (trailerBytes > mostTrailerBytes) throw new NotHttp('its trailers do not end within 1 MiB')
      if (part === 'size') left = chunkSize(line)
      part = after(part, line, left)
      line = ''
    }
    return part === 'end'
  }
}

function chunkSize(line: string): number {
  const size = /^([\da-f]{1,13})[ \t]*(;.*)?\r\n$/i.exec(line)?.[1]
  if (size === undefined) throw new NotHttp(`a chunk size is ${quoted(line)}`)
  return Number.parseInt(size, 16)
}

function after(part: Part, line: string, size: number): Part {
  if (part === 'size') return size === 0 ? 'trailer' : 'content'
  const isEmpty = line === '\r\n'
  if (part === 'gap' && !isEmpty) throw new NotHttp(`a chunk is followed by ${quoted(line)}`)
  if (part === 'gap') return 'size'
  return isEmpty ? 'end' : 'trailer'
}
