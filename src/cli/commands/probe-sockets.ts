import type { SocketSurvey } from '../../limit/websocket/probed-socket.ts'
import {
  isSocketName,
  type SocketName,
  surveySocketIdle,
  surveySockets,
  unopened
} from '../../limit/websocket/survey.ts'
import { oneLine } from '../../report/printable.ts'
import { type LineEntry, lineEntry } from '../terminal/line-entry.ts'
import { type TimeEntry, waitEntry } from '../terminal/time-entry.ts'
import type { Looking } from './probe-looking.ts'
import { spokenTo, told } from './probe-spoken.ts'
import { usualUpToMs } from './probe-times.ts'

async function entryOf(
  name: SocketName,
  looking: Looking,
  survey: SocketSurvey
): Promise<LineEntry | TimeEntry> {
  const { view, boundaries, options } = looking
  view.asks(name)
  if (name === 'socket-idle') {
    return waitEntry(name, await surveySocketIdle(survey, options.upTo[name] ?? usualUpToMs))
  }
  const found = await surveySockets(name, { ...survey, ...told(name, looking) })
  if ('lines' in found) boundaries.set(name, found.lines)
  return lineEntry(name, found)
}

/** Looks for what is limited of WebSockets; tells each, and returns why nothing can be said. */
export async function lookOverSockets(
  looking: Looking,
  tell: (entry: LineEntry | TimeEntry) => void
): Promise<string | undefined> {
  const { options, ordinary, given, view } = looking
  const { url, limits } = options
  const survey = { ...spokenTo(looking), request: { url, headers: headersOf(ordinary.headers) } }
  const because = await unopened(survey)
  if (because !== undefined) {
    view.note(`blocked: ${oneLine(because, 200)}`)
    return because
  }
  view.note(`${url} opens WebSockets.`)
  for (const name of limits.filter(isSocketName)) {
    if (given.stop.requested()) return
    tell(await entryOf(name, looking, survey))
  }
  return undefined
}

function headersOf(lines: readonly [name: string, value: string][]): Record<string, string[]> {
  const headers: Record<string, string[]> = {}
  for (const [name, value] of lines) headers[name] = [...(headers[name] ?? []), value]
  return headers
}
