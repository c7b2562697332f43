import type { Equivalence } from './equivalent.ts'

const isolate = 'src/platform/functions/isolate/'
const guest = `${isolate}guest/`

/** Times and sizes are others, or are met to the millisecond and to the byte. */
const byDegrees = {
  operators: ['number', 'boundary'],
  before: /^(\d[\d_.]+|[<>]=?)$/,
  // A time in another unit is a thousand times another, and twice as much of it no degree.
  line: /^(?!.*[*/] 1_000).*(Ms|Us|Bytes|hare|imeout)/
}
/** A factor between two units is one more or one less. */
const byOne = { operators: ['number'], before: /^1_000$/, after: /^(999|1001)$/ }

/** Faults in how functions run where the document is silent, and why it is. */
export const silentIsolates: readonly Equivalence[] = [
  {
    file: `${isolate}host/bounds.ts`,
    operators: ['drop-guard', 'number', 'boundary', 'drop-filter', 'first-only'],
    line: /^(?!.*\bstatus\b)/,
    because: 'sizes of keys, messages and heads: the document is silent on all of them'
  },
  {
    file: `${isolate}host/redirect.ts`,
    except: ['negate', 'always', 'number', 'boundary'],
    line: /becomesGet|dropped|isOtherOrigin|hasBody/,
    because: 'each redirect counts; what is asked behind one is said by the fetch standard'
  },
  {
    file: `${isolate}host/redirect.ts`,
    line: /longestChain =/,
    because: 'how long a chain of redirects may be is said by the fetch standard'
  },
  {
    file: `${isolate}network.ts`,
    except: ['drop-branch', 'negate', 'always', 'swap-arguments'],
    line: /createGunzip\(|createInflate\(|createBrotli\w+\(|isStale|headB|asksEncoding =|framing =/,
    because: 'codings and broken connections of what functions ask are not documented'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-property'],
    before: /^,? ?(secure|servername)\b/,
    because: 'TLS of what functions ask is not documented'
  },
  {
    file: `${guest}api/fetch.ts`,
    operators: ['drop-guard', 'first-only', 'swap-constants', 'stale'],
    line: /bodyUsed|locked|=== 'error'|TypeError|GET', 'HEAD/,
    because: 'which requests a fetch refuses is said by the fetch standard'
  },
  {
    file: `${guest}api/fetch.ts`,
    operators: ['number', 'drop-branch'],
    line: /=== 'error'/,
    because: 'which requests a fetch refuses is said by the fetch standard'
  },
  {
    file: `${guest}api/sockets.ts`,
    line: /secureTransport|close|\.locked/,
    because: 'opening a socket counts; TLS and the end of one are not documented'
  },
  {
    file: `${guest}api/sockets.ts`,
    before: /^,? ?secure\b/,
    because: 'opening a socket counts; TLS is not documented'
  },
  {
    file: `${guest}api/body.ts`,
    except: ['negate', 'always', 'drop-branch'],
    line: /ArrayBuffer\)|isView|json|'stream'|TypeError|typeof shape/,
    because: 'in which shapes beside text values can be stored and read is not documented'
  },
  {
    file: `${guest}events.ts`,
    operators: ['drop-guard'],
    line: /TypeError/,
    because: 'which answers and handlers are none is said by the fetch standard'
  },
  {
    file: `${guest}events.ts`,
    line: /fates?\b|^\s+(timestamp|attempts|ackAll|ack|retry\w*)\b|noRetry|retryCount/,
    because: 'retries and what an event tells beside its messages are not documented'
  },
  ...['own', 'replace'].map((name) => ({
    file: `${guest}${name}.ts`,
    because: 'keeps a function from changing what it is run by: no function of a user tries to'
  })),
  ...['backstop', 'watch', 'pool', 'process-usage', 'retirement', 'instance', 'process']
    .concat(
      ['deadlock', 'gauge', 'host', 'inspector', 'offloads', 'watchdog'].map((one) => `host/${one}`)
    )
    .map((name) => ({
      file: `${isolate}${name}.ts`,
      ...byDegrees,
      because: 'how often and how long it is looked, and by how much more than the limits'
    })),
  ...['backstop', 'instance', 'host/inspector', 'host/thread-clock', 'host/watchdog'].map(
    (name) => ({
      file: `${isolate}${name}.ts`,
      ...byOne,
      because: 'a thousandth of a time is no less than how exactly it is measured'
    })
  ),
  {
    file: `${isolate}host/main.ts`,
    line: /SIG(INT|TERM|HUP)/,
    because: 'by which signals processes of ours are ended'
  },
  {
    file: `${guest}wasm.ts`,
    operators: ['number', 'boundary', 'drop-guard', 'drop-filter', 'swap-constants'],
    because: 'how large WebAssembly may be, and what it may allocate: no document speaks of it'
  },
  {
    file: `${guest}crypto.ts`,
    operators: ['number', 'boundary', 'drop-guard', 'swap-constants'],
    line: /most\w+ =|> most|weight|sizes|text\)\)|sizeOf/,
    because: 'which algorithms are too costly: no document speaks of cryptography'
  },
  {
    file: `${isolate}answer.ts`,
    line: /: '/,
    because: 'words in which an invocation is said to have ended'
  }
]
