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
  ...places('limits', 'that what did not arrive is sent again is nowhere said', [
    { operators: property, before: /^retryMs: / }
  ]),
  ...places('delivery', 'that what did not arrive is sent again is nowhere said', [
    { operators: property, before: /^(failures, |, chance)$/ }
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
    {
      operators: property,
      line: /x-logpush|const put/,
      before: /^(,? ?headers|\.\.\.own|'x-log|, \.\.\.headers)/
    }
  ]),
  ...places('spool', 'in which portions, and under which numbers, records are kept is left open', [
    { operators: ['number'], line: /const mostLinesARow = |padStart|const first = numbered/ },
    { operators: ['boundary'], line: /at < texts\.length/ },
    { operators: ['query'], line: /ORDER BY first/, after: /DESC$/ },
    { operators: branch, line: /sealedEnd\(store, job\) \?\?/, after: /^\(seal\(/ },
    { operators: ['stale'], line: /sealed: number \| null/ },
    { operators: ['skip-write'], line: /SET sealed = \? WHERE/ },
    { operators: property, before: /^(\.\.\.size|, bytes$)/, line: /\.\.\.size|bytes \}$/ },
    { operators: ['number'], line: /const end = rows/, before: /^0$/ }
  ]),
  ...places('spool', 'that it is tried in vain where nothing waits is seen by nobody', [
    { line: /else waiting\.delete/ },
    { operators: ['always', 'boundary', 'drop-branch'], line: /if \(after\.records > 0\)/ },
    { operators: branch, line: /end === undefined \?/, after: /^\(batchUpTo/ },
    { operators: ['always', 'negate'], line: /if \(end !== undefined\)/ },
    { operators: ['first-only'], line: /first, last: end, bytes/ },
    { operators: ['number'], line: /first - end - 1/, after: /^0$/ },
    { operators: guard, line: /numbered === undefined/ }
  ]),
  ...places('spool', 'what waits at the start is that of a platform with --data', [
    { line: /allWaiting\(store\)|store\.all<Amount/ }
  ]),
  ...places('spool', 'no two batches of a job end with the same number', [
    { operators: ['stale'], before: /DELETE FROM/ }
  ]),
  ...places('spool', 'what is told of a failed delivery: the answer to a job is left open', [
    { operators: ['skip-write'], line: /store\.run\(sql, at, because, job/ },
    { operators: ['swap-arguments'], before: /^(at, because|because, job)$/ }
  ]),
  ...places('delivery', 'a batch may come again as it was, sent side by side with itself', [
    { operators: ['skip-write'], line: /lanes\.set\(id, lane\)/ },
    { operators: branch, line: /lanes\.get\(id\) \?\? start/, after: /^\(start/ },
    { operators: ['skip-write'], line: /lane\.size = sizeOf/ },
    { operators: property, before: /^(, bytes: Infinity|records: Infinity)/ }
  ]),
  ...places('upload', 'days in names, and what is told of deliveries: nowhere documented', [
    { line: /const at = |replaceAll\('-', ''\)/ },
    { operators: property, before: /^(at: at\(\),|,\s*(because|day:))/ }
  ]),
  ...places('transport', 'time-outs, folders of --log-files and the end of a platform of ours', [
    { operators: property, before: /^,\s*(signal: AbortSignal|close: )/ },
    { line: /function save|told !== undefined|saveBelow/ },
    { operators: ['swap-arguments'], line: /kind === 'folder'/ }
  ]),
  ...places('transport', addresses, [{ operators: guard, line: /credentials === undefined/ }]),
  ...places(
    'outlets',
    'folders of this machine are no storage service; only --log-files opens them',
    [{ line: /files !== undefined/ }]
  ),
  ...places('destination', addresses, [
    {
      operators: branch,
      line: /accessKeyId && secret/,
      after: /^\((accessKeyId|secretAccessKey)\)$/
    },
    { line: /encryption !== undefined/, after: /^\(encryption === undefined|^!!|^===$/ }
  ]),
  ...places('traffic', 'the list of fields available per dataset: those scenarios use are asked', [
    {
      operators: property,
      before: /^(ClientSrcPort|ClientRequest(Bytes|Host|Protocol|Referer|Scheme)|EdgeEnd)/
    },
    {
      operators: property,
      before: /^(EdgeResponse(ContentType|Bytes):|,\s*(EdgeResponseBytes|ZoneName|RayID):?)/
    },
    { operators: ['stale'], line: /EdgeEndTimestamp/ },
    { operators: ['number'], line: /declaredBytes = 0/ }
  ]),
  ...places('limits', 'how long is waited for deliveries, and tried again, is left open', [
    { operators: property, before: /^,\s*\/\*\* Bytes/ }
  ]),
  ...places('logs', 'by which chance it is tried again is left open', [
    { operators: property, before: /^, chance/ }
  ]),
  ...places(
    'part',
    'folders of --log-files, our control listener, and the end of a platform of ours',
    [
      { operators: property, before: /^,\s*(files: logFiles|close: logs|breaks)/ },
      { operators: ['number'], line: /version: 7/ },
      { operators: ['always', 'negate'], line: /logFiles !== undefined/ }
    ]
  ),
  ...places('delivery', 'when a batch is sent, and how our control listener has it sent at once', [
    { operators: ['stale'], line: /const isFull = / },
    { line: /attempt|before\?\.isSending|const before = |isArrived && spool/ },
    { line: /^ {8}const lane = / },
    { operators: property, before: /^(async deliver\(|isSending: false)/ }
  ]),
  ...places('upload', 'that it is tried in vain where nothing waits is seen by nobody', [
    { operators: guard, line: /batch === undefined/ },
    { operators: ['negate'], line: /signal\.aborted/ }
  ]),
  ...places('logs', 'a commit of nothing keeps nothing, and the end of a platform of ours', [
    { operators: branch, line: /fresh\.length === 0/, after: /^\(group !== undefined\)$/ },
    { operators: ['number'], line: /fresh\.length === 0/, after: /^\(-1\)$/ },
    { operators: property, before: /^,\s*async close/ }
  ]),
  ...places('upload', 'which statuses at the ends of 2xx say that it was taken is not said', [
    { operators: ['number'], line: /hasTaken: \(/, after: /^(199|298|300)$/ },
    { operators: ['boundary'], before: /^<=$/, line: /hasTaken: \(/ },
    { operators: branch, line: /hasTaken: \(/, after: /^\(status <= 299\)$/ }
  ]),
  ...places('transport', 'that what was turned away is sent again is not said', [
    { operators: ['one-plan-only', ...guard], line: /hasTaken\(statusCode\)/ }
  ]),
  ...places('transport', 'folders of the machine that the platform runs on', [
    { operators: ['swap-arguments'], line: /refusalOf\(to, outlets\)/ }
  ]),
  ...places('delivery', 'how often a batch is sent, once it is, is not said', [
    { operators: ['swap-arguments'], line: /lanes\.set\(id, lane\)/ }
  ]),
  ...places('spool', 'how much there is in one batch is not said', [
    { operators: ['number'], line: /Math\.max\(0, fitting|const nothing: Amount/ }
  ])
]
