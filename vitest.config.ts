import { defineConfig } from 'vitest/config'

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
