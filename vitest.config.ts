import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Hundreds of processes parse the same files, as those of `plimsoll` do: see src/launch.js.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

/**
 * Tests that need a process of their own: they mock or stub something, stop the clock, or look at
 * the memory, the events or the handles of the process itself. The others share a few processes:
 * each of its own costs the start of Node and of Vitest, and every import once more.
 */
const apart = [
  // The probe of functions is asked in this process, and not in one that was started.
  ...['end-to-end/probe', 'docs-site', 'load/memory', 'load/http2/hostile', 'platform/memory'],
  ...['engine/deadline', 'engine/sender-threads', 'fleet/pending', 'cli/saved/plan-cache'],
  ...['cli/terminal/capacity-progress', 'cli/terminal/live-views', 'cli/terminal/run-progress'],
  ...['cli/targets/process-usage', 'cli/targets/spawned-server', 'bench/mutation/*'],
  ...['platform/functions/scheduler', 'platform/gateway/gateway', 'platform/logpush/kill'],
  ...['platform/logpush/sealed', 'platform/kernel/data/files', 'platform/kernel/egress/*'],
  ...['platform/kernel/http/http2', 'platform/functions/isolate/{,host/,guest/}*']
].map((name) => `test/${name}.test.ts`)

/**
 * What takes longest, in the order in which it begins: commands that mostly wait, for loads and
 * time-outs, beside those that work, so that neither core is idle on the way, or in the end.
 */
const first = [
  ...['honest', 'fleet', 'broken', 'interrupt', 'init', 'calibrate', 'leave', 'unanswered'],
  ...['moving-clock', 'pack', 'faults', 'compare', 'probe-written', 'nginx', 'deadline'],
  ...['limits', 'large-run'],
  ...['hostile-scenarios', 'fleet-outage', 'hostile', 'endurance', 'absent', 'commands', 'tls'],
  ...['wall-clock', 'fastapi', 'nothing-enforced', 'action', 'deployed-probe', 'own-breaks']
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
    // Real processes and sockets on two cores, that wait half of the time or more.
    maxWorkers: 5,
    // A machine of CI that pauses for a minute is no defect; what fails twice is. It says `retry`.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: apart, isolate: false }
      }
    ]
  }
})
