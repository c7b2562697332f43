import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in log push, place by place. */
const logpush = 'src/platform/logpush/'

/** Faults in what log push does where the document is silent, and why it is. */
export const silent: readonly Equivalence[] = [
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
