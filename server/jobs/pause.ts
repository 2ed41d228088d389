/** Waits, and ends early with the signal. */
export function pause(ms: number, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    stopped.addEventListener('abort', finish)
  })
}
