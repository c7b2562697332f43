import { text } from '../bytes.ts'
import { regex, regexFault } from '../regex.ts'
import type { Literal } from '../syntax.ts'
import { wildcard, wildcardFault } from '../wildcard.ts'
import { flagsLiteral, type Parameter, type RuleFunction, string, stringField } from './function.ts'

const referenceLimit = 8

const pattern: Parameter = {
  types: ['Bytes'],
  written: 'always',
  fault: ({ value }) => {
    const fault = regexFault(text(value as string))
    return fault && `is no regular expression: ${fault}`
  }
}

const wildcardPattern: Parameter = {
  types: ['Bytes'],
  written: 'always',
  fault: ({ value }) => {
    const fault = wildcardFault(value as string)
    return fault && `is no wildcard: ${fault}`
  }
}

/** A text with `${1}` for what the first group matched, and so on, and `$$` for a dollar sign. */
const replacement: Parameter = {
  types: ['Bytes'],
  written: 'always',
  fault: ({ value }) =>
    ((value as string).match(/\$(?:\$|\{\d+\})/g) ?? []).filter((part) => part !== '$$').length >
    referenceLimit
      ? `may refer to groups ${referenceLimit} times only`
      : undefined
}

/** `regex_replace(source, pattern, replacement)`: a string with the first match replaced. */
export const regexReplace: RuleFunction = {
  parameters: [string, pattern, replacement],
  returns: 'Bytes',
  prepare: ([, written, template]) => {
    const { exec } = regex(text(writtenIn(written)))
    return (source: string) => {
      const match = exec(source)
      return match ? match.before + filled(writtenIn(template), match.groups) + match.after : source
    }
  }
}

/**
 * `wildcard_replace(source, pattern, replacement, flags?)`: the replacement when the whole string
 * matches, with what the stars matched; else the string. The flag `s` makes case matter.
 */
export const wildcardReplace: RuleFunction = {
  parameters: [stringField, wildcardPattern, replacement, flagsLiteral('s')],
  optional: 1,
  returns: 'Bytes',
  prepare: ([, written, template, flags]) => {
    const caseOf = flags && writtenIn(flags) === 's' ? 'strict' : 'ignored'
    const { stars } = wildcard(writtenIn(written), caseOf)
    return (source: string) => {
      const found = stars(source)
      return found ? filled(writtenIn(template), [source, ...found]) : source
    }
  }
}

function writtenIn(literal: Literal | undefined): string {
  return literal!.value as string
}

/** A replacement with its references filled in; a group that is not there is empty. */
function filled(template: string, groups: readonly (string | undefined)[]): string {
  return template.replace(/\$(?:\$|\{(\d+)\})/g, (_, group: string | undefined) =>
    group === undefined ? '$' : (groups[Number(group)] ?? '')
  )
}
