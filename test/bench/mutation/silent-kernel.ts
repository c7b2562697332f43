import type { Equivalence } from './equivalent.ts'

/** What the documents of the kernel and of the management API say nothing of, place by place. */
const kernel = 'src/platform/kernel/'
const management = 'src/platform/management/'

const door =
  'the control listener is a door of ours, for adapters: no document speaks of it; ' +
  'test/platform judges it'
const start =
  'how a platform of ours is started, where its listeners are, and how it tells so: a target is ' +
  'told by a file'
const wire =
  'how long, and how much at once, is waited for on a connection, and what is answered to ' +
  'what is no request: no document speaks of it; test/platform/kernel/http judges it'
const pipelining =
  'that several requests may wait on one connection: no document speaks of pipelining'
const guard =
  'where the platform may connect to is a guard of ours: the document says only what is delivered'
const failures =
  'the document shows neither the statuses nor the errors of a failure: only that success and ' +
  'errors tell it'

/** Faults in the kernel and the management API where the document is silent, and why it is. */
export const silentKernel: readonly Equivalence[] = [
  ...['control', 'control-call', 'http/lock', 'figures'].map((name) => ({
    file: `${kernel}${name}.ts`,
    because: door
  })),
  ...['api/wrong-operation', 'override'].map((name) => ({
    file: `${kernel}${name}.ts`,
    because: 'only a platform that is broken on purpose runs it, and these are not'
  })),
  {
    file: `${kernel}nearest.ts`,
    because: 'which names the words of a refusal suggest: the document shows no words'
  },
  {
    file: `${kernel}data/filed.ts`,
    because: 'only a platform with --data runs it, which no document speaks of'
  },
  {
    file: `${kernel}data/database.ts`,
    line: /PRAGMA|throwIfNoEntry|found\?|; ROLLBACK|instanceof Error|ersion(\(| >)|isTransaction/,
    because: 'files of a data folder, and a disk that is full: no document speaks of either'
  },
  {
    file: `${kernel}store.ts`,
    line: /folder|filed|foreign_keys|losses|close|statements/,
    because: 'files of a data folder, statements that are prepared twice, and the end of a platform'
  },
  {
    file: `${kernel}extension.ts`,
    line: /return \{ name|value === undefined/,
    because: 'what is said to who writes a part that asks for what no other offers'
  },
  {
    file: `${kernel}egress/allowance.ts`,
    because: 'a flag of ours says what else may be reached: no document speaks of flags'
  },
  { file: `${kernel}egress/address.ts`, line: /\d\/\d|'an? |isIP|own|'open|2000/, because: guard },
  {
    file: `${kernel}egress/egress.ts`,
    operators: ['drop-guard', 'number', 'first-only', 'drop-property', 'skip-write'],
    line: /ownPorts|localhost|told|judged\[0\]|allowed\.some|refusal|address: name/,
    because: guard
  },
  {
    file: `${kernel}egress/egress.ts`,
    line: /name === address|includes\(':'\)|keepFrom|has no address|timeout,/,
    because: guard
  },
  ...['linger', 'pace'].map((name) => ({
    file: `${kernel}http/${name}.ts`,
    operators: ['number', 'boundary', 'swap-constants', 'drop-property'],
    because: wire
  })),
  {
    file: `${kernel}http/linger.ts`,
    line: /isSilent|writableEnded/,
    because: wire
  },
  {
    file: `${kernel}http/pace.ts`,
    line: /isServing|writableLength|clearInterval|setTimeout|message\.complete/,
    because: wire
  },
  { file: `${kernel}http/turns.ts`, operators: ['number', 'boundary'], because: pipelining },
  {
    file: `${kernel}http/turns.ts`,
    line: /isFull|resume|isPaused|splice|isServing|waiting\.length > 0/,
    because: pipelining
  },
  {
    file: `${kernel}http/listener.ts`,
    line: /refusedBy|imeout|onSlow|headersSent|writableEnded|ECONNRESET|IPv6|ERR_|HPE_|Ms|quiet/,
    because: wire
  },
  {
    file: `${kernel}http/listener.ts`,
    line: /EADDRINUSE|65_535|headBytes|last|Connection|const socket of open|sInterval|port: 0/,
    because: wire
  },
  { file: `${kernel}http/listeners.ts`, because: start },
  {
    file: `${kernel}http/answer.ts`,
    line: /headersOf|Connection|Content-Length/,
    because: wire
  },
  {
    file: 'src/platform/platform.ts',
    line: /options\.|moved|losses|close|toReversed|randomBytes|offset|words|isRepaired|filed/,
    because: start
  },
  {
    file: 'src/platform/platform.ts',
    line: /announcement|addresses|controlToken|l\.credentials|byName|listMutants|\[name, v|isNear/,
    because: start
  },
  { file: 'src/platform/parts.ts', line: /filed|folders/, because: 'files of a data folder' },
  {
    file: `${kernel}schema.ts`,
    line: /throw|steps\b|shared/,
    because: 'a guard against two parts that give out the same number, for those who write parts'
  },
  {
    file: `${kernel}seed.ts`,
    line: /began|'(free|pro|business|enterprise)'|Object\.assign|DELETE|ownTables/,
    because: 'which zones a platform of ours begins with, and since when, is promised nowhere'
  },
  {
    file: `${kernel}plan.ts`,
    because: `the order in which plans are named, and of which plans ${door}`
  },
  {
    file: `${kernel}credential.ts`,
    operators: ['drop-property'],
    because: start
  },
  ...['id', 'credential', 'time'].map((name) => ({
    file: `${kernel}${name}.ts`,
    operators: ['number'],
    because:
      'how long ids and secrets are, and a millisecond of the clock: of ids the document says ' +
      'that they are hexadecimal, and no more'
  })),
  {
    file: `${kernel}zone.ts`,
    line: /protocol|canParse|\bdot\b|rowid|\.\.\.zone|origin, id/,
    because: `${door}; that a zone has hosts below its own is said nowhere either`
  },
  {
    file: `${kernel}zone.ts`,
    operators: ['stale'],
    because: 'a zone changes its plan and its origin only by the control listener'
  },
  {
    file: `${kernel}security-event.ts`,
    line: /mostKept|forget|ORDER BY|\?\? 0/,
    because: 'how many security events are kept, and in which order they are told: not said'
  },
  { file: `${kernel}api/failure.ts`, operators: ['number', 'first-only'], because: failures },
  {
    file: `${kernel}api/failure.ts`,
    operators: ['drop-property', 'swap-arguments'],
    before: /code|message|error_chain|Allow|\d, \d/,
    because: failures
  },
  { file: `${kernel}api/failure.ts`, line: /this\.(status|headers) =/, because: failures },
  {
    file: `${kernel}api/envelope.ts`,
    before: /^(200|result: null,\s*|, headers)$/,
    because: `${failures}; of a success no status is shown either, but that it is one`,
    after: /^(201|)$/
  },
  {
    file: `${kernel}api/paging.ts`,
    line: /value < 1|Number\(text\)/,
    operators: ['drop-guard', 'drop-branch', 'number'],
    because: 'what becomes of a page that is none is not shown, nor the largest size of one'
  },
  {
    file: `${kernel}api/body.ts`,
    line: /content-length|> limitBytes|destroyOnRe|fatal: true|instanceof Failure|slice\(0, 100/,
    operators: ['drop-guard', 'boundary', 'drop-branch', 'number', 'drop-property', 'negate'],
    before: /^(?!(?:bytes|Number\(.*) > limitBytes$)/,
    because: 'the document says nothing of large, broken off or mis-encoded bodies of its calls'
  },
  {
    file: `${kernel}api/body.ts`,
    line: /Names|__proto__|(has|add)\(name\)|matchAll|slice\(0|'\}'|typeof value|issue\) \?/,
    operators: [
      'drop-guard',
      'drop-branch',
      'first-only',
      'skip-write',
      'number',
      'swap-arguments'
    ],
    because: 'of bodies that name a member twice or are no object nothing is said, nor any words'
  },
  {
    file: `${kernel}api/body.ts`,
    operators: ['drop-guard'],
    line: /application\\\/json/,
    because: 'what becomes of a body that is declared to be something else is not said'
  },
  {
    file: `${management}zone-operations.ts`,
    because: 'an operation of ours: the document does not have it'
  },
  {
    file: `${management}rules.ts`,
    before: /^(1_048_576|bodyBytes: 1_048_576|, operations: zoneOperations)$|zoneOperations/,
    because: 'the document says nothing of the size of bodies, and has no operation on a zone'
  },
  {
    file: `${management}part.ts`,
    before: /^(, breaks: .*|words,\s*|offset: 0,\s*|0)$/,
    because: start
  },
  {
    file: `${management}identity.ts`,
    operators: ['swap-arguments'],
    because: 'two texts are alike whichever is named first'
  },
  {
    file: `${management}management.ts`,
    line: /Allow|isFull|errorHandler|onMalformed|\.\.\.headers|bodyBytes|content-type/,
    operators: ['drop-property', 'drop-guard', 'number', 'first-only', 'drop-branch'],
    before: /^(?!, headers:|, 'Content|operation\.bodyBytes.*)|^\.\.\.headers/,
    because: 'OPTIONS, statuses, what is no request, full disks, size and type of bodies: not said'
  },
  {
    file: `${management}management.ts`,
    operators: ['drop-guard', 'first-only'],
    line: /Object\.values\(ids\)\.every/,
    because: 'what nothing can have as its id is not found either'
  },
  {
    file: `${management}management.ts`,
    before: /^(, options|ids\.id \?\? '')$/,
    after: /^(|\(ids\.id\))$/,
    line: /zoneFor\(c, operation|ids\.id/,
    because: 'what is not given is not asked for: only the rules, the kernel and ids that are there'
  }
]
