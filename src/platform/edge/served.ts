import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from '../kernel/http/message.ts'

/** A header as it is sent: repeated ones apart, one character a byte. */
export type Header = [name: string, value: string]

/** What an origin answers; the body comes as it is read. */
export type Served = { status: number; headers: Header[]; body: string | Readable }

/** The values of all headers with this name, given in lower case. */
export function valuesOf(headers: readonly Header[], name: string): string[] {
  return headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
}

/** The media type of what is served, in lower case and without parameters; '' when it has none. */
export function mediaType({ headers }: Served): string {
  const [type = ''] = valuesOf(headers, 'content-type')
  return type.split(';')[0]!.trim().toLowerCase()
}

/** Hands what is served to the client, as fast as the client takes it. */
export async function deliver(response: Response, { status, headers, body }: Served) {
  response.writeHead(status, headers.flat())
  if (typeof body === 'string') response.end(body)
  else await pipeline(body, response)
}
