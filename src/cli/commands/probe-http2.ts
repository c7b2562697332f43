import { shortfallOf } from '../../limit/baseline.ts'
import { type Http2Options, type Usual, usualOf } from '../../limit/http2/asking.ts'
import { surveyRpcMessage } from '../../limit/http2/rpc-message.ts'
import { type Http2Name, isHttp2Name, surveyHttp2 } from '../../limit/http2/survey.ts'
import { oneLine } from '../../report/printable.ts'
import { type LineEntry, lineEntry } from '../terminal/line-entry.ts'
import type { Looking } from './probe-looking.ts'
import { spokenTo, told } from './probe-spoken.ts'

function optionsOf(looking: Looking): Http2Options {
  return { ...spokenTo(looking), ordinary: looking.ordinary, known: looking.told.known }
}

async function entryOf(name: Http2Name, looking: Looking, usual: Usual): Promise<LineEntry> {
  const { view, boundaries } = looking
  view.asks(name)
  const found = await surveyHttp2(
    name,
    {
      ...optionsOf(looking),
      ...told(name, looking)
    },
    usual
  )
  if ('lines' in found) boundaries.set(name, found.lines)
  return lineEntry(name, found)
}

/** Looks for the largest message of a method; tells it, and returns why nothing can be said. */
export async function lookOverGrpc(
  looking: Looking,
  tell: (entry: LineEntry) => void
): Promise<string | undefined> {
  const { options, view, boundaries } = looking
  const name = 'rpc-message'
  view.asks(name)
  const found = await surveyRpcMessage({ ...optionsOf(looking), ...told(name, looking) })
  if ('because' in found) {
    view.note(`blocked: ${oneLine(found.because, 200)}`)
    return found.because
  }
  view.note(`${options.url} is answered as calls of gRPC are.`)
  boundaries.set(name, found.lines)
  tell(lineEntry(name, found))
  return undefined
}

/** Looks for what HTTP/2 alone limits; tells each, and returns why nothing can be said, if so. */
export async function lookOverHttp2(
  looking: Looking,
  tell: (entry: LineEntry) => void
): Promise<string | undefined> {
  const { options, given, view } = looking
  const usual = await usualOf(optionsOf(looking))
  const shortfall = typeof usual === 'string' ? undefined : shortfallOf({ ...usual, slowestMs: 0 })
  if (typeof usual === 'string' || shortfall?.blocks) {
    const because = typeof usual === 'string' ? usual : shortfall!.because
    view.note(`blocked: ${oneLine(because, 200)}`)
    return because
  }
  view.note(`${options.method} ${options.url} is answered ${usual.status}, over HTTP/2.`)
  for (const name of options.limits.filter(isHttp2Name)) {
    if (given.stop.requested()) return
    tell(await entryOf(name, looking, usual))
  }
  if (shortfall) view.note(`inconclusive: ${shortfall.because}`)
  return shortfall?.because
}
