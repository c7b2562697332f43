import type { Equivalence } from './equivalent.ts'

const functions = 'src/platform/functions/'
const isolate = `${functions}isolate/`

const breaks = 'only breaks of ours decide otherwise: for an honest platform the condition is fixed'
const unserved = 'no harness can serve at the default port of a scheme, and TLS is not documented'
const deploying =
  'how a function is deployed the document leaves open, and what that refuses is ours'
const soon = 'how soon what is due comes is not said: it does when what is under way has ended'
const backstop = 'what no function meets whose use of memory and time is watched from within'
const cancelling = 'when memory runs over, the runtime may cancel one request or several'
const told = 'how much memory, how many calls and at which moments a record tells is not documented'
const names = 'of what an exception thrown by a service is called, the document says nothing'
const codings = 'codings of what functions ask, and headers about a connection, are not documented'

/** Faults in rules of functions that an honest platform has in one way only, and around these. */
export const silentRules: readonly Equivalence[] = [
  {
    file: `${isolate}host/calls.ts`,
    operators: ['drop-branch', 'skip-write', 'always'],
    line: /unreadHolds|openSocketHolds|cancelFrees|cancelledUse|isLeft = true|'unless streamed'/,
    after: /^(\((?:'idle'|rule|isHeeded\(.*\))\)|\(\(t === 'end'|\(\{ t: 'broken'|true$|;$)/,
    because: breaks
  },
  {
    file: `${isolate}host/connections.ts`,
    operators: ['drop-branch', 'drop-guard', 'negate', 'number'],
    line: /'first opened'|'last'|rule === 'none'/,
    after: /^(\('usedAt'\)|\(0\)|;|2)$/,
    because: breaks
  },
  {
    file: `${isolate}host/connections.ts`,
    operators: ['drop-branch', 'drop-guard', 'boundary', 'number'],
    line: /once all are closed/,
    after: /^(?!\(open\.size)/,
    because: breaks
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['drop-branch', 'number'],
    line: /cpuMeasure === 'wall'/,
    after: /^(?!\(id !== startup\))/,
    because: breaks
  },
  {
    file: `${isolate}host/invocations.ts`,
    operators: ['stale', 'drop-branch', 'number'],
    line: /wallMs: /,
    because: breaks
  },
  ...[`${isolate}host/gauge.ts`, `${isolate}guest/memory.ts`].map((file) => ({
    file,
    operators: ['drop-branch', 'number'],
    line: /buffersCount \?/,
    after: /^(?!\(0\))/,
    because: breaks
  })),
  {
    file: `${isolate}guest/guest.ts`,
    operators: ['drop-branch'],
    line: /buffersCount \?\?|memoryBytes \?\?/,
    after: /^\((true|load\?\.spec\.limits\.memoryBytes)\)$/,
    because: breaks
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['drop-branch'],
    line: /buffersCount &&/,
    after: /^\(bytes > /,
    because: breaks
  },
  {
    file: `${isolate}host/enforcement.ts`,
    operators: ['always', 'drop-branch', 'boundary'],
    line: /isCooling/,
    after: /^(?!\(bytes > )/,
    because: cancelling
  },
  {
    file: `${isolate}network.ts`,
    operators: ['number', 'drop-branch'],
    line: /443|isHttps$|\? \{ start: https/,
    after: /^(?!\(\(isHttps|\(\{ start: httpsR)/,
    because: unserved
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-branch'],
    line: /secure \?/,
    after: /^\((netConnect|'connect'\))/,
    because: unserved
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-branch'],
    line: /to\.at \?\?/,
    after: /^\(outside/,
    because: 'where a socket to a zone of the platform leads is nowhere said'
  },
  {
    file: `${functions}fetch-target.ts`,
    operators: ['drop-branch'],
    line: /'tcp:'/,
    after: /^\(!isOwn\)$/,
    because: 'where a socket to a zone of the platform leads is nowhere said'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['number'],
    line: /statusCode = 502/,
    because: 'an answer without a status is none that Node would hand on'
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-branch', 'drop-filter'],
    line: /hopByHop\.test\(name\) &&|hasBody \|\| name/,
    after: /^(?!\(hasBody\)$|headers)/,
    because: codings
  },
  {
    file: `${isolate}network.ts`,
    operators: ['negate', 'drop-branch'],
    line: /asksEncoding/,
    because: codings
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-branch'],
    line: /const framing|decoder \?|createBrotli/,
    after: /^\((\/\^\$\/|message|undefined)\)$/,
    because: codings
  },
  {
    file: `${isolate}network.ts`,
    operators: ['drop-branch'],
    line: /error\.code \?\?/,
    because: names
  },
  {
    file: `${isolate}message.ts`,
    operators: ['drop-guard', 'swap-arguments', 'negate'],
    line: /Error'\) return new|DataCloneError|DOMException\(/,
    because: names
  },
  {
    file: `${isolate}guest/api/objects.ts`,
    operators: ['drop-branch'],
    line: /value \?\? null/,
    after: /^\(\(await/,
    because: 'nothing is nothing, whether it is null or undefined'
  },
  {
    file: `${isolate}guest/api/kv.ts`,
    operators: ['drop-branch', 'drop-property'],
    before: /^(, metadata|value\.metadata \?\?)/,
    because: 'what is kept beside a value is not documented'
  },
  {
    file: `${isolate}guest/api/caches.ts`,
    operators: ['drop-branch', 'first-only'],
    line: /ignoreMethod/,
    because: 'options of the cache are not documented'
  },
  {
    file: `${isolate}guest/api/stateful.ts`,
    operators: ['drop-branch', 'number'],
    line: /name !== undefined|newUniqueId/,
    because: 'what an id of an object is made of, and tells beside itself, is not documented'
  },
  ...['drop-guard', 'boundary'].map((operator) => ({
    file: `${isolate}backstop.ts`,
    operators: [operator],
    line: /heartbeatMs\)|mostBytes\)|debtUs >/,
    because: backstop
  })),
  {
    file: `${isolate}backstop.ts`,
    operators: ['always', 'drop-branch', 'number'],
    line: /!before|before = |usedUs|freeUs|debtUs|beganBytes = 0|2 \*\* 20|overhead:/,
    after: /^(true|\(undefined\)|0|\(-1\)|1|2|3|4|6|10|)$/,
    because: backstop
  },
  {
    file: `${isolate}backstop.ts`,
    operators: ['swap-constants'],
    line: /reserveBytes/,
    because: 'whether memory is counted within a runtime or with all that it takes is not said'
  },
  {
    file: `${functions}deploy.ts`,
    operators: ['first-only'],
    line: /JSON\.stringify\(\[modules|const names =/,
    because: deploying
  },
  {
    file: `${functions}deploy.ts`,
    operators: ['drop-guard', 'drop-branch', 'negate'],
    line: /checkNames\(|checkQueues\(|consumer/,
    after: /^(?!!\(consumer|!==|\(consumer\.name)/,
    because: deploying
  },
  {
    file: `${functions}function.ts`,
    operators: ['skip-write'],
    line: /DELETE FROM consumer/,
    because: deploying
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['drop-guard', 'one-plan-only'],
    line: /instanceof FunctionFailed/,
    because: 'what fails in a platform of ours, and is no failure of a function: no document says'
  },
  {
    file: `${functions}scheduler.ts`,
    operators: ['first-only'],
    line: /of due(Batches|Alarms)/,
    because: soon
  },
  {
    file: 'src/platform/gateway/json-rpc.ts',
    operators: ['negate'],
    line: /if \(fault\)/,
    because: 'calls in an array are left open'
  },
  {
    file: 'src/platform/gateway/gateway.ts',
    operators: ['negate'],
    line: /headersSent/,
    because: 'what is said of bodies that cannot be read is not the document’s'
  },
  {
    file: 'src/platform/gateway/part.ts',
    operators: ['drop-property'],
    before: /^upstreams/,
    because: 'nodes named on the command line'
  },
  // Of what is told of an invocation the document has its status, its duration and its output.
  ...['guest/memory', 'guest/scope', 'guest/guest', 'host/invocation', 'host/invocations']
    .concat(['instance', 'record'])
    .map((name) => ({
      file: `${isolate}${name}.ts`,
      operators: ['skip-write', 'first-only', 'drop-property', 'number'],
      before: /^(0$|\[?live|,?\s*(one\.|account\.)?peak|,?\s*(subr|internalSubr)|startedMs|$)/,
      line: /peak|[sS]ubrequests|, startedMs, \.\.\.tr/,
      because: told
    })),
  ...['guest/api/logger', 'host/invocation'].map((name) => ({
    file: `${isolate}${name}.ts`,
    operators: ['drop-property', 'stale'],
    before: /^(atMs|Date\.now)/,
    because: told
  })),
  {
    file: `${isolate}host/invocation.ts`,
    operators: ['drop-property'],
    before: /^(invocation|level)/,
    line: /t: 'line'/,
    because: 'that it is told when a connection is cancelled is not documented'
  },
  {
    file: `${isolate}guest/memory.ts`,
    line: /grownBytes/,
    because: cancelling
  },
  {
    file: `${isolate}guest/scope.ts`,
    operators: ['drop-property'],
    before: /^, grownBytes/,
    because: cancelling
  },
  {
    file: `${isolate}pool.ts`,
    operators: ['skip-write', 'first-only'],
    line: /\ball\.(add|delete)|\.\.\.all\]|of all\)|splice\(0\)/,
    because: 'which processes of ours are ended when a platform is closed'
  }
]
