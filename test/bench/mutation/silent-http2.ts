import type { Equivalence } from './equivalent.ts'

const http = 'src/platform/kernel/http/'

const kept =
  'how long a connection of HTTP/2 is kept, and how much may be under way on it: no document says'
const left = 'what becomes of who resets or leaves what he asked over HTTP/2: no document says'
const none = 'what is answered to what is no request of HTTP/2: no document says'
const cutOff =
  'what is seen of an answer that is cut off: the document says it of none, and that a stream is ' +
  'reset for it is told by RFC 9113; test/platform/kernel/http judges it'
const origin =
  'no answer of ours names fields of a connection beside those, and a server that says twice ' +
  'what may be said once is at fault itself (RFC 9110, 5.3)'
const pieces = 'in which pieces bytes cross is nobody’s to see'

/** Faults in how HTTP/2 is spoken where the document is silent, and why it is. */
export const silentHttp2: readonly Equivalence[] = [
  { file: `${http}http2.ts`, line: /^const most|maxConcurrentS|maxHeaderListPairs/, because: kept },
  {
    file: `${http}http2.ts`,
    operators: [
      'number',
      'always',
      'negate',
      'drop-branch',
      'first-only',
      'skip-write',
      'boundary'
    ],
    line: /taken: 0|isWaiting|isNoneT|open\.(size|set\(|delete)|session\.setT|destroySoon/,
    because: kept
  },
  { file: `${http}http2.ts`, operators: ['drop-property'], before: /^, taken: 0/, because: kept },
  { file: `${http}http2.ts`, operators: ['drop-guard'], line: /stream\.closed/, because: left },
  { file: `${http}http2.ts`, after: /^\(head\)$/, line: /head \?\? noHead/, because: none },
  { file: `${http}http2.ts`, line: /\? 405|4(17|08)|noHead: |: 100/, because: none },
  {
    file: `${http}http2.ts`,
    operators: ['number', 'drop-guard'],
    line: /'CONNECT'\) return/,
    because: none
  },
  {
    file: `${http}http2.ts`,
    after: /^(;|\(expect !== undefined\)|!!\(\/\^100-continue.*)$/,
    line: /100-continue/,
    because: none
  },
  { file: `${http}http2.ts`, line: /response\.headersSent/, because: kept },
  {
    file: `${http}http2-message.ts`,
    operators: ['swap-constants'],
    line: /^ {2}\.\.\.\[/,
    because: 'names of which any is looked for, in whichever order'
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['first-only'],
    line: /^ {2}\.\.\.\[/,
    because: 'no answer of ours has fields of a connection, or twice what it may have once'
  },
  { file: `${http}http2-message.ts`, line: /ECONNRESET/, because: left },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-guard', 'drop-branch', 'boundary'],
    line: /hosts\.size !== 1/,
    because: none
  },
  { file: `${http}http2-message.ts`, after: /^\(\[authority\]\)$/, because: none },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-branch'],
    after: /^\(pseudo\.get/,
    because: none
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-guard', 'number'],
    line: /crumbs\.length < 2/,
    after: /^(;|1)$/,
    because: 'a cookie in one field is joined to itself'
  },
  {
    file: `${http}http2-message.ts`,
    line: /bytes = 0|this\.bytes \+=|statusCode = 200/,
    because: 'how slowly a body may come is not said; and every answer says its status'
  },
  {
    file: `${http}http2-message.ts`,
    line: /this\.push\(chunk\)|pieceBytes = /,
    because: pieces
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['boundary'],
    line: /chunk\.length <= pieceBytes/,
    because: 'behind the last piece there is one of no bytes more, or none'
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-guard', 'drop-branch'],
    line: /stream\.closed|this\.complete\) return|done\(goneAway|stream\.destroyed/,
    because: left
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['always'],
    line: /!stream\.destroyed|!this\.#message\.complete/,
    because: left
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['skip-write', 'negate', 'always', 'number'],
    line: /#wait|#patience\.taken|clearTimeout/,
    because: kept
  },
  {
    file: `${http}preface.ts`,
    operators: ['boundary', 'number'],
    line: /first\.length > 0|common\.length < preface/,
    because: 'what is told to who begins no request, and how soon it is seen that he begins one'
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['negate', 'always'],
    line: /!this\.writableFinished|!stream\.destroyed|!this\.#message\.complete/,
    because: cutOff
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-filter'],
    line: /const pseudo = new Map/,
    because: 'a map that is asked for names with a colon alone may have others'
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['first-only'],
    line: /const named = pairs|\(\[name\]\) => name === 'connection'|value\.toLowerCase\(\)\.split/,
    because: `${none}; ${origin}`
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-branch'],
    after: /^\(!ofConnection\.has\(name\)\)$/,
    because: origin
  },
  {
    file: `${http}http2-message.ts`,
    operators: ['drop-branch', 'number'],
    line: /values\.length === 1/,
    // What has one value is that value to Node, or an array of it.
    after: /^(\(values\)|\(single\.has\(name\)\)|\(values\.length === 1\))$/,
    because: origin
  },
  {
    file: `${http}http2.ts`,
    operators: ['drop-property'],
    before: /^,\s*onUntaken/,
    because: kept
  },
  {
    file: `${http}linger.ts`,
    operators: ['skip-write'],
    line: /destroySoon =/,
    because:
      'how a connection is closed behind an answer: RFC 9112, 9.6, has it that a server should ' +
      'read on, and the document says nothing; test/platform/kernel/http judges it'
  },
  { file: `${http}listener.ts`, line: /if \(begun\)/, because: none },
  {
    file: `${http}turns.ts`,
    line: /if \(turn\) serve|socket\.isPaused/,
    because: 'requests that are sent before the one before them is answered: no document says'
  }
]
