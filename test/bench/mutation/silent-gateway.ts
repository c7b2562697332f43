import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in the gateway, place by place. */
const gateway = 'src/platform/gateway/'

const ownChain =
  'which blocks our own chain has, and how its program is started and ended: the document speaks ' +
  'of a network, and shows no transaction; a chain that does not start is a service that is down'
const unsaid = 'codes and words of errors are ours: the body of an answer is left open'
const anyNode =
  'what becomes of a node that speaks no proper JSON-RPC: a node is not the document’s'
const pace = 'how long, how much and by which way a node is asked, on which the document is silent'
const batches = 'calls in an array, and calls that want no answer, are left open'
const sameHere = 'for whatever a call of the gateway can be, the condition is what it was'
const leaving =
  'web pages, callers that leave and bodies that cannot be read are not the document’s'
const ownWays = 'nodes named on the command line, and what our control listener resets'
const started = 'where our listeners are, what a platform of ours tells at its start, and its files'

/** Faults in what the gateway does where the document is silent, and why it is. */
export const silentGateway: readonly Equivalence[] = [
  ...['anvil', 'genesis', 'transactions'].map((name) => ({
    file: `${gateway}${name}.ts`,
    because: ownChain
  })),
  {
    file: `${gateway}chain.ts`,
    line: /pay|turn =|paid|past|mined|transactions|' in outcome|onStart|anvil|close|running ===/,
    because: ownChain
  },
  {
    file: `${gateway}chain.ts`,
    operators: ['drop-guard'],
    line: /if \(running\)/,
    because: 'a chain that is started for each call tells the same, only later'
  },
  {
    file: `${gateway}limits.ts`,
    because: 'the document says nothing of sizes, numbers and times of the gateway'
  },
  { file: `${gateway}fault.ts`, operators: ['number', 'swap-arguments'], because: unsaid },
  {
    file: `${gateway}fault.ts`,
    line: /32_603|Internal error|notFound|unavailable|limitExceeded|data/,
    because: 'what is told of a network that is not there, or that is down: left open'
  },
  {
    file: `${gateway}network.ts`,
    operators: ['number', 'swap-constants', 'drop-property'],
    line: /chainId|genesisSeconds|rel=/,
    because: 'ids and beginnings of our chains, and the words in which the end is announced'
  },
  {
    file: `${gateway}network.ts`,
    operators: ['drop-property'],
    before: /^(rinkeby:|,? ?deprecated:|, successor)/,
    because: 'a call of rinkeby is left open, and so is whether its end is announced'
  },
  {
    file: `${gateway}node.ts`,
    line: /headersT|bodyT|connectT|timeout =|answerBytes|inFlight|UND_|isLate|allowH2|asked = 0/,
    because: pace
  },
  {
    file: `${gateway}node.ts`,
    line: /pending [-+=]|pending[-+]|deadlineOf|late =|stop\.abort|Listener|clearTimeout|destroy/,
    because: pace
  },
  {
    file: `${gateway}node.ts`,
    operators: ['boundary', 'drop-guard', 'number', 'one-plan-only'],
    line: /pending >=|gone\?\.aborted/,
    because: pace
  },
  {
    file: `${gateway}node.ts`,
    operators: ['drop-property'],
    before: /^(,\s*signal|signal: )/,
    because: pace
  },
  {
    file: `${gateway}node.ts`,
    line: /EgressRefused|allow-egress|answers more than/,
    because: 'the words in which it is told that a node cannot be reached'
  },
  {
    file: `${gateway}node.ts`,
    operators: ['drop-guard', 'drop-branch'],
    line: /isArray\(answer|isTold = /,
    because: anyNode
  },
  {
    file: `${gateway}node.ts`,
    operators: ['drop-branch', 'first-only'],
    before: /answered === id$|^isTold && |^\[id, null|^error !== undefined && /,
    after: /^(?!\(error !== null)/,
    because: anyNode
  },
  {
    file: `${gateway}node.ts`,
    operators: ['drop-branch'],
    after: /^\((outcomeOf|\{ result \}\)$)/,
    because: anyNode
  },
  { file: `${gateway}node.ts`, operators: ['stale'], before: /get\('error'\)/, because: unsaid },
  {
    file: `${gateway}refusal.ts`,
    operators: ['number', 'drop-property', 'drop-branch', 'negate'],
    line: /return object|Accept|Allow|hint|const because|WWW-|fault: invalidRequest/,
    because: 'bodies in a coding, and which status, words and headers refusals have, is left open'
  },
  {
    file: `${gateway}refusal.ts`,
    operators: ['drop-property'],
    before: /^, headers/,
    because: 'which headers refusals have is left open'
  },
  {
    file: `${gateway}refusal.ts`,
    operators: ['drop-guard', 'one-plan-only'],
    line: /isType|isLetIn|coding/,
    because:
      'that a body of another type or coding is refused is not said, and nobody is for another'
  },
  {
    file: `${gateway}refusal.ts`,
    operators: ['swap-constants'],
    before: /^'none'$/,
    because: 'a body without a type is none of application/json, by whichever word'
  },
  {
    file: `${gateway}refusal.ts`,
    after: /^\(coding !== undefined\)$/,
    because: 'bodies in a coding are left open, and that they are in none need not be said'
  },
  {
    file: `${gateway}gateway.ts`,
    line: /Access-Control|\bAllow:|departure|emitWarning|MaxListeners|writableFinished|Failure\)/,
    because: leaving
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-guard', 'number', 'always', 'one-plan-only'],
    line: /OPTIONS|headersSent/,
    because: leaving
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-property'],
    before:
      /^,? ?(\.\.\.(shared|headers|rules\.ann)|headers: \{|headers$|Connection|close:|onStart:)/,
    because: leaving
  },
  {
    file: `${gateway}gateway.ts`,
    line: /return \{ status, fault|onMalformed|not HTTP/,
    because: leaving
  },
  {
    file: `${gateway}gateway.ts`,
    line: /upstream|placeOf|forgetTransactions|onStart|node\.close|close: \(\)/,
    because: ownWays
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-property'],
    before: /onStart: egress|close: \(\)|reset\(\)/,
    because: ownWays
  },
  ...['node', 'chain'].map((name) => ({
    file: `${gateway}${name}.ts`,
    operators: ['drop-property'],
    before: /^,\s+(async )?close(: )?\(\)/,
    because: ownWays
  })),
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-guard', 'number'],
    line: /text === undefined/,
    because: batches
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-property'],
    before: /^\.\.\.limits,/,
    because: batches
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['number'],
    line: /status: 200/,
    after: /^20/,
    because: 'with which success a call is answered is left open'
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-guard'],
    line: /isOpen/,
    because: 'which methods there are beside the block query is not shown'
  },
  {
    file: `${gateway}gateway.ts`,
    operators: ['drop-branch'],
    after: /^\((name|URL\.parse.*pathname)\)$/,
    because: sameHere
  },
  {
    file: gateway,
    operators: ['one-plan-only'],
    after: /\?\? 'pro'\) === 'pro'$/,
    because: sameHere
  },
  {
    file: `${gateway}json-rpc.ts`,
    line: /lanes|characters|isFull = |tooMuch = |most\b|because|Error/,
    because: 'sizes of batches and of their answers, and the words of errors, are nowhere shown'
  },
  {
    file: `${gateway}json-rpc.ts`,
    operators: ['drop-branch'],
    after: /^\((await ask|wording\.result)/,
    because: 'sizes of answers are nowhere shown'
  },
  {
    file: `${gateway}json-rpc.ts`,
    operators: ['drop-guard'],
    line: /read\.id === undefined|calls === 0|if \(fault\)|'fault' in read\) return faultText/,
    because: `${batches}; what is no JSON is no call either, in other words`
  },
  {
    file: `${gateway}json-rpc.ts`,
    line: /told|calls === 0|fatal|done\[index\]|unparsable/,
    operators: [
      ...['drop-branch', 'drop-filter', 'boundary', 'number', 'negate'],
      ...['drop-property', 'skip-write']
    ],
    because: `${batches}, and so is text that is none`
  },
  {
    file: `${gateway}json-rpc.ts`,
    operators: ['swap-arguments'],
    before: /^fault, wording$/,
    because: batches
  },
  { file: `${gateway}json-rpc.ts`, line: /next = 0/, after: /-1/, because: sameHere },
  {
    file: `${gateway}call.ts`,
    operators: ['drop-property'],
    before: /^(jsonrpc|params): '|^,\s+id: 'id must/,
    because: 'a call that is served though a member of it is odd: that it is refused is not said'
  },
  {
    file: `${gateway}call.ts`,
    operators: ['swap-constants', 'first-only'],
    line: /optional = /,
    because: batches
  },
  {
    file: `${gateway}call.ts`,
    operators: ['drop-branch', 'negate', 'swap-constants'],
    before: /^(isWrong\('id'\)|'id'$|id \?\? 'null'$)/,
    after: /^(?!\(id\))/,
    line: /demands\[wrong\]/,
    because: 'the id of a call that is none may be told or not'
  },
  {
    file: `${gateway}call.ts`,
    operators: ['drop-branch'],
    line: /params: \(value\)|value === null \|\| Array/,
    after:
      /^\((typeof value (===|!== 'object' \|\|) ('object'|value === null)|value [!=]== null)\)$/,
    because: 'a node refuses params that are none, too, and what is no object lacks its members'
  },
  {
    file: `${gateway}call.ts`,
    operators: ['drop-branch', 'swap-constants'],
    line: /'string', 'number'/,
    after: /includes|^'number', 'string'$/,
    because: 'an id of null is left open, and types of which any will do have no order'
  },
  {
    file: `${gateway}rules.ts`,
    operators: ['drop-branch'],
    line: /\^eth_\(accounts/,
    because: 'which methods there are beside the block query is not shown'
  },
  {
    file: `${gateway}part.ts`,
    operators: ['number', 'drop-property'],
    line: /listener = |version: 8|reset:|\},$/,
    before: /^(words|offset|upstreams|version|,\s+(reset|breaks)|\d+$)/,
    because: started
  }
]
