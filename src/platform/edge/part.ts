import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openFiles } from '../kernel/data/files.ts'
import { extensionPoint } from '../kernel/extension.ts'
import type { Service } from '../kernel/http/listener.ts'
import { part } from '../kernel/part.ts'
import { cacheFront } from './cache.ts'
import { type Cache, openCache } from './cache-store.ts'
import { edgeControl } from './control.ts'
import { edge } from './edge.ts'
import { edgeRules } from './rules.ts'

/** The edge as other parts use it. */
export type EdgeAccess = {
  /** The request path, to be listened with at another place; what it holds is not its to end. */
  service: Service
  cache: Cache
  throughCache: ReturnType<typeof cacheFront>
}

/** Where the edge offers itself. */
export const edgeAccess = extensionPoint<EdgeAccess>('the edge')

/** Where the cache is, in the data folder. */
const cacheFolder = 'cache'

/** The request path of every zone: sizes, the stages of other parts, cache and origin. */
export const edgePart = part({
  name: 'edge',
  rules: edgeRules,
  folders: [cacheFolder],
  open(kernel, { rules }) {
    const { store, time, data, extensions } = kernel
    const files = openFiles(data && emptied(join(data, cacheFolder)))
    const cache = openCache({ files, mostBytes: rules.limits.cacheBytes, now: time.now })
    const throughCache = cacheFront({ cache, limits: rules.limits, now: time.now })
    const service = edge({ rules, store, time, extensions, throughCache })
    extensions.offer(edgeAccess, { service: { ...service, close: undefined }, cache, throughCache })
    return {
      listener: { key: 'edge', words: 'the edge', offset: 2, service },
      control: edgeControl({ store, cache }),
      reset: () => async () => void (await cache.purge('')),
      async close() {
        files.close()
      }
    }
  },
  breaks: () => import('./mutants/mutants.ts')
})

/** A cache begins empty, since what is in it is not written down. */
function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  return folder
}
