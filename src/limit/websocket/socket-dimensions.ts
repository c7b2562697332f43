import { unthrottled } from '../../client/throttle.ts'
import type { Answer } from '../answer.ts'
import { alive, onSocket, type SocketSurvey, socketAnswer, taken } from './probed-socket.ts'
import { askMessage, askMessages, askSockets, messageWays } from './survey.ts'

/** One thing of WebSockets that a document may limit, and how to ask for one value of it. */
export type SocketDimension = {
  unit: string
  smallest: number
  variants: readonly string[]
  /** Distance to the next value that is asked for, of a documented number. */
  resolution: (max: number) => number
  ask: (value: number, variant: string, survey: SocketSurvey) => Promise<Answer>
}

/** How much earlier than asked a silent socket is looked at: its end may come in time. */
const lead = (ms: number) => Math.min(250, ms / 10)

/** Whether a socket on which nothing is said is kept for as long, from its handshake on. */
function askIdle(ms: number, variant: string, survey: SocketSurvey): Promise<Answer> {
  const { clock, stopped } = survey
  const by = clock.now() + ms - lead(ms)
  return onSocket(survey, async (socket, patienceMs) => {
    if (variant === afterMessage) socket.line.send(survey.message?.(1) ?? 'x')
    while (socket.down === undefined && clock.now() < by && !stopped())
      await socket.until(() => false, Math.min(250, by - clock.now()))
    if (stopped()) return socketAnswer('unclear', 'stopped on the way', survey)
    const isKept = socket.down === undefined
    const told = await alive(socket, survey, patienceMs)
    // One that is closed while it is asked for a sign of life was there until then.
    return isKept && socket.down ? socketAnswer('accepted', 'it was kept', survey) : told
  })
}

const [opened, afterMessage] = ['opened, then silence', 'a message, then silence'] as const

/** How far below what is asked for a pace is kept, and for how long: clocks are not the same. */
const [share, paceMs] = [0.9, 5_000] as const

/** How often messages are sent while a pace is kept, and which share of them has to be in time. */
const [stepMs, leastSent] = [50, 0.9] as const

/**
 * Whether so many messages a second are taken for some seconds, evenly. What could not be sent in
 * time is left out, since made up for it would be more at once than was asked for.
 */
function askPace(perSecond: number, survey: SocketSurvey): Promise<Answer> {
  const { clock, message } = survey
  const lastsMs = survey.paceMs ?? paceMs
  const perMs = (perSecond * share) / 1_000
  const mostAtOnce = Math.ceil(perMs * stepMs)
  return onSocket(survey, async (socket, patienceMs) => {
    const from = clock.now()
    let [sent, leftOut] = [0, 0]
    while (clock.now() - from < lastsMs && socket.down === undefined && !socket.refused) {
      const due = Math.floor((clock.now() - from) * perMs) - sent - leftOut
      const now = Math.min(due, mostAtOnce)
      leftOut += due - now
      sent += now
      for (let one = 0; one < now; one++) socket.line.send(message?.(1) ?? 'x')
      await clock.until(clock.now() + stepMs)
    }
    const told = await taken(socket, survey, { count: sent, patienceMs })
    const isKept = sent >= leastSent * Math.floor(lastsMs * perMs)
    if (told.kind !== 'accepted' || isKept) return told
    return socketAnswer('unclear', 'this machine was too slow to keep the pace', survey)
  })
}

/** Many at once are more than may be sent where each waits for its turn. */
function unlessPaced(survey: SocketSurvey, ask: () => Promise<Answer>): Promise<Answer> {
  if (survey.turn === unthrottled) return ask()
  const because = 'many at once are more than may be sent by the leave that was given'
  return Promise.resolve(socketAnswer('unclear', because, survey))
}

const next = () => 1

/** The dimensions of WebSockets, by the names that `probe` has for them too. */
export const socketDimensions = {
  message: {
    ...{ unit: 'bytes', smallest: 1, variants: messageWays, resolution: next },
    ask: askMessage
  },
  messages: {
    ...{ unit: 'messages', smallest: 1, variants: [''], resolution: next },
    ask: (count, _, survey) => unlessPaced(survey, () => askMessages(count, survey))
  },
  'messages-per-second': {
    ...{ unit: 'messages a second', smallest: 1, variants: [''] },
    // A bucket with a second's worth in it is emptied within some seconds only by so many more.
    resolution: (max) => Math.max(1, max / 2),
    ask: (perSecond, _, survey) => unlessPaced(survey, () => askPace(perSecond, survey))
  },
  sockets: {
    ...{ unit: 'sockets', smallest: 1, variants: [''], resolution: next },
    ask: (count, _, survey) => askSockets(count, survey)
  },
  'socket-idle': {
    ...{ unit: 'ms', smallest: 1, variants: [opened, afterMessage] },
    // Servers look for silent ones now and then.
    resolution: (max) => Math.max(1_000, max / 10),
    ask: askIdle
  }
} as const satisfies Record<string, SocketDimension>

/** The name of one of these dimensions. */
export type SocketDimensionName = keyof typeof socketDimensions
