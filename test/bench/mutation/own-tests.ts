import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'

/** Tests that take longer do not end with this fault. */
const mostMs = 300_000

/**
 * The project's own tests of a file of the platform: those that import it, or else those that
 * stand where it would, or the nearest folder above that has any.
 */
export function ownTestsOf(file: string, root: string): string[] {
  const all = globSync('test/platform/**/*.test.ts', { cwd: root })
  const importers = all.filter((test) => importedBy(test, root).includes(file))
  if (importers.length > 0) return importers.sort()
  let folder = dirname(file).replace('src/', 'test/')
  for (; folder !== 'test'; folder = dirname(folder)) {
    const near = all.filter((test) => dirname(test) === folder)
    if (near.length > 0) return near.sort()
  }
  return []
}

function importedBy(test: string, root: string): string[] {
  const text = readFileSync(join(root, test), 'utf8')
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => posix.join(dirname(test), path!))
}

/** Whether any of these tests fails, or does not end, in a copy of the project that has a fault. */
export async function isSeenByTests(tests: readonly string[], folder: string): Promise<boolean> {
  if (tests.length === 0) return false
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', ...tests, '--root', folder, '--bail', '1']
  const ended = promisify(execFile)(process.execPath, args, {
    ...{ cwd: folder, timeout: mostMs, maxBuffer: 1e9 }
  })
  return ended.then(
    () => false,
    () => true
  )
}
