import { type Clock, clock as machine } from '../../../clock.ts'
import type { Override } from '../../kernel/override.ts'
import type { Bytes, Invocation, Isolates, Run } from '../isolate/contract.ts'
import { type IsolatesOptions, openIsolates } from '../isolate/isolates.ts'
import type { FunctionRules } from '../rules.ts'

/** The runtime opened otherwise, or wrapped in something that does otherwise. */
export function wrapped(
  wrap: (honest: Isolates) => Partial<Isolates>,
  otherwise: Partial<IsolatesOptions> = {}
): Override<FunctionRules> {
  return {
    openIsolates(options) {
      const honest = openIsolates({ ...options, ...otherwise })
      return { ...honest, ...wrap(honest) }
    }
  }
}

/** Invocations of which something else becomes. */
export function running(otherwise: (run: Run) => Partial<Run>): Override<FunctionRules> {
  return wrapped(({ invoke }) => ({
    invoke(spec, invocation) {
      const run = invoke(spec, invocation)
      return { ...run, ...otherwise(run) }
    }
  }))
}

/**
 * Versions told apart by the number of an event, so that some of them meet another instance; few
 * are kept, since most are never met again.
 */
export function versionedBy(apart: (event: number) => number): Override<FunctionRules> {
  let events = 0
  const wrap = ({ invoke }: Isolates): Partial<Isolates> => ({
    invoke: (spec, invocation) =>
      invoke({ ...spec, version: `${spec.version}-${apart(events++)}` }, invocation)
  })
  return wrapped(wrap, { most: 6 })
}

/** A runtime that never learns that a client has gone. */
export const unaware: Override<FunctionRules> = wrapped(({ invoke }) => ({
  invoke(spec, { gone: _, ...invocation }) {
    const run = invoke(spec, invocation as Invocation)
    const answer = run.answer.then((given) => ({
      ...given,
      body: given.body && readOn(given.body)
    }))
    answer.catch(() => {})
    return { ...run, answer }
  }
}))

/** A runtime whose limits of half a minute and less end, at the latest, by the machine's clock. */
export const untilAtMost = (ms: number): Override<FunctionRules> => ({
  openIsolates({ clock, ...options }) {
    const until: Clock['until'] = async (time, signal) => {
      if (time - clock!.now() > 30_000) return clock!.until(time, signal)
      const isOver = new AbortController()
      const either = AbortSignal.any([isOver.signal, ...(signal ? [signal] : [])])
      const both = [clock!.until(time, either), machine.until(machine.now() + ms, either)]
      await Promise.race(both)
      isOver.abort()
    }
    return openIsolates({ ...options, clock: { ...clock!, until } })
  }
})

/** A runtime in which a client that goes ends all that its function does, for others as well. */
export const entangled: Override<FunctionRules> = wrapped(({ invoke }) => {
  const here = new Map<string, Set<AbortController>>()
  return {
    invoke(spec, invocation) {
      const all = here.get(spec.id) ?? new Set()
      const own = new AbortController()
      here.set(spec.id, all.add(own))
      invocation.gone?.addEventListener('abort', () => {
        for (const one of all) one.abort()
      })
      const run = invoke(spec, { ...invocation, gone: own.signal })
      void run.record.then(() => all.delete(own))
      return run
    }
  }
})

/** A body that is read to its end, though nobody wants it any more. */
async function* readOn(body: Bytes): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    isOver = true
  } finally {
    if (!isOver) void drain(source)
  }
}

async function drain(source: AsyncIterator<Uint8Array>) {
  try {
    while (!(await source.next()).done);
  } catch {
    // It ended, too.
  }
}
