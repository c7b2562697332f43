import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in policies, place by place. */
const own = 'src/platform/page-protection/'

const limits =
  'how much is taken of policies, reports and contents is not said: the limits are the platform’s'
const order = 'in which order a list has its items, and a page its headers, is not said'
const values =
  'what becomes of a value that is no directive string, or of another specification than CSP, is ' +
  'not said, nor in which words it is refused'

/** Faults in CSP policies where the document is silent, and why it is. */
export const silentPolicies: readonly Equivalence[] = [
  { file: `${own}policy/policy.ts`, before: /^ORDER BY seq$/, because: order },
  {
    file: `${own}policy/policy.ts`,
    operators: ['swap-constants'],
    before: /^('log', 'allow'|'true', 'false'|'(INSERT|UPDATE)', '(UPDATE|DELETE)')$/,
    because: 'words of which any is meant, in whichever order'
  },
  {
    file: `${own}policy/policy.ts`,
    after: /^\(undefined\)$/,
    because: 'what becomes of an expression or a value of no sense is not said'
  },
  {
    file: `${own}policy/policy.ts`,
    line: /'DELETE FROM policy/,
    operators: ['negate', 'number'],
    because: 'nobody asks how many were deleted'
  },
  {
    file: `${own}policy/policy.ts`,
    operators: ['query'],
    before: /^zone = \?$/,
    line: /'DELETE FROM policy/,
    because: 'it was found in its zone before, and no two policies have one id'
  },
  {
    file: `${own}policy/policy.ts`,
    before: /^message: fault$/,
    because: 'in which words a value is refused is not said'
  },
  {
    file: `${own}policy/policy.ts`,
    operators: ['skip-write'],
    line: /addIssue/,
    because: 'what becomes of an expression or a value of no sense is not said'
  },
  {
    file: `${own}policy/policy-operations.ts`,
    operators: ['stale', 'first-only', 'negate', 'one-plan-only'],
    line: /const before = listPolicies|before\.filter|\(fault !== undefined\)/,
    after: /^(?!!\(fault)/,
    because: limits
  },
  {
    file: `${own}policy/policy-operations.ts`,
    operators: ['drop-property'],
    before: /^before, $/,
    because: limits
  },
  {
    file: `${own}policy/policy-operations.ts`,
    operators: ['drop-guard', 'drop-filter'],
    line: /checkRoom|fault !== undefined|before\.filter/,
    because: limits
  },
  {
    file: `${own}policy/policy-operations.ts`,
    before: /^(id|result: \{ id \}|id: newId\(\))$/,
    line: /result: \{ id \}/,
    because: 'what a deletion answers is not shown'
  },
  {
    file: `${own}policy/room.ts`,
    operators: ['drop-guard', 'boundary', 'drop-filter', 'first-only', 'number'],
    because: limits
  },
  {
    file: `${own}policy/room.ts`,
    after: /^\((after\.length > limits\.policies|bytes <= limits\.policyHeadBytes)\)$/,
    because: limits
  },
  {
    file: `${own}policy/apply.ts`,
    line: /mostKept|let size|kept\.keys|forget\(oldest/,
    because: 'how much of policies is kept ready is a matter of speed'
  },
  {
    file: `${own}policy/apply.ts`,
    operators: ['swap-arguments', 'drop-branch', 'drop-property'],
    before:
      /^(source, check|checks\.get\(source\) \?\? known\?\.checks\.get\(source\)|revision, )$/,
    because: 'what is not kept ready is prepared again, which is a matter of speed'
  },
  {
    file: `${own}policy/apply.ts`,
    operators: ['drop-guard', 'number'],
    line: /policies\.length === 0/,
    after: /^(;|\(-1\))$/,
    because: 'of no policies there are no headers, be that known sooner or later'
  },
  {
    file: `${own}policy/apply.ts`,
    after: /^\(compile\(parsed\.expression\)\)$/,
    because: 'an expression that does not parse is not kept'
  },
  {
    file: `${own}policy/apply.ts`,
    operators: ['number', 'boundary'],
    line: /let bytes|end < 0|bytes > mostBytes/,
    because: limits
  },
  {
    file: `${own}policy/apply.ts`,
    operators: ['one-plan-only'],
    because: 'a zone is named by its id there, which has no plan: the condition stays as it was'
  },
  {
    file: `${own}policy/apply.ts`,
    operators: ['skip-write', 'stale'],
    line: /kept\.(set|delete|get\(zone)|keep\(zone|checks\.(get|set)/,
    because: 'what is not kept ready is prepared again, which is a matter of speed'
  },
  {
    file: `${own}policy/apply.ts`,
    after: /^(\(prepare(d\(source|\(zone)[\s\S]*|\(headers\)|)$/,
    before: /^(known\?|checks\.get|end < 0|, known|if \(policies\.length)/,
    because: 'what is not kept ready is prepared again; how many bytes of headers there may be'
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['swap-constants', 'stale'],
    because: 'words of which any is meant, and what is looked up in lists that stay as they are'
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['drop-guard', 'drop-property'],
    line: /^(?!.*(other === undefined|name === undefined|some\(isNone|word: (fetch|sandbox)))/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['boundary'],
    line: /limitCharacters|wrong !== undefined|isNone &&|word\.length/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['number'],
    line: /most|least|words\.length > 1/,
    after: /^(2|\(-1\)|1)$/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['number'],
    line: /sources\.length > 1/,
    after: /^2$/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['number'],
    line: /isNone && words/,
    because: 'what directives beyond those of CSP may say, such as those of Trusted Types'
  },
  {
    file: `${own}policy/directive.ts`,
    line: /mixed|report-to|webrtc|trusted|-activation'|report-sha|return word\.length/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    after: /^\(undefined\)$/,
    line: /isNone|seen|wrong/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['first-only'],
    line: /of directives|some\(\(word|some\(isNone|upgrade-insecure|'sandbox', \{/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    after: /^\((nameFault|valueFault|'no'|'one'|wrong !== undefined|isNone)[\s\S]*$/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['negate'],
    line: /if \(fault !== undefined\) return fault/,
    because: values
  }
]
