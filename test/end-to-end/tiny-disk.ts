import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The command line. */
export const launcher = resolve(import.meta.dirname, '../../src/launch.js')

/** A file system of 64 KB, seen by one command only, of which so many bytes are left. */
const script = `
set -e
disk=$1 kept=$2 left=$3
shift 3
mount -t tmpfs -o size=64k tmpfs "$disk"
head -c $((65536 - left)) /dev/zero > "$disk/filler"
set +e
"$@"
code=$?
cp -a "$disk/." "$kept/"
exit $code`

/** Whether this machine lets its user make a file system of that user's own. */
export function hasTinyDisks(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'plimsoll-mount-'))
  try {
    const mount = ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]
    execFileSync('unshare', mount, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Runs a command of the command line whose `--out` is on a file system of 64 KB with `left` bytes
 * left; `kept` is a folder with what was on it in the end.
 */
export async function onTinyDisk(args: readonly string[], { left }: { left: number }) {
  const [disk, kept] = ['disk', 'kept'].map((name) =>
    mkdtempSync(join(tmpdir(), `plimsoll-${name}-`))
  ) as [string, string]
  const command = [process.execPath, launcher, ...args, '--out', disk]
  const child = spawn('unshare', [
    '-rm',
    'sh',
    '-c',
    script,
    'sh',
    disk,
    kept,
    `${left}`,
    ...command
  ])
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr, kept }
}
