import { createCapThrottle, createThrottle, inTurn, unthrottled } from '../../client/throttle.ts'
import { clock } from '../../clock.ts'
import { shortfallOf } from '../../limit/baseline.ts'
import { type Http2Options, type Usual, usualOf } from '../../limit/http2/asking.ts'
import { type Http2Name, isHttp2Name, surveyHttp2 } from '../../limit/http2/survey.ts'
import { addressOf } from '../../load/http1/dial.ts'
import { grouped } from '../../report/quantity.ts'
import { routeTo } from '../../route.ts'
import { Failure } from '../failure.ts'
import type { ProbeFlags } from '../flags/probe-flags.ts'
import { type Http2Entry, http2Entry } from '../terminal/http2-entry.ts'
import type { Looking } from './probe-looking.ts'

/** Throws a Failure for what is not asked over the version of HTTP that was chosen. */
export function insistOnHttp({ http, limits, via, origin, replicas, claims, race }: ProbeFlags) {
  const wrong = limits.find((limit) => isHttp2Name(limit) !== (http === '2'))
  if (wrong !== undefined) {
    const way = http === '2' ? 'HTTP/1.1: leave out --http 2' : 'HTTP/2: give --http 2'
    throw new Failure(`--limits ${wrong} is asked about over ${way}`)
  }
  if (http !== '2') return
  const given = { via, origin, claims, race, replicas: replicas.length > 0 }
  const [stray] = Object.entries(given).find(([, value]) => value) ?? []
  if (stray === undefined) return
  throw new Failure(`--${stray} asks over HTTP/1.1: leave out --http 2`)
}

function optionsOf({ endpoint, ordinary, options, given, told }: Looking): Http2Options {
  const { rate } = options
  const { url, verifyTls = true, route = routeTo(url) } = endpoint
  return {
    ...{ address: addressOf(url, { route, verifyTls }), ordinary, clock },
    turn: inTurn(
      rate === undefined ? unthrottled : createThrottle(rate, clock),
      route.caps === undefined ? unthrottled : createCapThrottle(route.caps, clock)
    ),
    stopped: given.stop.requested,
    known: told.known
  }
}

async function entryOf(name: Http2Name, looking: Looking, usual: Usual): Promise<Http2Entry> {
  const { view, boundaries, options } = looking
  view.asks(name)
  const found = await surveyHttp2(
    name,
    {
      ...optionsOf(looking),
      ceiling: options.upTo[name],
      onAnswer(value, variant, { kind }) {
        const way = variant === '' ? '' : ` (${variant})`
        view.asks(`${name}${way}: ${grouped(value)} → ${kind}`)
      }
    },
    usual
  )
  if ('lines' in found) boundaries.set(name, found.lines)
  return http2Entry(name, found)
}

/** Looks for what HTTP/2 alone limits; tells each, and returns why nothing can be said, if so. */
export async function lookOverHttp2(
  looking: Looking,
  tell: (entry: Http2Entry) => void
): Promise<string | undefined> {
  const { options, given, view } = looking
  const usual = await usualOf(optionsOf(looking))
  const shortfall = typeof usual === 'string' ? undefined : shortfallOf({ ...usual, slowestMs: 0 })
  if (typeof usual === 'string' || shortfall?.blocks) {
    const because = typeof usual === 'string' ? usual : shortfall!.because
    view.note(`blocked: ${because}`)
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
