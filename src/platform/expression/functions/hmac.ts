import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  flagsLiteral,
  integer,
  integerLiteral,
  plain,
  type RuleFunction,
  string,
  stringLiteral
} from './function.ts'

/**
 * `is_timed_hmac_valid_v0(key, token, secondsToLive, now, separatorLength?, flags?)`: whether a
 * token made of a message, a separator, a time, a dash and the HMAC-SHA256 of message and time is
 * genuine and not too old. The HMAC is Base64 with URL escapes or, with the flag `s`, for URLs.
 */
export const isTimedHmacValid: RuleFunction = {
  parameters: [
    stringLiteral,
    string,
    integerLiteral(0, Number.MAX_SAFE_INTEGER),
    integer,
    integerLiteral(0, Number.MAX_SAFE_INTEGER),
    flagsLiteral('s')
  ],
  optional: 2,
  returns: 'Bool',
  prepare: plain(isValid)
}

function isValid(
  key: string,
  token: string,
  secondsToLive: number,
  now: number | bigint,
  separatorLength = 0,
  flags = ''
): boolean {
  const parts = /^(?<head>.*)(?<time>\d{10})-(?<mac>.{43,})$/s.exec(token)?.groups
  if (!parts) return false
  const { head, time, mac } = parts as Record<'head' | 'time' | 'mac', string>
  const message = head.slice(0, Math.max(0, head.length - separatorLength))
  if (message === '' || Number(now) > Number(time) + secondsToLive) return false
  const hmac = createHmac('sha256', Buffer.from(key, 'latin1'))
  hmac.update(Buffer.from(message + time, 'latin1'))
  const genuine = Buffer.from(hmac.digest(flags === 's' ? 'base64url' : 'base64'))
  const claimed = Buffer.from(flags === 's' ? mac : unescaped(mac), 'latin1')
  return claimed.length === genuine.length && timingSafeEqual(claimed, genuine)
}

function unescaped(mac: string): string {
  return mac.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16))
  )
}
