import type { Clock } from '../clock.ts'
import type { Address } from '../target/address.ts'
import { closeReason } from './close-reason.ts'
import { openConnection } from './connection.ts'
import type { RawRequest } from './raw-request.ts'
import { refusal, unconnected } from './refusal.ts'
import type { Reply } from './reply.ts'
import { createResponse, type IncomingResponse } from './response.ts'
import { openStream, type Timeouts } from './timeouts.ts'
import { createUpload, type Upload } from './upload.ts'

/**
 * What came of one attempt. It `isCut` when the connection broke without a complete answer: there
 * may have been one, lost because the body was still being sent.
 */
export type Attempt = { reply: Reply; isCut: boolean }

/** What one attempt sends, where, and how patiently. */
export type Attempted = {
  body: RawRequest['body']
  beforeLastByte: RawRequest['beforeLastByte']
  headPieces?: RawRequest['headPieces']
  head: Buffer
  /** Host that the other side has to prove to be over TLS. */
  host: string
  address: Address
  request: Reply['request']
  timeouts: Timeouts
  paceFrom: number
  clock: Clock
}

/** One request and its response while they are under way. */
type Talk = {
  upload: Upload
  response: IncomingResponse
  /** When the first byte was sent; undefined until the connection is made. */
  began?: number
  /** How far the upload had come at the first byte of the answer. */
  answered?: ReturnType<Upload['progress']>
}

/** Asks a question once, on a connection of its own. */
export function attempt(attempted: Attempted): Promise<Attempt> {
  const { body, head, host, address, request, timeouts, paceFrom, clock } = attempted
  const { promise, resolve } = Promise.withResolvers<Attempt>()
  const { socket, ready } = openConnection({ address, host })
  const response = createResponse(request.method)
  const { beforeLastByte, headPieces } = attempted
  const sent = { body, paceFrom, beforeLastByte, headPieces }
  const upload = createUpload({ socket, response, ...sent, clock })
  const talk: Talk = { upload, response }

  let stream: ReturnType<typeof setTimeout> | undefined
  // The first outcome stands: a promise is resolved only once.
  const settle = (kind: Reply['kind'], because: string, attempt: { isCut: boolean } = whole) => {
    upload.stop()
    clearTimeout(timer)
    clearTimeout(stream)
    socket.destroy()
    const ms = talk.began === undefined ? 0 : clock.now() - talk.began
    resolve({ reply: { kind, because, ms, request, ...seen(talk) }, ...attempt })
  }
  const giveUp = (because: string) => {
    const open = openStream(response.head())
    if (open !== undefined) settle('answered', open)
    else if (talk.began === undefined) settle('refused', refusal({ code: 'ETIMEDOUT' }, address))
    else settle('timeout', because)
  }
  const settleIfDone = () => {
    const progress = response.progress()
    const { status } = response.head()
    if (progress === 'complete') settle('answered', `HTTP ${status}${upload.remark()}`)
    if (progress === 'garbage') settle('garbage', `not HTTP: ${response.fault()}`)
  }
  const { timeoutMs, deadlineMs, streamMs } = timeouts
  const timer = setTimeout(() => giveUp(`not finished after ${deadlineMs} ms`), deadlineMs)
  socket.setTimeout(timeoutMs, () => giveUp(`no byte for ${timeoutMs} ms`))
  socket.once(ready, () => {
    talk.began = clock.now()
    upload.run(head)
  })
  socket.on('data', (bytes) => {
    hear(talk, bytes)
    settleIfDone()
    const isOpen = response.progress() === 'body' && openStream(response.head())
    if (isOpen) stream ??= setTimeout(() => giveUp(''), streamMs)
  })
  socket.on('end', () => {
    response.end()
    settleIfDone()
    settle('closed', closeReason({ ...seen(talk), bodyBytes: request.bodyBytes }))
  })
  socket.on('error', (cause) => {
    if (talk.began === undefined) settle(...unconnected(cause, address))
    else
      settle('closed', closeReason({ ...seen(talk), bodyBytes: request.bodyBytes }), {
        isCut: true
      })
  })
  return promise
}

const whole = { isCut: false }

function hear(talk: Talk, bytes: Buffer): void {
  const { upload, response } = talk
  const progress = upload.progress()
  response.feed(bytes)
  // A 100 Continue is no answer: what had been sent before it does not count.
  talk.answered = response.progress() === 'nothing' ? undefined : (talk.answered ?? progress)
  upload.heard()
}

/** The part of a reply that has been seen so far. */
function seen({ upload, response, began, answered }: Talk) {
  const { sent, phase } = answered ?? upload.progress()
  const head = response.head()
  return {
    ...head,
    ...response.body.read(head.headers['content-encoding']),
    sent,
    phase: began === undefined ? ('connect' as const) : phase
  }
}
