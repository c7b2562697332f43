import type { Argv, Options } from 'yargs'
import type { Destination } from '../../engine/load-worker.ts'
import type { Request } from '../../load/requests/request.ts'
import { type LastingTransport, lastingTransports } from '../../load/transports/transport.ts'
import type { Route } from '../../route.ts'
import { type LoadFlags, loadFlags, secondsOf, seedFlag } from './load-flags.ts'
import { type RequestFlags, requestOf } from './request-flags.ts'

/** Flags of the commands that send over connections which outlast one load. */
export type RigFlags = Omit<LoadFlags, 'transport' | 'duration' | 'requests'> & {
  transport: LastingTransport
  seed: number
  authorisation: string
  json: boolean
}

/** Flags of those of them that measure by many short trials within a time. */
export type TrialFlags = RigFlags & { time: number; out?: string }

/** Load flags that have no meaning where trials are many and short, or another one. */
const otherwise = new Set(['duration', 'requests', 'transport'])

/** The load flags without those; `taken` is a letter that the command has another use for. */
function sharedFlags(yargs: Argv<any>, taken: string): Argv<any> {
  let added = yargs
  const sieve = {
    option(name: string, flag: Options) {
      const { alias, ...rest } = flag
      if (!otherwise.has(name)) added = added.option(name, alias === taken ? rest : flag)
      return sieve
    },
    middleware(act: Parameters<Argv['middleware']>[0]) {
      added = added.middleware(act)
      return sieve
    }
  }
  loadFlags(sieve as unknown as Argv<any>)
  return added
}

/** Adds the flags that say what is sent over connections that stay, and by whose leave. */
export function rigFlags<Given>(
  yargs: Argv<Given>,
  options: { taken?: string } = {}
): Argv<Given & RigFlags> {
  return sharedFlags(yargs, options.taken ?? '')
    .option('transport', {
      alias: 'engine',
      choices: lastingTransports,
      defaultDescription: 'http1',
      describe: 'What sends; http1: by io_uring of Linux (uring) with koffi, else by sockets (wire)'
    })
    .option('seed', seedFlag)
    .option('authorisation', {
      type: 'string',
      default: 'plimsoll.authorisation.json',
      describe: 'File that names the targets beyond loopback which you may test'
    })
    .option('json', {
      type: 'boolean',
      default: false,
      describe: 'One JSON document on stdout'
    }) as never
}

/** Adds the flags of commands that measure by many short trials within a time. */
export function trialFlags<Given>(
  yargs: Argv<Given>,
  options: { time: string; taken?: string }
): Argv<Given & TrialFlags> {
  return rigFlags(yargs, options)
    .option('time', {
      type: 'string',
      default: options.time,
      coerce: secondsOf('time'),
      describe: 'How long it may take, all in all: 30s, 5m'
    })
    .option('out', {
      type: 'string',
      describe: 'Folder for the result and what it rests on'
    }) as never
}

/** The request that is sent to a URL. */
export function trialRequest(url: string, flags: RequestFlags): Request {
  return requestOf(url, flags)
}

/** Whom such a command sends to: one request, over the connections that its flags ask for. */
export function destinationOf(url: string, flags: RigFlags, route: Route | undefined): Destination {
  const { transport, connections, pipelining, timeout, insecure } = flags
  return {
    ...{ transport, connections, pipelining, timeoutMs: timeout * 1_000, verifyTls: !insecure },
    source: { requests: [trialRequest(url, flags)] },
    ...(route && { routes: { [new URL(url).origin]: route } })
  }
}
