import type { Equivalence } from './equivalent.ts'

const functions = 'src/platform/functions/'
const isolate = `${functions}isolate/`
const host = `${isolate}host/`

const soon =
  'how often it is looked at a function while messages are under way, and how soon a deadlock, ' +
  'or a start that never ends, is found: it is, all the same'
const twice =
  'memory is looked at from within and from without; the document lets the runtime cancel one ' +
  'request or more'
const rooms = 'nodes are evicted sometimes: which of them, and for whom, the document does not say'
const unshown = 'the document shows fetch and the services, and no more of what functions have'
const pages = 'ranges, prefixes in groups and pages of listings are not documented'

/** Faults around the processes of functions where the document is silent, and why it is. */
export const silentHosts: readonly Equivalence[] = [
  {
    file: `${isolate}guest/turns.ts`,
    operators: ['number', 'negate', 'skip-write', 'always', 'drop-branch', 'boundary'],
    line: /const lost =|received \+=|uncounted/,
    because: soon
  },
  {
    file: `${isolate}guest/guest.ts`,
    operators: ['drop-branch'],
    line: /scopeNow\(\)\?\.id \?\? startup/,
    because: 'that other threads work for a function, as for a digest, the document does not say'
  },
  {
    file: `${isolate}host/thread-clock.ts`,
    operators: ['first-only'],
    line: /threadsNamed\(poolName\)/,
    because: 'that other threads work for a function, as for a digest, the document does not say'
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['stale'],
    line: /begunMs\.set\(begun, performance\.now\(\)\)/,
    because: rooms
  },
  {
    file: `${isolate}flow.ts`,
    operators: ['always', 'drop-branch'],
    line: /!isOver\) pull\(\)|if \(inlets\.delete\(stream\)\) onEnd/,
    because: 'what has ended is asked for more in vain, and ends once however often it is told'
  },
  {
    file: `${isolate}flow.ts`,
    operators: ['drop-guard'],
    line: /if \(failure\) throw failure/,
    because: 'a body that is given up breaks off before or behind its next piece: each is enough'
  },
  {
    file: `${isolate}guest/streams.ts`,
    operators: ['always', 'drop-branch'],
    line: /else if \(message\.t === 'pull'\)|else outlets\.get\(stream\)\?\.cancel/,
    after: /^(true|)$/,
    because: 'whoever reads no more of an answer ends the invocation as well'
  },
  {
    file: `${host}enforcement.ts`,
    operators: ['number', 'boundary', 'always', 'drop-branch'],
    line: /isCooling/,
    because: twice
  },
  {
    file: `${host}host.ts`,
    operators: ['stale'],
    line: /invocations\.get\(message\.invocation\)$/,
    because:
      'what is still said of an invocation that is over nobody hears on the other side either'
  },
  {
    file: `${host}connections.ts`,
    operators: ['drop-guard'],
    line: /if \(!state\) return/,
    because: 'of a call whose connection was released nothing is heard any more'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-branch'],
    after: /^\(own\)$/,
    line: /'transfer-encoding', 'chunked'/,
    because: 'Node says by itself that the body of a POST, PUT or PATCH comes in chunks'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-property', 'swap-arguments', 'negate'],
    line: /httpsRequest|servername|isStale|networkError\(|pipeline\(message/,
    before: /^(?!value|, body|decoder$|http,|\{ start: httpRequest)/,
    because: 'TLS, codings and connections that break in what functions ask are not documented'
  },
  {
    file: `${isolate}pool.ts`,
    operators: ['stale', 'swap-arguments', 'drop-branch', 'negate'],
    line: /const share|const most|=== most\)|occupiedSinceMs\(\)!|toSorted|owner\) count/,
    because: rooms
  },
  {
    file: `${isolate}process.ts`,
    operators: ['negate', 'drop-property'],
    line: /child\.pid === undefined\) exited/,
    because: 'a process that cannot be begun is a machine that is full'
  },
  {
    file: `${isolate}isolates.ts`,
    line: /loaded\.catch/,
    because: 'only a platform that ends, or a machine that is full, starts nothing'
  },
  {
    file: `${isolate}watch.ts`,
    operators: ['skip-write'],
    line: /clearInterval\(looks\)$/,
    because: 'a process that is killed once more is no more dead'
  },
  {
    file: `${isolate}instance.ts`,
    operators: ['number'],
    line: /payableMs\) \* 1_000/,
    because: 'by how much more than the limits a process may use before it is ended is not said'
  },
  {
    file: `${functions}window.ts`,
    operators: ['number', 'boundary'],
    line: /times\[\(taken - 1\) % most\]/,
    because: 'when what is remembered of rates is tidied up changes no answer'
  },
  {
    file: `${functions}cron.ts`,
    line: /text === '' \?|refusal\('cron'/,
    operators: ['number', 'swap-arguments'],
    because: 'the document has triggers, and shows no schedule: names and refusals are ours'
  },
  {
    file: `${functions}functions.ts`,
    operators: ['number'],
    line: /depthOf\(port\) \?\?/,
    because: 'how many functions can be asked by one another in a row the document does not say'
  },
  {
    file: `${functions}function.ts`,
    operators: ['drop-property'],
    before: /^(,?\s*)?(function: id|variable: key|binding: JSON)/,
    because: 'what only our control listener lists'
  },
  {
    file: `${functions}deploy.ts`,
    operators: ['swap-arguments', 'drop-property'],
    line: /deploymentsOf\(store, account\.id, deployment\.name\)/,
    because: 'what is deployed beside a function only a break of ours asks for'
  },
  {
    file: `${functions}dispatch.ts`,
    line: /\? 1102 : 1101/,
    because: 'of error pages the document has the codes 1015 and 1027, and no other'
  },
  {
    file: `${functions}domain.ts`,
    operators: ['swap-arguments'],
    line: /zone\.id, target\.id/,
    because: 'a domain that cannot be added is refused by our control listener, and blocks'
  },
  {
    file: `${functions}pattern.ts`,
    operators: ['negate', 'drop-property'],
    line: /found\[3\] === undefined|hostStar \?/,
    before: /^(!==|host: null,|, hostSuffix: name)$/,
    because: 'how the pattern of a route is written the document does not show'
  },
  {
    file: `${functions}zone-origin.ts`,
    operators: ['negate'],
    line: /OriginFailed|response\.headersSent/,
    because: 'what is said of an origin that fails'
  },
  {
    file: `${functions}tables.ts`,
    operators: ['drop-property'],
    line: /return \{ size, md5, words/,
    because: 'what is said of a file of a data folder that is damaged'
  },
  {
    file: `${functions}services/objects.ts`,
    operators: ['negate', 'number', 'drop-property'],
    line: /options\.range\)|const most = delimiter|truncated: true/,
    because: pages
  },
  {
    file: `${functions}services/objects.ts`,
    operators: ['negate'],
    before: /^!\(Number|^delimiter$/,
    because: pages
  },
  {
    file: `${functions}services/kv.ts`,
    operators: ['number', 'drop-property'],
    line: /keys\.at\(-1\)|list_complete: false/,
    because: pages
  },
  {
    file: `${functions}services/service.ts`,
    operators: ['drop-branch'],
    line: /asked === most/,
    because: pages
  },
  {
    file: `${functions}services/stateful.ts`,
    operators: ['drop-property', 'drop-branch'],
    line: /async getAlarm|\?\.at \?\? null/,
    because: unshown
  },
  {
    file: 'src/platform/edge/cache-store.ts',
    operators: ['drop-guard'],
    line: /entry === undefined\) return false/,
    because: 'what comes of the deletion of what is not there is nowhere said'
  },
  {
    file: 'src/platform/edge/edge.ts',
    operators: ['first-only'],
    line: /stage\.observe/,
    because: 'only log push observes requests, and it is the first of the parts that have a stage'
  }
]
