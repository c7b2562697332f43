import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in how connections are taken, and opened, place by place. */
const kernel = 'src/platform/kernel/'

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

/** Faults in the kernel's listeners and its guard where the document is silent, and why it is. */
export const silentWire: readonly Equivalence[] = [
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
  {
    file: `${kernel}egress/address.ts`,
    operators: ['first-only', 'drop-guard'],
    because: `${guard}; these let it pass more`
  },
  {
    file: `${kernel}egress/egress.ts`,
    operators: ['drop-filter'],
    because: `${guard}; these let it pass more`
  },
  {
    file: `${kernel}http/listener.ts`,
    operators: ['stale'],
    line: /asks\.get/,
    because: 'what is kept for a connection stays as it is'
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
  {
    file: `${kernel}http/turns.ts`,
    operators: ['number', 'boundary'],
    line: /^(?!.*return serve\()/,
    because: pipelining
  },
  {
    file: `${kernel}http/turns.ts`,
    operators: ['drop-branch', 'skip-write', 'stale'],
    line: /line\.waiting|lines\.(get|set)|socket\.resume =/,
    after: /^(?!\((!line|socket))/,
    because: pipelining
  },
  {
    file: `${kernel}http/turns.ts`,
    operators: ['drop-guard'],
    line: /if \(known\)/,
    because: pipelining
  },
  {
    file: `${kernel}http/turns.ts`,
    line: /isFull\(line\)\) |isPaused|splice|isServing|waiting\.length > 0/,
    before: /^(?![\s,]*\/\*\* Serves)/,
    because: pipelining
  },
  {
    file: `${kernel}http/listener.ts`,
    line: /refusedBy|imeout|onSlow|headersSent|writableEnded|ECONNRESET|IPv6|ERR_|HPE_|Ms|quiet/,
    because: wire
  },
  {
    file: `${kernel}http/listener.ts`,
    line: /EADDRINUSE|65_535|headBytes|last|Connection|const socket of open|port: 0/,
    because: wire
  },
  {
    file: `${kernel}http/listener.ts`,
    line: /connectionsChecking|requireHost|requestTimeout/,
    because: wire
  },
  { file: `${kernel}http/listeners.ts`, because: start },
  {
    file: `${kernel}http/answer.ts`,
    line: /headersOf|Connection|Content-Length|headers\.map|socket\.write/,
    because: wire
  },
  {
    file: `${kernel}egress/egress.ts`,
    operators: ['negate'],
    before: /^isAddress$/,
    because: 'which places functions and jobs may not reach is nowhere said'
  }
]
