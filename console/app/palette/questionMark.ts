/** `?` wherever it stands on the keyboard, unless somebody types it into a field. */
export function asksForKeys({ key, ctrlKey, metaKey, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key !== '?' || ctrlKey || metaKey || defaultPrevented) return false
  const isTyped = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
  return !isTyped
}
