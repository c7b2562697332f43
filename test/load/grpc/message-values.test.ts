import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { methodsOf } from '../../../src/load/grpc/method.ts'
import type { Root } from '../../../src/load/grpc/protobuf.ts'

const source = `syntax = "proto3";
package demo;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
service S { rpc M (Q) returns (Q); }
enum Mood { CALM = 0; LOUD = 1; }
message Q {
  int32 n = 1; int64 large = 2; uint64 unsigned = 3; bool isSo = 4; string text = 5; float part = 6;
  bytes data = 7; Mood mood = 8; oneof choice { string one = 9; int32 other = 10; }
  repeated int32 list = 11; map<string, int32> counts = 12; Q inner = 13; double wide = 16;
  google.protobuf.Timestamp at = 14; google.protobuf.Duration took = 15;
  map<bool, string> asked = 17; map<int32, string> byNumber = 18; map<uint64, string> byLarge = 19;
  google.protobuf.Int32Value maybe = 20; google.protobuf.StringValue said = 21;
  google.protobuf.Int64Value far = 22; google.protobuf.BytesValue raw = 23;
}`

const root = protobuf.parse(source).root
root.addJSON({
  google: {
    nested: {
      protobuf: {
        nested: Object.fromEntries(
          ['Timestamp', 'Duration'].map((name) => [
            name,
            { fields: { seconds: { type: 'int64', id: 1 }, nanos: { type: 'int32', id: 2 } } }
          ])
        )
      }
    }
  }
})
root.addJSON(protobuf.common.get('google/protobuf/wrappers.proto')!.nested!)
const method = methodsOf(root as unknown as Root, 'demo.S')('M')
const sent = (message: object) => method.decode(method.encode(message))

test.each<[object, RegExp]>([
  [{ n: { k: 'x' } }, /^demo\.S\.M\.n is a whole number from -2147483648 to 2147483647, and not/],
  [{ n: 1.5 }, /\.n is a whole number/],
  [{ n: 3_000_000_000 }, /\.n is a whole number/],
  [
    { large: '9223372036854775808' },
    /\.large is a whole number .*, and not "9223372036854775808"$/
  ],
  [{ unsigned: -1 }, /\.unsigned is a whole number from 0 to/],
  [{ isSo: 'yes' }, /\.isSo is true or false, and not "yes"$/],
  [{ text: 5 }, /\.text is a text, and not 5$/],
  [{ part: 1e300 }, /\.part is a number/],
  [{ data: 'no base64!' }, /\.data is base64, or bytes, and not/],
  [{ mood: 'ANGRY' }, /\.mood is one of CALM, LOUD, or a number, and not "ANGRY"$/],
  [{ one: 'a', other: 1 }, /\.other and one cannot both be: give one$/],
  [{ list: 1 }, /\.list is a list, and not 1$/],
  [{ list: [1, 'x'] }, /\.list\.1 is a whole number/],
  [{ n: [1] }, /\.n is a whole number/],
  [{ counts: { a: 'x' } }, /\.counts\.a is a whole number/],
  [{ inner: 'x' }, /\.inner is a message demo\.Q, given by its fields, and not "x"$/],
  [{ inner: { n: 'x' } }, /\.inner\.n is a whole number/],
  [{ at: 'yesterday' }, /\.at is a moment as/],
  [{ took: '1.5' }, /\.took is a time as/],
  [{ n: '2147483648' }, /\.n is a whole number .*, and not "2147483648"$/],
  [{ n: '1.5' }, /\.n is a whole number/],
  [{ n: '' }, /\.n is a whole number/],
  [{ n: '0x10' }, /\.n is a whole number/],
  [{ part: '1e999' }, /\.part is a number/],
  [{ part: 'wide' }, /\.part is a number/],
  [{ maybe: 'x' }, /\.maybe is a whole number .*, or its field, and not "x"$/],
  [{ maybe: { value: 'x' } }, /\.maybe\.value is a whole number/],
  [{ said: 5 }, /\.said is a text, or its field, and not 5$/],
  [{ asked: { yes: 'a' } }, /a key of \S+\.asked is true or false, and not "yes"$/],
  [{ byNumber: { x: 'a' } }, /a key of \S+\.byNumber is a whole number .*, and not "x"$/],
  [{ byNumber: { 3000000000: 'a' } }, /a key of \S+\.byNumber is a whole number/],
  [{ byNumber: { '1e3': 'a' } }, /a key of \S+\.byNumber is a whole number/],
  [{ byLarge: { '-1': 'a' } }, /a key of \S+\.byLarge is a whole number from 0 to/]
])('%j is refused by the name of the field', (message, because) => {
  expect(() => method.encode(message)).toThrow(because)
})

test('what a message may hold comes out as it went in', () => {
  const message = {
    ...{ n: -5, large: '-9223372036854775808', unsigned: '18446744073709551615', isSo: true },
    ...{ text: 'ä', part: 0.5, mood: 'LOUD', one: 'a', list: [1, 2], counts: { a: 1 } },
    inner: { n: 7, text: '' }
  }
  expect(sent({ ...message, data: 'YWI=', other: null })).toMatchObject(message)
  expect(Buffer.from(sent({ data: 'YWI=' }).data).toString()).toBe('ab')
  expect(sent({ wide: 'NaN', part: '-Infinity' })).toMatchObject({ wide: NaN, part: -Infinity })
  expect(sent({ mood: 1, large: 5 })).toMatchObject({ mood: 'LOUD', large: '5' })
})

test('numbers may be text, and wrapped ones stand for themselves (ProtoJSON)', () => {
  const texts = { n: '-12', large: '1e3', part: '1.5', wide: '2e300' }
  expect(sent(texts)).toMatchObject({ n: -12, large: '1000', part: 1.5, wide: 2e300 })
  const wrapped = { maybe: 5, said: 'ä', far: '9007199254740993', raw: 'YWI=' }
  const read = sent(wrapped)
  expect(read).toMatchObject({
    maybe: { value: 5 },
    said: { value: 'ä' },
    far: { value: '9007199254740993' }
  })
  expect(Buffer.from(read.raw.value).toString()).toBe('ab')
  expect(sent({ maybe: { value: '6' }, said: null })).toMatchObject({ maybe: { value: 6 } })
})

test('keys of maps are of their type, as text', () => {
  const maps = { asked: { true: 'a', false: 'b' }, byNumber: { '-5': 'c', '007': 'd' } }
  const { asked, byNumber, byLarge } = sent({ ...maps, byLarge: { '18446744073709551615': 'e' } })
  expect(asked).toEqual({ true: 'a', false: 'b' })
  expect(byNumber).toEqual({ '-5': 'c', 7: 'd' })
  expect(byLarge).toEqual({ '18446744073709551615': 'e' })
})

test('moments and times are taken as text', () => {
  expect(sent({ at: '1970-01-01T00:01:40.25Z', took: '-1.5s' })).toMatchObject({
    at: { seconds: '100', nanos: 250_000_000 },
    took: { seconds: '-1', nanos: -500_000_000 }
  })
  expect(sent({ took: { seconds: 3 } }).took).toMatchObject({ seconds: '3' })
})
