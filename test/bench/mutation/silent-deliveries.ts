import type { Equivalence } from './equivalent.ts'
import { branch, guard, places, property } from './places.ts'

const uncounted =
  'who counts comparisons only has no limit that a filter of 1000 bytes comes to: observed'
const addresses =
  'the document shows no address: how one is written, and which are refused, is ours'

/** Faults in how log push delivers where the document is silent, and why it is. */
export const silentDeliveries: readonly Equivalence[] = [
  ...places('limits', 'sizes of batches, pauses and room for what waits are left open', [
    {
      operators: ['number', 'swap-constants', 'swap-arguments'],
      line: /jobs|batch|interval|deliveryMs|retryMs|spoolBytes|MiB =/
    },
    {
      operators: property,
      before: /^(jobs|batchBytes|usual|first): |^, (most|\/\*\* Bytes that)/
    }
  ]),
  ...places('limits', 'a filter is limited to about these numbers, and to one more or less', [
    { operators: ['number'], line: /filter(Bytes|Operators)/, after: /^(999|1001|29|31)$/ }
  ]),
  ...places('filter', 'a filter is limited to about these numbers, and to one more or less', [
    { operators: ['boundary'], line: /> filter(Bytes|Operators)/ }
  ]),
  ...places('limits', uncounted, [
    { operators: property, before: /^,? ?filterOperators/ },
    { line: /filterOperators/, after: /^60$|^100\b/ }
  ]),
  ...places('filter', uncounted, [
    { operators: guard, line: /operators > filterOperators/ },
    { operators: branch, line: /'below' in filter/, after: /^\(1\)$/ },
    { operators: ['number'], line: /'below' in filter/, after: /^0$/ }
  ]),
  ...places('delivery', 'when and in which portions batches are sent is left open', [
    {
      operators: ['number', 'negate', 'drop-branch', 'stale', 'boundary', 'always', 'drop-guard'],
      line: /isDue|failures( =|\)\) \*)|clock\.now|!lane\.isS|first \* 2|_interval/
    },
    { line: /return amount !== undefined/ },
    { operators: ['skip-write'], line: /lane\.(hurry|isSending) = |running\.(add|delete)/ },
    { operators: property, before: /^, bytes: bytes/ },
    { operators: branch, line: /batchRecords, bytes/, after: /^\((batch\w+|bytes)\)$/ },
    { operators: guard, line: /aborted|job\?\.enabled/ },
    { operators: branch, before: /^jobOf\(id\) \?\? job$/ },
    { operators: ['skip-write'], before: /^spool\.forget/ }
  ]),
  ...places('delivery', 'what waits at the start is that of a platform with --data, or its end', [
    { operators: ['first-only'], line: /waiting\.keys|lanes\.values/ }
  ]),
  ...places('spool', 'portions, progress and what is full: none of it is documented', [
    { operators: ['drop-guard', 'boundary'], line: /bytes > roomBytes/ },
    { line: /const roomBytes|SET lost|last_error|sealed = NULL|failed\(\{|left\.\w+ (-=|<)/ },
    { operators: property, before: /^, roomBytes/ },
    { operators: ['drop-branch', 'negate', 'boundary'], line: /fitting < 0/ },
    { operators: ['number'], line: /after\.records > 0/, after: /-1/ },
    { operators: ['query'], line: /SET numbered/ },
    { operators: ['stale'], line: /\{ series \}/ },
    { operators: ['drop-filter'], line: /waiting\.has\(job\)/ }
  ]),
  ...places('upload', 'what is told of a job that ends with its platform', [
    { operators: ['always'], line: /signal\.aborted/ }
  ]),
  ...places('traffic', 'for whatever no job is there, nothing is to be recorded', [
    { operators: guard, line: /isWanted|zone === undefined/ }
  ]),
  ...places('destination', addresses, [
    { operators: property, before: /^'(https|file):'/ },
    { operators: branch, after: /^\(!read\)$/ },
    {
      operators: ['drop-guard', 'drop-branch'],
      line: /url\.username|test\(bucket|region === null|encryption !== undefined|test\(endpoint/
    },
    {
      line: /header_|\bheader\b|\[name, value\]|searchParams\.del|url\.hash|'sse'|kind: 'f/
    },
    { operators: property, before: /^(encryption,|region, endpoint)/ },
    { operators: property, line: /bucketAddress/, before: /^region,/ },
    { operators: branch, after: /^\((\{ accessKeyId.*|accessKeyId|secretAccessKey)\)$/ }
  ]),
  ...places('transport', 'time-outs, headers of ours, and days in names: nowhere documented', [
    {
      line: /isLate|allowH2|: deliveryMs|AbortSignal|encryption|const own|to\.path|content-type/
    },
    { operators: ['drop-guard', 'swap-arguments'], line: /'folder'/ },
    { operators: ['number'], line: /statusCode/, after: /^(199|298|300)$/ },
    { operators: ['boundary'], before: /^>$/, line: /statusCode/ },
    {
      operators: property,
      line: /x-logpush|const put/,
      before: /^(,? ?headers|\.\.\.own|'x-log|, \.\.\.headers)/
    },
    { operators: ['swap-constants'], line: /x-logpush/ }
  ])
]
