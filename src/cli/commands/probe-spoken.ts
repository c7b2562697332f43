import { createCapThrottle, createThrottle, inTurn, unthrottled } from '../../client/throttle.ts'
import { clock } from '../../clock.ts'
import { isRpcName } from '../../limit/http2/rpc-message.ts'
import { isHttp2Name } from '../../limit/http2/survey.ts'
import type { SeekOptions } from '../../limit/seek.ts'
import { isSocketName } from '../../limit/websocket/survey.ts'
import { addressOf } from '../../load/http1/dial.ts'
import { isSocket } from '../../load/requests/request.ts'
import { grouped } from '../../report/quantity.ts'
import { routeTo } from '../../route.ts'
import { Failure } from '../failure.ts'
import { isGrpc } from '../flags/grpc-flags.ts'
import type { LimitName, ProbeFlags } from '../flags/probe-flags.ts'
import type { Looking } from './probe-looking.ts'

const others = [isHttp2Name, isSocketName, isRpcName]

/** What is spoken to a target: whose limits can be asked about by it, and how it is named. */
const protocols = {
  http1: { isOwn: (name: string) => !others.some((isOwn) => isOwn(name)), how: 'HTTP/1.1' },
  http2: { isOwn: isHttp2Name, how: 'HTTP/2: give --http 2' },
  socket: { isOwn: isSocketName, how: 'WebSockets: give a ws: or wss: URL' },
  grpc: { isOwn: isRpcName, how: 'gRPC: give grpc://HOST:PORT/package.Service/Method' }
} as const

/** What is spoken to a target. */
export type Spoken = keyof typeof protocols

/** What flags ask to be spoken. */
export function spokenBy({ url, http }: Pick<ProbeFlags, 'url' | 'http'>): Spoken {
  if (isSocket({ url })) return 'socket'
  if (isGrpc(url)) return 'grpc'
  return http === '2' ? 'http2' : 'http1'
}

const leftOut: Record<Spoken, string> = {
  http1: '',
  http2: ': leave out --http 2',
  socket: ', and not of a ws: URL',
  grpc: ', and not of a grpc: URL'
}

/** Throws a Failure for limits and flags that go with something else than what is spoken. */
export function insistOnSpoken(flags: ProbeFlags): void {
  const { limits, url, http, via, origin, replicas, claims, race } = flags
  const spoken = spokenBy(flags)
  if (spoken === 'socket' && http === '2') {
    throw new Failure(`${url} is opened over HTTP/1.1: leave out --http 2`)
  }
  const wrong = limits.find((limit) => !protocols[spoken].isOwn(limit))
  if (wrong !== undefined) {
    const [, { how }] = Object.entries(protocols).find(([, { isOwn }]) => isOwn(wrong))!
    const instead = how === protocols.http1.how ? leftOut[spoken] : ''
    throw new Failure(`--limits ${wrong} is asked about over ${how}${instead}`)
  }
  if (spoken === 'http1') return
  const given = { via, origin, claims, race, replicas: replicas.length > 0 }
  const [stray] = Object.entries(given).find(([, value]) => value) ?? []
  if (stray === undefined) return
  throw new Failure(`--${stray} asks over HTTP/1.1${leftOut[spoken]}`)
}

/** Where connections lead that are spoken on by hand, how fast, and until when. */
export function spokenTo({ endpoint, options, given }: Looking) {
  const { rate } = options
  const { url, verifyTls = true, route = routeTo(url) } = endpoint
  return {
    ...{ address: addressOf(url, { route, verifyTls }), clock, stopped: given.stop.requested },
    turn: inTurn(
      rate === undefined ? unthrottled : createThrottle(rate, clock),
      route.caps === undefined ? unthrottled : createCapThrottle(route.caps, clock)
    )
  }
}

/** How far a limit is looked for, and what is told on the way. */
export function told(
  name: LimitName,
  { options, view }: Looking
): Pick<SeekOptions, 'ceiling' | 'onAnswer'> {
  const ceiling = options.upTo[name]
  return {
    ...(ceiling !== undefined && { ceiling }),
    onAnswer(value, variant, { kind }) {
      const way = variant === '' ? '' : ` (${variant})`
      view.asks(`${name}${way}: ${grouped(value)} → ${kind}`)
    }
  }
}
