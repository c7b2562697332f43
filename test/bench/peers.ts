import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { has, pinned, run } from './machine.ts'

/** What a client did in one stretch. */
export type Stretch = { requests: number; cpuMs: number; seconds: number }

/** How a client is to load the server. */
export type Setting = {
  url: string
  connections: number
  pipelining: number
  seconds: number
  /** How long clients in Node are let run before; default: a second. */
  warmUp?: number
}

/** A load generator that can be run for a stretch, on the first core. */
export type Peer = { name: string; measure: (setting: Setting) => Promise<Stretch> }

const client = new URL('client.ts', import.meta.url).pathname

/** Plimsoll's own transports that are measured. */
export const ours = ['uring', 'wire'] as const

/** A client that runs in Node tells itself what it used, so that starting Node is not counted. */
function inNode(
  name: 'wire' | 'uring' | 'http2' | 'undici' | 'autocannon' | 'grpc' | 'grpc-js'
): Peer {
  return {
    name,
    async measure({ url, connections, pipelining, seconds, warmUp = 1 }) {
      const settings = [connections, pipelining, seconds, warmUp].map(String)
      const { output } = await run(pinned(0, [process.execPath, client, name, url, ...settings]))
      return { ...(JSON.parse(output) as { requests: number; cpuMs: number }), seconds }
    }
  }
}

/** Another program: how it is called, and where its output says how many requests it made. */
type Program = {
  name: string
  pipelines: boolean
  command: (setting: Setting) => string[]
  requests: RegExp
  /** Exit codes by which it says that it did so. */
  codes?: number[]
}

const programs: Program[] = [
  {
    name: 'wrk',
    pipelines: true,
    command: ({ url, connections, pipelining, seconds }) => [
      ...['wrk', '-t1', `-c${connections}`, `-d${seconds}s`],
      ...(pipelining > 1 ? ['-s', pipelineScript, url, '--', `${pipelining}`] : [url])
    ],
    requests: /(\d+) requests in/
  },
  {
    name: 'h2load',
    pipelines: true,
    command: ({ url, connections, pipelining, seconds }) => [
      ...['h2load', '--h1', '-t1', `-c${connections}`, `-m${pipelining}`, '-D', `${seconds}`, url]
    ],
    requests: /requests: (\d+) total/
  },
  {
    name: 'ab',
    pipelines: false,
    command: ({ url, connections, seconds }) => [
      ...['ab', '-q', '-k', '-c', `${connections}`, '-t', `${seconds}`, '-n', '100000000', url]
    ],
    requests: /Complete requests:\s+(\d+)/
  },
  {
    name: 'hey',
    pipelines: false,
    command: ({ url, connections, seconds }) => [
      ...['hey', '-cpus', '1', '-c', `${connections}`, '-z', `${seconds}s`, url]
    ],
    requests: /\[200\]\s+(\d+) responses/
  }
]

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const pipelineScript = join(folder, 'pipeline.lua')
writeFileSync(
  pipelineScript,
  `function init(args)
     local requests = {}
     for n = 1, tonumber(args[1]) do requests[n] = wrk.format() end
     batch = table.concat(requests)
   end
   function request() return batch end`
)

function asPeer({ name, command, requests, codes }: Program): Peer {
  return {
    name,
    async measure(setting) {
      const { output, cpuMs } = await run(pinned(0, command(setting)), codes)
      const found = requests.exec(output)
      if (!found) throw new Error(`${name} did not say how many requests it made:\n${output}`)
      return { requests: Number(found[1]), cpuMs, seconds: setting.seconds }
    }
  }
}

const h2load: Program = {
  name: 'h2load',
  pipelines: true,
  command: ({ url, connections, pipelining, seconds }) => [
    ...['h2load', '-t1', `-c${connections}`, `-m${pipelining}`, '-D', `${seconds}`, url]
  ],
  requests: /requests: (\d+) total/
}

/** The clients to compare over HTTP/2, and the names of those that are not installed. */
export function http2Peers(): { present: Peer[]; absent: string[] } {
  const inNodes = [inNode('http2'), inNode('undici')]
  return has('h2load')
    ? { present: [...inNodes, asPeer(h2load)], absent: [] }
    : { present: inNodes, absent: ['h2load'] }
}

/** The clients to compare over gRPC. */
export function grpcPeers(): { present: Peer[]; absent: string[] } {
  return { present: [inNode('grpc'), inNode('grpc-js')], absent: [] }
}

const modules = new URL('../../', import.meta.url).pathname

/** Whole programs of those that run in Node, from their start to their end. */
const started: Program[] = [
  ...ours.map((transport) => ({
    name: transport,
    pipelines: true,
    command: ({ url, connections, pipelining, seconds }: Setting) => [
      ...[process.execPath, `${modules}src/launch.js`, 'load', url, '-c', `${connections}`],
      ...['-p', `${pipelining}`, '-d', `${seconds}s`, '--transport', transport, '--json']
    ],
    requests: /"requests":(\d+)/,
    // A client that is slower than the server says that it set the pace.
    codes: [0, 3]
  })),
  {
    name: 'autocannon',
    pipelines: true,
    command: ({ url, connections, pipelining, seconds }) => [
      ...[process.execPath, `${modules}node_modules/autocannon/autocannon.js`, '--json'],
      ...['-c', `${connections}`, '-p', `${pipelining}`, '-d', `${seconds}`, url]
    ],
    requests: /"requests":\{.*?"total":(\d+)/
  }
]

/** The clients to compare as whole programs. */
export function wholePeers(): { present: Peer[]; absent: string[] } {
  const { present, absent } = peers(1)
  return { present: [...started.map(asPeer), ...present.slice(ours.length + 1)], absent }
}

/** The clients to compare, and the names of those that are not installed. */
export function peers(pipelining: number): { present: Peer[]; absent: string[] } {
  const able = programs.filter(({ pipelines }) => pipelines || pipelining === 1)
  const here = able.filter(({ name }) => has(name))
  return {
    present: [...ours.map(inNode), inNode('autocannon'), ...here.map(asPeer)],
    absent: able.filter((program) => !here.includes(program)).map(({ name }) => name)
  }
}
