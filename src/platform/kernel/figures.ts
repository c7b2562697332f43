/** What this process holds, in bytes, for a soak to follow. */
export function figures(): { rss: number; heap: number } {
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed }
}
