declare module 'plimsoll' {
  interface Adapter {
    /** What the target's process holds, by name: `rss` and `heap` in bytes, and whatever else. */
    figures?: () => Promise<Record<string, number>>
  }
}
