import type { Clock } from '../clock.ts'
import { type Address, parseAddress } from '../target/address.ts'
import type { Endpoint } from '../target/target.ts'
import { openConnection } from './connection.ts'
import { refusal } from './refusal.ts'
import { createResponse } from './response.ts'
import { createCapThrottle, createThrottle, inTurn, unthrottled } from './throttle.ts'

/** An answer on a line: its first byte and its last, in ms on the clock. */
export type LineAnswer = {
  /** 0 for what is no HTTP. */
  status: number
  headers: Record<string, string>
  beganAt: number
  /** Undefined while it is not whole. */
  endedAt?: number
}

/** One connection that is spoken on byte by byte, and what was heard on it, by the clock. */
export type Line = {
  /** When it was begun to be made; the other side cannot have known of it before. */
  begunAt: number
  answers: LineAnswer[]
  /** When and how the other side ended it. */
  ending?: { at: number; how: 'closed' | 'reset' }
  /** Writes bytes; returns when. */
  say: (bytes: Buffer) => number
  /** Resolves at the next thing that is heard, or after `ms`. */
  heard: (ms: number) => Promise<void>
  close: () => void
}

/** Makes lines to one endpoint, as fast as it may be asked. */
export type LineMaker = {
  address: Address
  /** Why there is none, in words, where no connection was made. */
  open: () => Promise<Line | string>
  /** Resolves when one more request may be sent on a line; to false when none may any more. */
  turn: () => Promise<boolean>
}

/** How long a connection may take to be made, in ms. */
const patienceMs = 10_000

/** A way to speak to an endpoint connection by connection; throws where a client would. */
export function createLineMaker(options: {
  endpoint: Endpoint
  clock: Clock
  perSecond?: number
}): LineMaker {
  const { endpoint, clock, perSecond } = options
  const { url, verifyTls = true, route } = endpoint
  const address = { ...parseAddress(url), verifyTls, ...(route && { route }) }
  const throttle = inTurn(
    perSecond === undefined ? unthrottled : createThrottle(perSecond, clock),
    route?.caps === undefined ? unthrottled : createCapThrottle(route.caps, clock)
  )
  const turn = async () => (await throttle()) !== false
  const open = async () => ((await turn()) ? openLine(address, clock) : 'nothing more may be sent')
  return { address, turn, open }
}

function openLine(address: Address, clock: Clock): Promise<Line | string> {
  const { promise, resolve } = Promise.withResolvers<Line | string>()
  const begunAt = clock.now()
  const { socket, ready } = openConnection({ address, host: address.host })
  let response: ReturnType<typeof createResponse> | undefined
  let tell = Promise.withResolvers<void>()
  const line: Line = {
    begunAt,
    answers: [],
    say(bytes) {
      const at = clock.now()
      if (line.ending === undefined) socket.write(bytes)
      return at
    },
    async heard(ms) {
      if (line.ending !== undefined) return
      const given = new AbortController()
      await Promise.race([tell.promise, clock.until(clock.now() + ms, given.signal)])
      given.abort()
    },
    close: () => void socket.destroy()
  }
  const told = () => {
    tell.resolve()
    tell = Promise.withResolvers()
  }
  const ended = (how: 'closed' | 'reset') => {
    line.ending ??= { at: clock.now(), how }
    socket.destroy()
    told()
  }
  socket.setTimeout(patienceMs, () => {
    resolve(refusal({ code: 'ETIMEDOUT' }, address))
    socket.destroy()
  })
  socket.once(ready, () => {
    socket.setTimeout(0)
    resolve(line)
  })
  socket.on('data', (bytes) => {
    if (response === undefined) {
      response = createResponse('GET')
      line.answers.push({ status: 0, headers: {}, beganAt: clock.now() })
    }
    response.feed(bytes)
    const answer = line.answers.at(-1)!
    Object.assign(answer, response.head())
    const progress = response.progress()
    if (progress !== 'complete' && progress !== 'garbage') return
    answer.endedAt = clock.now()
    response = undefined
    told()
  })
  socket.on('end', () => ended('closed'))
  socket.on('error', (cause: NodeJS.ErrnoException) => {
    resolve(refusal(cause, address))
    ended('reset')
  })
  return promise
}
