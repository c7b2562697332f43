/**
 * A map whose methods nobody can change: a function shares its realm with the guest's code, and
 * what it makes of `Map.prototype` must not see whom processor time is charged to.
 */
class OwnMap<Key, Value> extends Map<Key, Value> {}
class OwnWeakMap<Key extends WeakKey, Value> extends WeakMap<Key, Value> {}

for (const [own, theirs] of [
  [OwnMap.prototype, Map.prototype],
  [OwnWeakMap.prototype, WeakMap.prototype]
] as const) {
  for (const name of Reflect.ownKeys(theirs))
    Object.defineProperty(own, name, Object.getOwnPropertyDescriptor(theirs, name)!)
  Object.freeze(Object.setPrototypeOf(own, null))
}

/** What of a map the guest uses: nothing that goes through an iterator, which could be changed. */
export type Own<Key, Value> = Pick<Map<Key, Value>, 'get' | 'set' | 'has' | 'delete' | 'size'> & {
  forEach(each: (value: Value, key: Key) => void): void
}

/** Begins with nothing in it. */
export const createMap = <Key, Value>(): Own<Key, Value> => new OwnMap<Key, Value>()

/** A map that keeps nobody in it; of nobody's making but its own, too. */
export const createWeakMap = <Key extends WeakKey, Value>(): Pick<
  WeakMap<Key, Value>,
  'get' | 'set' | 'has' | 'delete'
> => new OwnWeakMap<Key, Value>()

/** What waits its turn, in order; like `createMap`, of nobody's making but its own. */
export function createQueue<Value>(): {
  push(value: Value): void
  shift(): Value | undefined
  size(): number
} {
  const waiting = createMap<number, Value>()
  let [first, next] = [0, 0]
  return {
    push: (value) => void waiting.set(next++, value),
    shift() {
      const value = waiting.get(first)
      if (waiting.delete(first)) first++
      return value
    },
    size: () => waiting.size
  }
}
