import type { Equivalence } from './equivalent.ts'

const folder = 'src/platform/expression/'
const refused = 'what comes of a text that is no expression is nowhere said'
const worded = 'only the words of a refusal, and the place they name, are made of it'
const lengths = 'how long or deep an expression may be is nowhere said'

/** The functions that every target has whose policies have an expression. */
const basics = ['concat', 'ends_with', 'len', 'lower', 'starts_with', 'to_string', 'upper']
/** What those take, and the flags of another. */
const kinds = ["'Bytes', 'A", "'Int', 'Bool'", 'stringField, (string\\b|flags)'].map(
  (kind) => `\\[${kind}`
)

/** Faults in the language of expressions, of which the document says only that it is one. */
export const ofExpressions: readonly Equivalence[] = [
  { file: `${folder}failure.ts`, because: worded },
  // What does nothing but refuse: a guard that reads a key, too, is none of these.
  { file: folder, operators: ['drop-guard'], before: /^refuse\w*\(/, because: refused },
  {
    file: folder,
    operators: ['drop-guard', 'skip-write'],
    before: /throw new (Unfit|Refusal)|return ['`](is |must|cannot|a back)|refuseLone/,
    because: refused
  },
  { file: folder, operators: ['drop-property'], before: /^,?\s*(start|end)\b/, because: worded },
  { file: folder, operators: ['number'], line: /\brefuse\(|expected|needs at/, because: worded },
  { file: folder, operators: ['drop-property'], before: /^written/, because: refused },
  { file: `${folder}parse.ts`, line: /\? 'Array<Bool>' : 'Bool'/, because: refused },
  { file: `${folder}call.ts`, line: /required === 1 \?/, because: worded },
  {
    file: `${folder}call.ts`,
    line: /const fault = isLiteral|return fault \?\?|while \(cursor\.at/,
    after: /^(\((undefined|fault|!isNext\(cursor, '\)'\))\)|<=)$/,
    because: refused
  },
  { file: `${folder}string.ts`, line: /bad ===/, because: refused },
  { file: `${folder}functions/network.ts`, operators: ['number'], line: /2_040/, because: lengths },
  ...['term.ts', 'source.ts'].map((name) => ({
    file: folder + name,
    operators: ['stale'],
    before: /^functions\.get\(name\)$/,
    because: 'which function a name is of never changes'
  })),
  {
    file: `${folder}functions/network.ts`,
    operators: ['number', 'swap-arguments'],
    line: /integerLiteral\(1, (32|128)\)/,
    because: 'from how many bits on, and up to how many, a call has a network is nowhere said'
  },
  {
    file: folder,
    operators: ['drop-guard', 'boundary'],
    line: /indexes\.length === 0|read\.at\(-3\) !==|isAscii\(raw\)|<= productLimit/,
    because: 'a quicker way to the same'
  },
  {
    file: `${folder}interval.ts`,
    operators: ['boundary'],
    line: /first > lasts/,
    because: 'stretches that meet may be kept apart: a number is in the first or in the other'
  },
  {
    file: `${folder}field.ts`,
    // Without these there is hardly anything that an expression could ask of a request.
    line: /^(?! *'http\.(host|user_agent|request\.(method|uri|uri\.(path|query))|cookie)')/,
    because: 'which properties of a request there are is nowhere said'
  },
  { file: `${folder}cursor.ts`, operators: ['number', 'boundary'], because: lengths },
  {
    file: `${folder}expression.ts`,
    operators: ['number', 'boundary', 'drop-guard', 'drop-property', 'swap-arguments'],
    line: /[lL]imit|tooLong|kept|span/,
    because: lengths
  },
  {
    file: `${folder}regex.ts`,
    operators: ['number', 'boundary', 'drop-guard', 'drop-property', 'swap-constants'],
    line: /\bmost\./,
    because: lengths
  },
  { file: `${folder}regex.ts`, line: /^const most = /, because: lengths },
  {
    file: `${folder}regex.ts`,
    operators: ['always', 'swap-constants'],
    line: /isOverCharacters = (true|false)$/,
    because: 'whether a pattern is over bytes or characters where no flag says so is nowhere said'
  },
  {
    file: `${folder}regex.ts`,
    operators: ['drop-guard'],
    line: /if \(!\(error instanceof RE2JSException/,
    because: 'no pattern makes the engine fail in another way than by saying what is wrong with it'
  },
  {
    file: `${folder}regex.ts`,
    operators: ['drop-guard'],
    line: /return .*\\\\v/,
    because: 'whether white space in a pattern takes in the vertical tab is nowhere said'
  },
  {
    file: `${folder}literal.ts`,
    operators: ['drop-property'],
    before: /^type: 'Ip'/,
    because: 'members of a set that are neither texts nor numbers are taken for addresses'
  },
  {
    file: `${folder}compile.ts`,
    operators: ['drop-branch'],
    before: /^case 'quantifier':\s+throw/,
    because: 'what has one value is never read where many are'
  },
  {
    file: `${folder}expression.ts`,
    operators: ['number'],
    line: /not a Unicode character/,
    because: worded
  },
  {
    file: `${folder}regex.ts`,
    operators: ['first-only'],
    line: /^const foreign/,
    because: refused
  },
  // Without a reason to refuse what is foreign there is none.
  { file: `${folder}regex.ts`, after: /^\(\[\]\)$/, line: /foreign\.find/, because: refused },
  {
    file: `${folder}needle.ts`,
    operators: ['number'],
    line: /productLimit/,
    because: 'both ways to search find the same, one of them faster'
  },
  {
    file: `${folder}comparison.ts`,
    operators: ['swap-constants'],
    line: /^const orderings|^ *Bytes: \[/,
    because: 'operators of which any will do, in whichever order'
  },
  {
    file: `${folder}parse.ts`,
    operators: ['swap-constants'],
    line: /takeOne\(/,
    because: 'words of which any will do, in whichever order'
  },
  ...['functions/text.ts', 'functions/lookup.ts'].map((name) => ({
    file: `${folder}${name}`,
    operators: ['swap-constants'],
    before: /^'[^']*', '[^']*'$/,
    because: 'types of which any will do, in whichever order'
  })),
  {
    file: `${folder}functions/`,
    operators: ['first-only'],
    // But the functions that every target has, and flags: who takes some calls of one takes all.
    before: new RegExp(`^(?!\\['(${basics.join('|')})'|${kinds.join('|')})`),
    line: /parameters: \[|^ *\['/,
    because: 'a function without its parameters is one that there is not: none is promised'
  },
  {
    file: `${folder}functions/query.ts`,
    operators: ['first-only'],
    line: /parameters: \[/,
    because: 'what follows the parameters is of the same type as the one that is gone'
  },
  {
    file: `${folder}bytes.ts`,
    line: /DC80|dc00|< '.x80'|^const sequence|^ {2}\[$/i,
    because: 'what a pattern over characters finds in bytes that are no text is nowhere said'
  },
  {
    file: `${folder}bytes.ts`,
    operators: ['drop-guard'],
    line: /encoded\.length === text|isUtf8\(raw\)|isAsciiOnly\(value\)/,
    because: 'a quicker way to the same'
  },
  {
    file: `${folder}functions/code.ts`,
    operators: ['number'],
    line: /raw\[[68]\]/,
    before: /^0x(80|3f|0f)$/,
    after: /^(129|62|14)$/,
    because: 'which UUID comes of which bytes is not said, but of what form it is'
  },
  {
    file: `${folder}functions/code.ts`,
    operators: ['number'],
    line: /next\.length > 1/,
    after: /^2$/,
    because: 'whether a character of two bytes is looked at as one or as two, it ends no escape'
  },
  {
    file: `${folder}bytes.ts`,
    operators: ['swap-constants', 'drop-guard'],
    line: /isWellFormed|\\\\x/,
    because: 'a quicker way to the same bytes; sequences of which only one can begin anywhere'
  },
  {
    file: `${folder}functions/replace.ts`,
    operators: ['boundary', 'number', 'drop-filter'],
    line: /referenceLimit|filter\(/,
    because: 'how often a replacement may refer to groups is nowhere said'
  },
  {
    file: `${folder}string.ts`,
    operators: ['boundary'],
    line: /end < 0/,
    because: 'a quote that ends a text is never its first character'
  },
  ...['comparison.ts', 'predicate.ts'].map((name) => ({
    file: `${folder}${name}`,
    line: /'listed'|ListName|list name|a-z0-9_|\blists\(/,
    because: 'no operation makes a list that an expression could name'
  })),
  {
    file: `${folder}functions/text.ts`,
    operators: ['swap-arguments'],
    line: /integerLiteral\(1, 128\)/,
    because: 'which functions there are, but for those that all have, is nowhere said'
  },
  {
    file: `${folder}functions/lookup.ts`,
    operators: ['number'],
    line: /asIntN\(64/,
    because: 'how large a number in a document may be is nowhere said'
  },
  {
    file: `${folder}call.ts`,
    operators: ['drop-guard'],
    line: /return 'Ip'/,
    because: 'how a literal is told by its looks is nowhere said'
  },
  {
    file: `${folder}address.ts`,
    operators: ['drop-branch'],
    line: /test\(octet\)/,
    because: refused
  }
]
