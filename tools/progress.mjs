const STILL_EVERY_MS = 10_000

/**
 * Prints what has begun, repeats that every few seconds, and prints how it ended.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} act
 * @param {(result: Result) => string} describe
 * @returns {Promise<Result>}
 */
export async function withProgress(title, act, describe = () => 'done') {
  const startedAt = Date.now()
  const seconds = (digits) => `${((Date.now() - startedAt) / 1_000).toFixed(digits)} s`
  console.log(`${title} …`)
  const ticking = setInterval(() => console.log(`${title} … ${seconds(0)}`), STILL_EVERY_MS)
  try {
    const result = await act()
    console.log(`${title}: ${describe(result)} (${seconds(1)})`)
    return result
  } finally {
    clearInterval(ticking)
  }
}
