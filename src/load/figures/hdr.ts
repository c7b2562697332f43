import { createRequire } from 'node:module'

type Hdr = typeof import('hdr-histogram-js')

const require = createRequire(import.meta.url)
let loaded: Hdr | undefined

/**
 * The library of histograms, from when it is first asked for: it is 44 files, of no use to whoever
 * measures nothing.
 */
export function hdr(): Hdr {
  loaded ??= require('hdr-histogram-js') as Hdr
  return loaded
}
