import { readFileSync } from 'node:fs'
import {
  type Answer,
  FunctionFailed,
  type FunctionSpec,
  type Invocation,
  type InvocationRecord,
  type IsolateLimits,
  type Services
} from '../../../../src/platform/functions/isolate/contract.ts'
import {
  type IsolatesOptions,
  openIsolates
} from '../../../../src/platform/functions/isolate/isolates.ts'
import {
  type IsolateRules,
  isolateRules
} from '../../../../src/platform/functions/isolate/rules.ts'
import { createEgress } from '../../../../src/platform/kernel/egress/egress.ts'

/** The limits of a bundled function, unless told otherwise. */
export function limitsOf(different: Partial<IsolateLimits> = {}): IsolateLimits {
  return {
    cpuMs: { fetch: 50, scheduled: 50, queue: 50, alarm: 50 },
    memoryBytes: 128 * 2 ** 20,
    startupMs: 400,
    subrequests: 50,
    internalSubrequests: 1_000,
    connections: 6,
    waitUntilMs: 30_000,
    durationMs: {},
    consoleBytes: 128 * 2 ** 10,
    ...different
  }
}

/** The code of a function that is kept for tests, by name. */
export function codeOf(name: string): string {
  return readFileSync(new URL(`code/${name}.js`, import.meta.url), 'utf8')
}

/** The servers of tests may be reached. */
const loopback = createEgress({ allowed: ['127.0.0.1:*'] })

let made = 0

/** A function of one module. */
export function specOf(code: string, different: Partial<FunctionSpec> = {}): FunctionSpec {
  const modules = { 'main.js': code }
  const id = `f${++made}`
  const kept = { id, version: '1', owner: 'a', main: 'main.js', modules }
  return { ...kept, env: {}, limits: limitsOf(), ...different }
}

/** What became of a request: what was answered, or the outcome; and the record. */
export type Told = {
  status?: number
  text?: string
  headers?: Answer['headers']
  failed?: FunctionFailed
  /** The answer began, and then broke off. */
  broke?: Error
  record: InvocationRecord
}

const nothing: Services = {
  fetchTarget: () => ({}),
  call: () => Promise.reject(new Error('there is no such service'))
}

/** Isolates for tests, closed at the end of their block. */
export function openTestIsolates({
  rules = {},
  services = {},
  open = openIsolates,
  ...options
}: Partial<Omit<IsolatesOptions, 'rules' | 'services'>> & {
  rules?: Partial<IsolateRules>
  services?: Partial<Services>
  open?: typeof openIsolates
} = {}) {
  const isolates = open({
    spares: 0,
    egress: loopback,
    ...options,
    services: { ...nothing, ...services },
    rules: { ...isolateRules, ...rules }
  })
  const run = (spec: FunctionSpec, event: Partial<Invocation> & { path?: string } = {}) => {
    const { path = '/', ...rest } = event
    const url = `http://function.test${path}`
    const request = { kind: 'fetch', method: 'GET', url, headers: [], body: null }
    return isolates.invoke(spec, { id: 'r', context: {}, ...request, ...rest } as Invocation)
  }
  const ask = async (
    spec: FunctionSpec,
    event: Partial<Invocation> & { path?: string } = {}
  ): Promise<Told> => {
    const { answer, record } = run(spec, event)
    try {
      const { status, headers, body } = await answer
      const read = await textOf(body).catch((error: Error) => error)
      const rest = read instanceof Error ? { broke: read } : { text: read }
      return { status, headers, ...rest, record: await record }
    } catch (error) {
      if (!(error instanceof FunctionFailed)) throw error
      return { failed: error, record: await record }
    }
  }
  return { ...isolates, run, ask, [Symbol.asyncDispose]: isolates.close }
}

/** A body as text. */
export async function textOf(body: Answer['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
