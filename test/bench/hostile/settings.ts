import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasTinyDisks } from '../../end-to-end/tiny-disk.ts'
import type { Command } from './command.ts'
import type { Setting } from './trial.ts'

/** A state of this machine in which commands are tried, upon a server that is honest. */
export type Adversity = {
  name: string
  /** What that state makes of a command; undefined where the two have nothing to do with it. */
  setting: (command: Command) => Setting | undefined
}

const fresh = (name: string) => mkdtempSync(join(tmpdir(), `plimsoll-${name}-`))

/** Whatever the machine does is no fail of the target, and neither is it a proof. */
const noVerdict = [0, 2, 3]

const faketime = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find(existsSync)

/** Sets the wall clock of a command while it goes on; the clock that only counts goes on. */
function jump(by: string): Setting {
  const file = join(fresh('clock'), 'now')
  writeFileSync(file, '+0')
  return {
    env: {
      LD_PRELOAD: faketime!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1'
    },
    onAsked: () => void setTimeout(() => writeFileSync(file, by), 900),
    exits: noVerdict
  }
}

const cramped: Setting = {
  before: ['sh', '-c', 'ulimit -n 40; exec "$@"', 'sh'],
  change: (args) => args.map((arg, at) => (args[at - 1] === '-c' ? '50' : arg)),
  exits: noVerdict
}

const mount = `mount -t tmpfs -o size=64k tmpfs "$0"
head -c 61440 /dev/zero > "$0/filler"
exec "$@"`

function tiny({ name }: Command): Setting | undefined {
  if (name.startsWith('load')) return
  const out = fresh('disk')
  const before = ['unshare', '-rm', 'sh', '-c', mount, out]
  return { before, out, exits: ['run', 'soak'].includes(name) ? [3] : noVerdict }
}

const feeding = `import { closed, feed, load, readRows } from 'plimsoll'
const rows = feed(readRows(new URL('./users.csv', import.meta.url)), { order: 'random' })
export default load({
  title: 'A thousand of a million users are greeted',
  needs: ['service'],
  load: closed({ users: 4, iterations: 1_000 }),
  objectives: { errorRatio: 0 },
  request: ({ service }) => async ({ n, send }) => {
    await send(service.get('/' + rows(n).name))
  }
})
`

/** A document whose load is fed by a file of a million rows, 37 MB of them. */
function millionRows({ name }: Command): Setting | undefined {
  if (name !== 'run') return
  const document = fresh('million')
  const rows = Array.from({ length: 1_000_000 }, (_, n) => `${n},user-${n},${n}@example.com`)
  writeFileSync(join(document, 'users.csv'), `id,name,email\n${rows.join('\n')}\n`)
  writeFileSync(join(document, 'clauses.json'), '[]')
  writeFileSync(join(document, 'greet.ts'), feeding)
  // What the rows leave to be collected may stop the load for longer than it can be valid.
  return { document, exits: [0, 3], mostBytes: 1e9 }
}

/** Every such state that this machine can be brought into. */
export const adversities: readonly Adversity[] = [
  { name: 'a feeder of 1,000,000 rows of CSV', setting: millionRows },
  ...(faketime === undefined
    ? []
    : [
        { name: 'a wall clock that jumps forward an hour', setting: () => jump('+3600s') },
        { name: 'a wall clock that jumps back an hour', setting: () => jump('-3600s') }
      ]),
  { name: '`ulimit -n 40`, 50 connections', setting: () => cramped },
  ...(hasTinyDisks() ? [{ name: 'a disk of 64 KB, 4 KB of it left', setting: tiny }] : [])
]
