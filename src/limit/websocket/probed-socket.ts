import type { Throttle } from '../../client/throttle.ts'
import type { Clock } from '../../clock.ts'
import { type DialAddress, socketMedium } from '../../load/http1/dial.ts'
import type { Request } from '../../load/requests/request.ts'
import {
  downText,
  type LineDown,
  openLine,
  type SocketLine
} from '../../load/websocket/socket-line.ts'
import type { Answer } from '../answer.ts'
import { createHeard } from '../heard.ts'
import { type SeekOptions, wordedAnswer, wordless } from '../seek.ts'

/** Whose WebSockets are asked about, and how. */
export type SocketSurvey = SeekOptions & {
  address: DialAddress
  /** What a WebSocket is opened with. */
  request: Request
  clock: Clock
  /** Holds back each handshake and message until it may be sent; to false where none may. */
  turn: Throttle
  /** Makes a message of so many bytes, or a small one for 1. Default: as many letters. */
  message?: (bytes: number) => string | Buffer
  /** What a message of the target says that refuses one of ours, where it goes on after it. */
  refusal?: RegExp
  /** What it says to each message that it takes; without it, that the socket goes on is enough. */
  answer?: RegExp
  /** How long a pace is kept when it is found out how many a second are taken, in ms. */
  paceMs?: number
  /** How long after a sign of life the end may still come, in ms; default 50. */
  settleMs?: number
}

/** One WebSocket that is asked about, and what was heard of it. */
export type ProbedSocket = {
  line: SocketLine
  isUp: boolean
  pongs: number
  /** Messages of the target that are answers as `answer` has them. */
  answers: number
  down: LineDown | undefined
  /** What it said in refusing a message. */
  refused: string | undefined
  until(holds: () => boolean, ms: number): Promise<boolean>
}

/** How long a handshake may take, and an answer to a ping at least, in ms. */
const [handshakeMs, leastPatienceMs] = [10_000, 2_000] as const

/** How long after a sign of life the end is waited for, in ms. */
const usualSettleMs = 50

/** Answers that are larger are no line of the target's. */
const mostAnswered = 64 * 1_024 * 1_024

/** How much of an answer is looked at for a refusal. */
const mostRead = 64 * 1_024

const bufferBytes = 64 * 1_024

/** Opens a WebSocket; it is up, or down, when this resolves. */
export async function openSocket(survey: SocketSurvey): Promise<ProbedSocket> {
  const { address, request, clock, refusal, answer } = survey
  const { tell, until } = createHeard(clock, () => socket.down !== undefined)
  const socket: ProbedSocket = {
    ...{ isUp: false, pongs: 0, answers: 0, down: undefined, refused: undefined, until },
    line: openLine(request, {
      ...{ address, now: clock.now, maxBytes: mostAnswered },
      medium: socketMedium(Buffer.allocUnsafeSlow(bufferBytes)),
      ears: {
        onUp() {
          socket.isUp = true
          tell()
        },
        onMessage(bytes) {
          if (refusal === undefined && answer === undefined) return
          const text = bytes.toString('utf8', 0, mostRead)
          // By a search, since a test of a pattern with `g` goes on where the one before ended.
          if (refusal && text.search(refusal) >= 0) socket.refused ??= text
          else if (answer && text.search(answer) >= 0) socket.answers++
          tell()
        },
        onPong() {
          socket.pongs++
          tell()
        },
        onDown(told) {
          socket.down = told
          tell()
        }
      }
    })
  }
  await until(() => socket.isUp, handshakeMs)
  return socket
}

/** How a WebSocket ended, or why there was none, in words. */
export function endOf({ down }: ProbedSocket): string {
  if (down === undefined) return 'no handshake in time'
  const { status, ending, error } = down
  if (status > 0 && status !== 101) return `HTTP ${status}`
  const text = downText(down)
  if (text !== undefined) return ending === 'closed' && down.code === undefined ? wordless : text
  return error?.message ?? (ending === 'reset' ? wordless : ending)
}

/** An answer in words, as a search takes it. */
export function socketAnswer(
  kind: Answer['kind'],
  because: string,
  { request }: Pick<SocketSurvey, 'request'>
): Answer {
  return wordedAnswer(kind, because, { url: request.url })
}

/** What a WebSocket made of what was said: it goes on, is ended, or gives no sign of life. */
export async function alive(
  socket: ProbedSocket,
  survey: SocketSurvey,
  patienceMs: number
): Promise<Answer> {
  const before = socket.pongs
  socket.line.ping()
  await socket.until(() => socket.pongs > before, patienceMs)
  await socket.until(() => false, survey.settleMs ?? usualSettleMs)
  const said = socket.refused?.slice(0, 100)
  if (said !== undefined) return socketAnswer('rejected', `it said ${said}`, survey)
  if (socket.down !== undefined) return socketAnswer('rejected', endOf(socket), survey)
  if (socket.pongs > before) return socketAnswer('accepted', 'the socket goes on', survey)
  return socketAnswer('unclear', 'a ping was not answered in time', survey)
}

/**
 * What a WebSocket made of so many messages: each has its answer where `answer` says what that is.
 * Silence says nothing by itself, as an answer may be late: a small message behind has to have one.
 */
export async function taken(
  socket: ProbedSocket,
  survey: SocketSurvey,
  { count, patienceMs }: { count: number; patienceMs: number }
): Promise<Answer> {
  const told = await alive(socket, survey, patienceMs)
  if (told.kind !== 'accepted' || survey.answer === undefined) return told
  if (await answered(socket, count, patienceMs))
    return socketAnswer('accepted', 'it was answered', survey)
  if ((await survey.turn()) === false)
    return socketAnswer('unclear', 'nothing more may be sent', survey)
  socket.line.send(survey.message?.(1) ?? 'x')
  const isAll = await answered(socket, count + 1, patienceMs)
  const { answers, refused, down } = socket
  if (isAll) return socketAnswer('accepted', 'it was answered', survey)
  if (refused !== undefined || down !== undefined) return alive(socket, survey, patienceMs)
  if (answers === 0) return socketAnswer('unclear', 'no message was answered in time', survey)
  const few = count === 1 ? 'it' : `${count + 1 - answers} of ${count}`
  return socketAnswer('rejected', `${few} without an answer, one behind has it`, survey)
}

/** Waits for so many answers, as long as they keep coming. */
async function answered(socket: ProbedSocket, count: number, patienceMs: number) {
  for (let before = -1; socket.answers > before && socket.answers < count; ) {
    before = socket.answers
    const isMore = () => socket.answers > before || socket.refused !== undefined
    await socket.until(isMore, patienceMs)
    if (socket.refused !== undefined || socket.down !== undefined) break
  }
  return socket.answers >= count
}

/** Has a WebSocket opened for one question, and closes it; unclear where there is none. */
export async function onSocket(
  survey: SocketSurvey,
  ask: (socket: ProbedSocket, patienceMs: number) => Promise<Answer>
): Promise<Answer> {
  const { clock, turn } = survey
  if ((await turn()) === false) return socketAnswer('unclear', 'nothing more may be sent', survey)
  const from = clock.now()
  const socket = await openSocket(survey)
  try {
    if (!socket.isUp) return socketAnswer('unclear', `no WebSocket: ${endOf(socket)}`, survey)
    return await ask(socket, Math.max(leastPatienceMs, 10 * (clock.now() - from)))
  } finally {
    socket.line.leave()
  }
}
