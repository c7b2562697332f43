import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { originServer } from './_origin.ts'

const { from, concat } = Buffer

/** What scores may look for: a script that hides what it does, and sends what it reads. */
const disguised = [
  ...['eval(atob("MQ=="))', `const _0x4f2a = "${'\\x61'.repeat(20)}"`],
  'if (document.cookie && localStorage.length > 9) fetch("/x", { body: new FormData() })'
].join('\n')

/** A letter of Latin-1 that the content has, and another: in UTF-8 neither byte is any. */
const [letter, otherLetter] = [0xe4, 0xf6]

/** Scripts by the coding they are sent in, and what becomes of the one content that all have. */
export const codings: {
  [name: string]: {
    sent: (content: Buffer) => Buffer
    change: string
    later: (content: Buffer) => Buffer
  }
} = {
  '': {
    sent: (content) => content,
    change: 'more of it',
    later: (content) => concat([content, from(disguised)])
  },
  // There is some before that: who takes any of it for the same sees no change either.
  gzip: {
    sent: gzipSync,
    change: 'white space behind it',
    later: (content) => concat([content, from(' \n')])
  },
  deflate: {
    sent: deflateSync,
    change: 'another letter of Latin-1',
    later: (content) => from(content.map((byte) => (byte === letter ? otherLetter : byte)))
  },
  br: {
    sent: brotliCompressSync,
    change: 'a capital',
    later: (content) => from(content.toString('latin1').replace('l', 'L'), 'latin1')
  },
  zstd: {
    sent: zstdCompressSync,
    change: 'white space before it',
    later: (content) => concat([from('\n '), content])
  }
}

/** Where each of them is. */
export const paths = Object.keys(codings).map((coding) => `/${coding}.js`)

const media = 'text/javascript; charset=iso-8859-1'

/** How an origin sends what it is asked for, each time in another way: of that nothing changes. */
export const framings = [{}, { pieces: 3 }, { pieces: 3, isChunked: true }]

/** An origin of scripts with one content, which becomes what is said of each, and is it again. */
export async function scriptServer(id: string) {
  const text = `// Plimsoll\nconsole.log("${id}") // the end`
  const content = concat([from(text), from([letter]), from('\n')])
  const times = new Map<string, number>()
  let now: 'first' | 'later' = 'first'
  const origin = await originServer((path) => {
    const coding = /([a-z]*)\.js$/.exec(path)?.[1]
    if (coding === undefined)
      return { type: 'text/html', body: '<!doctype html><title>Plimsoll</title>' }
    const { sent, later } = codings[coding]!
    const time = times.get(path) ?? 0
    times.set(path, time + 1)
    const body = sent(now === 'later' ? later(content) : content)
    return { type: media, coding, body, ...framings[time % framings.length] }
  })
  return {
    ...origin,
    becomes: (which: typeof now) => {
      now = which
    }
  }
}
