// Edges of other makes: what a KB is, what of a header counts, how what is too large is refused.

import type { EdgeLimits } from '../../../src/platform/edge/limits.ts'
import { refuse } from '../../../src/platform/edge/refusal.ts'
import { type EdgeRequest, receive } from '../../../src/platform/edge/request.ts'
import { headerBytes, oversize } from '../../../src/platform/edge/size.ts'
import { send } from '../../../src/platform/kernel/http/answer.ts'
import type { Head } from './answer-stream.ts'
import type { Variant } from './variant.ts'

const both = ['edge/http2', 'origin/passed-on']
const heads = [
  ...['edge/url-length', 'edge/header-single', 'edge/headers-total', 'functions/head-sizes'],
  ...both
]
const bodies = [
  ...['edge/request-body-size', 'edge/body-refusal-status', 'edge/body-as-sent'],
  ...['edge/plan-moved', 'edge/request-body-framings'],
  ...['functions/body-too-large', 'origin/too-large', 'origin/looked-into-too-large', ...both]
]
const pages = ['policies', 'detections']

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

/** Whether a request has several of a header that is no list. */
const isRepeated = ({ headers }: EdgeRequest) => {
  const names = headers.map(([name]) => name.toLowerCase())
  return ['authorization', 'from', 'referer', 'user-agent'].some(
    (name) => names.indexOf(name) !== names.lastIndexOf(name)
  )
}

/** Header lines of policies, and what stands in their place. */
const policies =
  (write: (lines: [string, string][]) => [string, string][]) =>
  (head: Head): Head => {
    const isPolicy = ([name]: [string, string]) => /^content-security-policy/i.test(name)
    const others = head.headers.filter((one) => !isPolicy(one))
    return { ...head, headers: [...others, ...write(head.headers.filter(isPolicy))] }
  }

const shown = (name: string, allowed: string, head: (head: Head) => Head): Variant => ({
  ...{ name, allowed, areas: pages },
  ways: { edge: { head } }
})

/** One line with all values of a header, as lists of them may be written (RFC 9110, 5.3). */
const inOneLine = (lines: [string, string][]) =>
  [...Map.groupBy(lines, ([name]) => name)].map(([name, all]): [string, string] => [
    name,
    all.map(([, value]) => value).join(', ')
  ])

const reportingEndpoint = (lines: [string, string][]) =>
  lines.flatMap(([name, value], at): [string, string][] => {
    const to = `reports-${at}`
    const named = /report-uri (\S+)/.exec(value)?.[1]
    if (named === undefined) return [[name, value]]
    const endpoint: [string, string] = ['Reporting-Endpoints', `${to}="${named}"`]
    return [endpoint, [name, value.replace(/report-uri \S+/, `report-to ${to}`)]]
  })

/** What edges tell the servers behind them. */
const forwarded: [string, string][] = [
  ['X-Forwarded-For', '203.0.113.7'],
  ['X-Forwarded-Proto', 'https'],
  ['Via', '1.1 edge-3']
]

/** The headers that came; those of the edge itself are no part of a request's size. */
const withoutForwarded = (request: EdgeRequest): EdgeRequest => ({
  ...request,
  headers: request.headers.slice(0, -forwarded.length)
})

/** Requests whose answer is not kept, though it may be: the first one for each address. */
const unkept = () => {
  const known = new Set<string>()
  return {
    receive(message: Parameters<typeof receive>[0]) {
      const request = receive(message)
      const key = `${request.host} ${request.uri}`
      if (known.has(key)) return request
      known.add(key)
      // Nobody keeps for others what somebody was answered who said who he is.
      return { ...request, headers: [...request.headers, ['Authorization', 'Basic eDp5'] as const] }
    }
  }
}

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
  about(
    'headers-of-its-own-for-servers',
    'what an edge tells the server behind it, beside the request, is not said',
    {
      receive(message) {
        const request = receive(message)
        return { ...request, headers: [...request.headers, ...forwarded] }
      },
      oversize: (request, limits) => oversize(withoutForwarded(request), limits)
    },
    [...heads, ...bodies]
  ),
  about(
    'headers-of-one-name-as-one',
    'headers of one name may arrive as one, a value behind another (RFC 9110, 5.2)',
    {
      receive(message) {
        const request = receive(message)
        return { ...request, headers: inOneLine(request.headers) }
      }
    }
  ),
  about(
    'headers-that-come-once-refused',
    'a header that is no list is not to come several times (RFC 9110, 5.3)',
    { oversize: (request, limits) => (isRepeated(request) ? 'header' : oversize(request, limits)) }
  ),
  about(
    'kept-from-the-second-on',
    'how large a file may be that is cached is said, and not when one is',
    unkept() as NonNullable<Variant['rules']>['edge'],
    ['cache']
  ),
  shown(
    'policies-in-one-line',
    'several values of a header may stand in one line (RFC 9110, 5.3)',
    policies(inOneLine)
  ),
  shown(
    'directives-in-upper-case',
    'names of directives and keywords have no case (CSP 3, 2.3)',
    policies((lines) =>
      lines.map(([name, value]) => [
        name,
        value.replace(/(^|; *)([a-z-]+)/g, (_, before, own) => before + own.toUpperCase())
      ])
    )
  ),
  shown(
    'reports-to-an-endpoint',
    'how browsers are told where to report to is not said',
    policies(reportingEndpoint)
  ),
  about(
    'expectations-not-met',
    'Expect: 100-continue is not in the document; 417 is an answer to it (RFC 9110, 10.1.1)',
    {
      oversize: (request, limits) =>
        request.headers.some(([name]) => name.toLowerCase() === 'expect')
          ? ('expectation' as 'url')
          : oversize(request, limits),
      ...refused({ expectation: 417 }, 'no', 'text/plain')
    },
    bodies
  ),
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
