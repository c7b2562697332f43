import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { targetOf } from '../../src/cli/targets/embedded.ts'
import { startPlatform } from '../../src/platform/platform.ts'
import { plimsollJson } from './plimsoll.ts'

/** Some of what has the target send to a server of the harness, of each kind. */
const scenarios = [
  ...['log-push/create', 'log-push/filter-operators', 'log-push/job-fields'],
  ...['functions/connections-free', 'functions/subrequests', 'functions/disconnect']
]

test('a target that sends nothing to the harness is at no fault for it', async () => {
  // Without leave it sends nothing to loopback, where the harness listens.
  const platform = await startPlatform({ port: 0 })
  try {
    const adapter = resolve(import.meta.dirname, '../../scenarios/_adapter.ts')
    const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-shut-in-')), 'target.json')
    writeFileSync(file, JSON.stringify(targetOf(platform.announcement, { name: 'shut', adapter })))
    const { code, json } = await plimsollJson('run', ...scenarios, '--target', file)
    const wrong = json.verdicts.filter(({ outcome }: any) => outcome === 'fail')
    expect(wrong).toEqual([])
    expect(json.verdicts).toContainEqual(
      expect.objectContaining({ clause: 'logpush.filter.operator-eq', outcome: 'inconclusive' })
    )
    expect(code).toBe(2)
  } finally {
    await platform.close()
  }
}, 180_000)
