// Edges of other makes: what a KB is, what of a header counts, how what is too large is refused.

import type { EdgeLimits } from '../../../src/platform/edge/limits.ts'
import { refuse } from '../../../src/platform/edge/refusal.ts'
import type { EdgeRequest } from '../../../src/platform/edge/request.ts'
import { headerBytes, oversize } from '../../../src/platform/edge/size.ts'
import { send } from '../../../src/platform/kernel/http/answer.ts'
import type { Variant } from './variant.ts'

const heads = ['edge/url-length', 'edge/header-single', 'edge/headers-total']
const bodies = ['edge/request-body-size', 'edge/body-refusal-status']

const about = (
  name: string,
  allowed: string,
  edge: NonNullable<Variant['rules']>['edge'],
  areas: readonly string[] = heads
): Variant => ({ name, allowed, rules: { edge }, areas })

const MB = 1_000_000

const decimalHeads = { urlBytes: 16_000, headerBytes: 16_000, headersBytes: 32_000 }
const decimalBodies = { free: 100 * MB, pro: 100 * MB, business: 200 * MB, enterprise: 500 * MB }

/** The part of a head that is too large, with bytes counted in another way. */
const counted =
  (
    count: (header: [string, string]) => number,
    before: (request: EdgeRequest) => number = () => 0
  ) =>
  (request: EdgeRequest, limits: EdgeLimits) => {
    const sizes = request.headers.map(count)
    if (request.target.length > limits.urlBytes) return 'url'
    if (sizes.some((size) => size > limits.headerBytes)) return 'header'
    const sum = sizes.reduce((all, size) => all + size, before(request))
    return sum > limits.headersBytes ? 'headers' : undefined
  }

/** What is refused is so by another page: its status by what is too large. */
const refused = (statuses: Partial<Record<string, number>>, body: string, type: string) => ({
  refuse: ((response, refusal) => {
    const status = statuses[refusal.part]
    if (status === undefined) return refuse(response, refusal)
    send(response, { status, type, body, headers: { Connection: 'close' } })
  }) as typeof refuse
})

const statusAllowed = 'with which status URLs and headers are refused is not said'
const kbAllowed = 'a KB is 1,000 bytes or 1,024, an MB 1,000,000 or 1,048,576'

/** Platforms whose edge is another. */
export const edgeVariants: readonly Variant[] = [
  about('decimal-heads', kbAllowed, { limits: decimalHeads }),
  about('heads-between-the-readings', kbAllowed, {
    limits: { urlBytes: 16_200, headerBytes: 16_100, headersBytes: 32_400 }
  }),
  about('one-decimal-one-binary', kbAllowed, { limits: { urlBytes: 16_000 } }),
  about('decimal-bodies', kbAllowed, { limits: { bodyBytes: decimalBodies } }, bodies),
  about('headers-with-their-separators', 'what of a header counts is not said', {
    oversize: counted((header) => headerBytes(header) + 4)
  }),
  about('headers-with-the-request-line', 'what counts as the headers of a request is not said', {
    oversize: counted(headerBytes, ({ method, target }) => method.length + target.length + 12)
  }),
  about('urls-with-their-host', 'a URL has a scheme and a host, too', {
    oversize: (request, limits) =>
      request.target.length + `https://${request.host}`.length > limits.urlBytes
        ? 'url'
        : oversize(request, limits)
  }),
  // Who counts values only lets a header of more than 16 KB pass: that the document rules out. So
  // it does a size that is rounded up, be it to a page or to the next thousand.
  about(
    'heads-refused-with-400',
    statusAllowed,
    refused({ url: 400, header: 400, headers: 400 }, 'no', 'text/plain')
  ),
  about(
    'heads-refused-with-413',
    statusAllowed,
    refused({ url: 413, header: 413, headers: 413 }, '{"error":"too large"}', 'application/json')
  ),
  about(
    'heads-refused-with-494',
    statusAllowed,
    refused({ url: 414, header: 494, headers: 494 }, '', 'text/html')
  ),
  about(
    'bodies-refused-as-json',
    'what a refusal of a body says beside 413 is not said',
    refused({ body: 413 }, '{"error":"too large"}', 'application/problem+json'),
    ['edge/body-refusal-status']
  )
]
