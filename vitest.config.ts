import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Hundreds of processes parse the same files, as those of `plimsoll` do: see src/launch.js.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

export default defineConfig({
  resolve: { alias: { plimsoll: new URL('src/plimsoll.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Real processes and sockets on two cores: more files at once only makes each one slower.
    maxWorkers: 2
  }
})
