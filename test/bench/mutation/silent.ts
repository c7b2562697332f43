import type { Equivalence } from './equivalent.ts'

/** Of the gateway and of log push: what their document says nothing of, place by place. */
const gateway = 'src/platform/gateway/'
const logpush = 'src/platform/logpush/'

/** Faults in what the gateway and log push do where the document is silent, and why it is. */
export const silent: readonly Equivalence[] = [
  ...['anvil', 'genesis', 'transactions'].map((name) => ({
    file: `${gateway}${name}.ts`,
    because:
      'which blocks our own chain has, and how its program is started and ended: the document ' +
      'speaks of a network, and shows no transaction'
  })),
  {
    file: `${gateway}chain.ts`,
    line: /pay|turn =|paid|past|transactions|forget|onStart|anvil|close|failed\(unavailable/,
    because: 'transactions, and a chain that ends by itself: the document shows neither'
  },
  {
    file: `${gateway}limits.ts`,
    because: 'the document says nothing of sizes, numbers and times of the gateway'
  },
  {
    file: `${gateway}fault.ts`,
    because: 'the document shows no answer of the gateway: codes and words of errors are ours'
  },
  {
    file: `${gateway}network.ts`,
    operators: ['number', 'swap-constants', 'drop-property'],
    line: /chainId|genesisSeconds|successor|rel=/,
    because: 'ids and beginnings of our chains, and the words in which the end is announced'
  },
  {
    file: `${gateway}node.ts`,
    line: /imeout|pending|eadline|late|gone|gress|limit|answerMs|abort|leave|isLate|UND_|destroy/i,
    because: 'how long, how much and by which way a node is asked, on which the document is silent'
  },
  {
    file: `${gateway}node.ts`,
    line: /isTold|answered|isArray\(answer|no JSON-RPC|error !== /,
    because: 'what becomes of a node that speaks no proper JSON-RPC: a node is not the document’s'
  },
  {
    file: `${gateway}refusal.ts`,
    line: /coding|Accept|Allow|hint|because|WWW-|headers \}/,
    because: 'bodies in a coding, and the words and headers of refusals, are nowhere shown'
  },
  {
    file: `${gateway}gateway.ts`,
    line: /shared|preflight|OPTIONS|Access-Control|Allow|gone|departure|emitWarning|Failure|objec/,
    because: 'web pages, callers that leave and bodies that cannot be read are not the document’s'
  },
  {
    file: `${gateway}gateway.ts`,
    line: /upstream|placeOf|egress|reset|close|forgetTransactions|onStart/,
    because: 'nodes named on the command line, and what our control listener resets'
  },
  {
    file: `${gateway}json-rpc.ts`,
    line: /lanes|characters|isFull|tooMuch|most\b|told|because|\.id === undefined|isFull/i,
    because: 'sizes of batches and of their answers, and calls without an id, are nowhere shown'
  },
  {
    file: `${gateway}call.ts`,
    line: /must be|demands|invalidRequest|optional = /,
    because: 'the words in which a call is refused, and members that may be left out'
  },
  {
    file: `${gateway}rules.ts`,
    line: /_\(accounts|\^\(eth\|net/,
    because: 'which methods there are beside the block query is not shown'
  },
  {
    file: `${logpush}dataset-operations.ts`,
    because: 'the document shows no operation that tells the fields of a dataset'
  },
  {
    file: `${logpush}folder.ts`,
    because: 'folders of this machine are no storage service; only --log-files opens them'
  },
  {
    file: `${logpush}event.ts`,
    because: 'which datasets there are, and what is in them, the document does not say'
  },
  {
    file: `${logpush}dataset.ts`,
    line: /^(?!.*(RequestMethod|RequestPath|RequestURI|UserAgent|Status|StartT)).*(: '|near|lice)/,
    because: 'the list of fields available per dataset: not shown; those scenarios use are asked'
  },
  {
    file: `${logpush}limits.ts`,
    operators: ['number', 'swap-constants', 'swap-arguments', 'drop-property'],
    line: /jobs|batch|interval|deliveryMs|retryMs|spoolBytes|MiB =/,
    because: 'sizes of batches, pauses and room for what waits are nowhere documented'
  },
  {
    file: `${logpush}delivery.ts`,
    line: /pauseMs|waitMs|isDue|failures|closing|chance|sizeOf|max_upload|exceeds|isFull/,
    because: 'when and in which portions batches are sent the document leaves open'
  },
  {
    file: `${logpush}spool.ts`,
    line: /roomBytes|lost|fitting|left\.|size\.|failed|error_message/,
    because: 'portions, progress and what is full: none of it is documented'
  },
  {
    file: `${logpush}transport.ts`,
    operators: ['number', 'boundary'],
    line: /statusCode/,
    because: 'with which success a destination takes a batch the document does not say'
  },
  {
    file: `${logpush}transport.ts`,
    line: /isLate|deliveryMs|encryption|dated|DATE|x-logpush|content-type|guarded|allowH2|folder/,
    because: 'time-outs, headers of ours, and days in names: nowhere documented'
  },
  {
    file: `${logpush}destination.ts`,
    line: /header_|folder|fault\(|hash|encryption|sse|DATE|password|username|test\(/,
    because: 'the document shows no address: how one is written, and which are refused, is ours'
  },
  {
    file: `${logpush}sealed.ts`,
    line: /isCallback|encoding|queueMicrotask|isArray|index % 2|type|emitWarning/,
    because: 'ways to write a response that ours does not use, and a type that no clause names'
  },
  {
    file: `${logpush}selection.ts`,
    line: /startsWith|endsWith|\blt\b|\bleq\b|\bgt\b|\bgeq\b|flag|'in'|\^!|rate >= 1/,
    because: 'operators that are not shown; a rate of 1 keeps all without a rule of its own, too'
  },
  {
    file: `${logpush}filter.ts`,
    line: /'in'|opposite|startsWith|flag: |list: |opaque: |moment: |words: |isSafeInteger/,
    because: 'operators and kinds of fields that are not shown'
  },
  {
    file: `${logpush}output.ts`,
    line: /unix|rfc3339ms|rfc3339ns|must|formats|false/,
    because: 'the document shows rfc3339, and no other format'
  },
  {
    file: `${logpush}job.ts`,
    line: /max_upload|maxLength|minValue|enabled|before|progress|Progress|last_|error_message|lost/,
    because: 'members that the document does not show, and the change of a job'
  },
  {
    file: `${logpush}job-operations.ts`,
    line: /limits\.jobs|before|writeJob|reading|found|passOver|isFirst|refusal|\{ id \}/,
    because: 'other log-push operations (list, read, update, delete): not shown'
  }
]
