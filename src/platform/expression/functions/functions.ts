import { decodeBase64, urlDecode, uuidv4 } from './code.ts'
import type { RuleFunction } from './function.ts'
import { isTimedHmacValid } from './hmac.ts'
import { lookupJsonInteger, lookupJsonString } from './lookup.ts'
import { bitSlice, cidr, cidr6 } from './network.ts'
import { removeQueryArgs } from './query.ts'
import { regexReplace, wildcardReplace } from './replace.ts'
import {
  concat,
  endsWith,
  join,
  len,
  lower,
  removeBytes,
  split,
  startsWith,
  substring,
  toText,
  upper
} from './text.ts'

/** The functions of the language by name; `any` and `all` are part of its syntax instead. */
export const functions: ReadonlyMap<string, RuleFunction> = new Map([
  ['bit_slice', bitSlice],
  ['cidr', cidr],
  ['cidr6', cidr6],
  ['concat', concat],
  ['decode_base64', decodeBase64],
  ['ends_with', endsWith],
  ['is_timed_hmac_valid_v0', isTimedHmacValid],
  ['join', join],
  ['len', len],
  ['lookup_json_integer', lookupJsonInteger],
  ['lookup_json_string', lookupJsonString],
  ['lower', lower],
  ['regex_replace', regexReplace],
  ['remove_bytes', removeBytes],
  ['remove_query_args', removeQueryArgs],
  ['split', split],
  ['starts_with', startsWith],
  ['substring', substring],
  ['to_string', toText],
  ['upper', upper],
  ['url_decode', urlDecode],
  ['uuidv4', uuidv4],
  ['wildcard_replace', wildcardReplace]
])
