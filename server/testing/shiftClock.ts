/**
 * Sets the clock of this process, as somebody who sets the machine's would: it goes on from there, and what is measured
 * by the monotonic clock notices nothing.
 *
 * @returns sets it right again
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
