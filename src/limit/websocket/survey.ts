import { unthrottled } from '../../client/throttle.ts'
import type { Answer } from '../answer.ts'
import { keepPace, type SustainedPace, sustainedPace, usualPaceMs } from '../pace-search.ts'
import { type LineFound, seek, seekSurely } from '../seek.ts'
import type { Unfound } from '../survey.ts'
import type { ClockStart } from '../time/course.ts'
import type { WaitFound } from '../time/survey-waits.ts'
import type { WaitReading } from '../time/wait-reading.ts'
import {
  alive,
  endOf,
  onSocket,
  openSocket,
  type ProbedSocket,
  type SocketSurvey,
  socketAnswer,
  taken
} from './probed-socket.ts'

/** What is limited of WebSockets. */
export const socketNames = ['message', 'messages', 'sockets', 'socket-idle'] as const

/** The name of one of these limits. */
export type SocketName = (typeof socketNames)[number]

/** Whether a limit is one of WebSockets. */
export function isSocketName(name: string): name is SocketName {
  return socketNames.some((one) => one === name)
}

/** Ways to send a message: in one frame, and in fragments of so many bytes. */
export const messageWays = ['in one frame', 'in fragments'] as const
const [whole, inParts] = messageWays
const partBytes = 16 * 1_024

/** Whether a message of so many bytes is taken. */
export function askMessage(bytes: number, variant: string, survey: SocketSurvey): Promise<Answer> {
  const message = messageOf(survey, bytes)
  return onSocket(survey, async (socket, patienceMs) => {
    if ((await survey.turn()) === false) {
      return socketAnswer('unclear', 'nothing more may be sent', survey)
    }
    if (variant === whole) socket.line.send(message)
    else socket.line.sendInParts(message, partBytes)
    return taken(socket, survey, { count: 1, patienceMs })
  })
}

/** A message of so many bytes, as the target takes them. */
const messageOf = ({ message }: SocketSurvey, bytes: number) =>
  message?.(bytes) ?? 'x'.repeat(bytes)

function sendMany(socket: ProbedSocket, count: number, survey: SocketSurvey): void {
  const small = messageOf(survey, 1)
  for (let sent = 0; sent < count; sent++) socket.line.send(small)
}

/** Whether so many messages may come at once. */
export function askMessages(count: number, survey: SocketSurvey): Promise<Answer> {
  return onSocket(survey, (socket, patienceMs) => {
    sendMany(socket, count, survey)
    return taken(socket, survey, { count, patienceMs })
  })
}

/** Whether so many messages a second are taken by whoever has had his burst. */
async function isTaken(
  perSecond: number,
  { most, how }: { most: number; how: string | null },
  survey: SocketSurvey
): Promise<boolean | undefined> {
  const { clock, stopped, paceMs = usualPaceMs } = survey
  const told = await onSocket(survey, async (socket, patienceMs) => {
    await keepPace({
      ...{ perSecond, most, clock },
      goesOn: (ms) => ms < paceMs && socket.down === undefined && !stopped(),
      send: (_, count) => sendMany(socket, count, survey)
    })
    return alive(socket, survey, patienceMs)
  })
  // A socket may have been ended for saying too little as well.
  const isOther = told.kind === 'rejected' && told.because !== how
  return told.kind === 'unclear' || isOther ? undefined : told.kind === 'accepted'
}

/** How long so many sockets have to stay open together, and a goodbye may take, in ms. */
const [togetherMs, goodbyeMs] = [150, 1_000]

/** Whether so many may be open at a time. */
export async function askSockets(count: number, survey: SocketSurvey): Promise<Answer> {
  const { turn } = survey
  const opening: Promise<ProbedSocket>[] = []
  for (let nth = 0; nth < count; nth++) {
    if ((await turn()) === false) return socketAnswer('unclear', 'nothing more may be sent', survey)
    opening.push(openSocket(survey))
  }
  const sockets = await Promise.all(opening)
  try {
    await sockets[0]!.until(() => false, togetherMs)
    const odd = sockets.find(({ isUp, down }) => !isUp || down !== undefined)
    if (odd === undefined) return socketAnswer('accepted', 'all are open', survey)
    if (odd.down?.ending === 'exhausted')
      return socketAnswer('unclear', 'this machine has no more connections', survey)
    return socketAnswer('rejected', endOf(odd), survey)
  } finally {
    await closeAll(sockets)
  }
}

/** Closes sockets, and waits a while for the target to do so as well: it still counts them. */
async function closeAll(sockets: readonly ProbedSocket[]): Promise<void> {
  for (const { line } of sockets) line.close(1_000)
  await Promise.all(
    sockets.map(({ isUp, down, until }) => isUp && !down && until(() => false, goodbyeMs))
  )
  for (const { line } of sockets) line.leave()
  await sockets[0]?.until(() => false, togetherMs)
}

/** How many sockets are left alone in each way, and by how much their ends may differ, in ms. */
const [lonely, toleranceMs] = [3, 250]

/** After how long a socket that says nothing is ended. */
async function idleReading(
  survey: SocketSurvey,
  { upToMs, says }: { upToMs: number; says: boolean }
): Promise<WaitReading> {
  const { clock, stopped } = survey
  const waits = Array.from({ length: lonely }, async () => {
    if ((await survey.turn()) === false) return
    const socket = await openSocket(survey)
    if (!socket.isUp) return
    if (says) sendMany(socket, 1, survey)
    const from = clock.now()
    while (socket.down === undefined && clock.now() - from < upToMs && !stopped()) {
      await socket.until(() => false, Math.min(500, upToMs))
    }
    const { down } = socket
    socket.line.leave()
    return { ms: clock.now() - from, down }
  })
  const all = (await Promise.all(waits)).filter((one) => one !== undefined)
  if (stopped() || all.length < lonely) {
    return { kind: 'unclear', because: stopped() ? 'stopped on the way' : 'no WebSocket' }
  }
  const ended = all.filter(({ down }) => down !== undefined).map(({ ms }) => ms)
  if (ended.length === 0) return { kind: 'unlimited', ms: upToMs }
  const [least, most] = [Math.min(...ended), Math.max(...ended)]
  if (ended.length < lonely || most - least > Math.max(toleranceMs, least / 100)) {
    const told = ended.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ')
    return { kind: 'unclear', because: `${ended.length} of ${lonely} were ended, after ${told}` }
  }
  const since: ClockStart[] = [says ? 'last byte' : 'answer']
  return { kind: 'found', ms: least, lateMs: 0, belowMs: 0, since, status: 0, how: 'closed' }
}

/** After how long a WebSocket on which nothing is said is ended, pings being answered. */
export async function surveySocketIdle(survey: SocketSurvey, upToMs: number): Promise<WaitFound> {
  const ways = [
    ['opened, then silence', false],
    ['a message, then silence', true]
  ] as const
  const lines = ways.map(async ([variant, says]) => {
    return { variant, reading: await idleReading(survey, { upToMs, says }) }
  })
  return { lines: await Promise.all(lines) }
}

/** Why no WebSocket can be asked about, in words; undefined where one can. */
export async function unopened(survey: SocketSurvey): Promise<string | undefined> {
  const told = await onSocket(survey, (socket, patienceMs) => alive(socket, survey, patienceMs))
  return told.kind === 'accepted' ? undefined : told.because
}

/** How long it is waited whether something is refused after all that a ping was answered behind. */
const lateMs = 1_000

/** How messages are looked for, and asked about, by a survey with its patience. */
type Sought = {
  seekBy: (survey: SocketSurvey) => Promise<LineFound>
  ask: (value: number, survey: SocketSurvey) => Promise<Answer>
}

/**
 * A line of messages, and with which patience it was found: who answers a ping before it has
 * looked at the messages before it refuses them later, which shows where it is waited for.
 */
async function soughtPatiently(survey: SocketSurvey, { seekBy, ask }: Sought) {
  const { clock, stopped } = survey
  const found = await seekBy(survey)
  const { kind, accepted = 1 } = found.lines[0]!.boundary
  if (!['found', 'unlimited'].includes(kind) || accepted === 1 || stopped()) {
    return { found, by: survey }
  }
  const patient = { ...survey, settleMs: lateMs }
  const from = clock.now()
  const isLate = (await ask(accepted, patient)).kind === 'rejected'
  const settleMs = 2 * (clock.now() - from)
  // Of one alone it is silence that is not borne.
  if (!isLate || (await ask(1, patient)).kind !== 'accepted') return { found, by: survey }
  const by = { ...survey, settleMs }
  return { found: await seekBy(by), by }
}

async function surveyMessages(survey: SocketSurvey): Promise<LineFound | Unfound> {
  if (survey.turn !== unthrottled) {
    const because = 'many at once are more than may be sent: leave out --rate, or ask elsewhere'
    return { outcome: 'inapplicable', because }
  }
  const { found, by } = await soughtPatiently(survey, {
    seekBy: (by) => {
      const size = { unit: 'messages', smallest: 1, typical: 100, ceiling: 10_000, variants: [''] }
      return seekSurely({ ...size, ask: (count) => askMessages(count, by) }, by)
    },
    ask: askMessages
  })
  const { boundary, how } = found.lines[0]!
  if (boundary.kind !== 'found') return found
  const { paceMs = usualPaceMs, stopped } = survey
  const most = boundary.accepted!
  const pace: SustainedPace | undefined = await sustainedPace({
    ...{ most, paceMs, stopped },
    isTaken: (perSecond) => isTaken(perSecond, { most, how }, by)
  })
  return { ...found, pace: pace ?? null }
}

/** Finds where a target draws one of the lines that WebSockets have, but for times. */
export async function surveySockets(
  name: Exclude<SocketName, 'socket-idle'>,
  survey: SocketSurvey
): Promise<LineFound | Unfound> {
  if (name === 'messages') return surveyMessages(survey)
  if (name === 'sockets') {
    return seek(
      {
        ...{ unit: 'sockets', smallest: 1, typical: 100, ceiling: 1_000, variants: [''] },
        ask: (count) => askSockets(count, survey)
      },
      survey
    )
  }
  const { found } = await soughtPatiently(survey, {
    seekBy: (by) => {
      const size = {
        unit: 'bytes',
        smallest: 1,
        typical: 1_024 * 1_024,
        ceiling: 16 * 1_024 * 1_024
      }
      const ask = (bytes: number, variant: string) => askMessage(bytes, variant, by)
      return seek({ ...size, variants: [whole, inParts], ask }, by)
    },
    ask: (bytes, by) => askMessage(bytes, whole, by)
  })
  return found
}
