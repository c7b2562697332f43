import type { Argv } from 'yargs'
import { type DimensionName, dimensionsOf } from '../../limit/dimension.ts'
import { type RpcName, rpcNames } from '../../limit/http2/rpc-message.ts'
import { type Http2Name, http2Names } from '../../limit/http2/survey.ts'
import { type WaitName, waitNames } from '../../limit/time/course.ts'
import { type UseName, useNames } from '../../limit/time/survey-use.ts'
import { type SocketName, socketNames } from '../../limit/websocket/survey.ts'
import { largest } from '../../load/load.ts'
import { isSocket } from '../../load/requests/request.ts'
import { grouped } from '../../report/quantity.ts'
import { orNearest } from '../../scenario/nearest.ts'
import { uiFlag } from '../live/live.ts'
import { isGrpc } from './grpc-flags.ts'
import { insecureFlag, secondsOf } from './load-flags.ts'
import { aboveZero, most, whole } from './numbers.ts'
import { noProxyFlag } from './proxy-flag.ts'
import { headerFlag } from './request-flags.ts'
import { type TagFlag, tagFlag } from './tag-flag.ts'
import { type TlsFlags, tlsFlags } from './tls-flags.ts'

/** A limit on how long something may take, or on how much a connection is used. */
export type TimeName = WaitName | UseName

/** What `plimsoll probe` looks for. */
export type LimitName =
  | DimensionName
  | TimeName
  | Http2Name
  | SocketName
  | RpcName
  | 'rate'
  | 'keep-alive-race'

const ordinary = { method: 'GET', path: '/', headers: [] }
const dimensions = Object.keys(dimensionsOf(ordinary)) as DimensionName[]

/** Limits that take as long as they are to find: they are looked for where they are named. */
const timeNames: readonly TimeName[] = [...useNames, ...waitNames]

/** All of it, in the order in which it is best looked for: what uses up an allowance comes last. */
const limitNames: readonly LimitName[] = [
  ...dimensions,
  ...timeNames,
  ...http2Names,
  ...socketNames,
  ...rpcNames,
  'keep-alive-race',
  'rate'
]

/** What is looked for where nobody says so: of replicas only what they count. */
export function usualLimits({ url = '', origin, replicas, http }: GivenProbeFlags): LimitName[] {
  if (isGrpc(url)) return [...rpcNames]
  if (isSocket({ url })) return socketNames.filter((name) => name !== 'socket-idle')
  if (http === '2') return [...http2Names]
  if (replicas.length > 0) return ['rate']
  return [...dimensions, ...(origin === undefined ? [] : (['keep-alive-race'] as const)), 'rate']
}

/** Whether a limit is one on times, or on how much a connection is used. */
export function isTime(name: LimitName): name is TimeName {
  return timeNames.some((one) => one === name)
}

const factors = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

function known<Name extends string>(asked: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === asked)
  if (name === undefined) {
    const near = orNearest(asked, names) || `: name some of ${names.join(', ')}`
    throw new Error(`there is no limit "${asked}"${near}`)
  }
  return name
}

/** The limits in `url,header,rate`, in the order in which they are best looked for. */
export function asLimits(text: string): LimitName[] {
  const asked = text.split(',').map((name) => known(name.trim(), limitNames))
  return limitNames.filter((name) => asked.includes(name))
}

/** The sizes in `body=1GB` and the like, and the times in `idle=10m`, in ms. */
export function asCeilings(texts: readonly string[]): Partial<Record<LimitName, number>> {
  const pairs = texts.map((text) => {
    const [, limit, amount] = /^([a-z-]+)=(.+)$/.exec(text) ?? []
    if (limit === undefined) throw new Error(`--up-to "${text}" is not of the form body=1GB`)
    const name = known(limit, limitNames)
    return [name, isDuration(name) ? 1_000 * secondsOf('up-to')(amount!) : sizeOf(text, amount!)]
  })
  return Object.fromEntries(pairs)
}

/** Whether a limit is told in ms. */
export function isDuration(name: LimitName): boolean {
  return (
    name === 'keep-alive-race' ||
    name === 'socket-idle' ||
    (isTime(name) && name !== 'requests-per-connection')
  )
}

function sizeOf(text: string, amount: string): number {
  const [, count, unit = ''] = /^(\d+)\s*([KMG]i?B)?$/.exec(amount) ?? []
  const size = Number(count) * factors[unit as keyof typeof factors]
  if (size > 1 && size <= most.times) return size
  if (size > most.times) throw new Error(`--up-to "${text}" is beyond ${grouped(most.times)}`)
  throw new Error(`--up-to "${text}" is not of the form body=1GB`)
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** An HTTP method that an ordinary request may have. */
export type Method = (typeof methods)[number]

/** What `plimsoll probe` is told, with what follows from it. */
export type ProbeFlags = Omit<GivenProbeFlags, 'url' | 'limits'> & {
  url: string
  limits: LimitName[]
}

/** What `plimsoll probe` is told. */
export type GivenProbeFlags = TlsFlags &
  TagFlag & {
    url?: string
    limits?: LimitName[]
    /** The front to ask, what it passes on to, and all replicas of a service. */
    via?: string
    origin?: string
    replicas: string[]
    upTo: Partial<Record<LimitName, number>>
    http: string
    method: Method
    header: string[]
    rate?: number
    time: number
    requests: number
    claims: boolean
    race: boolean
    authorisation: string
    insecure: boolean
    ui: boolean
    out?: string
    write?: string
    json: boolean
  }

/** Adds the flags that say what is asked, and what is looked for. */
export function probeFlags<Given>(yargs: Argv<Given>): Argv<Given & GivenProbeFlags> {
  const asking = yargs
    .positional('url', {
      type: 'string',
      describe: 'The URL; ws: and wss: ask about WebSockets, grpc: and grpcs: about a method'
    })
    .option('limits', {
      type: 'string',
      defaultDescription: [...dimensions, 'rate'].join(','),
      coerce: asLimits,
      describe:
        `What to look for, separated by commas; also ${timeNames.join(', ')}; ` +
        `of a WebSocket ${socketNames.join(', ')}; of gRPC ${rpcNames.join(', ')}`
    })
    .option('http', {
      type: 'string',
      requiresArg: true,
      choices: ['1.1', '2'],
      default: '1.1',
      describe: `2 looks for what HTTP/2 alone limits: ${http2Names.join(', ')}`
    })
    .option('up-to', {
      type: 'string',
      array: true,
      default: [],
      coerce: asCeilings,
      describe:
        'How far to look, as body=1GB, rate=100 or idle=10m; may be repeated ' +
        '(default: body 250MB, rate 1000 a second, times 75s, else 1MiB)'
    })
    .option('method', {
      alias: 'm',
      choices: methods,
      default: 'GET',
      describe: 'HTTP method'
    })
    .option('claims', {
      type: 'boolean',
      default: false,
      describe:
        'Instead: whether the headers about limits tell the truth, each true, false or unsaid'
    })
    .option('race', {
      type: 'boolean',
      default: false,
      describe:
        'Instead, or with that: are more let through by bursts whose last bytes go out together?'
    })
    .option('header', headerFlag)
  return noProxyFlag(tagFlag(tlsFlags(boundFlags(layerFlags(asking)))), 'probe') as never
}

/** Adds those that name who else answers for the service. */
function layerFlags<Given>(yargs: Argv<Given>): Argv<Given> {
  return yargs
    .option('via', {
      type: 'string',
      requiresArg: true,
      describe: 'The URL, of a front that passes on to others: by whom each refusal is'
    })
    .option('origin', {
      type: 'string',
      requiresArg: true,
      describe:
        'What the front passes on to: asked the same, so that it is told which of the two draws ' +
        'each line, and whether requests fail as it closes connections (keep-alive-race)'
    })
    .option('replicas', {
      type: 'string',
      default: '',
      coerce: asUrls,
      describe: 'URLs of all replicas, separated by commas: do they count together, or each?'
    })
}

/** The URLs in `http://a,http://b`. */
function asUrls(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

/** Adds those that say how much is asked, by whose leave, and where the result goes. */
function boundFlags<Given>(yargs: Argv<Given>): Argv<Given> {
  return yargs
    .option('rate', {
      alias: 'r',
      type: 'number',
      coerce: aboveZero('rate', largest.level),
      describe: 'At most so many requests a second while sizes are looked for'
    })
    .option('time', {
      type: 'string',
      default: '6m',
      coerce: secondsOf('time'),
      describe: 'How long it may take, all in all; windows of several minutes need more'
    })
    .option('requests', {
      type: 'number',
      default: 20_000,
      coerce: whole('requests'),
      describe: 'How many requests may be sent to find out about the rate'
    })
    .option('authorisation', {
      type: 'string',
      default: 'plimsoll.authorisation.json',
      describe: 'File that names the targets beyond loopback which you may test'
    })
    .option('ui', uiFlag)
    .option('out', { type: 'string', describe: 'Folder for the result' })
    .option('write', {
      type: 'string',
      requiresArg: true,
      describe: 'Folder for clauses and scenarios that verify sizes and rate from then on'
    })
    .option('insecure', insecureFlag)
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'One JSON document on stdout'
    })
}
