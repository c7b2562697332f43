import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Hundreds of processes parse the same files, as those of `plimsoll` do: see src/launch.js.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

/**
 * Tests that change nothing around them: a process of its own each is waste. Who stubs or mocks
 * something, moves a global or looks at the process itself stands elsewhere.
 */
const together = [
  ...['expression', 'limit', 'report', 'scenario', 'statistics', 'verdict', 'client', 'publish'],
  ...['target', 'tampering', 'flags', 'telemetry', 'mcp', 'page-protection', 'waf', 'edge'],
  ...['management', 'import'],
  // Of load; what else is there looks at the memory of its process.
  ...['arrivals', 'figures', 'health', 'http1', 'requests', 'transports']
].map((folder) => `test/**/${folder}/**/*.test.ts`)
// Whole commands are processes of their own anyway; the probe of functions is asked in this one.
together.push('test/end-to-end/!(probe).test.ts')

/**
 * What takes longest, in the order in which it begins: commands that mostly wait, for loads and
 * time-outs, beside those that work, so that neither core is idle on the way, or in the end.
 */
const first = [
  ...['honest', 'interrupt', 'fleet', 'calibrate', 'broken', 'leave', 'init', 'unanswered'],
  ...['moving-clock', 'hostile-scenarios', 'faults', 'compare', 'nginx', 'deadline', 'pack'],
  ...['limits', 'fleet-outage', 'hostile', 'endurance', 'absent', 'tls', 'commands'],
  ...['wall-clock', 'fastapi', 'nothing-enforced', 'action', 'own-breaks']
]
  .map((name) => `/end-to-end/${name}.test.ts`)
  // Of those in a process of their own, which come last.
  .concat(['/docs-site.test.ts', '/engine/pool.test.ts', '/bench/mutation/mutation.test.ts'])
  .concat(['/isolate/memory.test.ts', '/engine/noise-models.test.ts', '/bench/kills.test.ts'])

/** Begins with the longest and goes on by size: a clean clone knows nothing of earlier runs. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = first.findIndex((name) => moduleId.endsWith(name))
      // What shares a process goes on in it only while the next does so, too.
      const after = project.name === 'apart' ? first.length + 1 : 0
      return after + (place < 0 ? first.length : place)
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  resolve: { alias: { plimsoll: new URL('src/plimsoll.ts', import.meta.url).pathname } },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Real processes and sockets on two cores, that wait half of the time: more only makes each slower.
    maxWorkers: 4,
    // A machine of CI that pauses for a minute is no defect; what fails twice is. It says `retry`.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: together } },
      { extends: true, test: { name: 'together', include: together, isolate: false } }
    ]
  }
})
