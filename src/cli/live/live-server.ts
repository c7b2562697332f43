import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { livePage } from '../../report/html/live-page.ts'
import type { ResultRecord } from '../../report/record.ts'
import { type LiveFact, type LiveLine, liveLine } from './live-lines.ts'

/** The last lines are kept for a page that is opened later, besides the first. */
const mostKept = 20_000

/** Bytes that a page may leave unread, more than all that is kept; then it has to ask again. */
const mostUnread = 16_777_216

/** How long pages that are open have to fetch the report, in milliseconds. */
const patienceMs = 5_000

/** A page on loopback that shows a command while it goes on. */
export type LiveServer = {
  /** Where it is; whoever does not know the whole of it is shown nothing. */
  url: string
  /** Shows one more line. */
  tell: (record: ResultRecord | LiveFact) => void
  /** Leads open pages to the report in `folder`, if there is one, and listens no more. */
  end: (folder?: string) => Promise<void>
}

/** What a page is shown: lines so far, who listens for more, and the report's file at the end. */
type Shown = {
  kept: string[]
  /** How many lines before those that are kept were let go; the first of all is still there. */
  forgotten: number
  first?: string
  open: Set<ServerResponse>
  report?: string
  onFetched: () => void
  onStop: () => void
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** What can be asked for, by method and path behind the token. */
function answersOf(command: string, shown: Shown): Record<string, Answer> {
  return {
    'GET ': (response) => response.writeHead(200, pageHeaders).end(livePage(command)),
    'GET lines': (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
      // Whoever lost the connection says what it had last.
      response.write(since(shown, Number(request.headers['last-event-id']) || 0))
      shown.open.add(response)
      response.on('close', () => shown.open.delete(response))
    },
    'GET report': (response) => {
      if (shown.report === undefined) return refuse(response)
      response.writeHead(200, pageHeaders)
      response.on('close', () => shown.onFetched())
      pipeline(createReadStream(shown.report), response, () => {})
    },
    'POST stop': (response) => {
      shown.onStop()
      // A second one would be a second Ctrl-C, which ends at once.
      shown.onStop = () => {}
      response.writeHead(204, headers).end()
    }
  }
}

/**
 * Begins to listen on a random port of loopback, under an address that holds a token. `onStop` is
 * called once, when a person asks to stop.
 */
export async function startLiveServer(command: string, onStop: () => void): Promise<LiveServer> {
  const token = randomBytes(24).toString('base64url')
  const shown: Shown = { kept: [], forgotten: 0, open: new Set(), onFetched() {}, onStop }
  const answers = answersOf(command, shown)
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const asked = askedOf(request, { token, host: `127.0.0.1:${port}` })
    if (asked !== undefined && Object.hasOwn(answers, asked)) answers[asked]!(response, request)
    else refuse(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A page that nobody closes holds up no command.
  server.unref()
  server.on('connection', (socket) => socket.unref())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    tell: (record) => tell(shown, record),
    async end(folder) {
      await leadToReport(shown, folder)
      server.close()
      server.closeAllConnections()
    }
  }
}

/** A line as it is sent; a page that lost its connection names the last `id` that it had. */
const eventOf = (line: LiveLine, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(line)}\n\n`

/** What whoever has seen the first so many lines is told, and how many of them are gone. */
function since({ kept, forgotten, first }: Shown, seen: number): string {
  const missed = forgotten - Math.max(seen, 1)
  if (missed <= 0 || first === undefined) return kept.slice(Math.max(0, seen - forgotten)).join('')
  const gone = eventOf({ t: 'forgotten', count: missed })
  return [...(seen === 0 ? [first] : []), gone, ...kept].join('')
}

function tell(shown: Shown, record: ResultRecord | LiveFact): void {
  const { kept, open } = shown
  const line = liveLine(record)
  if (line === undefined) return
  const isKept = line.t !== 'probe' && line.t !== 'progress'
  const text = eventOf(line, isKept ? shown.forgotten + kept.length + 1 : undefined)
  if (isKept) kept.push(text)
  shown.first ??= kept[0]
  // Half of them at once: one at a time would move all the others each time.
  if (kept.length > mostKept) shown.forgotten += kept.splice(0, mostKept / 2).length
  for (const response of open) {
    if (response.writableLength > mostUnread) response.destroy()
    else response.write(text)
  }
}

/** Tells open pages that it has ended, and waits for a while until they have the report. */
async function leadToReport(shown: Shown, folder: string | undefined): Promise<void> {
  const file = folder && join(folder, 'report.html')
  shown.report = file && existsSync(file) ? file : undefined
  const isWaited = shown.open.size > 0 && shown.report !== undefined
  const fetched = isWaited && fetchedWithin(shown, patienceMs)
  const what = shown.report === undefined ? 'nothing' : 'report'
  for (const response of shown.open) response.end(`event: end\ndata: ${what}\n\n`)
  shown.open.clear()
  await fetched
}

/** Resolves once each open page has the report, or the time is up. */
async function fetchedWithin(shown: Shown, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = shown.open.size
  shown.onFetched = () => {
    if (--left === 0) resolve()
  }
  const timer = setTimeout(resolve, ms)
  await promise
  clearTimeout(timer)
}

/** Of every answer: for this page only, and kept nowhere. */
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY'
}

const pageHeaders = { 'content-type': 'text/html; charset=utf-8', ...headers }

function refuse(response: ServerResponse): void {
  response.writeHead(404, headers).end()
}

/**
 * What is asked by someone who knows the token, as `GET lines`. A name that was made to lead to
 * loopback, and a page of another origin, are told nothing.
 */
function askedOf(
  { method, url = '', headers }: IncomingMessage,
  { token, host }: { token: string; host: string }
): string | undefined {
  const isOurs = headers.host === host
  const isFromUs = headers.origin === undefined || headers.origin === `http://${host}`
  const begins = `/${token}/`
  if (!isOurs || !isFromUs || !url.startsWith(begins)) return undefined
  return `${method} ${url.slice(begins.length)}`
}
