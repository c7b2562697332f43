// A server of the corpus with real work and, where asked, a planted change:
// `node corpus-server.ts NAME PORT [PLANTED]`; see corpus.ts.
import { createHash, pbkdf2 } from 'node:crypto'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** So many pieces of work. */
type Work = (pieces: number) => unknown

const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }))
const text = 'GET /a/b?c=12 x=1, 2026-11-23 12:00:01 [warn] user=someone id=42 '.repeat(4)

const logLine = /(\d+)-(\d+)-(\d+) [\d:]+ \[(\w+)\]|user=(\w+)/g

/** Does a piece so many times; what it gives is kept, so that nothing of it is left out. */
function times(piece: (nth: number) => unknown): Work {
  let kept: unknown
  return (pieces) => {
    for (let nth = 0; nth < pieces; nth++) kept = piece(nth)
    return kept
  }
}

function database(): Work {
  const store = new DatabaseSync(':memory:')
  store.exec('create table item (id integer primary key, name text, price real)')
  const insert = store.prepare('insert into item values (?, ?, ?)')
  for (let id = 0; id < 2_000; id++) insert.run(id, `item ${id}`, id / 7)
  const find = store.prepare('select * from item where id between ? and ? order by price desc')
  return times((nth) => find.all(nth, nth + 3))
}

function routes(): Work {
  const known = Array.from({ length: 40 }, (_, n) => new RegExp(`^/v1/r${n}/(\\w+)/x/(\\d+)$`))
  return times((nth) => known.find((route) => route.test(`/v1/r${nth % 40}/abc/x/12`)))
}

async function streamed(pieces: number): Promise<void> {
  const chunks = Readable.from(Array.from({ length: pieces }, () => text))
  const upper = new Transform({
    transform: (chunk, _, done) => done(null, String(chunk).toUpperCase())
  })
  await pipeline(chunks, upper, async (ends) => {
    for await (const _ of ends);
  })
}

/**
 * How many pieces take a millisecond or so; by what share the median of a request grows where these
 * do, measured in turns of one processor with a fifth more; and the work itself.
 */
const works: Record<string, [usual: number, growth: number, make: () => Work]> = {
  json: [120, 0.8, () => times(() => JSON.parse(JSON.stringify(rows)))],
  templates: [
    600,
    0.6,
    () =>
      times(() => rows.map(({ id, name }) => `<li id="${id}">${name.replace('&', '')}</li>`).join())
  ],
  regex: [1_600, 0.9, () => times(() => text.match(logLine))],
  crypto: [1_200, 0.92, () => times(() => createHash('sha256').update(text).digest('hex'))],
  sqlite: [300, 0.8, database],
  streams: [600, 0.6, () => streamed],
  router: [600, 0.87, routes],
  garbage: [
    2_400,
    1,
    () => times((nth) => rows.map((row) => ({ ...row, more: [nth, { deep: [row] }] })))
  ]
}

const [name = '', port = '', planted = 'none'] = process.argv.slice(2)
const [usual, growth, make] = works[name]!
const work = make()

/** Pieces that take so many times as long as the median of a request. */
const long = (times: number) => Math.round(usual * (1 + (times - 1) / growth))

/** Pieces that a request takes, by what is planted. */
function pieces(): number {
  const [, percent] = /^([+-]\d+)%$/.exec(planted) ?? []
  if (percent !== undefined) return long(1 + Number(percent) / 100)
  if (planted === 'tail' && Math.random() < 0.01) return long(10)
  if (planted === 'mode' && Math.random() < 0.005) return long(12)
  return usual
}

const stallMs = 80
if (planted === 'stall') {
  setInterval(() => {
    const end = performance.now() + stallMs
    while (performance.now() < end) void work(1)
  }, 1_000)
}
/** What is held beside the rest, for as long as the process lives. */
const held = Buffer.alloc(planted === 'memory' ? 16e6 : 1, 1)

createServer(async (_, reply) => {
  await work(pieces())
  // Work of another thread costs processor time, and no request waits for it.
  if (planted === 'cpu') pbkdf2('a', 'b', 400, 32, 'sha512', () => undefined)
  if (planted === 'errors' && Math.random() < 0.005) reply.statusCode = 500
  reply.end(`ok ${held.length > 0}`)
}).listen(Number(port), '127.0.0.1')
