import { expect, test } from 'vitest'
import {
  type Failure,
  message,
  parseExpression
} from '../../../src/platform/expression/expression.ts'
import { scheme } from './arbitrary-value.ts'

function failureOf(source: string): Failure {
  const parsed = parseExpression(source, { scheme })
  if (parsed.ok) throw new Error(`accepted: ${source}`)
  return parsed.failure
}

test.each<[source: string, line: number, column: number, length: number, reason: string | RegExp]>([
  // What the expression begins with.
  ['', 1, 1, 0, 'expected identifier character'],
  ['   ', 1, 1, 0, 'expected identifier character'],
  ['xyz', 1, 1, 3, 'unknown identifier'],
  ['xyz\n', 1, 1, 3, 'unknown identifier'],
  ['\n\n    xyz', 3, 5, 3, 'unknown identifier'],
  ['text..x', 1, 6, 2, 'expected identifier character'],
  ['constructor', 1, 1, 11, 'unknown identifier'],
  ['__proto__ eq 1', 1, 1, 9, 'unknown identifier'],
  ['toString(text) eq "a"', 1, 1, 8, 'unknown identifier'],
  ['anything', 1, 1, 8, 'unknown identifier'],
  ['trueish', 1, 1, 7, 'unknown identifier'],
  ['\tflag\tand flag', 1, 6, 9, 'unrecognised input'],

  // What is asked of a value.
  ['flag == true', 1, 5, 8, 'unrecognised input'],
  ['flag in {0}', 1, 5, 7, 'unrecognised input'],
  ['text', 1, 5, 0, 'expected a comparison operator'],
  ['text like "a"', 1, 6, 8, 'expected a comparison operator'],
  ['text & 1', 1, 6, 1, 'operator & does not apply to type Bytes'],
  ['count contains "1"', 1, 7, 8, 'operator contains does not apply to type Int'],
  ['address matches "1"', 1, 9, 7, 'operator matches does not apply to type Ip'],
  ['texts eq "a"', 1, 7, 2, 'operator eq does not apply to type Array<Bytes>'],
  ['headers in {"a"}', 1, 9, 2, 'operator in does not apply to type Map<Array<Bytes>>'],
  ['text strict  wildcard "a"', 1, 6, 20, 'expected a comparison operator'],

  // Numbers.
  ['count == 10 or\ncount == true or\ncount == 20', 2, 10, 7, 'expected digit'],
  ['count eq "test"', 1, 10, 6, 'expected digit'],
  ['count eq 127.0.0.1', 1, 13, 6, 'unrecognised input'],
  ['count eq 08', 1, 10, 2, 'invalid digit in a number of radix 8'],
  ['count eq 10fex', 1, 10, 4, 'invalid digit in a number of radix 10'],
  ['count eq 0x', 1, 12, 0, 'expected digit'],
  ['count eq 9223372036854775808', 1, 10, 19, 'number does not fit in 64 bits'],
  ['count eq -9223372036854775809', 1, 10, 20, 'number does not fit in 64 bits'],
  ['count in {', 1, 11, 0, 'expected digit'],
  ['count in {10..0}', 1, 11, 5, 'the range ends before it begins'],
  ['count in {127.0.0.1}', 1, 14, 7, 'expected digit'],
  ['count in {1,2}', 1, 12, 3, 'expected digit'],
  ['count in 1', 1, 10, 1, 'expected literal "{"'],
  ['count in $', 1, 11, 0, 'invalid list name'],
  ['count in $.a', 1, 11, 2, 'invalid list name'],
  ['count in $a.', 1, 11, 2, 'invalid list name'],
  ['count in $A', 1, 11, 1, 'invalid list name'],

  // Strings.
  ['text eq example.com', 1, 9, 2, 'expected a string, or bytes in hexadecimal'],
  ['text eq 0', 1, 9, 1, 'expected a string, or bytes in hexadecimal'],
  ['text eq', 1, 8, 0, 'unrecognised input'],
  ['text eq 256', 1, 11, 1, 'expected :, - or . and another byte'],
  ['text eq 01:4x', 1, 12, 2, 'expected a byte as two hexadecimal digits'],
  ['text eq 12:3😢', 1, 12, 2, 'expected a byte as two hexadecimal digits'],
  ['text eq "1', 1, 10, 1, 'could not find an ending quote'],
  ['text eq "abcd\\', 1, 10, 5, 'could not find an ending quote'],
  ['text eq "a\\n"', 1, 12, 1, 'expected ", \\, xHH or three octal digits after \\'],
  ['text eq "\\x3😢"', 1, 11, 3, 'expected ", \\, xHH or three octal digits after \\'],
  ['text eq "\\400"', 1, 11, 3, 'expected ", \\, xHH or three octal digits after \\'],
  ['text eq r#"abc"', 1, 10, 6, 'could not find an ending quote'],
  ['text eq r##abc', 1, 12, 3, 'expected " or #'],
  [`text eq r${'#'.repeat(256)}"a"`, 1, 10, 256, 'a raw string may be opened with at most 255 #'],
  ['text in {', 1, 10, 0, 'unrecognised input'],
  ['text in {"a"', 1, 13, 0, 'unrecognised input'],
  ['text in {0}', 1, 10, 2, 'expected a string, or bytes in hexadecimal'],
  ['text contains 1', 1, 15, 1, 'expected a string, or bytes in hexadecimal'],

  // Patterns.
  ['text matches 61:62', 1, 14, 5, 'expected a quoted or raw string'],
  ['text matches "a(b"', 1, 14, 5, /^invalid regular expression: missing closing \)/],
  ['text matches "[a"', 1, 15, 3, 'could not find an ending quote'],
  ['text ~ r"a{1,99999}"', 1, 8, 13, /^invalid regular expression: invalid repeat count/],
  ['text wildcard 61:62', 1, 15, 5, 'expected a quoted or raw string'],
  ['text wildcard "a**"', 1, 15, 5, 'invalid wildcard: two stars in a row'],
  ['text wildcard r"\\a"', 1, 15, 5, 'invalid wildcard: a backslash escapes neither * nor \\'],

  // Addresses.
  ['address eq 1.2.3.0/24', 1, 12, 10, 'invalid IP address'],
  ['address eq "1.2.3.4"', 1, 12, 9, 'expected an IP address'],
  ['address in {666}', 1, 13, 3, 'invalid IP address'],
  ['address in {10.0.0.0/33}', 1, 22, 2, 'expected a network length of at most 32'],
  ['address in {::/129}', 1, 16, 3, 'expected a network length of at most 128'],
  ['address in {10.0.0.0/}', 1, 22, 0, 'expected a network length of at most 32'],
  ['address in {10.0.0.1/8}', 1, 13, 8, 'the address has bits set outside its network'],
  ['address in {10.0.0.2..10.0.0.1}', 1, 13, 18, 'the range ends before it begins'],
  ['address in {10.0.0.1..::1}', 1, 13, 13, 'the range mixes families'],
  ['address in {10.0.0.1..10.0.0}', 1, 23, 6, 'invalid IP address'],

  // Indexes.
  ['text[0] eq "a"', 1, 5, 3, 'cannot be used on type Bytes'],
  ['texts["a"] eq "a"', 1, 6, 5, 'cannot be used on type Array<Bytes>'],
  ['headers[0][0] eq "a"', 1, 8, 3, 'cannot be used on type Map<Array<Bytes>>'],
  ['texts[-1] eq "a"', 1, 7, 2, 'expected a position from 0 to 4294967295'],
  ['texts[4294967296] eq "a"', 1, 7, 10, 'expected a position from 0 to 4294967295'],
  ['texts[a] eq "a"', 1, 7, 9, 'expected a quoted key, a position or *'],
  ['headers["\\xff"][0] eq "a"', 1, 9, 6, 'expected a key in UTF-8'],
  ['texts[0 eq "a"', 1, 9, 6, 'expected literal "]"'],

  // Combinations.
  ['flag and', 1, 9, 0, 'expected identifier character'],
  ['flag flag', 1, 5, 5, 'unrecognised input'],
  ['(flag', 1, 6, 0, 'expected literal ")"'],
  ['flag)', 1, 5, 1, 'unrecognised input'],
  ['()', 1, 2, 1, 'expected identifier character'],
  ['not', 1, 4, 0, 'expected identifier character'],
  ['flag AND flag', 1, 5, 9, 'unrecognised input'],
  ['flags', 1, 1, 5, 'must be Bool, not Array<Bool>'],
  ['flags and flags', 1, 1, 15, 'must be Bool, not Array<Bool>'],
  ['flag and flags', 1, 10, 5, 'must be Bool, not Array<Bool>'],
  ['flags or flag', 1, 10, 4, 'must be Array<Bool>, not Bool'],
  ['texts[*] eq "a"', 1, 1, 15, 'must be Bool, not Array<Bool>'],
  ['any(flag)', 1, 5, 4, 'must be Array<Bool>, not Bool'],
  ['any(texts[*] eq "a" or texts[*] eq "b")', 1, 21, 19, 'expected literal ")"'],
  ['any texts', 1, 1, 3, 'unknown identifier'],

  // Calls.
  ['len', 1, 4, 0, 'expected literal "("'],
  ['len() eq 1', 1, 5, 6, 'len needs at least 1 argument'],
  ['len(text, text) eq 1', 1, 11, 4, 'argument 2 of len is one too many'],
  ['len(text text) eq 1', 1, 10, 10, 'expected literal ","'],
  ['len(text,) eq 1', 1, 10, 6, 'expected identifier character'],
  ['len(count) eq 1', 1, 5, 5, 'argument 1 of len must be Bytes or Array<_>, not Int'],
  ['concat(0, 0) eq "0"', 1, 8, 1, 'argument 1 of concat must be Bytes or Array<_>, not Int'],
  ['concat(text, texts) eq "0"', 1, 14, 5, 'argument 2 of concat must be of the type of the first'],
  ['ends_with("a", text)', 1, 11, 3, 'argument 1 of ends_with must not be a literal'],
  ['split(text, text, 1)[0] eq "a"', 1, 13, 4, 'argument 2 of split must be a literal'],
  ['split(text, "", 1)[0] eq "a"', 1, 13, 2, 'argument 2 of split must not be empty'],
  ['split(text, ",", 0)[0] eq "a"', 1, 18, 1, 'argument 3 of split must be from 1 to 128'],
  [
    'ends_with(text, texts[*])',
    1,
    17,
    8,
    'argument 2 of ends_with cannot be mapped, only the first one can'
  ],
  ['regex_replace(text, "(", "") eq ""', 1, 21, 3, /is no regular expression: missing closing \)/],
  ['wildcard_replace(text, "**", "") eq ""', 1, 24, 4, /is no wildcard: two stars in a row/],
  [
    'url_decode(text, "x") eq ""',
    1,
    18,
    3,
    'argument 2 of url_decode may have the letters ru only'
  ],
  ['len(xyz) eq 1', 1, 5, 3, 'unknown identifier'],
  ['flag and\n  len(text,\n  "a") eq 1', 3, 3, 3, 'argument 2 of len is one too many'],

  // Characters are counted, not bytes and not UTF-16.
  ['text eq "😢é" x', 1, 13, 2, 'unrecognised input'],
  ['text eq "\ud800"', 1, 10, 1, 'not a Unicode character']
])('%j fails at %i:%i over %i', (source, line, column, length, reason) => {
  const failure = failureOf(source)
  expect(failure).toMatchObject({ line, column, length })
  expect(failure.text).toBe(source.split('\n')[line - 1])
  expect(failure.reason).toEqual(reason instanceof RegExp ? expect.stringMatching(reason) : reason)
})

test('a failure is told with its place, its line, carets and its reason', () => {
  const source = 'count == 10 or\ncount == true or\ncount == 20'
  expect(message(failureOf(source))).toBe(
    'Filter parsing error (2:10):\ncount == true or\n         ^^^^^^^ expected digit\n'
  )
})

test('something missing is shown by one caret where it should be', () => {
  expect(message(failureOf('text in {'))).toBe(
    'Filter parsing error (1:10):\ntext in {\n         ^ unrecognised input\n'
  )
})

test('a span over several lines is shown on its first', () => {
  expect(message(failureOf('flag ==\ntrue'))).toBe(
    'Filter parsing error (1:5):\nflag ==\n    ^^^ unrecognised input\n'
  )
})
