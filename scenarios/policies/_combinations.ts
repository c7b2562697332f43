import type { Said } from './_selected.ts'
import type { Visit } from './_visits.ts'

const a = 'http.request.method eq "GET"'
const b = 'http.request.uri.path eq "/a"'
const c = 'http.user_agent eq "abc"'
const truth = ({ method, path, agent }: Visit) =>
  [method === 'GET', path === '/a', agent === 'abc'] as const

/** What an expression of three comparisons says, by what these say. */
const of =
  (says: (a: boolean, b: boolean, c: boolean) => boolean) =>
  (visit: Visit): boolean =>
    says(...truth(visit))

/** Comparisons joined: all of them, any, one of two, and what binds stronger where nothing says. */
export const joining: readonly Said[] = [
  ['true', () => true],
  ['false', () => false],
  ['not false', () => true],
  [`${a} and ${c}`, of((a, _, c) => a && c)],
  [`${b} and ${c} and ${a}`, of((a, b, c) => a && b && c)],
  [`${a} && ${c}`, of((a, _, c) => a && c)],
  [`${b} or ${c}`, of((_, b, c) => b || c)],
  [`${b} || ${c} || ${a}`, of((a, b, c) => a || b || c)],
  [`false or ${b} or ${c}`, of((_, b, c) => b || c)],
  [`false or false or ${c}`, of((_, __, c) => c)],
  [`true and true and ${b}`, of((_, b) => b)],
  [`${b} xor ${c}`, of((_, b, c) => b !== c)],
  [`${a} ^^ ${b} ^^ ${c}`, of((a, b, c) => (a !== b) !== c)],
  [`${a} or ${b} and ${c}`, of((a, b, c) => a || (b && c))],
  [`${b} and ${c} or ${a}`, of((a, b, c) => (b && c) || a)],
  [`${c} xor ${a} and ${b}`, of((a, b, c) => c !== (a && b))],
  [`${a} or ${b} xor ${c}`, of((a, b, c) => a || b !== c)],
  [`(${a} or ${b}) and ${c}`, of((a, b, c) => (a || b) && c)],
  [`( ${a} xor ${b} )\nand ${c}`, of((a, b, c) => a !== b && c)],
  [`not ${b}`, of((_, b) => !b)],
  [`! ${c}`, of((_, __, c) => !c)],
  [`not ${b} or ${c}`, of((_, b, c) => !b || c)],
  [`not (${b} or ${c})`, of((_, b, c) => !(b || c))],
  [`not not ${b}`, of((_, b) => b)],
  [`!(!(${a}) and ${b})`, of((a, b) => a || !b)],
  [`${a} and not ${b} and not ${c}`, of((a, b, c) => a && !b && !c)],
  [`${'('.repeat(20)}${b}${')'.repeat(20)}`, of((_, b) => b)],
  [`  ${b}  and\r\n  true  `, of((_, b) => b)],
  ['ssl or not ssl', () => true]
]

/** Addresses, where the client comes from 127.0.0.1. */
export const addresses: readonly Said[] = [
  ['ip.src eq 127.0.0.1', () => true],
  ['ip.src ne 127.0.0.1', () => false],
  ['ip.src eq 127.0.0.2', () => false],
  ['ip.src ne 10.0.0.1', () => true],
  ['ip.src eq ::1', () => false],
  ['ip.src ne ::1', () => true],
  ['ip.src lt 127.0.0.2', () => true],
  ['ip.src gt 127.0.0.1', () => false],
  ['ip.src ge 127.0.0.1', () => true],
  ['ip.src le 126.255.255.255', () => false],
  ['ip.src in {127.0.0.1}', () => true],
  ['ip.src in {10.0.0.0/8 127.0.0.0/8}', () => true],
  ['ip.src in {127.0.0.0/31 10.0.0.1}', () => true],
  ['ip.src in {127.0.0.2/31 126.0.0.0/8 128.0.0.0/1}', () => false],
  ['ip.src in {0.0.0.0/0}', () => true],
  ['ip.src in {127.0.0.1/32}', () => true],
  ['ip.src in {127.0.0.0..127.0.0.1}', () => true],
  ['ip.src in {127.0.0.1..127.0.0.1}', () => true],
  ['ip.src in {127.0.0.2..127.0.0.255 126.0.0.0..127.0.0.0}', () => false],
  ['ip.src in {1.2.3.4 127.0.0.1 200.0.0.0/8}', () => true],
  ['ip.src in {1.2.3.4 1.2.3.5 1.2.3.6 1.2.3.7 127.0.0.1}', () => true],
  ['ip.src in {::1 2001:db8::/32 ::ffff:127.0.0.1 fe80::1..fe80::ff}', () => false],
  ['ip.src in {1:2:3:4:5:6:7:8 2001:db8:0:0:1::/80 ::/0}', () => false],
  ['ip.src in {1.0.0.0/8 126.0.0.0..128.0.0.0 127.0.0.0/32}', () => true],
  ['ip.src in {1.0.0.0/8 126.0.0.0..126.255.255.255 127.0.0.0/32}', () => false],
  ['cidr(ip.src, 8, 64) eq 127.0.0.0', () => true],
  ['cidr(ip.src, 1, 1) eq 0.0.0.0', () => true],
  ['cidr(ip.src, 31, 128) eq 127.0.0.0', () => true],
  ['cidr(ip.src, 32, 64) eq 127.0.0.1', () => true],
  ['cidr6(ip.src, 32) eq 127.0.0.1', () => true],
  ['cidr6(ip.src, 1) eq 127.0.0.1', () => true],
  ['cidr6(ip.src, 128) eq 127.0.0.1', () => true],
  ['to_string(ip.src) eq "127.0.0.1"', () => true]
]
