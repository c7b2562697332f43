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
    // Whose client has gone gives up what he asked for: that is documented.
    before: /^(?!,\s*signal$)/,
    line: /createGunzip\(|createInflate\(|createBrotli\w+\(|isStale|headB|asksEncoding =|framing =/,
    because: 'codings and broken connections of what functions ask are not documented'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-filter'],
    before: /hopByHop[^\n]+'host'\)$/,
    because: 'what becomes of a host or of hop-by-hop headers that a function asks with is not said'
  },
  {
    file: `${isolate}record.ts`,
    operators: ['drop-branch'],
    after: /^\(usage\)$/,
    because:
      'what is told of an invocation that never began, or of a process gone, is not documented'
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
    line: /close|\.locked/,
    because: 'opening a socket counts; TLS and the end of one are not documented'
  },
  {
    file: `${guest}api/sockets.ts`,
    except: ['negate'],
    line: /secureTransport/,
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
    operators: ['first-only', 'stale'],
    line: /^(?!.*(waiting|next))/,
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
  },
  {
    file: `${isolate}transcript.ts`,
    operators: ['drop-branch', 'boundary'],
    line: /logs\.length >= mostLines/,
    after: /^(\(logs\.length >= mostLines\)|>|<=)$/,
    because: 'how much of the limit a line takes beside its text is not said, and there is a limit'
  },
  {
    file: `${isolate}shared-turn.ts`,
    operators: ['number'],
    line: /new Int32Array\(/,
    after: /^[34]$/,
    because: 'a view that is longer than what is looked at through it'
  },
  {
    file: `${isolate}host/invocation.ts`,
    line: /startedMs: performance/,
    because: 'how long an invocation takes by the clock only breaks of ours hold against a limit'
  },
  {
    file: `${guest}api/objects.ts`,
    operators: ['first-only'],
    before: /^\[key, options\]$/,
    because: 'options of getting and putting objects, such as ranges, are not documented'
  },
  {
    file: `${isolate}host/watchdog.ts`,
    operators: ['drop-guard', 'number'],
    line: /sharedTurn\.turn\(\) !== turn\) return 1/,
    because: 'a turn that ends while it is looked at is looked at again before anything is ended'
  },
  {
    file: `${isolate}host/watchdog.ts`,
    operators: ['always'],
    line: /if \(!isIdle\) seen =/,
    because: 'how often it is looked'
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['always'],
    line: /if \(!isCondemned\) send/,
    because: 'who is condemned already stays so'
  },
  {
    file: `${isolate}broker.ts`,
    operators: ['always'],
    line: /bytes\.length > 0\) yield/,
    because: 'in which pieces bytes cross is nobody’s to see'
  },
  {
    file: `${isolate}process.ts`,
    operators: ['always'],
    line: /child\.pid === undefined|child\.connected/,
    because: 'processes that cannot be begun, and what is said to those that have ended'
  },
  {
    file: `${isolate}isolates.ts`,
    operators: ['always'],
    line: /if \(entry\) entry\.isLetGo|entry\.functionId === functionId/,
    because:
      'nodes are evicted sometimes: which, the document does not say; none is that is not kept'
  },
  {
    file: `${isolate}pool.ts`,
    operators: ['always'],
    line: /one === owner|!isComing/,
    because: 'nodes are evicted sometimes: which, and for whom, the document does not say'
  },
  ...['guest/timers', 'host/invocation'].map((name) => ({
    file: `${isolate}${name}.ts`,
    operators: ['always'],
    line: /!repeats|timers\.delete\(timer!\)/,
    because: 'of timers the document shows nothing, and what repeats or is cleared nobody asks for'
  })),
  {
    file: `${isolate}guest-code.ts`,
    line: /emitWarning =/,
    because: 'what is said on the standard error of a platform of ours'
  },
  {
    file: `${isolate}contract.ts`,
    line: /this\.name =/,
    because: 'what an error of ours is called within the platform'
  },
  {
    file: `${isolate}isolates.ts`,
    operators: ['skip-write'],
    line: /isLetGo = true/,
    because: 'what nobody asks for any more, and has not begun, goes later: our own room'
  },
  {
    file: `${isolate}guest/memory.ts`,
    operators: ['boundary'],
    line: /bytes > memoryBytes/,
    because: 'a byte is nothing beside what a runtime of its own may count of 128 MB'
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['drop-guard'],
    line: /rules\.cpuMeasure === /,
    because: 'only breaks of ours measure processor time in another way'
  },
  {
    file: `${isolate}message.ts`,
    line: /error\?\.stack/,
    because: 'what the trace of an error says, beside its name and message, is not documented'
  },
  {
    file: `${isolate}guest/timers.ts`,
    operators: ['stale'],
    line: /scopeOf: \(timer\)/,
    because: 'a number is given to one timer only, and whose that is never changes'
  },
  {
    file: `${isolate}host/connections.ts`,
    operators: ['stale', 'drop-property'],
    before: /now\(\)/,
    line: /openedAt: now\(\), usedAt: now/,
    because:
      'when one was opened only breaks of ours ask; when it was used is set before it can rest'
  },
  ...['gauge', 'watchdog', 'guest'].map((name) => ({
    file: `${isolate}host/${name}.ts`,
    operators: ['swap-constants'],
    before: /^(300, collect: 500|200, terminate: 1_000|16, stackSizeMb: 4)$/,
    because: 'how long a look may take, and how large a stack may be, is not documented'
  })),
  ...[`${isolate}network.ts`, `${guest}api/fetch.ts`].map((file) => ({
    file,
    operators: ['first-only'],
    before: /^\[204, 205, 304\]$/,
    because: 'an answer has no body in two places, of which each is enough'
  })),
  {
    file: `${guest}api/logger.ts`,
    operators: ['first-only', 'swap-constants'],
    line: /'assert', 'clear'|'time', 'timeEnd'|'dir', 'dirxml'|\[name, \(\) => \{\}\]/,
    because: 'of the console the document has what is said to it, and no method that says nothing'
  },
  {
    file: `${isolate}host/host.ts`,
    operators: ['first-only'],
    line: /of invocations\.ids\(\)/,
    because: 'of timers the document shows nothing, and what repeats or is cleared nobody asks for'
  }
]
