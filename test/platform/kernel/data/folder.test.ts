import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { objectStorage } from '../../../../src/platform/functions/services/objects.ts'
import { moveAside } from '../../../../src/platform/kernel/data/aside.ts'
import { Damage } from '../../../../src/platform/kernel/data/damage.ts'
import { openFiles } from '../../../../src/platform/kernel/data/files.ts'
import { readMark } from '../../../../src/platform/kernel/data/mark.ts'
import { folders } from '../../../../src/platform/parts.ts'
import { random } from '../../../../src/random.ts'
import { bodyOf, stoppedTime } from '../../functions/stage.ts'
import { seeded as seed } from '../../opened.ts'
import { openStore, type Store } from '../../store.ts'

const place = mkdtempSync(join(tmpdir(), 'folder-'))
const closed = join(place, 'closed')
const killed = join(place, 'killed')
const folder = join(place, 'tried')
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(place, { recursive: true }))

const seeded = { seed }
const zones = 'SELECT id FROM zone'

/** Puts an object of five bytes. */
async function putObject(store: Store, data: string, key: string) {
  const files = openFiles(join(data, 'objects'))
  const put = objectStorage({ store, time: stoppedTime(), files }).put!
  const call = { service: 'objects', method: 'put', id: 'a/bucket', args: [key, {}] }
  await put({ ...call, body: bodyOf('hello') } as never, {} as never)
}

// Two folders to be damaged: of a platform that has ended, and of one that was killed, as a copy of
// its files while it has them open.
beforeAll(async () => {
  const store = openStore(closed, seeded)
  await putObject(store, closed, 'first')
  store.close()
  const used = openStore(closed, seeded)
  used.run('INSERT INTO credential (name, secret) VALUES (?, ?)', 'kept', 'x'.repeat(9_000))
  await putObject(used, closed, 'second')
  cpSync(closed, killed, { recursive: true })
  used.close()
})
beforeEach(() => rmSync(folder, { recursive: true, force: true }))

/** Opens the folder, which must be in order, and returns the names of objects in it. */
function objectsIn(options = {}): string[] {
  const store = openStore(folder, { ...seeded, ...options })
  expect(store.all(zones)).toHaveLength(5)
  const rows = store.all<{ key: string }>('SELECT key FROM stored_object ORDER BY key')
  store.close()
  return rows.map(({ key }) => key)
}

function findingsOf(): readonly string[] {
  try {
    openStore(folder, seeded).close()
  } catch (error) {
    if (error instanceof Damage) return error.findings
    throw error
  }
  return []
}

/** Changes a bit in the middle of a text that is in a file. */
function flip(file: string, text: string) {
  const bytes = readFileSync(file)
  const found = bytes.indexOf(text)
  expect(found).toBeGreaterThan(0)
  bytes[found + 1]! ^= 1
  writeFileSync(file, bytes)
}

const oneObject = () => at(`objects/${readdirSync(at('objects')).sort()[0]}`)
const remove = (name: string) => rmSync(at(name), { recursive: true })

describe('what is not damaged', () => {
  test.each([
    ['ended', closed],
    ['killed', killed]
  ])('a folder whose platform was %s has everything', (_, from) => {
    cpSync(from, folder, { recursive: true })
    expect(objectsIn()).toEqual(['first', 'second'])
    expect(objectsIn()).toEqual(['first', 'second'])
  })

  test.each([
    ['does not exist', () => {}],
    ['is empty', () => mkdirSync(folder)],
    ['has a folder of others', () => mkdirSync(at('notes'), { recursive: true })],
    ['has an empty objects/', () => mkdirSync(at('objects'), { recursive: true })]
  ])('a folder that %s is a new one', (_, make) => {
    make()
    expect(objectsIn()).toEqual([])
    expect(readMark(folder)).toMatchObject({ state: 'closed' })
  })

  test('a folder whose platform was killed as it ended has everything', () => {
    cpSync(killed, folder, { recursive: true })
    const mark = { ...(readMark(folder) as object), state: 'closing' }
    writeFileSync(at('identity.json'), JSON.stringify(mark))
    expect(objectsIn()).toEqual(['first', 'second'])
  })

  test('a folder in which only the mark was made is a new one', () => {
    mkdirSync(folder)
    const mark = { identity: 'a'.repeat(32), generation: 0, state: 'making' }
    writeFileSync(at('identity.json'), JSON.stringify(mark))
    writeFileSync(at('platform.db'), '')
    expect(objectsIn()).toEqual([])
    expect(readMark(folder)).toMatchObject({ identity: mark.identity })
  })

  test.each([
    ['a folder from before there were marks is taken over', {}],
    ['so is one whose taking over was killed', { state: 'adopting' }],
    ['or whose mark was not written any more', { state: 'adopting', hasRow: true }]
  ])('%s', (_, { state, hasRow }: { state?: string; hasRow?: boolean }) => {
    cpSync(closed, folder, { recursive: true })
    const { identity } = readMark(folder) as { identity: string }
    if (!hasRow) earlier()
    remove('identity.json')
    const mark = { identity, generation: 0, state }
    if (state) writeFileSync(at('identity.json'), JSON.stringify(mark))
    expect(objectsIn()).toEqual(['first', 'second'])
    expect(readMark(folder)).toMatchObject({ state: 'closed' })
    expect(objectsIn()).toEqual(['first', 'second'])
  })
})

/** Makes the database one of the version before there were marks. */
function earlier() {
  const database = new DatabaseSync(at('platform.db'))
  for (const change of ['INSERT', 'UPDATE', 'DELETE']) {
    database.exec(`DROP TRIGGER policy_revision_${change}`)
  }
  database.exec('DROP TABLE policy_revision; DROP TABLE folder; PRAGMA user_version = 10')
  database.close()
}

const beyond = { isBeyondRepair: true }

type Case = [string, string, () => void, RegExp, { isBeyondRepair?: boolean; left?: string[] }?]

const cases: Case[] = [
  ['platform.db is removed', closed, () => remove('platform.db'), /platform.db is missing/, beyond],
  ['platform.db is emptied', closed, () => truncateSync(at('platform.db')), /is empty/, beyond],
  [
    'platform.db is emptied after a kill',
    killed,
    () => truncateSync(at('platform.db')),
    /platform.db is empty/,
    beyond
  ],
  [
    'platform.db is removed, of a folder from before there were marks',
    closed,
    () => ['identity.json', 'platform.db'].forEach(remove),
    /platform.db is missing/,
    beyond
  ],
  [
    'platform.db is a fresh one',
    closed,
    () => {
      remove('platform.db')
      openStore(join(folder, 'fresh'), seeded).close()
      cpSync(at('fresh/platform.db'), at('platform.db'))
    },
    /not what it was/,
    { left: [] }
  ],
  [
    'platform.db is an earlier one, of a platform that was killed',
    killed,
    () => {
      cpSync(join(closed, 'platform.db'), at('platform.db'))
      const database = new DatabaseSync(at('platform.db'))
      database.exec('UPDATE folder SET generation = 1; PRAGMA journal_mode = DELETE')
      database.close()
      cpSync(join(killed, 'platform.db-wal'), at('platform.db-wal'))
      const mark = { ...(readMark(folder) as object), state: 'closing' }
      writeFileSync(at('identity.json'), JSON.stringify(mark))
      remove('platform.db-wal')
    },
    /earlier one: it was begun 1 times/
  ],
  [
    'platform.db is of another folder, below the log of a platform that was killed',
    killed,
    () => {
      openStore(join(folder, 'other'), seeded).close()
      cpSync(at('other/platform.db'), at('platform.db'))
    },
    /platform.db is not the one that platform.db-wal was written for/,
    { left: ['first', 'second'] }
  ],
  [
    'platform.db is one of an earlier time, below the log of a platform that was killed',
    killed,
    () => {
      const stale = at('stale')
      openStore(stale, seeded).close()
      cpSync(join(stale, 'platform.db'), at('copy'))
      for (let lives = 0; lives < 2; lives++) openStore(stale).close()
      const used = openStore(stale)
      const parts = ['platform.db', 'platform.db-wal', 'identity.json']
      for (const part of parts) cpSync(join(stale, part), at(part))
      used.close()
      cpSync(at('copy'), at('platform.db'))
    },
    /platform.db is not the one that platform.db-wal was written for/,
    { left: [] }
  ],
  ...['platform.db', 'platform.db-wal', 'identity.json'].map(
    (name): Case => [
      `${name} is a folder`,
      closed,
      () => {
        rmSync(at(name), { force: true })
        mkdirSync(at(name))
      },
      new RegExp(`${name} is a folder, and was a file`),
      beyond
    ]
  ),
  [
    'objects is a file',
    closed,
    () => {
      remove('objects')
      writeFileSync(at('objects'), '')
    },
    /objects is a file, and was a folder/,
    beyond
  ],
  [
    'database and mark are brought back from earlier, and the log is not',
    closed,
    () => {
      const parts = ['platform.db', 'identity.json']
      for (const part of parts) cpSync(at(part), at(`${part}.earlier`))
      for (let lives = 0; lives < 2; lives++) openStore(folder).close()
      const store = openStore(folder)
      for (const secret of ['x', 'y']) store.run('UPDATE credential SET secret = ?', secret)
      cpSync(at('platform.db-wal'), at('log'))
      store.close()
      cpSync(at('log'), at('platform.db-wal'))
      for (const part of parts) cpSync(at(`${part}.earlier`), at(part))
    },
    /platform.db-wal is of another time: it holds 4 transactions/
  ],
  [
    'the log is removed after a kill',
    killed,
    () => remove('platform.db-wal'),
    /platform.db-wal is missing, which holds what was written last/,
    { left: ['first'] }
  ],
  [
    'the log is emptied after a kill',
    killed,
    () => truncateSync(at('platform.db-wal')),
    /platform.db-wal is empty/,
    { left: ['first'] }
  ],
  [
    'a bit of the log is another one',
    killed,
    () => flip(at('platform.db-wal'), 'xxxxxxxxxx'),
    /platform.db-wal is damaged after \d+ transactions, with \d+ behind/,
    { left: ['first'] }
  ],
  ['identity.json is removed', closed, () => remove('identity.json'), /identity.json is missing/],
  [
    'identity.json is no mark',
    closed,
    () => writeFileSync(at('identity.json'), '{}'),
    /identity.json cannot be read/
  ],
  [
    'a bit of platform.db is another one',
    closed,
    () => flip(at('platform.db'), 'xxxxxxxxxx'),
    /platform.db is not what it was when the platform ended/
  ],
  [
    'the first bytes of platform.db are others',
    closed,
    () => {
      const bytes = readFileSync(at('platform.db'))
      writeFileSync(at('platform.db'), bytes.fill(0, 0, 16))
    },
    /is no database/,
    beyond
  ],
  [
    'objects/ is lost',
    closed,
    () => remove('objects'),
    /objects\/\S* ?is missing, with the bytes of/,
    { left: [] }
  ],
  [
    'an object is lost',
    killed,
    () => rmSync(oneObject()),
    /objects\/\S+ is missing, with the bytes of the object (first|second) in a\/bucket/,
    { left: ['first', 'second'].slice(1) }
  ],
  [
    'an object is cut off',
    closed,
    () => truncateSync(oneObject(), 3),
    /objects\/\S+ is 3 bytes long and not 5/,
    { left: ['one'] }
  ]
]

describe('a damaged folder is not opened, and nothing in it is changed', () => {
  test.each(cases)('%s', (_, from, damage, expected) => {
    cpSync(from, folder, { recursive: true })
    damage()
    const before = readdirSync(folder, { recursive: true }).sort()
    const objects = () =>
      statSync(at('objects'), { throwIfNoEntry: false })?.isDirectory() &&
      readdirSync(at('objects')).sort()
    const bytes = objects()
    const findings = findingsOf()
    expect(findings.join('\n')).toMatch(expected)
    // Asked again it says the same: to ask is no way to get around it.
    expect(findingsOf()).toEqual(findings)
    expect(objects()).toEqual(bytes)
    const kept = readdirSync(folder, { recursive: true }).sort()
    expect(kept.filter((name) => name !== 'platform.db-wal')).toEqual(
      before.filter((name) => name !== 'platform.db-wal')
    )
  })
})

describe('a repair keeps what is there and says what is not', () => {
  test.each(cases)('%s', (_, from, damage, expected, { isBeyondRepair, left } = {}) => {
    cpSync(from, folder, { recursive: true })
    damage()
    if (isBeyondRepair) {
      expect(() => openStore(folder, { isRepaired: true })).toThrow('cannot be repaired')
      return expect(findingsOf().join('\n')).toMatch(expected)
    }
    const store = openStore(folder, { ...seeded, isRepaired: true })
    expect(store.losses.join('\n')).toMatch(expected)
    expect(store.losses.at(-1)).toMatch(/what was there before is in .*before-repair-/)
    store.close()
    const kept = objectsIn()
    if (left?.[0] === 'one' || left?.[0] === 'second') expect(kept).toHaveLength(1)
    else expect(kept).toEqual(left ?? ['first', 'second'])
    const again = openStore(folder, { ...seeded, isRepaired: true })
    expect(again.losses).toEqual([])
    again.close()
  })

  test('a page that cannot be read takes its rows with it, and no others', () => {
    cpSync(killed, folder, { recursive: true })
    openStore(folder).close()
    const database = new DatabaseSync(at('platform.db'))
    const sql = `SELECT pageno FROM dbstat WHERE name = 'detection' AND pagetype = 'leaf'`
    let page = 0
    try {
      page = (database.prepare(sql).get() as { pageno: number }).pageno
    } catch {
      page = pageWith('third-party.test')
    }
    database.close()
    const bytes = readFileSync(at('platform.db'))
    writeFileSync(at('platform.db'), bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 64))
    const mark = { ...(readMark(folder) as object), state: 'closing' }
    writeFileSync(at('identity.json'), JSON.stringify(mark))
    expect(findingsOf().join('\n')).toMatch(/platform.db: /)
    const store = openStore(folder, { isRepaired: true })
    expect(store.losses.join('\n')).toMatch(/detection: \d+ rows are kept, and those between/)
    const { count } = store.first<{ count: number }>('SELECT count(*) AS count FROM detection')!
    expect(count).toBeGreaterThan(700)
    expect(count).toBeLessThan(900)
    store.close()
    expect(objectsIn()).toEqual(['first', 'second'])
  })
})

function pageWith(text: string): number {
  return Math.floor(readFileSync(at('platform.db')).indexOf(text) / 4096) + 1
}

test('beginning anew moves everything aside, and nothing of others', () => {
  cpSync(closed, folder, { recursive: true })
  mkdirSync(at('cache'), { recursive: true })
  writeFileSync(at('notes.txt'), 'mine')
  const { identity } = readMark(folder) as { identity: string }
  const aside = moveAside(folder, folders)!
  expect(readdirSync(folder).sort()).toEqual([aside.slice(folder.length + 1), 'notes.txt'].sort())
  expect(objectsIn()).toEqual([])
  expect(readMark(folder)).not.toMatchObject({ identity })
  expect(readMark(aside)).toMatchObject({ identity })
  expect(readdirSync(aside)).toEqual(expect.arrayContaining(['cache', 'objects']))
  const old = openStore(aside)
  expect(old.all('SELECT key FROM stored_object')).toHaveLength(2)
  old.close()
})

test('beginning anew moves a folder aside that is where a file was', () => {
  mkdirSync(at('platform.db'), { recursive: true })
  const moved = moveAside(folder, folders)!
  expect(readdirSync(moved)).toEqual(['platform.db'])
  expect(objectsIn()).toEqual([])
})

test('a folder that another platform has open is neither repaired nor moved', () => {
  const owner = openStore(folder, seeded)
  expect(() => openStore(folder, { isRepaired: true })).toThrow('another platform is using')
  expect(() => moveAside(folder, folders)).toThrow('another platform is using')
  expect(readdirSync(folder).filter((name) => name.startsWith('before'))).toEqual([])
  owner.close()
})

describe('whatever bit is another one', () => {
  const chance = random(7, 'bits')

  /** Changes one bit of a file of a folder, opens it as far as it can be, and says how it went. */
  function outcome(from: string, name: string) {
    rmSync(folder, { recursive: true, force: true })
    cpSync(from, folder, { recursive: true })
    const bytes = readFileSync(at(name))
    bytes[Math.floor(chance() * bytes.length)]! ^= 1 << Math.floor(chance() * 8)
    writeFileSync(at(name), bytes)
    const isSeen = findingsOf().length > 0
    try {
      openStore(folder, { ...seeded, isRepaired: true }).close()
    } catch (error) {
      expect(error).toBeInstanceOf(Damage)
      return { isSeen, isRepaired: false }
    }
    expect(findingsOf()).toEqual([])
    return { isSeen, isRepaired: true }
  }

  test('of a database that was closed, it is seen', () => {
    const seen = Array.from({ length: 30 }, () => outcome(closed, 'platform.db'))
    expect(seen.filter(({ isSeen }) => !isSeen)).toEqual([])
    expect(seen.filter(({ isRepaired }) => isRepaired).length).toBeGreaterThan(25)
  })

  test.each(['platform.db', 'platform.db-wal', 'identity.json'])(
    'of %s after a kill, the folder is refused, or is opened and can be used',
    (name) => {
      for (let time = 0; time < 15; time++) outcome(killed, name)
    }
  )
})
