import { basename } from 'node:path'
import * as v from 'valibot'
import { type Request, requestBytes } from '../../load/requests/request.ts'
import { orNearest } from '../../scenario/nearest.ts'
import { parseWritten } from '../../written.ts'
import { Failure, orFail } from '../failure.ts'
import { givenText } from '../given-file.ts'

const fields = v.array(v.object({ name: v.string(), value: v.string() }))
const entry = v.object({
  pageref: v.optional(v.string()),
  request: v.object({
    method: v.string(),
    url: v.string(),
    headers: v.optional(fields, []),
    bodySize: v.optional(v.number(), -1),
    postData: v.optional(
      v.object({ text: v.optional(v.string()), encoding: v.optional(v.string()) })
    )
  }),
  response: v.optional(v.object({ status: v.optional(v.number()) })),
  /** Chromium's own: `memory` or `disk`. */
  _fromCache: v.optional(v.string())
})
const schema = v.object({
  log: v.object({
    pages: v.optional(v.array(v.object({ id: v.string(), title: v.optional(v.string()) })), []),
    entries: v.array(entry)
  })
})

type Entry = v.InferOutput<typeof entry>

/** Which requests of a HAR file are sent. */
export type HarChoice = { file: string; page?: string; hosts: readonly string[] }

/** What a HAR file comes to: what is sent in turn, and what is to be known of it. */
export type Replay = { requests: Request[]; remarks: string[] }

/** What a browser says of its connection, or is worked out anew. */
const ofConnection = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade'],
  ...['expect', 'te', 'proxy-connection', 'http2-settings', 'proxy-authorization']
])

const personal = new Set(['cookie', 'authorization'])

/** The headers of a recorded request that are sent again, each with all its values. */
function headersOf({ request }: Entry): Record<string, string[]> {
  const kept: Record<string, string[]> = {}
  for (const { name, value } of request.headers) {
    // HTTP/2 has the first line among its headers.
    if (name.startsWith(':') || ofConnection.has(name.toLowerCase())) continue
    kept[name] = [...(kept[name] ?? []), value]
  }
  return kept
}

function requestOf(entry: Entry): Request {
  const { method, url, postData } = entry.request
  const { text, encoding } = postData ?? {}
  const body = encoding === 'base64' && text !== undefined ? Buffer.from(text, 'base64') : text
  return {
    url: url.replace(/#.*$/, ''),
    method,
    headers: headersOf(entry),
    body: body || undefined
  }
}

/** Why a recorded request cannot be sent again; undefined where it can. Quotes none of it. */
function hindrance(entry: Entry): string | undefined {
  const { request, response } = entry
  const { protocol } = URL.parse(request.url) ?? {}
  if (protocol === 'ws:' || protocol === 'wss:' || response?.status === 101) return 'a WebSocket'
  if (protocol !== 'http:' && protocol !== 'https:') return 'neither http: nor https:'
  if (entry._fromCache !== undefined) return 'answered by the browser’s cache'
  if (response?.status === 0) return 'never answered'
  if (request.bodySize > 0 && !request.postData?.text) return 'with a body that is not in the file'
  try {
    requestBytes(requestOf(entry))
  } catch {
    return 'with what no request can have'
  }
}

/** The entries of one page, by its id, its title or its number from 1; of all without. */
function ofPage(entries: readonly Entry[], pages: { id: string; title?: string }[], page?: string) {
  if (page === undefined) return entries
  const numbered = pages.map((one, index) => ({
    ...one,
    names: [one.id, one.title, `${index + 1}`]
  }))
  const found = numbered.find(({ names }) => names.includes(page))
  if (found !== undefined) return entries.filter(({ pageref }) => pageref === found.id)
  const ids = pages.map(({ id }) => id)
  const there = ids.length > 0 ? `; there are ${ids.join(', ')}` : '; the file has none'
  throw new Failure(`--har-page ${page} is no page of the file${orNearest(page, ids) || there}`)
}

const hostOf = ({ request }: Entry) => URL.parse(request.url)?.host ?? ''

function ofHosts(entries: readonly Entry[], hosts: readonly string[]): readonly Entry[] {
  const there = [...new Set(entries.map(hostOf))].filter(Boolean)
  const absent = hosts.find((host) => !there.includes(host))
  if (absent !== undefined) {
    const like = orNearest(absent, there) || `; there are ${there.join(', ')}`
    throw new Failure(`--har-host ${absent}: nothing was asked of it${like}`)
  }
  return hosts.length === 0 ? entries : entries.filter((one) => hosts.includes(hostOf(one)))
}

function readEntries(file: string): v.InferOutput<typeof schema>['log'] {
  const text = givenText(`--har ${file}`, file)
  const complaint = (issue: v.BaseIssue<unknown>) =>
    `${v.getDotPath(issue) ?? 'all of it'} is not as HAR 1.2 has it`
  return parseWritten(schema, { text, file, complaint, isMade: true }).log
}

async function open(file: string): Promise<v.InferOutput<typeof schema>['log']> {
  return orFail(() => {
    try {
      return readEntries(file)
    } catch (cause) {
      throw cause instanceof Failure ? cause : new Failure(`--har ${(cause as Error).message}`)
    }
  })
}

/** Those that can be sent again, and of the others how many there are, by why. */
function sift(entries: readonly Entry[]): { sent: Entry[]; left: string[] } {
  const reasons = new Map<string, number>()
  const sent = entries.filter((one) => {
    const because = hindrance(one)
    if (because !== undefined) reasons.set(because, (reasons.get(because) ?? 0) + 1)
    return because === undefined
  })
  const left = [...reasons].map(([because, count]) => {
    return `left out: ${count} ${count === 1 ? 'request' : 'requests'}, ${because}`
  })
  return { sent, left }
}

const letsIn = ({ headers = {} }: Request) =>
  Object.keys(headers).some((name) => personal.has(name.toLowerCase()))

/**
 * The requests of a HAR file that are sent again, in the order in which they were sent. Ends the
 * command where there are none. Nothing that is told quotes a header, a body or a query.
 */
export async function recorded({ file, page, hosts }: HarChoice): Promise<Replay> {
  const { entries, pages } = await open(file)
  const { sent, left } = sift(ofHosts(ofPage(entries, pages, page), hosts))
  if (sent.length === 0) {
    const why = left.length > 0 ? ` (${left.join('; ')})` : ''
    throw new Failure(`--har ${file} has no request that can be sent${why}`)
  }
  const requests = sent.map(requestOf)
  const known = requests.filter(letsIn).length
  const whole = `${requests.length} of ${entries.length} requests of ${basename(file)}, in turn`
  const own = known > 0 ? [`${known} of them with cookies or authorization of then`] : []
  return { requests, remarks: [whole, ...own, ...left] }
}
