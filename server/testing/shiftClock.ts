/**
 * Shifts the clock of this process as setting the machine's clock would; the monotonic clock notices nothing.
 *
 * @returns a function that sets it right again
 */
export function shiftClock(byMs: number): () => void {
  const RealDate = globalThis.Date
  const now = () => RealDate.now() + byMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parameters) => Reflect.construct(target, parameters.length === 0 ? [now()] : parameters),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
  return () => {
    globalThis.Date = RealDate
  }
}
