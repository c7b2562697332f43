import { isUtf8 } from 'node:buffer'
import type { Argv } from 'yargs'
import { isSocket, type Request } from '../../load/requests/request.ts'
import { Failure } from '../failure.ts'
import { type RequestFlags, requestOf, textOf } from './request-flags.ts'

/** Flags that say what goes over WebSockets. */
export type MessageFlags = { message?: string; answer?: string }

/** Adds the flags of WebSockets. */
export function messageFlags<Given>(yargs: Argv<Given>): Argv<Given & MessageFlags> {
  return yargs
    .option('message', {
      ...{ type: 'string', requiresArg: true },
      describe: 'To a ws: URL: the message; to a grpc: one, its JSON; @FILE and @- as for --body'
    })
    .option('answer', {
      ...{ type: 'string', requiresArg: true, coerce: pattern },
      describe: 'To a ws: URL: only messages that match this answer, others are passed over'
    }) as never
}

/** Throws where flags name what speaks no WebSocket, by the flag that was given. */
export function insistOnSockets({ transport, http }: { transport: string; http?: string }): void {
  if (transport === 'http1' || transport === 'wire') return
  const given = http === '2' ? '--http 2' : `--transport ${transport}`
  throw new Failure(`${given} speaks no WebSocket: leave it out`)
}

/** A regular expression, as it was written. */
function pattern(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return new RegExp(text).source
  } catch (cause) {
    throw new Error(`--answer "${text}" is no regular expression: ${(cause as Error).message}`)
  }
}

/** A message as text, where its bytes are. */
function messageIn(given: string): string | Buffer {
  const told = textOf('message', given)
  return typeof told !== 'string' && isUtf8(told) ? told.toString() : told
}

/** The message that flags describe; undefined where the URL is no WebSocket's. */
export function messageOf(
  url: string | undefined,
  flags: RequestFlags & MessageFlags
): Request | undefined {
  const { message, answer, method, body } = flags
  if (url === undefined || !isSocket({ url })) {
    const stray = message === undefined ? (answer === undefined ? undefined : 'answer') : 'message'
    if (stray === undefined) return
    throw new Failure(
      stray === 'message'
        ? '--message is about WebSockets and gRPC: give a ws: or wss: URL, or a grpc: or grpcs: one'
        : '--answer is about WebSockets: give a ws: or wss: URL'
    )
  }
  if ((method ?? body) !== undefined)
    throw new Failure('over a WebSocket go messages: give --message, and no --method or --body')
  if (message === undefined) throw new Failure(`what is sent to ${url} is named by --message`)
  const { headers } = requestOf(url.replace(/^ws/i, 'http'), flags)
  return { url, headers, body: messageIn(message), ...(answer !== undefined && { answer }) }
}
