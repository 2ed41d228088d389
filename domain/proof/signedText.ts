/**
 * Writes a document as it is signed (RFC 8785): names in order, no blanks, whole numbers. Whoever has the document can
 * write the same text again, in any language.
 */
export const signedText = (value: unknown): string => JSON.stringify(inOrder(value))

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort() as (keyof typeof value)[]
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]))
}
