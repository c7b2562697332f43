import type { Bytes, Call, Caller, FunctionSpec, Result, Services } from './contract.ts'
import type { Flows } from './flow.ts'
import { type CallMessage, type FlowMessage, faultOf, type ResultMessage } from './message.ts'
import type { Network } from './network.ts'

/** Carries out what functions ask of the platform. */
export type Broker = {
  call(message: CallMessage, caller: Omit<Caller, 'signal'>): void
  /** Nobody waits for this call any more; its end is confirmed once it is closed. */
  cancel(call: number): void
  /** Cancels all calls of an invocation. */
  forget(invocation: number): void
}

type Open = { invocation: number; abort: AbortController }

/** A function may only call what it was given: its code may lie about the rest. */
function isGranted(
  { service, id, args }: CallMessage,
  { spec, invocation }: Omit<Caller, 'signal'>
) {
  if (['fetch', 'socket', 'cache'].includes(service)) return true
  if (service === 'storage') {
    const object = 'object' in invocation ? invocation.object : undefined
    const asked = args[0] ?? {}
    return object?.binding === id && asked.binding === id && asked.id === object.id
  }
  return grants(spec).some((grant) => grant.kind === service && grant.id === id)
}

const grants = ({ env }: FunctionSpec) =>
  Object.values(env).filter((value) => typeof value !== 'string')

type Means = { services: Services; network: Network; caller: Caller; body?: Bytes }

/** Where a URL leads for this caller, if it leads anywhere. */
async function reached(url: string, { services, caller }: Means) {
  const target = await services.fetchTarget(new URL(url), caller)
  if ('refused' in target) throw new Error(target.refused)
  return target
}

async function carryOut(message: CallMessage, means: Means): Promise<Result> {
  const { service, method, id, args } = message
  const { services, network, caller, body } = means
  const { signal } = caller
  if (!isGranted(message, caller)) throw new Error(`There is no ${service} of this name.`)
  if (service === 'fetch') {
    const { url } = args[0]
    const to = await reached(url, means)
    const { value, body: answer } = await network.fetch(args[0], { to, body, signal })
    return { value: { ...(value as object), url }, body: answer }
  }
  if (service === 'socket') {
    const to = await reached(`tcp://${args[0].hostname}:${args[0].port}`, means)
    return network.connect(args[0], { to, body, signal })
  }
  return services.call({ service: service as Call['service'], method, id, args, body }, caller)
}

/** Begins with nothing asked. */
export function createBroker(parts: {
  services: Services
  network: Network
  flows: Flows
  send: (message: ResultMessage | FlowMessage) => void
}): Broker {
  const { flows, send } = parts
  const open = new Map<number, Open>()

  const bodyOf = ({ call, bytes, hasBody, bodyFrom }: CallMessage): Bytes | undefined => {
    if (bodyFrom !== undefined) return flows.divert(`b${call}`, { from: bodyFrom, onEnd: () => {} })
    if (hasBody) return flows.receive(`b${call}`, { granted: 0, onEnd: () => {} })
    return bytes && whole(bytes)
  }
  const letGo = (call: number) => {
    open.get(call)?.abort.abort()
    open.delete(call)
    flows.forget([`r${call}`, `b${call}`])
  }
  return {
    async call(message, caller) {
      const { call, invocation } = message
      const abort = new AbortController()
      const entry = { invocation, abort }
      letGo(call)
      open.set(call, entry)
      try {
        const body = bodyOf(message)
        const asking = { ...caller, signal: abort.signal }
        const result = await carryOut(message, { ...parts, caller: asking, body })
        if (open.get(call) !== entry) return void result.body?.[Symbol.asyncIterator]().return?.()
        if (result.body) flows.supply(`r${call}`, result.body)
        else open.delete(call)
        send({ t: 'result', call, value: result.value, hasBody: result.body !== undefined })
      } catch (error) {
        if (open.get(call) === entry) send({ t: 'result', call, fault: faultOf(error) })
      }
    },
    cancel(call) {
      letGo(call)
      send({ t: 'end', stream: `r${call}` })
    },
    forget(invocation) {
      for (const [call, entry] of open) if (entry.invocation === invocation) letGo(call)
    }
  }
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}
