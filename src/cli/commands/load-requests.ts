import type { Argv } from 'yargs'
import { isSocket, type Request } from '../../load/requests/request.ts'
import { Failure } from '../failure.ts'
import { curlRequest } from '../flags/curl.ts'
import { type EventFlags, eventFlags, eventsOf } from '../flags/event-flags.ts'
import { callOf, type GrpcCall, type GrpcFlags, grpcFlags } from '../flags/grpc-flags.ts'
import { recorded } from '../flags/har.ts'
import { type MessageFlags, messageFlags, messageOf } from '../flags/message-flags.ts'
import { type RequestFlags, requestOf, textOf } from '../flags/request-flags.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { type AuthorisedUrl, authoriseUrl } from '../targets/authorised-url.ts'

/** Flags that say what `load` sends. */
export type SentFlags = RequestFlags &
  EventFlags &
  MessageFlags &
  GrpcFlags & {
    url?: string
    curl?: string
    har?: string
    harPage?: string
    harHost: string[]
  }

/** Adds the flags that say what `load` sends, beside those of one request. */
export function sentFlags<Given>(yargs: Argv<Given>): Argv<Given & SentFlags> {
  return grpcFlags(messageFlags(eventFlags(yargs)))
    .positional('url', { type: 'string', describe: 'The URL' })
    .option('curl', {
      type: 'string',
      describe: 'In place of a URL: a curl command as browsers copy it, or @FILE that holds one'
    })
    .option('har', {
      ...{ type: 'string', requiresArg: true },
      describe: 'In place of a URL, or to be sent there: what a browser recorded (HAR), in turn'
    })
    .option('har-page', {
      ...{ type: 'string', requiresArg: true },
      describe: 'With --har: one page of it, by id, title or number'
    })
    .option('har-host', {
      ...{ type: 'string', array: true, requiresArg: true, default: [] },
      describe: 'With --har: what was asked of this host; may be repeated'
    }) as never
}

/** What is sent in turn, the name under which it is kept, and what is to be known of it. */
export type Requests = {
  requests: Request[]
  name: string
  remarks: string[]
  /** Of a call of gRPC: what is sent, once its server may be asked. */
  complete?: GrpcCall['complete']
}

/** The requests that are sent, each of which may ask for events. */
export async function requestsOf(flags: SentFlags): Promise<Requests> {
  const { url } = flags
  const events = eventsOf(flags)
  const isSocketUrl = url !== undefined && isSocket({ url })
  if (isSocketUrl && (flags.curl ?? flags.har ?? events) !== undefined)
    throw new Failure('a ws: URL goes with --message, and with no --curl, --har or --events')
  const call = callOf(url, flags)
  if (call !== undefined) {
    if ((flags.curl ?? flags.har ?? events) !== undefined)
      throw new Failure('a grpc: URL goes with --message, and with no --curl, --har or --events')
    return { requests: [call.request], name: url!, remarks: [], complete: call.complete }
  }
  const message = messageOf(url, flags)
  if (message !== undefined) return { requests: [message], name: url!, remarks: [] }
  const sent = await plainRequestsOf(flags)
  if (events === undefined) return sent
  return { ...sent, requests: sent.requests.map((request) => ({ ...request, events })) }
}

/** The requests as flags, a curl command or a browser's record have them. */
async function plainRequestsOf(flags: SentFlags): Promise<Requests> {
  const { url, curl, har, harPage, harHost, method, body } = flags
  if (curl !== undefined && (url ?? har) !== undefined)
    throw new Failure('name one of a URL, --curl with a curl command and --har with a file')
  if (har !== undefined) {
    if ((method ?? body) !== undefined) throw new Failure(ownRequests('--har'))
    return replayed(har, flags)
  }
  if ((harPage ?? harHost[0]) !== undefined)
    throw new Failure('--har-page and --har-host choose from a file: name it with --har')
  if (curl === undefined) {
    if (url === undefined) throw new Failure('name a URL, or what to send with --curl or --har')
    return { requests: [requestOf(url, flags)], name: url, remarks: [] }
  }
  if ((method ?? body) !== undefined) throw new Failure(ownRequests('--curl'))
  const written = curlRequest(`${textOf('curl', curl)}`)
  const header = [...written.header, ...flags.header]
  const request = requestOf(written.url, { ...flags, ...written, header })
  // A query that a browser copied may let somebody in, as headers may.
  const [name = ''] = request.url.split(/[?#]/)
  return { requests: [request], name, remarks: [] }
}

const ownRequests = (flag: string) =>
  `${flag} has a method and a body of its own: leave out --method and --body`

/** What a browser recorded, at the place where it did or at another one, with headers of now. */
async function replayed(file: string, flags: SentFlags): Promise<Requests> {
  const { url, harPage: page, harHost: hosts } = flags
  const { requests, remarks } = await recorded({ file, page, hosts })
  const places = [...new Set(requests.map((one) => new URL(one.url).host))]
  if (url !== undefined) insistOnPlace(url, places)
  const given = url === undefined ? undefined : new URL(url).origin
  const moved = requests.map((one) => {
    const { origin, pathname, search } = new URL(one.url)
    const { headers = {} } = requestOf(given ?? origin, flags)
    return {
      ...one,
      url: `${given ?? origin}${pathname}${search}`,
      headers: { ...without(one.headers ?? {}, Object.keys(headers)), ...headers }
    }
  })
  // Paths and queries of what was recorded may let somebody in: the places name it.
  return { requests: moved, name: given ?? places.join(', '), remarks }
}

function insistOnPlace(url: string, places: readonly string[]): void {
  insistOnWebUrl(url)
  const { pathname, search } = new URL(url)
  if (`${pathname}${search}` !== '/')
    throw new Failure('with --har a URL says where to send it, and has no path')
  if (places.length === 1) return
  throw new Failure(`it was recorded at ${places.join(', ')}: choose one with --har-host`)
}

/** Headers without those of these names, in whatever letters. */
function without(headers: NonNullable<Request['headers']>, names: readonly string[]) {
  const left = new Set(names.map((name) => name.toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !left.has(name.toLowerCase()))
  )
}

/** Leave for every place that is asked; one without it has its way out named. */
export async function leavesFor(
  urls: readonly string[],
  options: Parameters<typeof authoriseUrl>[1] & Pick<SentFlags, 'har'>
): Promise<AuthorisedUrl[]> {
  const leaves: AuthorisedUrl[] = []
  for (const url of urls) {
    const leave = authoriseUrl(url, options).catch((cause: Failure) => {
      if (options.har === undefined || urls.length === 1) throw cause
      throw new Failure(`${cause.message}\nChoose the hosts to ask with --har-host.`, cause.code)
    })
    leaves.push(await leave)
  }
  return leaves
}
