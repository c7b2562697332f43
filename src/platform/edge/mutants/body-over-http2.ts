import { Http2Response } from '../../kernel/http/http2-message.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { metered } from '../metered.ts'
import { refuse } from '../refusal.ts'
import type { EdgeRequest } from '../request.ts'
import type { EdgeRules } from '../rules.ts'
import { bodyLimit } from '../size.ts'
import { treated } from './size.ts'

/** Bytes that came of bodies by a connection of HTTP/2, by its address and port. */
const arrived = new Map<string, number>()

/** A body as it arrives, of which others that came by its connection are a part. */
async function* addedUp(request: EdgeRequest, limitBytes: number) {
  const key = `${request.from.address} ${request.from.port}`
  const before = arrived.get(key) ?? 0
  let bytes = before
  for await (const chunk of metered(request, limitBytes - before)) {
    bytes += chunk.length
    arrived.set(key, bytes)
    yield chunk
  }
}

const isHttp2 = ({ version }: EdgeRequest) => version === '2'

/** What can be wrong with the limits on a request's body over HTTP/2. */
export const bodyOverHttp2Mutants: readonly Mutant<EdgeRules>[] = [
  {
    name: 'body-broken-off-over-http2',
    clause: 'error.body-413.post',
    besides: ['error.body-413.put', 'error.body-413.patch'],
    description: 'Over HTTP/2 a body that is too large has its stream reset, without any status.',
    change: treated(
      ({ part }) => part === 'body',
      (response, refusal) =>
        response instanceof Http2Response ? void response.destroy() : refuse(response, refusal)
    )
  },
  {
    name: 'body-pro-added-up-over-http2',
    clause: 'limits.request.body.pro',
    description: 'Adds up what comes of the bodies of a connection of HTTP/2.',
    change: {
      metered: (request, limitBytes) =>
        isHttp2(request) ? addedUp(request, limitBytes) : metered(request, limitBytes)
    }
  },
  {
    name: 'body-pro-unlimited-over-http2-when-not-announced',
    clause: 'limits.request.body.pro',
    description: 'Over HTTP/2 a body on the pro plan is limited only when its length is announced.',
    change: {
      bodyLimit(request, zone, limits) {
        const isFree = isHttp2(request) && request.declaredBytes === undefined
        return isFree && zone.plan === 'pro' ? Infinity : bodyLimit(request, zone, limits)
      }
    }
  }
]
