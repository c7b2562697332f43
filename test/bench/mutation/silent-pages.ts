import type { Equivalence } from './equivalent.ts'

/** What the document of page protection says nothing of, place by place. */
const own = 'src/platform/page-protection/'

const limits =
  'how much is taken of policies, reports and contents is not said: the limits are the platform’s'
const placed =
  'what the control listener takes, and what it fills in: what an adapter leaves out is the ' +
  'target’s choice'

/** Faults in page protection where the document is silent, and why it is. */
export const silentPages: readonly Equivalence[] = [
  {
    file: `${own}limits.ts`,
    operators: ['number', 'swap-constants'],
    // Three detections of a kind would be few.
    before: /^(?!3,)/,
    because: limits
  },
  {
    file: `${own}limits.ts`,
    operators: ['drop-property'],
    before: /^(largestPerPage|policyValueCharacters|policies|reportBytes|reportsUntilActive)\b/,
    because: limits
  },
  { file: `${own}control.ts`, because: placed },
  {
    file: `${own}part.ts`,
    line: /control: pageProtectionControl/,
    because: placed
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['negate', 'number'],
    line: /store\.run\(sql, \.\.\.columns\) === 1/,
    because: placed
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['skip-write', 'swap-arguments'],
    line: /store\.run\(sql, JSON\.stringify\(record\)/,
    because: 'when content is looked at is not said: the next report of a script has it, too'
  },
  {
    file: `${own}detection-table.ts`,
    // What is rewritten as it was once loses what was seen of it since.
    operators: ['first-only'],
    line: /\.\.\.place \}/,
    because: 'when content is looked at is not said: the next report of a script has it, too'
  },
  {
    file: `${own}part.ts`,
    before: /ownTables|breaks:|^!==$/,
    after: /^(?!true)/,
    because: 'what the first zones have, whether a new one is on, and how we are broken on purpose'
  },
  {
    file: `${own}part.ts`,
    operators: ['one-plan-only'],
    line: /seededAs/,
    because: 'which of the first zones have something in them is promised nowhere'
  },
  {
    file: `${own}detection.ts`,
    before: /^((url|hash|\.\.\.resource),\s*|'page_urls', 'versions')$/,
    because: placed
  },
  {
    file: `${own}detection.ts`,
    operators: ['drop-property', 'first-only', 'swap-arguments', 'number', 'swap-constants'],
    line: /: (hex|hash|url|time|text|texts|whole|yesOrNo|v\..*|script|resource|cookie)\b|v\.|seen,/,
    because: placed
  },
  {
    file: `${own}detection-defaults.ts`,
    operators: ['number', 'swap-constants', 'swap-arguments', 'drop-branch', 'negate'],
    line: /^(?!.*(categories\?|: address\())/,
    because: placed
  },
  {
    file: `${own}detection-defaults.ts`,
    operators: ['drop-property'],
    before: /^(?![\s\S]*(\.\.\.|script|connection|cookie))/,
    because: placed
  },
  {
    file: `${own}detection-operations.ts`,
    line: /item !== ''|item\.trim|split\(',|return text/,
    operators: ['drop-filter', 'first-only'],
    because: 'that a parameter may be a list, or empty, is not said'
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['number', 'boundary', 'drop-branch', 'stale', 'query'],
    line: /total: number \| null|SELECT sum|2 \*\*|places/,
    because: `${limits}; that a parameter may be a list is not said`
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['drop-guard', 'negate'],
    line: /values\.length === 1/,
    because: 'the same rows are found by a comparison and by a list of one'
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['number'],
    before: /^1$/,
    line: /values\.length === 1\)/,
    because: 'the same rows are found by a comparison and by a list of one'
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['swap-arguments'],
    before: /^zone, kind$/,
    line: /total: number \| null/,
    because: limits
  },
  {
    file: `${own}detection-table.ts`,
    before: /^(, reports: row\.reports|(zone|kind) = \?)$/,
    line: /row &&|'(SELECT record, reports|UPDATE detection)/,
    because: 'how often something was met is not shown, and its id is made of zone, kind and name'
  },
  {
    file: `${own}detection-table.ts`,
    line: /IN \(\$/,
    because: 'that a parameter may be a list is not said'
  },
  {
    file: `${own}script.ts`,
    line: /limitBytes|chunks\.length|x-gzip|bytes = 0|status === 200/,
    operators: ['number', 'boundary', 'drop-guard', 'always', 'drop-property', 'skip-write'],
    before: /^(?!chunks\.push|, body|\.\.\.served|coding:|200)/,
    because: limits
  },
  {
    file: `${own}script.ts`,
    after: /^\((method === 'GET'|served\.status === 200|scriptTypes.*|coding === '')/,
    because: 'of which answers a content is kept ready beside those of scripts'
  },
  {
    file: `${own}script.ts`,
    operators: ['drop-branch'],
    before: /else chunks\.length/,
    because: 'what is too large is not looked at, be it forgotten now or then'
  },
  {
    file: `${own}settings.ts`,
    line: /v\.optional|use_(service|connection)/,
    operators: ['drop-property', 'swap-constants'],
    before: /^(?!,?\s*use_[\s\S]*(true|false))/,
    because:
      'which settings an update takes beyond enabled is not shown, nor what they are at first'
  },
  {
    file: `${own}settings.ts`,
    operators: ['number'],
    because: 'by how much more than a moment an update moves the time of the last'
  },
  {
    file: `${own}protection.ts`,
    line: /valuesOf\(headers, 'host'\)/,
    because: 'an edge at a port that is none of the scheme’s is one of ours'
  },
  {
    file: `${own}protection.ts`,
    after: /^\((url === undefined|!isScript\(served, request\))\)$/,
    because: 'of which answers a content is kept ready beside those of scripts'
  },
  {
    file: `${own}protection.ts`,
    operators: ['always'],
    line: /=== 'text\/html'/,
    because: 'a policy that only reports may go with any answer'
  },
  ...['protection.ts', 'rules.ts'].map((name) => ({
    file: own + name,
    operators: ['drop-property'],
    before: /^(rules: rules\.policy|policy: application), *\s/,
    because: 'policies are applied by these rules where no others are given'
  }))
]
