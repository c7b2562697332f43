import { createRequire } from 'node:module'

type Hdr = typeof import('hdr-histogram-js')

const require = createRequire(import.meta.url)
let loaded: Hdr | undefined

/**
 * The library of histograms, from when it is first asked for, since whoever measures nothing has no
 * use for it. It comes as 44 files as well, which take half as long again to load.
 */
export function hdr(): Hdr {
  loaded ??= require('hdr-histogram-js/dist/hdrhistogram.umd.js') as Hdr
  return loaded
}
