import module from 'node:module'

// A thread does not inherit its parent's cache; what is imported before this would miss it.
module.enableCompileCache()
const { readAll } = await import('./reading.ts')
await readAll()
