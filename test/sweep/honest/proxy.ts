import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, random } from '../../../src/random.ts'
import { createReader, type Head, headerOf, type Length, type Piece } from './answer-stream.ts'
import { createQuestions, type Question, type Questions } from './question-stream.ts'
import type { Way } from './way.ts'

/** A proxy that makes a platform look as if it were of another make. */
export type HonestProxy = {
  /** Its address: host and port. */
  origin: string
  /** How many answers it has passed on. */
  answers: () => number
  close: () => void
}

/** A body beyond this is passed on as it comes, and never as another text. */
const mostJsonBytes = 4 * 1_048_576

const leave = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n')

type Answer = { head: Head; length: Length; body: AsyncIterable<Buffer> }

/** What a proxy knows of one connection. */
type Talk = { client: Socket; way: Way; chance: Random; questions: Questions }

/** Resolves when a socket takes more, or nothing any more. */
function room(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

/** Writes to a client as the way says, and not faster than it reads. */
async function write({ client, way }: Talk, bytes: Buffer): Promise<void> {
  const { pieceBytes = bytes.length, pieceMs = 0 } = way
  for (let at = 0; at < bytes.length && client.writable; at += pieceBytes) {
    const isRoom = client.write(bytes.subarray(at, at + pieceBytes))
    if (!isRoom) await room(client)
    if (pieceMs > 0) await pause(pieceMs)
  }
}

function rendered({ status, reason, headers }: Head): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${lines}\r\n`, 'latin1')
}

/** The head with these in place of what it had under their names; without a value, nothing. */
function withHeaders(head: Head, changes: Record<string, string | undefined>): Head {
  const names = Object.keys(changes).map((name) => name.toLowerCase())
  const kept = head.headers.filter(([name]) => !names.includes(name.toLowerCase()))
  const added = Object.entries(changes).filter(
    (one): one is [string, string] => one[1] !== undefined
  )
  return { ...head, headers: [...kept, ...added] }
}

/** The head of an answer that has no body. */
function emptied(head: Head): Head {
  const none = { 'Content-Type': undefined, 'Content-Length': undefined }
  return { ...withHeaders(head, { ...none, 'Transfer-Encoding': undefined }), status: 204 }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The body of an answer, and whether it is as the way has it. */
async function bodyAs(
  { head, length, body }: Answer,
  asked: Question,
  talk: Talk
): Promise<Answer> {
  const { way, chance } = talk
  const isJson = /json/i.test(headerOf(head, 'content-type') ?? '')
  if ((way.json || way.status) && isJson && !(Number(length) > mostJsonBytes)) {
    const whole = await text(Readable.from(body))
    const value = JSON.parse(whole)
    const bytes = Buffer.from(way.json?.(value, { asked, head, chance }) ?? whole)
    head = { ...head, status: way.status?.(value, { asked, head }) ?? head.status }
    body = only(bytes)
    length = bytes.length
  }
  if (way.coding === undefined) return { head, body, length: way.framing ?? length }
  const [name, encode] = way.coding
  const coded = withHeaders(head, { 'Content-Encoding': name, Vary: 'Accept-Encoding' })
  return { head: coded, body: encode(body), length: way.framing ?? 'chunked' }
}

/** Passes one answer on; whether the connection may stay. */
async function pass(answer: Answer, asked: Question, talk: Talk): Promise<boolean> {
  const { way, chance, questions } = talk
  if (way.delayMs) await pause(way.delayMs(chance))
  if (way.isLate) await questions.whole()
  if (way.interim) await write(talk, Buffer.from(way.interim))
  const changed = way.head?.(answer.head, { asked, chance }) ?? answer.head
  const isEmptied = way.isBare?.({ asked, head: changed }) === true
  if (isEmptied) await text(Readable.from(answer.body))
  const other = isEmptied ? emptied(changed) : changed
  const isBare = answer.length === 0 || isEmptied
  const { head, length, body } = isBare
    ? { ...answer, head: other }
    : await bodyAs({ ...answer, head: other }, asked, talk)
  const isClosed =
    way.isOnce === true ||
    length === 'close' ||
    /close/i.test(headerOf(answer.head, 'connection') ?? '')
  const framed = isBare
    ? {}
    : {
        'Content-Length': typeof length === 'number' ? `${length}` : undefined,
        'Transfer-Encoding': length === 'chunked' ? 'chunked' : undefined
      }
  const connection = { Connection: isClosed ? 'close' : 'keep-alive', 'Keep-Alive': undefined }
  await write(talk, rendered(withHeaders(head, { ...framed, ...connection })))
  const isChunked = !isBare && length === 'chunked'
  for await (const bytes of body) {
    if (bytes.length === 0) continue
    if (isChunked) await write(talk, Buffer.from(`${bytes.length.toString(16)}\r\n`))
    await write(talk, isChunked ? Buffer.concat([bytes, Buffer.from('\r\n')]) : bytes)
  }
  if (isChunked) await write(talk, Buffer.from('0\r\n\r\n'))
  return !isClosed
}

/** The pieces of what a socket says, one after another. */
async function* piecesOf(socket: Socket, read: (bytes: Buffer) => Piece[]): AsyncGenerator<Piece> {
  for await (const bytes of socket) yield* read(bytes)
}

/** Passes on all that a target answers to a client. */
async function converse(target: Socket, talk: Talk): Promise<void> {
  const { client, way, questions } = talk
  const pieces = piecesOf(target, createReader(questions.next))
  const next = async () => (await pieces.next()).value as Piece | undefined
  async function* body(): AsyncGenerator<Buffer> {
    for (let piece = await next(); piece?.kind === 'body'; piece = await next()) yield piece.bytes
  }
  let isStaying = true
  for (let piece = await next(); isStaying && piece; piece = await next()) {
    // Who is refused late was given leave already.
    if (piece.kind === 'interim' && !way.isLate) await passInterim(talk, piece.bytes)
    if (piece.kind !== 'head') continue
    const { head, length, asked } = piece
    isStaying = await pass({ head, length, body: length === 0 ? none() : body() }, asked, talk)
    if (!isStaying) break
    if (way.idleMs !== undefined) closeWhenIdle(talk, way.idleMs)
  }
  client.end()
}

/** Has a client go on, now, later or never. */
async function passInterim(talk: Talk, bytes: Buffer): Promise<void> {
  const { leaveMs = 0 } = talk.way
  if (leaveMs === Infinity) return
  if (leaveMs > 0) await pause(leaveMs)
  await write(talk, bytes)
}

/** Ends a connection on which nothing is asked for so long. */
function closeWhenIdle({ client, questions }: Talk, idleMs: number) {
  const asked = questions.count()
  setTimeout(() => void (questions.count() === asked && client.end()), idleMs).unref()
}

async function* none(): AsyncGenerator<Buffer> {}

/** Starts a proxy before `upstream`, host and port, that passes answers on in its own way. */
export async function startHonestProxy(options: {
  upstream: string
  way: Way
  seed: number
}): Promise<HonestProxy> {
  const { upstream, way, seed } = options
  const [host, port] = upstream.split(':') as [string, string]
  const chance = random(seed, `honest ${upstream}`)
  const sockets = new Set<Socket>()
  let answers = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ host, port: Number(port), allowHalfOpen: true })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    const questions = createQuestions()
    client.on('data', (bytes) => {
      for (const question of questions.feed(bytes)) {
        answers++
        if (way.isLate && question.isLeaveAsked) client.write(leave)
      }
      if (target.writable && !target.write(bytes)) {
        client.pause()
        room(target).then(() => client.resume())
      }
    })
    client.on('end', () => {
      target.end()
      if (client.writableEnded) client.destroy()
    })
    client.on('close', () => target.destroy())
    const talk = { client, way, chance, questions }
    // What ends without an answer does so for the client, too.
    converse(target, talk).catch(() => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: () => answers,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
