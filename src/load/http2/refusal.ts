import type { ErrorName } from './frame.ts'
import { dropStream, type Http2Session, type Http2Stream } from './session.ts'

/** Gives up the whole connection, and says why in words. */
export function fail(session: Http2Session<any>, error: ErrorName, because: string): false {
  session.failure = { error, because }
  return false
}

/** Gives it up since what came breaks the rules. */
export function malformed(session: Http2Session<any>, because: string): false {
  return fail(session, 'PROTOCOL_ERROR', because)
}

/** Frames that bring nothing for which one that brings something pays. */
const paidFor = 8

/** What came brought something: a head, a part of a body, an end. */
export function bringsSomething(session: Http2Session<any>): void {
  session.idleFrames = 0
  session.surplusFrames = Math.max(0, session.surplusFrames - paidFor - 1)
}

/** Whether something may still come on a stream that is not open. */
export function isLate(session: Http2Session<any>, id: number): boolean {
  if (id % 2 === 1 && id < session.nextId && session.hasReset) return true
  return malformed(session, 'a frame of a stream that is not open')
}

/** Ends a stream whose response is none; the connection goes on. */
export function refuse<Work>(
  session: Http2Session<Work>,
  stream: Http2Stream<Work>,
  because: string
): true {
  session.active--
  session.events.onMalformed(stream, because)
  dropStream(session, stream, 'PROTOCOL_ERROR')
  return true
}
