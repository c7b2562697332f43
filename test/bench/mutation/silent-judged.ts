import type { Equivalence } from './equivalent.ts'

const platform = 'src/platform/'
const functions = `${platform}functions/`
const isolate = `${functions}isolate/`
const soon = 'how soon a deadlock is found the document does not say: it is, all the same'
const leftBehind =
  'on whose account goes what a global scope has left behind, the document does not say'
const rooms = 'nodes are evicted sometimes: when, and what becomes of who is there, is not said'
const unmet =
  'memory is looked at from outside, which comes before the thread ends for it by itself: ten ' +
  'ways to use it up, in pieces and at once, and none came to this'
const rules = 'rules are in the published language, which the document names and does not describe'
const unshown = 'the document shows fetch and the services, and no more of what functions have'
const judges = 'test/platform judges it'

/**
 * Faults of samples of which an outsider found, by the document, that they change nothing or that
 * it does not speak of them, and why.
 */
export const silentJudged: readonly Equivalence[] = [
  {
    file: `${isolate}broker.ts`,
    operators: ['always'],
    line: /if \(open\.get\(call\) === entry\) send\(.* fault:/,
    because: 'of a call that is over the host knows nothing any more: it drops what comes of it'
  },
  {
    file: `${isolate}guest/realm.ts`,
    operators: ['drop-property'],
    line: /inspect\(\{ warm:/,
    because: 'to show an error loads no module that is not there already'
  },
  {
    file: `${isolate}guest/realm.ts`,
    operators: ['drop-guard'],
    line: /if \(!configurable\) continue/,
    because: 'what is locked already may be locked once more'
  },
  {
    file: `${isolate}guest/realm.ts`,
    operators: ['drop-branch'],
    after: /^\(found\)$/,
    line: /const fixed = 'value' in found/,
    because: `of functions that reach into their runtime the document does not speak; ${judges}`
  },
  {
    file: `${isolate}host/invocations.ts`,
    operators: ['number'],
    after: /^\(-1\)$/,
    line: /known\(id\) \?\? \{ usedUs: 0 \}/,
    because: 'what was used is never below nothing, so that the larger of the two is the same'
  },
  {
    file: `${isolate}host/thread-clock.ts`,
    operators: ['stale'],
    line: /\/comm`, 'utf8'\)/,
    because: 'the name of a thread does not change once it is begun, and new ones are read anew'
  },
  {
    file: `${platform}kernel/http/http2-message.ts`,
    operators: ['drop-guard'],
    line: /if \(this\.#stream\.writableEnded\) return done\(\)/,
    because: 'what is written behind the end of an answer without a body never leaves'
  },
  {
    file: `${isolate}watch.ts`,
    operators: ['drop-branch'],
    after: /^\(0\)$/,
    line: /isStarting\(\) \? limits\.startupMs : 0/,
    because: 'the 0.4 s of a start are less than the 2 s that are borne in any case'
  },
  {
    file: `${isolate}host/deadlock.ts`,
    operators: ['boundary'],
    line: /still < mostStill && \+\+looks < mostLooks/,
    because: soon
  },
  {
    file: `${isolate}host/connections.ts`,
    operators: ['first-only'],
    line: /return isIdle \? Math\.max\(/,
    because: soon
  },
  {
    file: `${isolate}guest/turns.ts`,
    operators: ['always', 'negate'],
    line: /owner && scope !== owner && scope\.id !== startup/,
    because: leftBehind
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['first-only'],
    line: /let \[isCondemned, ends, memoryEndedMs\]/,
    because: rooms
  },
  {
    file: `${isolate}retirement.ts`,
    operators: ['drop-branch'],
    line: /if \(!isCondemned \|\| isStarting \|\| !isIdle\(\)\) return/,
    after: /^\(!isCondemned \|\| isStarting\)$/,
    because: rooms
  },
  {
    file: `${functions}deploy.ts`,
    operators: ['always'],
    line: /if \(target\.id !== draft\.id\) isolates\.evict/,
    because: rooms
  },
  {
    file: `${isolate}host/watchdog.ts`,
    operators: ['drop-branch'],
    after: /^\(!goesOn\(turn, cpuUs\(\)\)\)$/,
    because: 'it is told at its limit as before, and runs a few ms longer: overruns are tolerated'
  },
  {
    file: `${isolate}host/guest.ts`,
    operators: ['negate'],
    line: /error\.code === 'ERR_WORKER_OUT_OF_MEMORY'/,
    because: unmet
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['drop-guard'],
    line: /if \(signal === 'SIGABRT' \|\| dying\?\.outcome === 'exceededMemory'\)/,
    because: unmet
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['drop-branch'],
    after: /^\(shareUs\)$/,
    line: /isGuilty \? shareUs : 0/,
    because: 'who pays for the processor time of a process that has died the document does not say'
  },
  {
    file: `${isolate}host/host.ts`,
    operators: ['negate'],
    line: /if \(message\.t === 'call' && message\.bytes\) enforcement\.held/,
    because: 'how soon it is seen that memory runs over the document does not say'
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['number'],
    after: /^\(-1\)$/,
    line: /let allowanceMs = 0/,
    because: 'it is a millisecond beside the two seconds that a process may take beyond that'
  },
  {
    file: `${isolate}flow.ts`,
    operators: ['skip-write'],
    line: /^\s+outlets\.delete\(from\)$/,
    because: 'what has been given away is asked for nothing any more, and forgotten with its call'
  },
  {
    file: `${isolate}host/watchdog.ts`,
    operators: ['first-only'],
    line: /let \[isArmed, posted\] = /,
    because: 'how soon a function is looked at that has only just begun the document does not say'
  },
  {
    file: `${isolate}guest/api/body.ts`,
    operators: ['drop-guard'],
    line: /if \(value instanceof ReadableStream\) return value/,
    because: 'which forms of a value a service takes the document does not say'
  },
  {
    file: `${isolate}guest/api/logger.ts`,
    operators: ['number'],
    after: /^\(-1\)$/,
    line: /if \(scope\.consoleLeft <= 0\) return/,
    because: 'a line of which nothing is left is sent, and what records it keeps nothing of it'
  },
  {
    file: `${isolate}guest/buffer.ts`,
    operators: ['drop-guard'],
    line: /if \(!new\.target\) throw new TypeError\('A Response is made with/,
    because: 'what becomes of a class that is called the document does not say'
  },
  {
    file: `${isolate}transcript.ts`,
    operators: ['negate'],
    after: /^!==$/,
    line: /return isTruncated && fitting === '' \? undefined : fitting/,
    because: 'whether of the line that goes beyond the output a part is recorded is not said'
  },
  {
    file: `${isolate}host/connections.ts`,
    operators: ['stale'],
    line: /open\.get\(victim\)!\.pending\+\+/,
    because: 'who was given up to end a deadlock is the one that would be given up once more'
  },
  {
    file: `${functions}services/services.ts`,
    operators: ['drop-property'],
    before: /^, valueBytes: limits\.valueBytes$/,
    because: 'how large a value of the key-value store may be the document does not say'
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['drop-filter'],
    line: /const lingering = /,
    because: 'memory aside, nothing is said of how those end whose process has died'
  },
  {
    file: `${isolate}guest/api/stateful.ts`,
    operators: ['drop-guard'],
    line: /if \(\/\^\[0-9a-f\]\{64\}\$\/\.test\(text\)\) return/,
    because: 'how stateful objects are addressed the document does not say'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-property'],
    before: /^(remoteAddress, |, localAddress)$/,
    line: /return \{ value: \{ remoteAddress/,
    because: unshown
  },
  {
    file: `${functions}limits.ts`,
    operators: ['number'],
    after: /^511$/,
    line: /cacheObjectBytes/,
    because: '511 MiB are more than 512 MB of a million bytes each, and which of them is open'
  },
  {
    file: `${functions}scheduler.ts`,
    operators: ['drop-property'],
    line: /kind: 'queue', queue, messages/,
    before: /^queue,/,
    because: 'there is a consumer of a queue; what its event has is not said'
  },
  {
    file: `${platform}expression/functions/hmac.ts`,
    operators: ['drop-branch'],
    after: /^\(unescaped\(mac\)\)$/,
    line: /flags === 's' \? mac : unescaped\(mac\)/,
    because: rules
  },
  {
    file: `${platform}expression/regex.ts`,
    operators: ['drop-guard'],
    line: /if \(on === '' && off === ''\) break/,
    because: rules
  },
  {
    file: `${platform}expression/regex.ts`,
    operators: ['first-only'],
    line: /'edges of words are/,
    because: rules
  },
  {
    file: `${platform}management/management.ts`,
    operators: ['drop-property'],
    before: /^, 'Content-Type': type$/,
    line: /headers: \{ \.\.\.headers, 'Content-Type': type \}/,
    because: 'bodies are JSON; that answers name their media type is not said'
  },
  {
    file: `${platform}page-protection/monitor/monitor.ts`,
    operators: ['skip-write'],
    line: /remembered\.set\(url, content\)/,
    because: 'when the content of a script is fetched is not said'
  },
  {
    file: `${platform}edge/refusal.ts`,
    operators: ['first-only'],
    line: /body: \[413,/,
    because: 'the words beside 413 are the name of that status; what a page of it says is open'
  }
]
