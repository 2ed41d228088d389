/**
 * Writes a document as it is signed (RFC 8785): names in order, no blanks, whole numbers. Whoever has the document can
 * write the same text again, in any language.
 */
export const signedText = (value: unknown): string => JSON.stringify(inOrder(value))

function inOrder(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const names = Object.keys(value)
  // Most of a long document is in order already, and copying it would take as long as writing it.
  if (names.every((name, index) => !isObject(value[name]) && (names[index - 1] ?? '') <= name)) return value
  return Object.fromEntries(names.sort().map((name) => [name, inOrder(value[name])]))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
