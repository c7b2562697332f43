import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Hundreds of processes parse the same files, as those of `plimsoll` do: see src/launch.js.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

/**
 * Tests that change nothing around them: a process of its own each is waste. Who stubs or mocks
 * something, moves a global or looks at the process itself stands elsewhere.
 */
const together = [
  ...['expression', 'limit', 'report', 'scenario', 'statistics', 'verdict', 'client', 'publish'],
  ...[
    'target',
    'tampering',
    'flags',
    'telemetry',
    'mcp',
    'page-protection',
    'waf',
    'edge',
    'management'
  ],
  // Of load; what else is there looks at the memory of its process.
  ...['arrivals', 'figures', 'health', 'http1', 'requests', 'transports']
].map((folder) => `test/**/${folder}/**/*.test.ts`)

/** Tests of commands that mostly wait, for loads and time-outs: two cores take more of them. */
const waiting = [
  ...[
    'deadline',
    'fleet',
    'fleet-outage',
    'hostile-scenarios',
    'init',
    'interrupt',
    'leave',
    'tls'
  ],
  ...['unanswered', 'wall-clock']
].map((name) => `test/end-to-end/${name}.test.ts`)
const all = 'test/**/*.test.ts'

export default defineConfig({
  resolve: { alias: { plimsoll: new URL('src/plimsoll.ts', import.meta.url).pathname } },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Real processes and sockets on two cores, that wait half of the time: more only makes each slower.
    maxWorkers: 3,
    // A machine of CI that pauses for a minute is no defect; what fails twice is. It says `retry`.
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: { name: 'apart', include: [all], exclude: [...together, ...waiting] }
      },
      { extends: true, test: { name: 'together', include: together, isolate: false } },
      // Projects with another number of workers come one after another.
      {
        extends: true,
        test: { name: 'waiting', include: waiting, maxWorkers: 5, sequence: { groupOrder: 1 } }
      }
    ]
  }
})
