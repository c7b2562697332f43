import type { Equivalence } from './equivalent.ts'
import { branch, guard, places, property } from './places.ts'

const logpush = 'src/platform/logpush/'

/** Faults in the jobs, filters and records of log push where the document is silent, and why. */
export const silentJobs: readonly Equivalence[] = [
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
  ...places('filter', 'operators and kinds of fields that are not shown', [
    {
      operators: property,
      before: /^,? ?(flag|list|moment|opaque): /,
      line: /: (text|\[)|integer: /
    },
    { operators: ['swap-constants'], line: /'(eq|key)', '/ },
    { operators: ['first-only'], line: /integer: \[/ },
    { line: /flag: \{ pattern|isSafeInteger|isArray\(value\)\) return \[\]/ },
    { operators: branch, after: /^\(\[value\]\)$/ },
    {
      operators: ['drop-guard', 'number'],
      line: /allowed\.length === 0/,
      after: /^(;|\(-1\)|1)$/
    }
  ]),
  ...places('filter', 'the words of a refusal', [
    { operators: property, before: /^, words/ },
    { line: /place\}\.value must be/ },
    { operators: ['number', 'swap-arguments'], line: /has no place for/ }
  ]),
  ...places('filter', 'that a filter is refused for more than it must have is not said', [
    { operators: guard, before: /^checkMembers|^if \(strange/ },
    { operators: ['first-only'], line: /names\.includes/ },
    {
      operators: branch,
      after: /^\(!(isObject\(whole\)|Array\.isArray\(list\)|values\.every.*)\)$/
    },
    { operators: ['number'], line: /(list|values)\.length === 0/, after: /-1/ },
    { operators: ['first-only'], line: /values\.every/ },
    { operators: branch, after: /^\(typeof value === '(string'|object' && value !== null)\)$/ }
  ]),
  ...places('selection', 'operators that are not shown, and quicker ways to the same', [
    { line: /startsWith|endsWith|\b(lt|leq|gt|geq): / },
    { operators: guard, line: /rate >= 1/ },
    { operators: ['boundary', 'number'], line: /rate >= 1/, after: /^(>|2)$/ },
    { operators: branch, after: /^\((plain|text)\)$/ },
    {
      operators: ['negate'],
      before: /^text === 'true'$|^===$/,
      line: /'flag' \?/,
      after: /text|^!==$/
    },
    { operators: ['number'], line: /depth \+ 1|holds\(filter, 0\)/ },
    { line: /const key = / },
    { operators: ['boundary'], line: /parseInt/ }
  ]),
  ...places('matching', 'what is remembered, switched off, or of any size changes nothing', [
    { line: /const anySize/ },
    { operators: branch, after: /^\(takers/ },
    { line: /known\(\)\.set/ },
    { operators: ['number'], line: /sample_rate \?\? 1/, after: /^2$/ }
  ]),
  ...places('job-operations', 'other log-push operations (list, read, update, delete): not shown', [
    { line: /\bfound\(|before|writeJob|reading|deleteJob\(call|result: \{ id/ },
    {
      line: /job === undefined|const job = |method: '[GD]E|'PUT'|path: one|zone\.id\) \}/
    },
    { operators: property, before: /^'logpush\.job\.(list|get|update|delete)'/ },
    { operators: ['stale'], before: /^readJob/ }
  ]),
  ...places(
    'job-operations',
    'which destinations are refused at once, and how many jobs there may be',
    [
      {
        operators: guard,
        line: /if \(refusal\)|limits\.jobs|checkDestination|destination_conf === /
      },
      { operators: ['boundary', 'one-plan-only', 'stale'], line: /limits\.jobs/ },
      { operators: ['negate'], line: /destination_conf === undefined/ },
      { operators: property, before: /^, files/ }
    ]
  ),
  ...places('job-operations', 'which events there were before a job is not said', [
    { line: /isFirst/ }
  ]),
  ...places('job', 'members that the document does not show, and the change of a job', [
    { operators: ['number'], line: /maxLength|minValue|gtValue/ },
    { operators: property, before: /^,?\s*(name|max_upload_\w+|\.\.\.before|\.\.\.progress)\b/ },
    { operators: ['stale'], line: /max_upload/ },
    { operators: guard, line: /before && before/ },
    { operators: branch, after: /^\(before\)$/ },
    { operators: ['negate'], before: /^!==$/, line: /before && before/ },
    { line: /'UPDATE logpush_job SET record/ },
    { operators: ['query'], line: /ORDER BY id|zone = \? AND id/ },
    { operators: ['skip-write'], line: /DELETE FROM/ },
    { operators: branch, line: /row && jobIn/, before: /^row && /, after: /^\(jobIn/ }
  ]),
  ...places('job', 'names of fields that no dataset has: which there are is not shown', [
    { operators: ['drop-guard'], line: /typeOf\(dataset, name\) ===|names\.indexOf/ },
    { operators: ['first-only'], line: /names\.entries/ },
    { operators: branch, after: /^\(\[\]\)$/ },
    {
      line: /throw invalid\(`\$\{place\}/,
      operators: ['swap-arguments'],
      before: /^name, dataset$/
    }
  ]),
  ...places('job', 'a mark of which any will do that is another one each time', [
    { operators: ['number'], line: /changes\.set/, after: /^([12]|\(-1\))$/ },
    { operators: ['number'], line: /newId/, after: /^(1|11|13|24)$/ },
    { operators: branch, after: /^\(changes\.get\(store\)\)$/ },
    { operators: ['always'], line: /last\.change/ }
  ]),
  ...places('output', 'the document shows rfc3339, "true", and no other value', [
    { line: /^ +(unix:|rfc3339(ms|ns):)/ },
    { operators: ['swap-constants'], line: /const formats|'true', 'false'|'unixnano'\]/ },
    { operators: ['first-only'], before: /^\['true'/ },
    { operators: ['number'], line: /minLength\(1/, after: /^0$/ },
    { operators: ['number'], line: /gtValue/, after: /^(2|\(-1\))$/ },
    { operators: branch, after: /^\((rules\.disarm\(line\)|fields\[name\]|typeOf.*'moment')\)$/ }
  ]),
  ...places('record', 'which datasets there are beside the one that is shown', [
    { operators: ['swap-constants', 'first-only'] }
  ]),
  ...places('sealed', 'a type, a size and headers that no clause names, and who is told when', [
    { operators: property, before: /^(type|, ?bytes)/ },
    {
      line: /const named|announced = N|type = |isArray\(headers|index % 2|at < 0|headers === n/
    },
    { operators: ['skip-write'], line: /response\.(writeHead|write|end) = / },
    { operators: branch, line: /typeof encoding/ },
    { operators: branch, after: /^\((Buffer\.from.*|chunk != null|\[Buffer\.concat.*)\)$/ },
    { operators: ['first-only', 'drop-filter'], line: /isCallback/ },
    {
      operators: ['drop-guard', 'boundary', 'negate'],
      line: /bytes < announced/,
      after: /^(;|<=)$/
    },
    { operators: ['negate'], line: /typeof encoding/ },
    { operators: ['number'], line: /let bytes|rest\[0\]/ },
    { operators: ['boundary'], line: /held\.length/ }
  ]),
  ...places('job-operations', 'what the creation of a job is answered with is left open', [
    { operators: property, before: /^result: readJob/ }
  ]),
  ...places('job-operations', 'other log-push operations (list, read, update, delete): not shown', [
    { operators: property, before: /^,\s*run\(call\) \{\s*const (before|\{ id \}) =/ },
    { operators: property, before: /^,\s*'logpush\.job\.delete'/ }
  ]),
  ...places('rules', 'the document shows no operation that tells the fields of a dataset', [
    { operators: property, before: /^, \.\.\.datasetOperations/ }
  ]),
  ...places(
    'dataset',
    'which datasets there are beside the one that is shown, and ids of requests',
    [
      {
        operators: property,
        before: /^(firewall_events:|page_shield_events:|,\s*(workers_trace_events:|RayID:))/
      }
    ]
  ),
  ...places('filter', 'kinds of fields that no filter can ask about, or that no dataset has', [
    { operators: property, before: /^,\s*(opaque: \[|flag: \{)/ }
  ]),
  ...places('filter', 'a key that is no string is that of no field', [
    { operators: guard, line: /typeof key !== 'string'/ }
  ])
]
