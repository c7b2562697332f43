import { replaceClass } from './replace.ts'
import type { Offload } from './scope.ts'

/** What a stream is taken to have done beside what others have: ten milliseconds. */
const streamWeight = 10_000

/** Has whoever makes streams that compress pay for what other threads do for them. */
export function confineCompression(offload: Offload) {
  const { construct } = Reflect
  for (const name of ['CompressionStream', 'DecompressionStream'] as const) {
    const { [name]: theirs } = globalThis
    const Own = function (this: unknown, ...given: unknown[]) {
      if (!new.target) throw new TypeError(`A ${name} is made with new.`)
      offload(streamWeight, true)
      return construct(theirs, given, new.target)
    }
    replaceClass(name, Own)
  }
}
