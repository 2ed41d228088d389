/** Loading a page and its first answer may take this long. */
const ROWS_WITHIN_MS = 10_000
let stopWaiting = () => {}

/** The arrow keys of a list work at once after a page was opened by keys, unless its reader did something else before. */
export function focusFirstRow() {
  stopWaiting()
  const ended = new AbortController()
  const { signal } = ended
  // What is still shown is the page before.
  const before = new Set(rowsOnPage())
  const watch = new MutationObserver(() => {
    const row = rowsOnPage().find((shown) => !before.has(shown))
    if (row === undefined) return
    stopWaiting()
    row.focus({ preventScroll: true })
  })
  stopWaiting = () => {
    watch.disconnect()
    ended.abort()
  }
  watch.observe(document.body, { childList: true, subtree: true })
  // The event that opened the page is still on its way.
  setTimeout(() => {
    for (const kind of ['keydown', 'pointerdown']) window.addEventListener(kind, () => stopWaiting(), { signal })
  })
  const timer = setTimeout(stopWaiting, ROWS_WITHIN_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

const rowsOnPage = () => [...document.querySelectorAll<HTMLElement>('main [data-row-index][tabindex="0"]')]
